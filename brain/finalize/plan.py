"""What finalize will do, decided from facts alone: ``--dry-run`` prints it, ``apply`` carries it out (SPEC §6.4)."""

from __future__ import annotations

from brain.errors import InvalidMemoryError
from brain.finalize.approval import MEANWHILE, UNPROVEN, Reason
from brain.finalize.edits import approve, deprecate, neutral, put_back, without_removal
from brain.finalize.gather import is_settled
from brain.finalize.history import GONE, TRAILER
from brain.index.build import read_memory
from brain.layout import DEPRECATED, INDEX_FILE, SETTINGS_FILE, SOFT
from brain.memory import render_memory
from brain.memory_index import render_index
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.finalize.gather import Candidate, Facts
    from brain.memory import Memory

APPROVED, REMOVED, RESTORED, WITHDRAWN = "approve", "remove", "reviewer", "put back"
"""What is done with a memory: made official, taken out, its reviewer set right, made pending again."""
STAYING, LEFT_OUT, RETURNED = "approve as staying", "gone", "returned"
"""Made official without the removal that was proposed of another text; taken out by the merge request itself; what was
official before in the place of the same text with other figures, or with a removal that nobody approved."""
STAYS, KEPT, NOT_IN_FORCE, BROKEN, OPEN = "stays", "kept", "not in force", "broken", "open"
"""What is said of others: pending it stays, its removal is not carried out, settings that do not count, unreadable; and
of an open merge request."""
TAKEN_OUT = "taken out"
"""What was final is gone, and nobody approved that."""
MOST_NAMED = 5
"""Merge requests that a commit's subject names."""


@value
class Step:
    """What is done with one memory, by whose approval, and by which merge request (0 for none)."""

    kind: str
    path: str
    reviewer: str = ""
    iid: int = 0


@value
class Problem:
    """Something that is not final: what becomes of it, where, by which merge request (0 for none), and why."""

    kind: str
    path: str
    iid: int
    reason: Reason


@value
class Plan:
    """What will be done: ``changes`` is path below the root → content, None to remove; empty where all is final."""

    target: str
    base: str
    root: str
    changes: Mapping[str, bytes | None]
    steps: tuple[Step, ...]
    problems: tuple[Problem, ...]
    message: str

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to commit."""
        return not self.changes


def plan_finalize(facts: Facts) -> Plan:
    """Return what is to be done: each memory for itself, then the index of what is approved then."""
    changes: dict[str, bytes | None] = {}
    steps: list[Step] = []
    problems: list[Problem] = []
    for row in facts.candidates:
        step, problem = _decide(row)
        problems += [problem] if problem else []
        try:
            made = _files_of(row, step) if step else {}
        except InvalidMemoryError as error:
            problems.append(Problem(BROKEN, row.path, row.answer.iid, Reason(BROKEN, (str(error),))))
            continue
        if step and made != {row.path: row.content}:
            steps.append(step)
            changes.update(made)
    for gone in facts.gone:
        if gone.answer.approver:
            steps.append(Step(LEFT_OUT, gone.path, gone.answer.approver, gone.answer.iid))
        else:
            reason = gone.answer.reason or Reason(UNPROVEN)
            problems.append(Problem(TAKEN_OUT, gone.path, gone.answer.iid, reason))
    index = _index(facts, changes)
    if index is not None:
        changes[INDEX_FILE] = index
    doubt = facts.approvers.doubt
    if doubt and doubt.reason:
        problems.append(Problem(NOT_IN_FORCE, SETTINGS_FILE, doubt.iid, doubt.reason))
    problems += [Problem(BROKEN, error.path, 0, Reason(BROKEN, (str(error),))) for error in facts.tree.broken]
    base = facts.tree.commit
    return Plan(
        facts.target, base, facts.root, changes, tuple(steps), tuple(problems), make_message(steps, base)
    )  # fmt: skip


def _decide(row: Candidate) -> tuple[Step | None, Problem | None]:
    """Return what is done with a memory and what is said of it."""
    memory, answer = row.memory, row.answer
    if is_settled(row):
        return Step(RESTORED, row.path, row.reviewer), None
    if answer.approver:
        return Step(REMOVED if memory.removal else APPROVED, row.path, answer.approver, answer.iid), None
    if row.staying.approver:
        step = Step(STAYING, row.path, row.staying.approver, row.staying.iid)
        return step, Problem(KEPT, row.path, answer.iid or row.staying.iid, Reason(MEANWHILE))
    reason = answer.reason or Reason(UNPROVEN)
    if row.before and neutral(row.before, row.path, tended=False) == neutral(row.content, row.path, tended=False):
        return Step(RETURNED, row.path, "", answer.iid), Problem(RETURNED, row.path, answer.iid, reason)
    kind = WITHDRAWN if memory.status == "approved" else STAYS
    return Step(WITHDRAWN, row.path, "", answer.iid), Problem(kind, row.path, answer.iid, reason)


def _files_of(row: Candidate, step: Step) -> dict[str, bytes | None]:
    if step.kind == RETURNED:
        return {row.path: without_removal(row.before or row.content, row.path)}
    return final_files(row.path, row.content, row.memory, step)


def final_files(path: str, content: bytes, memory: Memory, step: Step) -> dict[str, bytes | None]:
    """Return the files that a step makes of a memory's: path → content, None to remove.

    Raises:
        InvalidMemoryError: The frontmatter takes no edit. What is put back is written anew then: it must not stay.
    """
    if step.kind == WITHDRAWN:
        try:
            return {path: put_back(content, path)}
        except InvalidMemoryError:
            return {path: render_memory(replace(memory, status="pending", reviewed_by="")).encode()}
    if step.kind == STAYING:
        return {path: approve(without_removal(content, path), step.reviewer, path)}
    if step.kind != REMOVED:
        return {path: approve(content, step.reviewer, path)}
    if memory.removal == SOFT:
        return {path: None, f"{DEPRECATED}/{path}": deprecate(content, step.reviewer, path)}
    return {path: None}


def _index(facts: Facts, changes: Mapping[str, bytes | None]) -> bytes | None:
    """Return the index as it is to be, None where it is that already."""
    if not facts.tree.oid:
        return None
    memories = dict(facts.tree.memories)
    for path, content in changes.items():
        memories.pop(path, None)
        if content is not None and not path.startswith(f"{DEPRECATED}/"):
            memories[path] = read_memory(path, content)
    index = render_index(memories.values()).encode()
    return index if index != facts.index else None


def make_message(steps: Iterable[Step], base: str) -> str:
    """Return the commit's message: the merge requests, what is done, by whose approval; then the trailer."""
    rows = list(steps)
    iids = sorted({step.iid for step in rows if step.iid and step.reviewer})
    named = ", ".join(f"!{iid}" for iid in iids[:MOST_NAMED])
    more = f" and {len(iids) - MOST_NAMED} more" if len(iids) > MOST_NAMED else ""
    kinds = [step.kind for step in rows]
    subject = f"finalize {named}{more}" if iids else "put back what nobody approved" if rows else "rebuild the index"
    kinds = [APPROVED if kind == STAYING else REMOVED if kind == LEFT_OUT else kind for kind in kinds]
    counts = {"approved": APPROVED, "removed": REMOVED, "put back to pending": WITHDRAWN,
              "put back as approved before": RETURNED, "reviewer set": RESTORED}  # fmt: skip
    said = ", ".join(f"{kinds.count(kind)} {word}" for word, kind in counts.items() if kind in kinds)
    approvals = sorted({(step.iid, step.reviewer) for step in rows if step.iid and step.reviewer})
    gone = [f"{GONE}: {step.path}" for step in rows if step.kind == LEFT_OUT]
    trailers = [f"{TRAILER}: {base}", *(f"Approved-by: {reviewer} (!{iid})" for iid, reviewer in approvals), *gone]
    return "\n\n".join(part for part in (f"memory: {subject}", said, "\n".join(trailers)) if part) + "\n"

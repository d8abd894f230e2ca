"""The facts that finalize is planned from: what is not final on the default branch, and who approved it."""

from __future__ import annotations

from brain.finalize.approvers import find_approvers, read_settings
from brain.finalize.edits import neutral
from brain.finalize.evidence import Answer, Witnesses
from brain.finalize.history import changes_of
from brain.finalize.seal import Seal, find_seal
from brain.finalize.tree import changed_blobs, final_memory, read_files, read_tree
from brain.git.objects import read_blob
from brain.layout import INDEX_FILE, find_place
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.finalize.approvers import Approvers
    from brain.finalize.job import Job
    from brain.finalize.tree import Tree
    from brain.memory import Memory
    from brain.submit.push import Heads

MAX_INDEX_BYTES = 20_000_000


@value
class Candidate:
    """A memory that is not known to be final: it waits, its removal is proposed, or it changed.

    ``trusted`` says that its text is the one that was final before, by approval of ``reviewer``; what proposes a
    removal aside. ``before`` is the file that was final there, None where none was. ``changed`` says that the default
    branch has it otherwise than the trusted commit. ``staying`` is who approved its text as one that stays, where a
    removal is proposed that nobody approved of this text.
    """

    path: str
    content: bytes
    memory: Memory
    trusted: bool = False
    reviewer: str = ""
    before: bytes | None = None
    changed: bool = True
    answer: Answer = Answer()
    staying: Answer = Answer()


@value
class Gone:
    """A memory that was final and is not there any more, and who approved that."""

    path: str
    answer: Answer


@value
class Facts:
    """All that a plan is made from.

    ``target`` is the default branch, ``tree`` what it has, ``index`` its ``MEMORY.md`` (None: there is none), ``gone``
    what was taken out since everything was looked at.
    """

    target: str
    root: str
    tree: Tree
    index: bytes | None
    candidates: Sequence[Candidate]
    seal: Seal
    approvers: Approvers
    language: str
    mode: str
    gone: Sequence[Gone] = ()


def read_heads(job: Job) -> Heads:
    """Return the remote's default branch, brought here with its history.

    Raises:
        GitError: The remote cannot be reached.
    """
    heads = job.link.heads("", job.branch)
    job.link.fetch(heads, "")
    job.link.deepen(heads.default)
    return heads


def gather(job: Job) -> Facts:
    """Return the facts, freshly read.

    Raises:
        GitError: The remote cannot be reached.
        ForgeError: GitLab did not answer.
        ConfigError: ``brain.toml`` on the default branch is no TOML.
    """
    heads = read_heads(job)
    config = read_settings(job, heads.base)
    seal = find_seal(job, heads.base)
    approvers = find_approvers(job, heads.default, heads.base, seal.trusted)
    tree = read_tree(job.repo, heads.base, job.root)
    candidates = list(_find_candidates(job, tree, seal.trusted))
    witnesses = Witnesses(job, heads.default, approvers.names)
    heard = tuple(_hear(job, witnesses, seal.trusted, tree.commit, candidates))
    gone = tuple(_find_gone(job, witnesses, tree, seal.trusted))
    index = read_blob(job.repo, tree.blobs.get(INDEX_FILE, ""), MAX_INDEX_BYTES)
    return Facts(
        heads.default, job.root, tree, index, heard, seal, approvers, config["review.language"],
        config["review.finalize"], gone,
    )  # fmt: skip


def _find_candidates(job: Job, tree: Tree, trusted: str) -> Iterator[Candidate]:
    """Yield the memories that are not known to be final, by path."""
    changes = changed_blobs(job.repo, trusted, tree.commit, job.root) if trusted else {}
    before = {path.removeprefix(f"{job.root}/"): old for path, (old, _) in changes.items()}

    def is_changed(path: str) -> bool:
        return not trusted or path in before

    paths = [path for path, memory in tree.memories.items() if _is_open(memory, changed=is_changed(path))]
    contents = read_files(job.repo, {path: tree.blobs[path] for path in paths})
    olds = read_files(job.repo, {path: before.get(path, tree.blobs[path] if trusted else "") for path in paths})
    for path in sorted(paths):
        content = contents[path] or b""
        row = Candidate(path, content, tree.memories[path], changed=is_changed(path))
        old = final_memory(path, olds[path])
        if old:
            same = neutral(olds[path], path, removal=False) == neutral(content, path, removal=False)
            row = replace(row, before=olds[path], trusted=same, reviewer=old.reviewed_by if same else "")
        yield row


def _is_open(memory: Memory, *, changed: bool) -> bool:
    return memory.status == "pending" or (memory.status == "approved" and (memory.removal != "" or changed))


def is_settled(row: Candidate) -> bool:
    """Say whether a candidate needs nobody's word: its text is what was approved before, and it is to stay."""
    return row.trusted and row.memory.status == "approved" and not row.memory.removal


def _hear(
    job: Job, witnesses: Witnesses, trusted: str, base: str, candidates: Sequence[Candidate]
) -> Iterator[Candidate]:
    asked = [row for row in candidates if not is_settled(row)]
    recent = [row.path for row in asked if row.changed and not row.trusted]
    older = [row.path for row in asked if row.path not in set(recent)]
    changes = changes_of(job.repo, base, trusted, job.root, recent)
    changes.update(changes_of(job.repo, base, "", job.root, older))
    for row in candidates:
        if is_settled(row):
            yield row
        else:
            seen = changes.get(row.path, [])
            answer = witnesses.hear(row.path, row.content, seen)
            asks = row.memory.removal and not (answer.approver or row.trusted)
            staying = witnesses.hear_text(row.path, row.content, seen) if asks else Answer()
            yield replace(row, answer=answer, staying=staying)


def _find_gone(job: Job, witnesses: Witnesses, tree: Tree, trusted: str) -> Iterator[Gone]:
    """Yield what was final in the trusted commit and lies in its place no more."""
    changes = changed_blobs(job.repo, trusted, tree.commit, job.root) if trusted else {}
    olds = {path.removeprefix(f"{job.root}/"): old for path, (old, new) in changes.items() if old and not new}
    olds = {path: old for path, old in olds.items() if find_place(path)}
    final = [path for path, content in read_files(job.repo, olds).items() if final_memory(path, content)]
    seen = changes_of(job.repo, tree.commit, trusted, job.root, final)
    for path in sorted(final):
        yield Gone(path, witnesses.hear(path, None, seen.get(path, [])))

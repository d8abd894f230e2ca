"""Propose memories as rules or skills of the kit, in its own repo and under its own approval (SPEC §8, Flow B)."""

from __future__ import annotations

from brain.errors import BrainError, ConflictError, GitError
from brain.layout import slugify
from brain.memory import quote
from brain.submit.body import CONSULT, END, MAX_SENTENCE, START, code
from brain.submit.commit import blobs_at, build_commit, is_in, write_blob
from brain.submit.gather import check_forge
from brain.submit.journal import Texts
from brain.submit.judge import is_private
from brain.submit.plan import content_key, safe_name
from brain.submit.push import ARRIVED, MOVED
from brain.submit.request import open_request
from brain.tend.counts import Use
from brain.tend.kit import ORIGIN, project_of, promoted_at
from brain.tend.texts import PROMOTION
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.memory import Memory
    from brain.submit.push import Heads
    from brain.tend.kit import Kit
    from brain.workspace import Brain

RULE, SKILL = "rule", "skill"
KINDS = (RULE, SKILL)
MOST_TRIES = 5
NOT_OPENED = "warning: there is no token, so no merge request was opened: open it by hand"


@value
class Promotion:
    """What is promoted: memories, as what, and in which sprint.

    ``known`` is id → memory of all that may be named, ``uses`` id → how they were used, and ``web`` the address below
    which the memory repo's files are seen ("" for none).
    """

    memories: Sequence[Memory]
    kind: str
    sprint: str
    known: Mapping[str, Memory]
    uses: Mapping[str, Use]
    web: str

    @property
    def branch(self) -> str:
        """The branch of the kit that it is proposed on: one a sprint."""
        return f"promotion/{safe_name(self.sprint) or 'sprint'}"

    @property
    def title(self) -> str:
        """The merge request's title."""
        return f"promotion({safe_name(self.sprint) or 'sprint'}): rules and skills from project memory"


@value
class Proposed:
    """What was proposed: files of the kit, and the merge request (0 and "" for none)."""

    branch: str
    files: tuple[str, ...]
    iid: int = 0
    url: str = ""
    remarks: tuple[str, ...] = ()


def files_of(brain: Brain, promotion: Promotion) -> dict[str, str]:
    """Return path in the kit → text of the rules or skills that the memories become.

    Raises:
        BrainError: One of them may not leave the project, or two would be one file.
    """
    files: dict[str, str] = {}
    for memory in promotion.memories:
        if is_private(brain, f"{memory.sentence}\n{memory.body}"):
            raise BrainError(f"{memory.id} holds a secret or personal data", "mend the memory first")
        path, text = _file_of(brain, memory, promotion.kind)
        if path in files:
            raise BrainError(f"{memory.id}: {path} is taken by another of them", "promote one of the two")
        files[path] = text
    return files


def _file_of(brain: Brain, memory: Memory, kind: str) -> tuple[str, str]:
    origin = ORIGIN.format(project=project_of(brain), id=memory.id)
    name = slugify(memory.place.slug) or memory.place.slug
    if kind == RULE:
        return f"{brain.config['promote.rules'].strip('/')}/{name}.md", f"{origin}\n\n{memory.body}\n"
    head = f"---\nname: {name}\ndescription: {quote(memory.sentence)}\n---\n"
    return f"{brain.config['promote.skills'].strip('/')}/{name}/SKILL.md", f"{head}\n{origin}\n\n{memory.body}\n"


def promote(brain: Brain, kit: Kit, promotion: Promotion) -> Proposed:
    """Propose it in the kit; proposed twice, it is proposed once.

    Raises:
        BrainError: See ``files_of``; or the kit has all of it.
        GitError: The kit's remote cannot be reached, or takes no such branch.
        ForgeError: GitLab said no; the branch is pushed, and the next run opens the merge request.
        ConflictError: The branch was moved by others again and again.
    """
    files, link, branch = files_of(brain, promotion), kit.doors.link, promotion.branch
    check_forge(kit.doors)
    for _ in range(MOST_TRIES):
        heads = link.heads(branch)
        link.fetch(heads, branch)
        commit = _commit(kit, promotion, files, heads)
        if commit == heads.base:
            raise BrainError("nothing would change: the kit has all of it", "brain remove --promoted KIT")
        answer = link.push(branch, commit, heads.tip) if commit != heads.tip else None
        if answer is None or answer.state == ARRIVED:
            return _open(brain, kit, promotion, commit, heads)
        if answer.state != MOVED:
            raise GitError(["push", branch], 1, f"error: {answer.words}", "nothing is proposed yet")
    raise ConflictError(f"{branch} was moved {MOST_TRIES} times by others meanwhile", "run it again later")


def _commit(kit: Kit, promotion: Promotion, files: Mapping[str, str], heads: Heads) -> str:
    """Return the commit that has the files, on what the sprint's branch has already."""
    repo, parent = kit.repo.path, _parent(kit, promotion.branch, heads)
    changes = {path: write_blob(repo, text.encode()) for path, text in files.items()}
    return parent if blobs_at(repo, parent, list(files)) == changes else build_commit(
        repo, parent, changes, f"{promotion.title}\n"
    )  # fmt: skip


def _parent(kit: Kit, branch: str, heads: Heads) -> str:
    if not heads.tip or is_in(kit.repo.path, heads.tip, heads.base):
        return heads.base
    gitlab = kit.doors.gitlab
    if gitlab is None or gitlab.find_open(branch):
        return heads.tip
    ended = any(row.sha == heads.tip for row in gitlab.merge_requests(source_branch=branch))
    return heads.base if ended else heads.tip


def _open(brain: Brain, kit: Kit, promotion: Promotion, commit: str, heads: Heads) -> Proposed:
    """Open the merge request, or bring it up to date: it names all that the sprint's branch has."""
    project = project_of(brain)
    before = promoted_at(kit, project, heads.base)
    rows = {name: path for name, path in promoted_at(kit, project, commit).items() if before.get(name) != path}
    gitlab = kit.doors.gitlab
    if gitlab is None:
        return Proposed(promotion.branch, tuple(rows.values()), remarks=(NOT_OPENED,))
    words = PROMOTION[brain.config["review.language"]]
    key = content_key(promotion.branch, heads.default, rows)
    texts = Texts(key, promotion.title, _describe(promotion, project, rows, key, words))
    request, remarks = open_request(gitlab, promotion.branch, heads.default, texts)
    return Proposed(promotion.branch, tuple(rows.values()), request.iid, request.url, tuple(remarks))


def _describe(promotion: Promotion, project: str, rows: Mapping[str, str], key: str, words: Mapping[str, str]) -> str:
    lines = [words["columns"], "|" + " --- |" * 6]
    for memory_id, path in rows.items():
        memory, use = promotion.known.get(memory_id), promotion.uses.get(memory_id, Use())
        name = code(memory_id, 160)
        linked = f"[{name}]({promotion.web}/{memory.path})" if memory and promotion.web else name
        says = code(memory.sentence, MAX_SENTENCE) if memory else "–"
        projects = " ".join(code(found) for found in use.projects) or "–"
        lines.append(f"| {code(path, 160)} | {linked} | {use.hits} | {len(use.tickets)} | {projects} | {says} |")
    parts = [
        START.format(key=key), words["intro"].format(project=code(project)), CONSULT, "\n".join(lines), words["after"],
        END,
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"

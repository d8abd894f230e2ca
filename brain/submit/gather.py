"""The facts a submit is planned from: drafts and what lint says of them, the remote, the merge request, the journal."""

from __future__ import annotations

import os

from brain.clock import today
from brain.drafts import list_drafts, read_draft
from brain.edit import edit_memory
from brain.errors import BrainError, InvalidMemoryError
from brain.forge.gitlab import GitLab
from brain.forge.locate import locate
from brain.forge.values import CLOSED, MERGED, NOBODY
from brain.frontmatter import MAX_BYTES
from brain.git.objects import blob_id, find_tree, list_tree, read_blobs
from brain.index.cache import cache_dir
from brain.layout import DEPRECATED, PENDING, RETRO, find_place
from brain.memory import parse_memory
from brain.pending import find_pending, list_pending
from brain.submit.commit import blobs_at, changes_between, is_in, merge_base
from brain.submit.journal import OPEN, PUSHED
from brain.submit.judge import judge_drafts
from brain.submit.plan import Facts, Left, Proposal, branch_of
from brain.submit.push import Link
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from brain.forge.values import MergeRequest, Person
    from brain.git.refs import Repo
    from brain.lint.finding import Finding
    from brain.memory import Memory
    from brain.settings import Config
    from brain.submit.journal import Entry
    from brain.submit.push import Heads
    from brain.ticket import Ticket
    from brain.workspace import Brain

MAX_RETRO_BYTES = 1 << 20
FORGE_FACTS = "forge.json"
ROLES = ("pm", "tl", "ba", "qa", "comtor")


@value
class Doors:
    """The ways out of this machine: git's remote, and GitLab's interface where there is a token for it."""

    link: Link
    gitlab: GitLab | None


class FindingsError(BrainError):
    """Drafts that were named have errors; ``findings`` says which."""

    exit_code = 1

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(
            f"nothing was submitted: {len(findings)} errors in the drafts you named", "mend them; brain lint shows them"
        )
        self.findings = tuple(findings)


def open_doors(brain: Brain, env: Mapping[str, str], seconds: float | None = None) -> Doors:
    """Return the ways to the memory repo's remote and to its project on GitLab.

    ``seconds`` is how long either may take to answer, in place of what is set.

    Raises:
        GitError: There is no such remote.
    """
    return open_remote(brain.repo, brain.config["memory.remote"], brain.config, env, seconds)


def open_remote(
    repo: Repo, remote: str, config: Config, env: Mapping[str, str], seconds: float | None = None,
    cache: str = FORGE_FACTS,
) -> Doors:  # fmt: skip
    """Return the ways to any repo's remote and to its project on GitLab; see ``open_doors``."""
    link, gitlab = Link(repo.path, remote, env, ca=os.path.expanduser(config["gitlab.ca"])), None
    where = locate(link.url, config, env)
    if where and where.token:
        link = Link(repo.path, remote, env, str(where.token), where.ca, where.places[0][0])
        where = replace(where, timeout=seconds or where.timeout)
        gitlab = GitLab(where, os.path.join(cache_dir(repo), cache))
    link.seconds = seconds or link.seconds
    return Doors(link, gitlab)


def gather(
    brain: Brain, doors: Doors, ticket: Ticket, names: Sequence[str], entry: Entry | None, env: Mapping[str, str]
) -> Facts:
    """Return the facts for a submit of the drafts that are named, or of all.

    Raises:
        ForgeError: The project cannot be seen, or is archived.
        GitError: The remote cannot be reached.
        FindingsError: Drafts that were named have errors.
        MemoryNotFoundError: There is no draft of that name.
    """
    branch, root = branch_of(ticket.task_id), brain.config["memory.root"]
    proposals, left = _proposals(brain, names, entry, env)
    author = check_forge(doors).username
    heads = fetch_heads(brain, doors.link, branch)
    request, parent = find_parent(brain, doors, branch, heads, root)
    approved = files_at(brain, heads.base, root)
    proposals, removed = _without_removed(proposals, approved)
    on_branch = changed_by(brain, heads.base, parent, root)
    return Facts(
        ticket.task_id, ticket.title, ticket.description, root, heads, parent, proposals, [*left, *removed], on_branch,
        approved, _retro(brain, ticket.task_id, parent, root), entry, request, brain.config["review.maxPerMR"],
        {role: brain.config[f"people.{role}"] for role in ROLES}, author,
    )  # fmt: skip


def fetch_heads(brain: Brain, link: Link, branch: str = "", target: str = "") -> Heads:
    """Return what the remote has: the default branch (``target`` where that is known) and ``branch``, brought here.

    Raises:
        GitError: The remote cannot be reached.
    """
    prefix = f"refs/remotes/{brain.config['memory.remote']}/"
    noted = brain.tree.ref.removeprefix(prefix) if brain.tree.ref.startswith(prefix) else ""
    heads = link.heads(branch, target or brain.config["memory.branch"], noted)
    link.fetch(heads, branch)
    return heads


def renew(brain: Brain, link: Link, reopen: Callable[[], Brain]) -> Brain:
    """Return the memory as the remote's default branch has it now.

    Raises:
        GitError: The remote cannot be reached.
    """
    return brain if brain.tree.commit == fetch_heads(brain, link).base else reopen()


def check_forge(doors: Doors) -> Person:
    """Return whose token it is, ``NOBODY`` without one; raise where the project takes no changes."""
    if doors.gitlab is None:
        return NOBODY
    project = doors.gitlab.project()
    if project.archived:
        raise BrainError(f"{project.path} is archived on GitLab: it takes no changes", "have it unarchived, or moved")
    return doors.gitlab.person()


def _proposals(
    brain: Brain, names: Sequence[str], entry: Entry | None, env: Mapping[str, str]
) -> tuple[list[Proposal], list[Left]]:
    """Return the drafts that can go, and those that cannot; one that was named and has errors is an error."""
    if not brain.memory_root:
        raise BrainError(f"{brain.repo.git_dir} is bare: it has no drafts", "run it in the clone that has them")
    paths = _named(brain, names, entry) if names else list_drafts(brain.memory_root)
    found = judge_drafts(brain, paths, today(env))
    errors = {path: [row for row in rows if row.blocks] for path, rows in found.items()}
    if names and any(errors.values()):
        raise FindingsError([row for rows in errors.values() for row in rows])
    left = [Left(path, f"{rows[0].line}: {rows[0].message}: {rows[0].mend}") for path, rows in errors.items() if rows]
    proposals = []
    for path in paths:
        if not errors.get(path):
            try:
                proposal = _proposal(brain, path)
                why = "" if names else _was_refused(proposal, entry)
                if why:
                    left.append(Left(proposal.memory.id, why))
                else:
                    proposals.append(proposal)
            except InvalidMemoryError as error:
                if names:
                    raise
                left.append(Left(path, error.reason))
    return proposals, left


def _without_removed(proposals: Sequence[Proposal], there: Mapping[str, str]) -> tuple[list[Proposal], list[Left]]:
    """Return the proposals that can go, and those of memories that were removed meanwhile: an id is for ever.

    ``there`` is path → blob of what the default branch has.
    """
    paths = [item.memory.path for item in proposals]
    gone = {path for path in paths if path not in there and f"{DEPRECATED}/{path}" in there}
    why = "it was removed meanwhile: brain restore brings it back, then this can change it; or drop this"
    left = [Left(item.memory.id, why) for item in proposals if item.memory.path in gone]
    return [item for item in proposals if item.memory.path not in gone], left


def _named(brain: Brain, names: Sequence[str], entry: Entry | None) -> list[str]:
    """Return the paths of the drafts that are named; what was submitted already is no error, and no draft."""
    drafts = list_pending(brain.memory_root, 0.0)
    gone = set(entry.drafts) if entry and entry.stage in (PUSHED, OPEN) else set()
    paths = []
    for name in dict.fromkeys(names):
        bare = name.partition(f"{PENDING}/")[2] or name
        there = any(name == draft.id or bare == draft.path for draft in drafts)
        if there or not any(name == _id_of(path) or bare == path for path in gone):
            paths.append(find_pending(drafts, name).path)
    return paths


def _id_of(path: str) -> str:
    place = find_place(path)
    return place.id if place else ""


def _proposal(brain: Brain, path: str) -> Proposal:
    text, memory = read_draft(os.path.join(brain.memory_root, PENDING), path)
    proposed = edit_memory(text, {"status": "pending", "reviewed_by": ""}, f"{PENDING}/{path}")
    return Proposal(memory, proposed, blob_id(text.encode(), brain.tree.commit or "0" * 40))


def _was_refused(proposal: Proposal, entry: Entry | None) -> str:
    """Return that this very text was turned down, "" where it was not: nobody is asked the same twice unawares."""
    refused = entry.refused.get(proposal.memory.path) if entry else None
    if not refused or blob_id(proposal.text.encode(), refused) != refused:
        return ""
    return "it was turned down as it is: change it, name it to submit it all the same, or drop it"


def find_parent(brain: Brain, doors: Doors, branch: str, heads: Heads, root: str) -> tuple[MergeRequest | None, str]:
    """Return the branch's open merge request, and the commit to build on.

    That is the branch's where it has an open merge request, or something that no merge request has ended with:
    another machine may have pushed it this very moment. Else the default branch's.
    """
    repo, tip = brain.repo.path, heads.tip
    if not tip or is_in(repo, tip, heads.base):
        return None, heads.base
    if doors.gitlab is None:
        ended = has_arrived(repo, tip, heads.base, root)
        return None, heads.base if ended else tip
    request = doors.gitlab.find_open(branch)
    if request:
        return request, tip
    old = doors.gitlab.merge_requests(source_branch=branch)
    return None, heads.base if any(row.sha == tip and row.state in (CLOSED, MERGED) for row in old) else tip


def has_arrived(repo: str, commit: str, target: str, root: str, paths: Sequence[str] = ()) -> bool:
    """Say whether the default branch has what a commit changed (or those paths of it), final or not yet.

    Of a memory whose removal is proposed, nothing may be there any more: then it is carried out.
    """
    if is_in(repo, commit, target):
        return True
    base = merge_base(repo, commit, target)
    changed = changes_between(repo, base, commit, root) if base else {}
    wanted = {path: oid for path, oid in changed.items() if oid and find_place(path) and (not paths or path in paths)}
    there = blobs_at(repo, target, [f"{root}/{path}" for path in wanted])
    ours = dict(zip(wanted, read_blobs(repo, wanted.values(), MAX_BYTES), strict=True))
    left = [path for path in wanted if f"{root}/{path}" in there]
    theirs = read_blobs(repo, (there[f"{root}/{path}"] for path in left), MAX_BYTES)
    gone = all(_asks_removal(path, ours[path]) for path in wanted if path not in left)
    return bool(wanted) and gone and all(_same(ours[path], other) for path, other in zip(left, theirs, strict=True))


def _asks_removal(path: str, content: bytes | None) -> bool:
    memory = memory_of(path, (content or b"").decode("utf-8", "replace"))
    return memory is not None and memory.removal != ""


def _same(one: bytes | None, other: bytes | None) -> bool:
    """Say whether two files differ in nothing but what finalize writes."""
    if one is None or other is None:
        return False
    try:
        changes = {"status": "pending", "reviewed_by": "x"}  # a name: an empty field can be written in several ways
        return edit_memory(one.decode(), changes) == edit_memory(other.decode(), changes)
    except (InvalidMemoryError, UnicodeDecodeError):
        return one == other


def files_at(brain: Brain, base: str, root: str) -> dict[str, str]:
    """Return path → blob of all files of a commit below the root."""
    tree = find_tree(brain.repo.path, base, root)
    return {entry.path: entry.oid for entry in list_tree(brain.repo.path, tree)} if tree else {}


def changed_by(brain: Brain, base: str, parent: str, root: str) -> dict[str, str]:
    """Return path → text of what the parent changes below the root since it left the default branch."""
    start = merge_base(brain.repo.path, base, parent)
    if not start or parent == start:
        return {}
    changed = changes_between(brain.repo.path, start, parent, root)
    kept = {path: oid for path, oid in changed.items() if oid}
    texts = read_blobs(brain.repo.path, kept.values(), MAX_RETRO_BYTES)
    return {path: (text or b"").decode("utf-8", "replace") for path, text in zip(kept, texts, strict=True)}


def _retro(brain: Brain, ticket: str, parent: str, root: str) -> tuple[str, str]:
    """Return path and text of the ticket's retrospect, if it lies on disk and the parent has it not as it is."""
    path = f"{RETRO}/{ticket}.md"
    if "/" in ticket or "\\" in ticket or ticket.startswith("."):
        return "", ""
    file = os.path.join(brain.memory_root, *path.split("/"))
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as opened:
            text = opened.read(MAX_RETRO_BYTES + 1).decode()
    except (OSError, ValueError):
        return "", ""
    there = blobs_at(brain.repo.path, parent, [f"{root}/{path}"]).get(f"{root}/{path}", "")
    if len(text) > MAX_RETRO_BYTES or there == blob_id(text.encode(), parent):
        return "", ""
    return path, text


def memory_of(path: str, text: str) -> Memory | None:
    """Return the memory that a proposed file holds, None where it is none."""
    place = find_place(path)
    try:
        return parse_memory(text, place, path) if place else None
    except InvalidMemoryError:
        return None

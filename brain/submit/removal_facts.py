"""The facts a removal or a restore is planned from: the memories, who refers to them, the remote, the merge request."""

from __future__ import annotations

import re
from difflib import get_close_matches

from brain.clock import today
from brain.edit import AS_DRAFT, edit_memory
from brain.errors import BrainError, ConflictError, MemoryNotFoundError
from brain.git.objects import read_blob
from brain.index.build import read_memory
from brain.layout import DEPRECATED, PENDING, SOFT, find_place
from brain.memory import MAX_FILE_BYTES
from brain.pending import list_pending
from brain.removed import list_removed
from brain.submit.gather import ROLES, changed_by, check_forge, fetch_heads, files_at, find_parent, memory_of
from brain.submit.judge import is_private, judge_change
from brain.submit.plan import LABEL, REMOVE
from brain.submit.removal import Facts, Reference, Target
from brain.text import visible
from brain.value import value
from brain.whereabouts import tell_whereabouts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brain.forge.values import MergeRequest
    from brain.memory import Memory
    from brain.submit.apply import Job
    from brain.submit.journal import Entry
    from brain.submit.removal import Wish
    from brain.workspace import Brain

MAX_REASON = 200
"""Characters of a reason: what lint lets a value of the frontmatter have."""
MOST_NEAR = 3
ABOUT = "<!-- brain:about {ids} -->"
"""What in a description says which memories a removal is about."""


@value
class Ground:
    """What each memory is looked for in.

    ``files`` is path → blob of the default branch below the root, ``removed`` the same of what is softly removed;
    ``there`` is path → text of what the proposal's branch changes already; ``entry`` what our journal says of it.
    """

    brain: Brain
    base: str
    files: Mapping[str, str]
    removed: Mapping[str, str]
    there: Mapping[str, str]
    entry: Entry | None
    today: str


def check_reason(text: str) -> str:
    """Return a reason on one line.

    Raises:
        BrainError: It says nothing, or too much.
    """
    line = " ".join(visible(text).split())
    if not line:
        raise BrainError("why is it to be removed?", "--reason TEXT: who approves it has to know")
    if len(line) > MAX_REASON:
        raise BrainError(f"--reason: {len(line)} characters, {MAX_REASON} at most", "say it shorter")
    return line


def gather_removal(job: Job, wish: Wish, entry: Entry | None) -> tuple[Facts, Brain]:
    """Return the facts, and the memory as it is after the fetch.

    Raises:
        MemoryNotFoundError: There is no memory of that id.
        ConflictError: It is proposed already, in another way.
        BrainError: It is a draft, not approved, or removed already; or the reason may not stand in a memory.
        GitError: The remote cannot be reached.
        ForgeError: The project cannot be seen.
    """
    doors, root = job.doors, job.brain.config["memory.root"]
    author = check_forge(doors).username
    heads = fetch_heads(job.brain, doors.link, wish.branch)
    brain = job.brain if job.brain.tree.commit == heads.base else job.reopen()
    request, parent = find_parent(brain, doors, wish.branch, heads, root)
    repo = brain.repo.path
    ground = Ground(
        brain, heads.base, files_at(brain, heads.base, root), list_removed(repo, heads.base, root),
        changed_by(brain, heads.base, parent, root), entry, today(job.env),
    )  # fmt: skip
    _check_number(brain, wish)
    targets = [(_to_remove if wish.removal else _to_restore)(ground, wish, name) for name in wish.ids]
    if request is None:
        _check_others(job, wish, targets)
    people = {role: brain.config[f"people.{role}"] for role in ROLES}
    return Facts(root, heads, parent, targets, request, people, author, _drafts_of(brain, wish)), brain


def plain_id(name: str, root: str) -> str:
    """Return the id that a name or a path of a memory stands for."""
    bare = name.removeprefix(f"{root}/").removeprefix(f"{DEPRECATED}/")
    place = find_place(bare)
    return place.id if place else name


def _check_number(brain: Brain, wish: Wish) -> None:
    most = brain.config["review.maxPerMR"]
    if len(wish.ids) > most:
        raise BrainError(f"{len(wish.ids)} memories: a merge request takes {most}", "propose some of them first")


def _to_remove(ground: Ground, wish: Wish, memory_id: str) -> Target:
    path = _path_of(ground.files, memory_id)
    if not path:
        raise _not_there(ground, memory_id)
    memory, text = _read(ground.brain, ground.files[path], path)
    if memory.status != "approved":
        raise _not_there(ground, memory_id)
    if memory.removal:
        hint = "brain-ci finalize carries it out, or takes it back where no PM approved it"
        raise BrainError(f"{memory_id}: its removal is merged already", hint)
    proposed = _proposed_there(ground, wish, path)
    if not proposed:
        proposed = edit_memory(text, {"removal": wish.removal, "removal_reason": wish.reason}, path)
        _check_words(ground, path, text, proposed)
    return _target(ground, memory, proposed)


def _target(ground: Ground, memory: Memory, text: str) -> Target:
    proposed = memory_of(memory.path, text)
    assert proposed  # it was edited, and read back
    says = "" if is_private(ground.brain, memory.sentence) else memory.sentence
    return Target(memory, proposed, text, says, tuple(find_references(ground.brain, memory)))


def _proposed_there(ground: Ground, wish: Wish, path: str) -> str:
    """Return the text that proposes this removal on the branch already, "" where there is none or we change our own."""
    text = ground.there.get(path, "")
    found = memory_of(path, text) if text else None
    if found is None or not found.removal:
        return ""
    if ground.entry is None and found.removal != wish.removal:
        raise ConflictError(f"{found.id}: its {found.removal} removal is proposed already", f"look at {wish.branch}")
    same = (found.removal, found.removal_reason) == (wish.removal, wish.reason)
    return text if same or ground.entry is None else ""


def _check_words(ground: Ground, path: str, before: str, after: str) -> None:
    """Raise where the reason holds what no memory may: secrets, personal data, hidden characters, orders."""
    found = judge_change(ground.brain, path, before, after, ground.today)
    if found:
        raise BrainError(f"--reason: {found[0].rule.code} {found[0].message}", found[0].mend)


def _to_restore(ground: Ground, wish: Wish, memory_id: str) -> Target:
    path = _path_of(ground.removed, memory_id)
    if not path:
        if _path_of(ground.files, memory_id):
            raise BrainError(f"{memory_id} is not removed", "brain show prints it")
        raise _not_there(ground, memory_id)
    if path in ground.files:
        raise ConflictError(f"{memory_id}: another memory lies in its place by now", "brain show prints it")
    memory, text = _read(ground.brain, ground.removed[path], path)
    if wish.reason:  # no file keeps it, and the merge request shows it
        told = edit_memory(text, {"removal": SOFT, "removal_reason": wish.reason}, path)
        _check_words(ground, f"{DEPRECATED}/{path}", text, told)
    return _target(ground, memory, edit_memory(text, AS_DRAFT, path))


def _path_of(files: Mapping[str, str], memory_id: str) -> str:
    places = filter(None, map(find_place, files))
    return next((place.path for place in places if place.id == memory_id), "")


def _read(brain: Brain, oid: str, path: str) -> tuple[Memory, str]:
    content = read_blob(brain.repo.path, oid, MAX_FILE_BYTES)
    return read_memory(path, content), (content or b"").decode()


def _not_there(ground: Ground, memory_id: str) -> BrainError:
    """Return the error that says what an id is that no approved memory has."""
    brain = ground.brain
    drafts = [draft.id for draft in list_pending(brain.memory_root, 0.0) if draft.id]
    if memory_id in drafts:
        return BrainError(f"{memory_id} is a draft of yours: nobody else has it", f"brain pending drop {memory_id}")
    told = tell_whereabouts(brain, memory_id)
    if told:
        return told
    known = [place.id for place in map(find_place, (*ground.files, *ground.removed)) if place]
    near = get_close_matches(memory_id, [*known, *drafts], n=MOST_NEAR, cutoff=0.6)
    return MemoryNotFoundError(memory_id, ", ".join(dict.fromkeys(near)))


def find_references(brain: Brain, memory: Memory) -> Iterator[Reference]:
    """Yield how approved memories and this one refer to each other."""
    for name, ids in (("replaces", memory.supersedes), ("replaced_by", memory.superseded_by)):
        yield from (Reference(other, name) for other in ids)
    whole = re.compile(rf"(?<![\w.-]){re.escape(memory.id)}(?![\w-])")
    file = f"{brain.config['memory.root']}/{memory.path}"
    for other in _naming(brain, (memory.id, memory.path)):
        if other.path == memory.path:
            continue
        ways = {
            "supersedes": memory.id in other.supersedes, "superseded_by": memory.id in other.superseded_by,
            "rests_on": any(ref.partition("#")[0].endswith(file) for ref in other.refs),
            "names": bool(whole.search(other.body)),
        }  # fmt: skip
        yield from (Reference(other.id, how) for how, holds in ways.items() if holds)


def _naming(brain: Brain, words: Iterable[str]) -> Iterator[Memory]:
    """Yield the approved memories whose file holds one of these words; only they are parsed."""
    for part in brain.tree.parts:
        for number in range(part.segment.docs):
            if number not in part.dead and any(word in part.segment.record(number)[1] for word in words):
                yield part.segment.memory(number)


def _check_others(job: Job, wish: Wish, targets: Iterable[Target]) -> None:
    """Raise where one of the memories is in an open proposal of another name."""
    paths = {target.memory.path: target.memory.id for target in targets}
    for other in job.journal.entries():
        both = [paths[path] for path in other.about if path in paths]
        if both and other.branch != wish.branch:
            raise ConflictError(f"{both[0]}: proposed already: {other.sentence}", "wait for its end")
    for request in _open_proposals(job, wish):
        named = re.search(r"<!-- brain:about ([^>]*) -->", request.description)
        both = [memory_id for memory_id in paths.values() if named and memory_id in named[1].split()]
        if both:
            raise ConflictError(f"{both[0]}: proposed already: !{request.iid} {request.url}", "wait for its end")


def _open_proposals(job: Job, wish: Wish) -> list[MergeRequest]:
    gitlab = job.doors.gitlab
    if gitlab is None:
        return []
    found = gitlab.merge_requests(state="opened", labels=LABEL)
    begin = f"memory/{REMOVE}"
    return [row for row in found if row.source_branch.startswith(begin) and row.source_branch != wish.branch]


def _drafts_of(brain: Brain, wish: Wish) -> tuple[str, ...]:
    """Return a remark on each memory of which a draft lies here too."""
    drafts = {draft.id: draft.path for draft in list_pending(brain.memory_root, 0.0)} if wish.removal else {}
    return tuple(
        f"a draft of {memory_id} lies here too: {PENDING}/{drafts[memory_id]}; brain pending drop {memory_id}"
        for memory_id in wish.ids if memory_id in drafts
    )  # fmt: skip

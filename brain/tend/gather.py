"""The facts that ``consolidate`` is planned from: memories, counts, refs, history, retrospects, open merge requests."""

from __future__ import annotations

import os
import re

from brain.clock import days_before, today
from brain.finalize.tree import read_files, read_tree
from brain.forge.values import CLOSED
from brain.git.objects import list_refs, read_blobs
from brain.git.run import git
from brain.layout import DEPRECATED
from brain.memory import MAX_FILE_BYTES
from brain.submit.body import key_in
from brain.submit.commit import blobs_at, changes_between, is_in, merge_base
from brain.submit.gather import ROLES, changed_by, check_forge, fetch_heads, find_parent
from brain.tend import publish, retros
from brain.tend.change import Case, Limits, last_use
from brain.tend.counts import Use
from brain.tend.pairs import find_contradictions, find_duplicates
from brain.tend.repos import bring_repos, check_everywhere
from brain.tend.translations import find_translations
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from brain.finalize.tree import Tree
    from brain.forge.values import MergeRequest
    from brain.memory import Memory
    from brain.submit.apply import Job
    from brain.submit.push import Heads
    from brain.tend.pairs import Pair
    from brain.tend.retros import Retro
    from brain.workspace import Brain

NAME, BRANCH = "consolidate", "memory/consolidate"
OPEN = "refs/brain/open/"
"""Where the branches of merge requests lie here, as they are there."""
OURS = "Brain-Submit: "
"""What stands in the message of our own commits (``brain.submit.apply``)."""
KEPT = re.compile(r"<!-- brain:kept ([^>]*) -->")
"""What in our description says of which files (below the root) people decided."""
MOST_PATHS = 200
"""Paths that git is asked about by name; of more, it tells all below the root, which is faster."""


@value
class Facts:
    """All that a plan is made from.

    ``memories`` and ``texts`` are path → approved memory and its file; ``cases`` those that may be changed now, for
    ``busy`` ones are in open merge requests. ``on_branch`` is path → text of what our branch changes, ``held`` the part
    of it that people wrote there. ``refused`` are keys of descriptions that were turned down.
    """

    root: str
    heads: Heads
    parent: str
    memories: Mapping[str, Memory]
    texts: Mapping[str, str]
    cases: Sequence[Case]
    busy: frozenset[str]
    duplicates: Sequence[Pair]
    contradictions: Sequence[Pair]
    retros: Sequence[Retro]
    on_branch: Mapping[str, str]
    held: Mapping[str, str]
    request: MergeRequest | None
    refused: frozenset[str]
    people: Mapping[str, Sequence[str]]
    today: str
    author: str = ""
    remarks: tuple[str, ...] = ()


def gather(job: Job) -> tuple[Facts, Brain]:
    """Return the facts, and the memory as it is after the fetch.

    Raises:
        GitError: The remote cannot be reached.
        ForgeError: The project cannot be seen.
    """
    doors, root = job.doors, job.brain.config["memory.root"]
    author = check_forge(doors).username
    heads = fetch_heads(job.brain, doors.link, BRANCH)
    doors.link.deepen(heads.default)
    doors.link.mirror(*publish.FETCHED, *retros.FETCHED, f"+refs/heads/memory/*:{OPEN}*")
    brain = job.brain if job.brain.tree.commit == heads.base else job.reopen()
    repo, date = brain.repo.path, today(job.env)
    request, parent = find_parent(brain, doors, BRANCH, heads, root)
    tree = read_tree(repo, heads.base, root)
    memories = {path: memory for path, memory in tree.memories.items() if memory.status == "approved"}
    contents = read_files(repo, {path: tree.blobs[path] for path in memories})
    busy, sources = _read_open(job, brain, heads, root)
    cases, remarks = _cases(brain, [memory for path, memory in memories.items() if path not in busy], heads.base, date)
    on_branch = changed_by(brain, heads.base, parent, root)
    ordered = list(memories.values())
    translations, untold = find_translations(brain, ordered)
    return Facts(
        root, heads, parent, memories, {path: (content or b"").decode() for path, content in contents.items()}, cases,
        frozenset(busy), [*find_duplicates(ordered), *translations],
        find_contradictions(ordered),
        retros.find_retros(
            brain, heads.base, root, [*_sources(brain, tree), *sources],
            days_before(date, brain.config["consolidate.retroDays"]),
        ),
        on_branch, _held(brain, heads.base, parent, on_branch, request), request, _refused(job),
        {role: brain.config[f"people.{role}"] for role in ROLES}, date, author, (*remarks, *filter(None, [untold])),
    ), brain  # fmt: skip


def _cases(brain: Brain, memories: Sequence[Memory], base: str, date: str) -> tuple[list[Case], list[str]]:
    """Return what is known of each memory whose removal is not decided already, and remarks."""
    memories = [memory for memory in memories if not memory.removal]
    folders, remarks = bring_repos(brain)
    answers = check_everywhere(brain, memories, folders, base)
    uses = publish.read_total(brain.repo.path).uses
    limits = Limits.of(brain.config)
    plain = [Case(memory, uses.get(memory.id, Use()), None) for memory in memories]
    stale = [memory.path for memory in memories if memory.stale]
    quiet = [case.memory.path for case in plain if last_use(case) < days_before(date, min(limits.old, limits.quiet))]
    flagged = last_changes(brain, base, "stale", stale)
    settled = last_changes(brain, base, "confidence", {*stale, *quiet})
    return [
        Case(
            case.memory, case.use, answer, tuple(doubts), flagged.get(case.memory.path, ""),
            settled.get(case.memory.path, ""),
        )
        for case, (answer, doubts) in zip(plain, answers, strict=True)
    ], remarks  # fmt: skip


def last_changes(brain: Brain, commit: str, key: str, paths: Collection[str]) -> dict[str, str]:
    """Return path below the root → the ISO date at which a key's line was last changed, as the history has it."""
    root = brain.config["memory.root"]
    if not paths:
        return {}
    where = [f"{root}/{path}" for path in sorted(paths)] if len(paths) <= MOST_PATHS else [root]
    out = git(
        brain.repo.path, "--literal-pathspecs", "log", "--format=%x01%cs", "--name-only", "-z", "--no-renames",
        f"-G^{key}:", commit, "--", *where,
    )  # fmt: skip
    found: dict[str, str] = {}
    for part in out.split(b"\1")[1:]:
        date, *names = part.split(b"\0")
        for name in names:
            path = os.fsdecode(name.strip(b"\n")).removeprefix(f"{root}/")
            if path in paths:
                found.setdefault(path, date.decode().strip())
    return found


def _read_open(job: Job, brain: Brain, heads: Heads, root: str) -> tuple[set[str], list[str]]:
    """Return the paths that open merge requests change, ours aside, and the sources that their memories name."""
    repo, gitlab = brain.repo.path, job.doors.gitlab
    tips = {f"memory/{name}": oid for name, oid in list_refs(repo, OPEN).items()}
    tips.pop(BRANCH, None)
    if gitlab and tips:
        opened = {row.source_branch for row in gitlab.merge_requests(state="opened")}
        tips = {name: oid for name, oid in tips.items() if name in opened}
    busy: set[str] = set()
    blobs: list[str] = []
    for tip in tips.values():
        start = merge_base(repo, heads.base, tip)
        changed = {} if not start or is_in(repo, tip, heads.base) else changes_between(repo, start, tip, root)
        busy.update(changed)
        blobs += [oid for oid in changed.values() if oid]
    return busy, [_source(content) for content in read_blobs(repo, blobs, MAX_FILE_BYTES)]


def _sources(brain: Brain, tree: Tree) -> list[str]:
    """Return the sources that memories name, those that were removed among them."""
    removed = [oid for path, oid in tree.blobs.items() if path.startswith(f"{DEPRECATED}/")]
    gone = [_source(content) for content in read_blobs(brain.repo.path, removed, MAX_FILE_BYTES)]
    return [*(memory.source for memory in tree.memories.values()), *gone]


def _source(content: bytes | None) -> str:
    found = re.search(rb"^source:(.*)$", content or b"", re.MULTILINE)
    return found[1].decode("utf-8", "replace").strip() if found else ""


def _held(
    brain: Brain, base: str, parent: str, on_branch: Mapping[str, str], request: MergeRequest | None
) -> dict[str, str]:
    """Return path → text, of what people changed on our branch: their word counts, ours is not repeated.

    That is what they changed after our last commit there, and what the description says they did before. It counts
    while the default branch has not moved on below it; "" is for what they made again as it is there.
    """
    if parent == base:
        return {}
    repo, root = brain.repo.path, brain.config["memory.root"]
    found = git(repo, "log", "-1", "--format=%H", f"--grep=^{OURS}", f"{base}..{parent}").decode().strip()
    changed = set(changes_between(repo, found, parent, root)) if found and found != parent else set()
    kept = KEPT.search(request.description) if request else None
    changed.update(kept[1].split() if kept else ())
    where = [f"{root}/{path}" for path in sorted(changed)]
    before, now = blobs_at(repo, merge_base(repo, base, parent), where), blobs_at(repo, base, where)
    return {
        path: on_branch.get(path, "") for path in changed if before.get(f"{root}/{path}") == now.get(f"{root}/{path}")
    }


def _refused(job: Job) -> frozenset[str]:
    """Return the keys of our merge requests that were turned down."""
    if job.doors.gitlab is None:
        return frozenset()
    rows = job.doors.gitlab.merge_requests(source_branch=BRANCH, state=CLOSED)
    return frozenset(key_in(row.description) for row in rows)

"""The facts of the report: counts of all machines, the default branch and its history, and GitLab's merge requests."""

from __future__ import annotations

import os

from brain.clock import today
from brain.errors import InvalidMemoryError
from brain.finalize.tree import read_files, read_tree
from brain.git.run import git
from brain.index.build import read_memory
from brain.layout import DEPRECATED, find_place
from brain.submit.plan import LABEL
from brain.tend.gather import last_changes
from brain.tend.metrics import Facts, Request
from brain.tend.publish import read_total

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brain.finalize.tree import Tree
    from brain.forge.gitlab import GitLab
    from brain.memory import Memory
    from brain.workspace import Brain


def gather(brain: Brain, gitlab: GitLab | None, env: Mapping[str, str]) -> Facts:
    """Return the facts, as the default branch and the counts are here.

    Raises:
        ForgeError: GitLab does not answer.
    """
    root, commit, config = brain.config["memory.root"], brain.tree.commit, brain.config
    tree = read_tree(brain.repo.path, commit, root)
    approved = [memory for memory in tree.memories.values() if memory.status == "approved"]
    since = last_changes(brain, commit, "status", [memory.path for memory in approved]) if commit else {}
    return Facts(
        read_total(brain.repo.path), approved, since, list(_removed(brain, tree)),
        frozenset(_ever_flagged(brain.repo.path, commit, root)) if commit else frozenset(),
        list(list_requests(gitlab)) if gitlab else None, today(env), config["report.sprintDays"],
        config["recall.decayDays"],
    )  # fmt: skip


def _removed(brain: Brain, tree: Tree) -> Iterator[Memory]:
    blobs = {path: oid for path, oid in tree.blobs.items() if path.startswith(f"{DEPRECATED}/")}
    for path, content in read_files(brain.repo.path, blobs).items():
        bare = path.removeprefix(f"{DEPRECATED}/")
        try:
            if find_place(bare):
                yield read_memory(bare, content)
        except InvalidMemoryError:
            continue


def _ever_flagged(repo: str, commit: str, root: str) -> Iterator[str]:
    """Yield the paths of memories whose flag a commit ever set."""
    out = git(
        repo, "--literal-pathspecs", "log", "--format=", "--name-only", "-z", "--no-renames", "-G^stale: *true",
        commit, "--", root,
    )  # fmt: skip
    for name in out.split(b"\0"):
        path = os.fsdecode(name.strip(b"\n")).removeprefix(f"{root}/")
        if find_place(path):
            yield path


def list_requests(gitlab: GitLab) -> Iterator[Request]:
    """Yield the merge requests of memories, whatever their state.

    Raises:
        ForgeError: GitLab does not answer.
    """
    rows = gitlab.connection.each(f"{gitlab.at}/merge_requests", {"labels": LABEL, "scope": "all"})
    for row in rows:
        ended = row.get("merged_at") or row.get("closed_at") or ""
        if not str(row.get("source_branch")).startswith("memory/finalize-"):
            yield Request(str(row["state"]), str(row["source_branch"]), str(row["created_at"])[:10], str(ended)[:10])

"""Which refs of the recalled memories are in doubt, and how that is said (SPEC §4.5, §5)."""

from __future__ import annotations

import os

from brain.git.refs import find_repo
from brain.index.cache import cache_dir
from brain.stale.answers import STALE
from brain.stale.memories import check_memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.git.refs import Repo
    from brain.memory import Memory
    from brain.stale.memories import Doubt
    from brain.workspace import Brain

TIMEOUT = 5.0
"""Seconds a session start gives git in each repo; what is not answered then is unknown."""


def doubts_of(
    brain: Brain, memories: Sequence[Memory], *, timeout: float | None = TIMEOUT, suggest: bool = False
) -> dict[str, tuple[Doubt, ...]]:
    """Return path → the refs that are stale or could not be checked, for those memories that have any.

    ``timeout`` is seconds for git in each repo; ``suggest`` looks for the new path of what is gone.
    """
    if not any(memory.refs for memory in memories):
        return {}
    found = check_memories(
        memories, repo_folders(brain), os.path.join(cache_dir(brain.repo), "stale"),
        memory_head=brain.tree.commit, timeout=timeout, suggest=suggest,
    )  # fmt: skip
    return {memory.path: doubts for memory, doubts in zip(memories, found, strict=True) if doubts}


def repo_folders(brain: Brain) -> dict[str, str | None]:
    """Return alias → the folder of that repo on this machine, None where there is none.

    A folder in brain.toml is taken as it is; a URL is the workspace's repo, or a clone beside it, if that has it as a
    remote.
    """
    own = brain.workspace.code_repo
    folders: dict[str, str | None] = {"": own.path if own else None, "docs": brain.repo.path}
    for alias, where in brain.config["repos"].items():
        path = os.path.join(brain.workspace.root, os.path.expanduser(where))
        beside = find_repo(os.path.join(os.path.dirname(brain.workspace.root), alias))
        clones = [repo.path for repo in (own, beside) if repo and has_remote_at(repo, where)]
        folders[alias] = path if os.path.isdir(path) else next(iter(clones), None)
    return folders


def has_remote_at(repo: Repo, url: str) -> bool:
    """Say whether one of the repo's remotes has that URL."""
    try:
        with open(os.path.join(repo.common_dir, "config"), encoding="utf-8", errors="replace") as file:
            urls = (line.partition("=")[2] for line in file if line.strip().startswith("url"))
            return any(_bare_url(found) == _bare_url(url) for found in urls)
    except OSError:
        return False


def _bare_url(url: str) -> str:
    return url.strip().rstrip("/").removesuffix(".git")


def warning_of(doubt: Doubt) -> str:
    """Return the doubt as a label on a memory."""
    if doubt.answer.state != STALE:
        return f"not checked: {doubt.ref} ({doubt.answer.reason})"
    moved = f", now {doubt.answer.new_path}" if doubt.answer.new_path else ""
    return f"may be stale: {doubt.ref} changed since {doubt.commit[:7]}{moved}: verify before you rely on it"

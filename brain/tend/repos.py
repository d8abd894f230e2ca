"""Whether memories are stale, asked of every code repo of the team: of clones that are here, and of mirrors."""

from __future__ import annotations

import os
from hashlib import sha256

from brain.index.cache import cache_dir
from brain.recall.doubts import repo_folders
from brain.stale.answers import STALE, UNKNOWN
from brain.stale.memories import check_memories
from brain.stale.refs import parse_ref
from brain.tend.mirror import mirror

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.memory import Memory
    from brain.stale.memories import Doubt
    from brain.workspace import Brain


def bring_repos(brain: Brain) -> tuple[dict[str, str | None], list[str]]:
    """Return alias → folder of the code repos, those without a clone here mirrored, and remarks."""
    folders, remarks = repo_folders(brain), []
    for alias, url in brain.config["repos"].items():
        if folders.get(alias) is None and not os.path.isabs(url) and ("://" in url or ":" in url):
            # named by a hash: an alias is the team's text, and as a path it could lead to any repo of this machine
            folder = os.path.join(cache_dir(brain.repo), "repos", sha256(url.encode()).hexdigest()[:12])
            cause = mirror(brain.repo.path, url, folder)
            if cause:
                remarks.append(f"warning: repos.{alias}: not brought here, so its refs are not checked: {cause}")
            folders[alias] = folder if os.path.isdir(folder) else None
    return folders, remarks


def check_everywhere(
    brain: Brain, memories: Sequence[Memory], folders: dict[str, str | None], commit: str
) -> list[tuple[bool | None, tuple[Doubt, ...]]]:
    """Return for each memory whether it is stale (None: its refs could not all be checked), and the refs that changed.

    A ref without an alias means the repo of whoever wrote it: the one that has the commit it was verified at.
    """
    homes: list[str | None] = list(
        dict.fromkeys(folder for alias, folder in folders.items() if alias != "docs" and folder)
    )
    cache = os.path.join(cache_dir(brain.repo), "stale")
    answers = [check_memories(memories, {**folders, "": home}, cache, memory_head=commit) for home in homes or [None]]
    return [_sum_up(memory, rows) for memory, rows in zip(memories, zip(*answers, strict=True), strict=True)]


def _sum_up(memory: Memory, rows: Sequence[tuple[Doubt, ...]]) -> tuple[bool | None, tuple[Doubt, ...]]:
    """Return what the repos say together of one memory's refs."""
    stale: dict[str, Doubt] = {}
    unsure = False
    for ref in memory.refs:
        said = [next((doubt for doubt in row if doubt.ref == ref), None) for row in rows]
        if parse_ref(ref).alias:
            said = said[:1]
        sure = [doubt for doubt in said if doubt is None or doubt.answer.state != UNKNOWN]
        unsure = unsure or not sure
        if sure and sure[0] is not None and sure[0].answer.state == STALE:
            stale[ref] = sure[0]
    if stale:
        return True, tuple(stale.values())
    return (None if unsure or not memory.refs else False), ()

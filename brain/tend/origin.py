"""By what name a workspace's uses are counted."""

from __future__ import annotations

import os

from brain.git.run import try_git
from brain.tend.local import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.workspace import Brain


def origin_of(brain: Brain) -> Origin:
    """Return the project's name: the last part of its code repo's remote, else of its folder; and the share."""
    repo = brain.workspace.code_repo
    url = try_git(repo.path, "remote", "get-url", "origin").out if repo else b""
    name = os.fsdecode(url).strip().rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    return Origin(name or os.path.basename(brain.workspace.root), brain.config["memory.contextShare"])

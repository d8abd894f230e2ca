"""Count what was used in this workspace, and publish it: what every command does that talks to the remote anyway."""

from __future__ import annotations

import os

from brain.git.run import try_git
from brain.tend.local import Origin, count_up
from brain.tend.publish import publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.submit.push import Link
    from brain.tend.local import Ledger
    from brain.workspace import Brain


def count_here(brain: Brain) -> Ledger:
    """Return this workspace's counts as they are by now; see ``count_up``.

    They are counted by the project's name: the last part of its code repo's remote, else of its folder.
    """
    repo = brain.workspace.code_repo
    url = try_git(repo.path, "remote", "get-url", "origin").out if repo else b""
    name = os.fsdecode(url).strip().rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    origin = Origin(name or os.path.basename(brain.workspace.root), brain.config["memory.contextShare"])
    return count_up(brain.workspace.state_dir, origin)


def publish_here(brain: Brain, link: Link) -> None:
    """Bring this workspace's counts to the remote, if there are any; the caller has the lock of the memory repo.

    Raises:
        GitError: The remote cannot be reached, or does not take them.
        ConflictError: They were moved again and again.
        OSError: They cannot be kept here.
    """
    ledger = count_here(brain)
    if ledger.counts.uses or ledger.counts.weeks:
        publish(link, ledger.machine, ledger.counts)

"""Count what was used in this workspace, and publish it: what every command does that talks to the remote anyway."""

from __future__ import annotations

from brain.tend.local import count_up
from brain.tend.origin import origin_of
from brain.tend.publish import publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.submit.push import Link
    from brain.workspace import Brain


def publish_here(brain: Brain, link: Link) -> None:
    """Bring this workspace's counts to the remote, if there are any; the caller has the lock of the memory repo.

    Raises:
        GitError: The remote cannot be reached, or does not take them.
        ConflictError: They were moved again and again.
        OSError: They cannot be kept here.
    """
    ledger = count_up(brain.workspace.state_dir, origin_of(brain))
    if ledger.counts.uses or ledger.counts.weeks:
        publish(link, ledger.machine, ledger.counts)

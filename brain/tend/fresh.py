"""The memory as the remote's default branch has it now."""

from __future__ import annotations

from brain.submit.gather import noted_branch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from brain.submit.push import Link
    from brain.workspace import Brain


def refresh(brain: Brain, link: Link, reopen: Callable[[], Brain]) -> Brain:
    """Return the memory after a fetch.

    Raises:
        GitError: The remote cannot be reached.
    """
    heads = link.heads("", brain.config["memory.branch"], noted_branch(brain))
    link.fetch(heads, "")
    return brain if brain.tree.commit == heads.base else reopen()

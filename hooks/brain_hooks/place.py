"""Where an event takes place: whether its workspace has a memory, and what its session was told."""

from __future__ import annotations

from brain.errors import BrainError
from brain.telemetry import telemetry_dir
from brain.workspace import find_memory_repo
from brain_hooks.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.settings import Config
    from brain.workspace import Workspace
    from brain_hooks.event import Event


def session_of(workspace: Workspace, event: Event) -> Session:
    """Return what is known of the event's session, and where it is a fork, of the one it came from."""
    return Session(telemetry_dir(workspace.state_dir), event.session, event.parent if event.source == "fork" else "")


def has_memory(workspace: Workspace, where: Config) -> bool:
    """Say whether a memory repo is named, or is here; one that is named and missing is an error for later."""
    if where["memory.repo"]:
        return True
    try:
        find_memory_repo(workspace, where)
    except BrainError:
        return False
    return True

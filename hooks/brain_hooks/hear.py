"""Write down what an event tells of its session, in a host that hands over no transcript: redacted, turn by turn."""

from __future__ import annotations

from brain.index.segment import SegmentError
from brain.settings import load_config
from brain.telemetry import FAILURES, record
from brain.workspace import find_workspace, open_brain, read_state
from brain_hooks.event import folder_of
from brain_hooks.place import has_memory, session_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.workspace import Brain
    from brain_hooks.event import Event


def hear(event: Event, env: Mapping[str, str]) -> None:
    """Add what an event tells to its session's transcript; that it cannot be written is noted, and no more.

    Raises:
        BrainError: A memory repo is named but cannot be used.
    """
    brain = open_where_kept(event, env)
    if brain is None:
        return
    from brain.capture.heard import lines_of  # to redact is the dear part

    try:
        session_of(brain.workspace, event).hear(lines_of(event.heard))
    except OSError as error:
        record(brain.workspace.state_dir, FAILURES, event.name, cause=f"not learned from: {error}")


def open_where_kept(event: Event, env: Mapping[str, str]) -> Brain | None:
    """Return the memory that keeps what an event's session teaches; None inside a sub-agent, and where none does.

    Raises:
        BrainError: A memory repo is named but cannot be used.
    """
    folder = folder_of(event)
    if event.agent or not event.session or not folder:
        return None
    workspace = find_workspace(folder)
    if not has_memory(workspace, load_config({}, read_state(workspace), env)):
        return None
    try:
        brain = open_brain(folder, env)
    except SegmentError:  # a damaged index, removed by now: it is made anew
        brain = open_brain(folder, env)
    return brain if brain.config["capture.enabled"] else None

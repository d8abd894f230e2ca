"""On a prompt, and where a file is read or changed: the memories that speak to it, each once a session (SPEC §4.4)."""

from __future__ import annotations

import os
import unicodedata

from brain.clock import today
from brain.index.segment import SegmentError
from brain.recall.offer import find_offers, offer_text
from brain.recall.recall import piece_name
from brain.settings import load_config
from brain.telemetry import EVENTS, record
from brain.tokens import estimate
from brain.workspace import find_workspace, open_brain, read_state
from brain_hooks.event import folder_of
from brain_hooks.place import has_memory, session_of
from brain_hooks.reading import paths_in_command
from brain_hooks.session import OFFER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.workspace import Workspace
    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Host
    from brain_hooks.session import Session

TOLD_AT_START = "memories"
MOST_PROMPT = 6000
"""Characters of a prompt in which paths are looked for."""


def offer_memories(event: Event, host: Host, env: Mapping[str, str]) -> str:
    """Return the text that offers what speaks to an event; "" inside a sub-agent and where the session has no name.

    Raises:
        BrainError: A memory repo is named but cannot be used.
    """
    folder = folder_of(event)
    if event.agent or not event.session or not folder or not (event.prompt or event.files):
        return ""
    workspace = find_workspace(folder)
    if not has_memory(workspace, load_config({}, read_state(workspace), env)):
        return ""
    session = session_of(workspace, event)
    named = event.files or tuple(paths_in_command(event.prompt[:MOST_PROMPT]))
    files = own_files(named, folder, workspace)
    try:
        return _offer(event, files, session, host, env, folder)
    except SegmentError:  # a damaged index, removed by now: it is made anew
        return _offer(event, files, session, host, env, folder)


def _offer(
    event: Event, files: tuple[str, ...], session: Session, host: Host, env: Mapping[str, str], folder: str
) -> str:
    brain = open_brain(folder, env)
    told = session.delivered(TOLD_AT_START)
    new = [
        memory for memory in find_offers(brain, event.prompt, files, today(env))
        if piece_name(memory) not in told and not session.was_said(OFFER, piece_name(memory))
    ]  # fmt: skip
    text = offer_text(brain, new, host.room)
    mine = [memory for memory in new if piece_name(memory) in text.pieces and session.first(OFFER, piece_name(memory))]
    if len(mine) < len(text.pieces):  # another hook was faster with some of them
        text = offer_text(brain, mine, host.room)
    if text.text:
        record(
            brain.workspace.state_dir, EVENTS, "offered", host=host.name, session=session.name, on=event.name,
            tokens=estimate(text.text), ids=list(text.pieces),
        )  # fmt: skip
    return text.text


def own_files(named: Iterable[str], folder: str, workspace: Workspace) -> tuple[str, ...]:
    """Return the paths that lie in the workspace's repo, as refs name them: from its top, with slashes, in NFC."""
    top = workspace.code_repo.work_tree if workspace.code_repo else ""
    if not top:
        return ()
    tops = {top, os.path.realpath(top)}
    found: dict[str, None] = {}
    for name in named:
        path = os.path.normpath(os.path.join(folder, name))
        for way in {path: None, os.path.realpath(path): None}:
            inside = next((way[len(root) + 1 :] for root in tops if way.startswith(root + os.sep)), "")
            if inside:
                inside = inside.replace(os.sep, "/")
                found.update({inside: None, unicodedata.normalize("NFC", inside): None})
    return tuple(found)

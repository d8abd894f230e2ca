"""At a stop: keep what the session taught, count what was cited, and ask once for a retrospect (SPEC §9).

Loaded for these events only: what it needs is more than a session's start may load.
"""

from __future__ import annotations

import re

from brain import clock
from brain.capture.keep import Kept, Source, keep_new
from brain.capture.transcript import find_transcript
from brain.index.segment import SegmentError
from brain.settings import load_config
from brain.telemetry import CITED, EVENTS, FAILURES, record
from brain.ticket import read_ticket
from brain.workspace import find_workspace, open_brain, read_state
from brain_hooks.behind import Task, has_work, start_behind
from brain_hooks.checkpoint import request
from brain_hooks.event import folder_of
from brain_hooks.hosts.host import Reply
from brain_hooks.place import has_memory, session_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.ticket import Ticket
    from brain.workspace import Brain
    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Host
    from brain_hooks.session import Session

SAID, UNREAD = "cited", "unread"
"""What is done once in a session: counting a cited memory, telling what of a transcript is unreadable."""
MEMORY_ID = re.compile(r"(?<![\w-])mem-[A-Za-z0-9]{1,40}-[a-z0-9](?:[a-z0-9._-]{0,80}[a-z0-9])?")


def capture_work(event: Event, host: Host, env: Mapping[str, str], *, asks: bool) -> Reply:
    """Keep what is new in a session's transcript; return the request where one is due, and the host can be asked.

    Raises:
        BrainError: A memory repo is named but cannot be used, or takes no drafts.
        OSError: The transcript cannot be read.
    """
    folder = folder_of(event)
    if event.agent or not event.session or not folder:
        return Reply()
    workspace = find_workspace(folder)
    if not has_memory(workspace, load_config({}, read_state(workspace), env)):
        return Reply()
    try:
        brain = open_brain(folder, env)
    except SegmentError:  # a damaged index, removed by now: it is made anew
        brain = open_brain(folder, env)
    if not brain.config["capture.enabled"]:
        return Reply()
    session, (ticket, _) = session_of(workspace, event), read_ticket({}, env, workspace.ticket_dirs)
    kept = _keep(event, host, brain, session, ticket, env)
    _count_cited(f"{kept.said}\n{event.said}", brain, session, ticket)
    may_ask = asks and not (event.continued or event.busy) and brain.config["capture.ask"]
    asked = request(brain, session, ticket, happened=kept.happened) if may_ask else ""
    task = Task(folder, host.name, event.transcript, session.name)
    if has_work(brain, task, happened=kept.happened, ends=bool(asked) or not asks):
        start_behind(task, env)
    return Reply(ask=asked)


def _keep(event: Event, host: Host, brain: Brain, session: Session, ticket: Ticket, env: Mapping[str, str]) -> Kept:
    path, why = find_transcript(event.transcript, host.name, env)
    kept = Kept(warnings=(why,) if why else ())
    if path:
        kept = keep_new(brain, Source(path, host.name, session.name), ticket, clock.today(env), env)
    for warning in kept.warnings:
        if session.first(UNREAD, warning):
            record(brain.workspace.state_dir, FAILURES, event.name, cause=warning)
    return kept


def _count_cited(text: str, brain: Brain, session: Session, ticket: Ticket) -> None:
    """Record the memories that the assistant's own text names, each once a session."""
    named = dict.fromkeys(MEMORY_ID.findall(text)) if "mem-" in text else {}
    ids = [
        name for name in named
        if any(len(part.numbers(f"id:{name}")) for part in brain.tree.parts) and session.first(SAID, name)
    ]  # fmt: skip
    if ids:
        record(brain.workspace.state_dir, EVENTS, CITED, session=session.name, ticket=ticket.task_id, ids=ids)

"""At a stop: keep what the session taught, count what was cited, and ask once for a retrospect (SPEC §9).

Loaded for these events only: what it needs is more than a session's start may load.
"""

from __future__ import annotations

import re
import time

from brain import clock
from brain.capture.keep import LAG_STEP, WRITES_LATE, Kept, Source, keep_new
from brain.capture.transcript import HEARD, find_transcript
from brain.telemetry import CITED, EVENTS, FAILURES, record
from brain.ticket import read_ticket
from brain.value import replace
from brain_hooks.behind import Task, has_work, start_behind
from brain_hooks.checkpoint import request
from brain_hooks.event import folder_of
from brain_hooks.hear import open_where_kept
from brain_hooks.hosts.host import Reply
from brain_hooks.place import session_of

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
LAG_SECONDS = 0.5
"""How long a stop waits for a transcript that has not got the answer yet (Copilot CLI 1.0.102 under load: seen)."""
MEMORY_ID = re.compile(r"(?<![\w-])mem-[A-Za-z0-9]{1,40}-[a-z0-9](?:[a-z0-9._-]{0,80}[a-z0-9])?")


def capture_work(event: Event, host: Host, env: Mapping[str, str], *, asks: bool) -> Reply:
    """Keep what is new in a session's transcript; return the request where one is due, and the host can be asked.

    Raises:
        BrainError: A memory repo is named but cannot be used, or takes no drafts.
        OSError: The transcript cannot be read.
    """
    brain = open_where_kept(event, env)
    if brain is None:
        return Reply()
    workspace, folder = brain.workspace, folder_of(event)
    session, (ticket, _) = session_of(workspace, event), read_ticket({}, env, workspace.ticket_dirs)
    path, wrote = (session.heard, HEARD) if host.hears else (event.transcript, host.name)
    source = Source(path, wrote, session.name, LAG_SECONDS if asks else 0.0)
    kept = _keep(event, source, brain, session, ticket, env)
    _count_cited(f"{kept.said}\n{event.said}", brain, session, ticket)
    may_ask = asks and not (event.continued or event.busy) and brain.config["capture.ask"]
    asked = request(brain, session, ticket, happened=kept.happened) if may_ask else ""
    task = Task(folder, source.host, source.path, session.name)
    if has_work(brain, task, happened=kept.happened, ends=bool(asked) or not asks):
        start_behind(task, env)
    return Reply(ask=asked)


def _keep(event: Event, source: Source, brain: Brain, session: Session, ticket: Ticket, env: Mapping[str, str]) -> Kept:
    path, why = _find(source, env, brain.workspace.state_dir)
    kept = Kept(warnings=(why,) if why else ())
    if path:
        kept = keep_new(brain, replace(source, path=path), ticket, clock.today(env), env)
    for warning in kept.warnings:
        if session.first(UNREAD, warning):
            record(brain.workspace.state_dir, FAILURES, event.name, cause=warning)
    return kept


def _find(source: Source, env: Mapping[str, str], own: str) -> tuple[str, str]:
    """Return the transcript's path, or why it is not read; one that its host makes late is waited for."""
    deadline = time.monotonic() + (source.patience if source.host in WRITES_LATE else 0.0)
    path, why = find_transcript(source.path, source.host, env, own)
    while not path and not why and time.monotonic() < deadline:
        time.sleep(LAG_STEP)
        path, why = find_transcript(source.path, source.host, env, own)
    return path, why


def _count_cited(text: str, brain: Brain, session: Session, ticket: Ticket) -> None:
    """Record the memories that the assistant's own text names, each once a session."""
    named = dict.fromkeys(MEMORY_ID.findall(text)) if "mem-" in text else {}
    ids = [
        name for name in named
        if any(len(part.numbers(f"id:{name}")) for part in brain.tree.parts) and session.first(SAID, name)
    ]  # fmt: skip
    if ids:
        record(brain.workspace.state_dir, EVENTS, CITED, session=session.name, ticket=ticket.task_id, ids=ids)

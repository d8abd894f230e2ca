"""Session start: the index and the few memories that matter, each as a text of its own (SPEC §4.1)."""

from __future__ import annotations

import os

from brain.clock import today
from brain.errors import BrainError
from brain.git.fetch import fetch
from brain.index.cache import cache_dir
from brain.recall.recall import index_text, memories_text, recall
from brain.settings import load_config
from brain.telemetry import EVENTS, record, telemetry_dir
from brain.ticket import read_ticket
from brain.tokens import estimate
from brain.workspace import find_memory_repo, find_workspace, open_brain, read_state
from brain_hooks.hosts import Reply
from brain_hooks.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.recall.recall import Text
    from brain.settings import Config
    from brain.ticket import Ticket
    from brain.workspace import Brain, Workspace
    from brain_hooks.event import Event
    from brain_hooks.hosts import Host

PARTS = ("index", "memories")
HOLDS_OLD = frozenset(("resume", "fork"))
"""Sources after which the model still holds what it was told: only what is new is said."""


def start_session(event: Event, parts: tuple[str, ...], host: Host, env: Mapping[str, str]) -> Reply:
    """Return what a session gets at its start; nothing in a workspace without memory, or inside a sub-agent.

    Raises:
        BrainError: A memory repo is named but cannot be used.
    """
    folder = event.cwd if event.cwd and os.path.isdir(event.cwd) else os.getcwd()
    workspace = find_workspace(folder)
    where = load_config({}, read_state(workspace), env)
    if event.agent or not _has_memory(workspace, where):
        return Reply()
    session = Session(telemetry_dir(workspace.state_dir), event.session)
    mine = tuple(part for part in parts if session.claim(part, event.source))
    if not mine:
        return Reply()
    repo = find_memory_repo(workspace, where)
    late = fetch(repo, where["memory.remote"], where["recall.fetchSeconds"], cache_dir(repo), env)
    brain = open_brain(folder, env)
    ticket, remarks = read_ticket({}, env, workspace.ticket_dirs)
    texts = {part: _text(part, brain, ticket, host, event, session, env) for part in mine}
    _note(event, brain, session, texts)
    remarks = [late, *brain.warnings, *map(str, brain.config.problems), *remarks, *_too_much(texts, brain)]
    # Two hooks start together, one a part: the first part's says what is wrong, once.
    return Reply(
        "".join(text.text for text in texts.values()), tuple(filter(None, remarks)) if parts[0] in mine else ()
    )


def _has_memory(workspace: Workspace, where: Config) -> bool:
    """Say whether a memory repo is named, or is here; one that is named and missing is an error for later."""
    try:
        find_memory_repo(workspace, where)
    except BrainError:
        return bool(where["memory.repo"])
    return True


def _text(
    part: str, brain: Brain, ticket: Ticket, host: Host, event: Event, session: Session, env: Mapping[str, str]
) -> Text:
    told = session.delivered(part) if event.source in HOLDS_OLD else {}
    if part == "index":
        return index_text(brain, ticket, host_limit=host.cuts_texts, told=told)
    return memories_text(recall(brain, ticket, today(env)), brain.config, host_limit=host.cuts_texts, told=told)


def _note(event: Event, brain: Brain, session: Session, texts: Mapping[str, Text]) -> None:
    """Keep what this session was told, and that it was."""
    for part, text in texts.items():
        if not text.text:
            continue
        session.remember(part, text.pieces)
        record(
            brain.workspace.state_dir, EVENTS, "injected", part=part, session=session.name, source=event.source,
            tokens=estimate(text.text), window=brain.config["memory.contextWindow"],
            ids=list(text.pieces) if part == "memories" else [], left=text.left,
        )  # fmt: skip


def _too_much(texts: Mapping[str, Text], brain: Brain) -> list[str]:
    window = brain.config["memory.contextWindow"]
    tokens = sum(estimate(text.text) for text in texts.values())
    budgets = brain.config["memory.injectBudget"] + brain.config["memory.indexBudget"]
    share = brain.config["memory.contextShare"]
    if max(tokens, budgets if len(texts) < len(PARTS) else 0) <= share * window:
        return []
    return [f"memory takes more than {share:.0%} of the context window ({window} tokens): lower its budgets"]

"""Session start: the index and the few memories that matter, each as a text of its own (SPEC §4.1)."""

from __future__ import annotations

import os

from brain.clock import today
from brain.errors import BrainError, GitError
from brain.git.fetch import fetch, without_userinfo
from brain.git.refs import find_upstream
from brain.index.cache import cache_dir
from brain.index.segment import SegmentError
from brain.recall.recall import index_text, memories_text, recall
from brain.recall.render import HOST_LIMIT, clean_line
from brain.settings import Config, load_config
from brain.telemetry import EVENTS, FAILURES, record, telemetry_dir
from brain.ticket import read_ticket
from brain.tokens import estimate
from brain.value import replace
from brain.workspace import STATE_DIR, STATE_FILE, find_memory_repo, find_workspace, open_brain, read_state
from brain_hooks.event import folder_of
from brain_hooks.hosts import Reply
from brain_hooks.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.recall.recall import Recall, Text
    from brain.ticket import Ticket
    from brain.workspace import Brain, Workspace
    from brain_hooks.event import Event
    from brain_hooks.hosts import Host

INDEX, MEMORIES = PARTS = ("index", "memories")
BUDGETS = {INDEX: "memory.indexBudget", MEMORIES: "memory.injectBudget"}
REMARKS = "remarks"
HOLDS_OLD = frozenset(("resume", "fork"))
"""Sources after which the model still holds what it was told: only what is new is said."""
INDEX_SHARE = 3
"""Where both parts must go into one text, the index gets no more than one part in so many."""
MOST_CAUSE = 1000
"""Characters of a failure that are kept."""


def start_session(event: Event, parts: tuple[str, ...], host: Host, env: Mapping[str, str]) -> Reply:
    """Return what a session gets at its start; nothing in a workspace without memory, or inside a sub-agent.

    Raises:
        BrainError: A memory repo is named but cannot be used.
    """
    folder = folder_of(event)
    if event.agent or not folder:
        return Reply()
    workspace = find_workspace(folder)
    state = read_state(workspace)
    where = load_config({}, state, env)
    session = _session(workspace, event)
    if not has_memory(workspace, where):
        return Reply(remarks=_tell(_state_problems(workspace, state, where), workspace, session, event))
    mine = tuple(part for part in parts if session.claim(part, event.source))
    if not mine:
        return Reply()
    brain, late = _open(folder, workspace, where, env)
    ticket, doubts = read_ticket({}, env, workspace.ticket_dirs)
    told = {part: session.delivered(part) if event.source in HOLDS_OLD else {} for part in mine}
    try:
        texts = _write(brain, ticket, told, host, env)
    except SegmentError:  # a damaged index, removed by now: it is made anew
        brain = open_brain(folder, env)
        texts = _write(brain, ticket, told, host, env)
    _note(event, brain, session, told, texts)
    remarks = _tell([late, *brain.warnings, *map(str, brain.config.problems), *doubts], workspace, session, event)
    share = _too_much(texts, brain)
    remarks += share if share and session.claim("share", event.source) else ()
    return Reply("".join(text.text for text in texts.values()), remarks)


def report_failure(event: Event, cause: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Note why an event got no answer, where ``brain status`` shows it; return what this hook is to say of it.

    A workspace that has nothing of ours keeps nothing of ours.
    """
    try:
        workspace = find_workspace(folder_of(event) or os.sep)
        where = load_config({}, read_state(workspace), env)
        own = workspace.code_repo.work_tree if workspace.code_repo else ""
        if (
            where["memory.repo"]
            or os.path.isdir(workspace.state_dir)
            or os.path.isdir(os.path.join(own, where["memory.root"]) if own else "")
        ):
            return _tell([cause], workspace, _session(workspace, event), event)
    except (OSError, ValueError, BrainError):
        pass
    return (_one_line(cause),)


def _session(workspace: Workspace, event: Event) -> Session:
    parent = event.parent if event.source == "fork" else ""
    return Session(telemetry_dir(workspace.state_dir), event.session, parent)


def has_memory(workspace: Workspace, where: Config) -> bool:
    """Say whether a memory repo is named, or is here; one that is named and missing is an error for later."""
    if where["memory.repo"]:
        return True
    try:
        find_memory_repo(workspace, where)
    except BrainError:
        return False
    return True


def _state_problems(workspace: Workspace, state: object, where: Config) -> list[str]:
    """Return what is wrong with ``state.json``, which may be why it names no memory repo."""
    name = f"{STATE_DIR}/{STATE_FILE}"
    if not isinstance(state, dict) and os.path.lexists(os.path.join(workspace.state_dir, STATE_FILE)):
        return [f"{name}: not a JSON object that can be read; it is ignored"]
    return [str(problem) for problem in where.problems if problem.source == name]


def _open(folder: str, workspace: Workspace, where: Config, env: Mapping[str, str]) -> tuple[Brain, str]:
    """Return the memory as its remote has it now, and "" or why that is not known."""
    remote = where["memory.remote"]
    try:
        brain = open_brain(folder, env)
    except GitError:  # the copy is not whole: the remote may mend it
        repo = find_memory_repo(workspace, where)
        if fetch(repo, remote, where["recall.fetchSeconds"], cache_dir(repo), env):
            raise
        return open_brain(folder, env), ""
    late = fetch(brain.repo, remote, brain.config["recall.fetchSeconds"], cache_dir(brain.repo), env)
    upstream = find_upstream(brain.repo, remote, where["memory.branch"])
    moved = upstream is not None and upstream[1] != brain.tree.commit
    return (open_brain(folder, env) if moved else brain), late


def _write(
    brain: Brain, ticket: Ticket, told: Mapping[str, Mapping[str, int]], host: Host, env: Mapping[str, str]
) -> dict[str, Text]:
    """Return the text of each part that something was ``told`` of, if only nothing."""
    found = recall(brain, ticket, today(env)) if MEMORIES in told else None
    return _Writer(brain, ticket, found, told, host).write(tuple(told))


class _Writer:
    """Writes the texts of one session start."""

    def __init__(
        self, brain: Brain, ticket: Ticket, found: Recall | None, told: Mapping[str, Mapping[str, int]], host: Host
    ) -> None:
        self.brain, self.ticket, self.found, self.told, self.host = brain, ticket, found, told, host

    def write(self, parts: tuple[str, ...]) -> dict[str, Text]:
        """Return the text of each part; where the host cuts long texts, all fit into one."""
        texts = {part: self.text(part) for part in parts}
        if len(parts) > 1 and self.host.cuts_texts and sum(map(_size, texts.values())) > HOST_LIMIT:
            texts[INDEX] = self.shortened(INDEX, HOST_LIMIT // INDEX_SHARE)
            texts[MEMORIES] = self.shortened(MEMORIES, HOST_LIMIT - _size(texts[INDEX]))
        return texts

    def text(self, part: str, budget: int | None = None) -> Text:
        """Return one part's text, within its own budget or another one."""
        config, told = self.brain.config, self.told[part]
        if budget is not None:
            config = Config()
            config.values = {**self.brain.config.values, BUDGETS[part]: budget}
        if part == INDEX or self.found is None:
            brain = replace(self.brain, config=config)
            return index_text(brain, self.ticket, host_limit=self.host.cuts_texts, told=told)
        return memories_text(self.found, config, host_limit=self.host.cuts_texts, told=told)

    def shortened(self, part: str, room: int) -> Text:
        """Return one part's text in at most so many bytes."""
        budget, text = self.brain.config[BUDGETS[part]], self.text(part)
        while budget and _size(text) > room:
            budget = min(budget, estimate(text.text)) * room // _size(text) * 9 // 10
            text = self.text(part, budget)
        return text


def _size(text: Text) -> int:
    """Return bytes, of which no text has fewer than UTF-16 units."""
    return len(text.text.encode("utf-8", "surrogatepass"))


def _note(
    event: Event, brain: Brain, session: Session, told: Mapping[str, Mapping[str, int]], texts: Mapping[str, Text]
) -> None:
    """Keep what this session was told, and that it was."""
    window = brain.config["memory.contextWindow"]
    for part, text in texts.items():
        session.remember(part, text.pieces if text.text else {}, beside=told[part])
        if not text.text:
            continue
        tokens = estimate(text.text)
        record(
            brain.workspace.state_dir, EVENTS, "injected", part=part, session=session.name, source=event.source,
            tokens=tokens, window=window, share=round(tokens / window, 5) if window else None,
            ids=list(text.pieces) if part == MEMORIES else [], left=text.left,
        )  # fmt: skip


def _too_much(texts: Mapping[str, Text], brain: Brain) -> tuple[str, ...]:
    """Return a warning where both layers take too much of the context window; a layer we do not see, its budget."""
    window, share = brain.config["memory.contextWindow"], brain.config["memory.contextShare"]
    tokens = sum(estimate(texts[part].text) if part in texts else brain.config[BUDGETS[part]] for part in PARTS)
    if not window or tokens <= share * window:
        return ()
    return (f"memory may take {tokens} tokens, more than {share:.0%} of the context window: lower its budgets",)


def _tell(causes: Iterable[str], workspace: Workspace, session: Session, event: Event) -> tuple[str, ...]:
    """Note what went wrong, and return it for the person, from one of the hooks that start together."""
    remarks = tuple(_one_line(cause) for cause in causes if cause)
    if not remarks or not session.claim(REMARKS, event.source):
        return ()
    record(workspace.state_dir, FAILURES, event.name, cause="; ".join(remarks)[:MOST_CAUSE])
    return remarks


def _one_line(cause: str) -> str:
    """Return a cause without what a URL may hold of a secret and what a terminal would obey."""
    return clean_line(without_userinfo(cause) if "://" in cause else cause)[:MOST_CAUSE]

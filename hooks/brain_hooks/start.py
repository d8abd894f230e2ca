"""Session start: the index and the few memories that matter, each as a text of its own (SPEC §4.1)."""

from __future__ import annotations

import os

from brain.clock import today
from brain.decisions import count_old
from brain.errors import BrainError, GitError
from brain.git.fetch import fetch, without_userinfo
from brain.git.refs import find_upstream
from brain.index.cache import cache_dir
from brain.index.segment import SegmentError
from brain.recall.recall import NOTED, index_text, memories_text, recall
from brain.recall.render import clean_line, measure
from brain.settings import Config, load_config
from brain.telemetry import EVENTS, FAILURES, record
from brain.ticket import read_ticket
from brain.tokens import estimate
from brain.value import replace
from brain.workspace import STATE_DIR, STATE_FILE, find_memory_repo, find_workspace, open_brain, read_state
from brain_hooks.event import HOLDS_OLD, folder_of
from brain_hooks.hosts.host import Reply
from brain_hooks.place import has_memory, session_of
from brain_hooks.session import BEGUN, NOTE, OFFER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.recall.recall import Recall, Text
    from brain.recall.render import Room
    from brain.ticket import Ticket
    from brain.workspace import Brain, Workspace
    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Host
    from brain_hooks.session import Session

INDEX, MEMORIES = PARTS = ("index", "memories")
BUDGETS = {INDEX: "memory.indexBudget", MEMORIES: "memory.injectBudget"}
REMARKS = "remarks"
SUBMITTED = "submitted"
"""The journal's folder in the memory repo's cache."""
INDEX_SHARE = 3
"""Where both parts must go into one text, the index gets no more than one part in so many."""
SURELY_LESS = 0.9
"""A budget is tried that is smaller by so much than the proportion says, since sizes do not shrink evenly."""
OLD_DRAFTS = {
    "en": "Tell the person: drafts of theirs are older than {days} days ({count}). Submit, keep, drop? `brain pending`",
    "vi": "Hãy báo người dùng: có bản nháp của họ đã quá {days} ngày ({count}): gửi, giữ hay bỏ? `brain pending`",
    "ja": "利用者に伝えること：{days} 日を過ぎた下書きがある（{count} 件）。提出・保留・破棄？ `brain pending`",
}
"""By the house's language."""
MOST_CAUSE = 1000
"""Characters of a failure that are kept."""


def start_session(
    event: Event, parts: tuple[str, ...], host: Host, env: Mapping[str, str], *, rides: bool = False
) -> Reply:
    """Return what a session gets at its start; nothing in a workspace without memory, or inside a sub-agent.

    ``rides`` says that the event comes many times in a session, and the start with the first of them.

    Raises:
        BrainError: A memory repo is named but cannot be used.
    """
    folder = folder_of(event)
    if event.agent or not folder:
        return Reply()
    workspace = find_workspace(folder)
    state = read_state(workspace)
    where = load_config({}, state, env)
    session = session_of(workspace, event)
    if not has_memory(workspace, where):
        return Reply(remarks=_tell(_state_problems(workspace, state, where), workspace, session, event))
    if rides and not session.first(BEGUN):
        return Reply()
    mine = tuple(part for part in parts if not host.names_sessions or session.claim(part, event.source))
    if not mine:
        return Reply()
    brain, late = _open(folder, workspace, where, env)
    ticket, doubts = read_ticket({}, env, workspace.ticket_dirs)
    holds = event.source in HOLDS_OLD
    told = {part: session.delivered(part) if holds else {} for part in mine}
    if not holds and MEMORIES in mine:
        session.forget(OFFER)
    try:
        texts = _write(brain, ticket, told, host.room, env)
    except SegmentError:  # a damaged index, removed by now: it is made anew
        brain = open_brain(folder, env)
        texts = _write(brain, ticket, told, host.room, env)
    _note(event, host.name, brain, session, ticket, told, texts)
    missing = [text.remark for text in texts.values()]
    causes = [late, *missing, *brain.warnings, *map(str, brain.config.problems), *doubts]
    remarks = _tell(causes, workspace, session, event)
    share = _too_much(texts, brain)
    remarks += share if share and session.claim("share", event.source) else ()
    remarks += _submissions(brain, session)
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
            return _tell([cause], workspace, session_of(workspace, event), event)
    except (OSError, ValueError, BrainError):
        pass
    return (_one_line(cause),)


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
    brain: Brain, ticket: Ticket, told: Mapping[str, Mapping[str, int]], room: Room, env: Mapping[str, str]
) -> dict[str, Text]:
    """Return the text of each part that something was ``told`` of, if only nothing."""
    found = recall(brain, ticket, today(env)) if MEMORIES in told else None
    return _Writer(brain, ticket, found, told, room, _old_drafts(brain)).write(tuple(told))


def _old_drafts(brain: Brain) -> str:
    """Return the line that reminds of drafts which nobody decided on for long, "" where there are none."""
    days = brain.config["review.draftDays"]
    files = brain.drafts.segment.header["files"] if brain.drafts else {}
    changed = {path: times[0] / 1e9 for path, times in files.items()}
    count = count_old(brain.repo, brain.memory_root, changed, days)
    return OLD_DRAFTS[brain.config["review.language"]].format(count=count, days=days) if count else ""


class _Writer:
    """Writes the texts of one session start."""

    def __init__(
        self, brain: Brain, ticket: Ticket, found: Recall | None, told: Mapping[str, Mapping[str, int]], room: Room,
        note: str,
    ) -> None:  # fmt: skip
        self.brain, self.ticket, self.found, self.told, self.room, self.note = brain, ticket, found, told, room, note

    def write(self, parts: tuple[str, ...]) -> dict[str, Text]:
        """Return the text of each part; all of them fit into the room of one."""
        texts = {part: self.text(part) for part in parts}
        if len(parts) > 1 and sum(map(self.share, texts.values())) > 1.0:
            texts[INDEX] = self.shortened(INDEX, 1.0 / INDEX_SHARE)
            texts[MEMORIES] = self.shortened(MEMORIES, 1.0 - self.share(texts[INDEX]))
        return texts

    def text(self, part: str, budget: int | None = None) -> Text:
        """Return one part's text, within its own budget or another one."""
        config, told = self.brain.config, self.told[part]
        if budget is not None:
            config = Config()
            config.values = {**self.brain.config.values, BUDGETS[part]: budget}
        if part == INDEX or self.found is None:
            brain = replace(self.brain, config=config)
            return index_text(brain, self.ticket, room=self.room, told=told)
        return memories_text(self.found, config, room=self.room, told=told, note=self.note)

    def shortened(self, part: str, share: float) -> Text:
        """Return one part's text in at most that share of the room."""
        budget, text = self.brain.config[BUDGETS[part]], self.text(part)
        while budget and self.share(text) > share:
            budget = int(min(budget, estimate(text.text)) * share / self.share(text) * SURELY_LESS)
            text = self.text(part, budget)
        return text

    def share(self, text: Text) -> float:
        """Return the part of the host's room that a text fills, by the measure that it fills most of."""
        size = measure(text.text)
        return max(size.units / self.room.units, size.bytes / self.room.bytes)


def _note(
    event: Event, host: str, brain: Brain, session: Session, ticket: Ticket, told: Mapping[str, Mapping[str, int]],
    texts: Mapping[str, Text],
) -> None:  # fmt: skip
    """Keep what this session was told, and that it was."""
    window = brain.config["memory.contextWindow"]
    for part, text in texts.items():
        session.remember(part, text.pieces if text.text else {}, beside=told[part])
        if not text.text:
            continue
        tokens = estimate(text.text)
        record(
            brain.workspace.state_dir, EVENTS, "injected", host=host, part=part, session=session.name,
            source=event.source, tokens=tokens, window=window, share=round(tokens / window, 5) if window else None,
            ids=[name for name in text.pieces if name != NOTED] if part == MEMORIES else [], left=text.left,
            ticket=ticket.task_id,
        )  # fmt: skip


def _too_much(texts: Mapping[str, Text], brain: Brain) -> tuple[str, ...]:
    """Return a warning where both layers take too much of the context window; a layer we do not see, its budget."""
    window, share = brain.config["memory.contextWindow"], brain.config["memory.contextShare"]
    tokens = sum(estimate(texts[part].text) if part in texts else brain.config[BUDGETS[part]] for part in PARTS)
    if not window or tokens <= share * window:
        return ()
    return (f"memory may take {tokens} tokens, more than {share:.0%} of the context window: lower its budgets",)


def _submissions(brain: Brain, session: Session) -> tuple[str, ...]:
    """Return what is known of the merge requests that this person opened, each sentence once a session."""
    folder = os.path.join(cache_dir(brain.repo), SUBMITTED)
    if not os.path.isdir(folder) or not any(name.endswith(".json") for name in os.listdir(folder)):
        return ()
    from brain.submit.journal import Journal  # it loads more than a session start may where nothing was submitted

    sentences = [entry.sentence for entry in Journal(brain.repo).entries()]
    return tuple(_one_line(sentence) for sentence in sentences if session.first(NOTE, sentence))


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

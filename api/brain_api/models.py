"""What requests hold and answers look like: the types behind the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from brain.tend.counts import MAX_NAME, MOST_TICKETS, MOST_WEEKS
from brain.ticket import MAX_TEXT

Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Word = Annotated[str, StringConstraints(max_length=500)]
Words = Annotated[list[Word], Field(max_length=200)]
MemoryId = Annotated[str, StringConstraints(max_length=200)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
MOST_RECALLED, MOST_IDS = 1000, 1000
Tokens = Annotated[int, Field(ge=0, lt=1 << 40)]
Machine = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Day = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]
Names = Annotated[list[Annotated[str, StringConstraints(max_length=MAX_NAME)]], Field(max_length=MOST_TICKETS)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)


class TicketBody(_Body):
    """The work at hand, spelled as in `.aiflow/context/current.json`; other keys are ignored."""

    taskId: Word = ""  # noqa: N815 - as tickets spell it
    functionId: Word = ""  # noqa: N815
    functionIds: Words = []  # noqa: N815 - pydantic copies it
    title: Text = ""
    description: Text = ""
    keywords: Words = []
    workflow: Word = ""
    gate: Word = ""
    kind: Word = ""
    files: Words = []


class RecallBody(_Body):
    """A ticket, and how to answer."""

    ticket: TicketBody
    limit: Annotated[int, Field(ge=0, le=MOST_RECALLED)] | None = Field(
        None, description="Memories in place of what the ticket's kind asks for; 0 for every relevant one."
    )
    index: bool = Field(default=False, description="Give the index text (layer 1) too.")
    explain: bool = Field(default=False, description="Give what was left out, and what was replaced.")


class PageQuery(BaseModel):
    """Which memories: those after an id, of a type, area (`01.Lessons/dev`), scope or tag."""

    after: Annotated[str, StringConstraints(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    type: Annotated[str, StringConstraints(max_length=50)] = ""
    area: Annotated[str, StringConstraints(max_length=100)] = ""
    scope: Annotated[str, StringConstraints(max_length=200)] = ""
    tag: Annotated[str, StringConstraints(max_length=100)] = ""


class Recalled(BaseModel):
    """A recalled memory with its score, and the terms that are its sum."""

    id: str
    score: float
    terms: dict[str, float]
    stale: bool | str = Field(
        description="Whether a ref changed since it was verified; `unknown` where that cannot be told."
    )


class LeftOut(BaseModel):
    """A memory that the ticket does not get, though something speaks for it."""

    id: str
    name: str
    score: float
    terms: dict[str, float]


class RecallAnswer(BaseModel):
    """What a ticket recalls: as `brain recall --json` says, and the text an assistant gets."""

    memories: list[Recalled]
    tokens: int = Field(description="What the context costs at most.")
    keywords: list[str]
    context: str
    noRoom: list[str] = Field(description="What the budget left out of the context.")  # noqa: N815
    commit: str
    remark: str = Field(description="Why the semantic phase had no part in it, where it should have.")
    index: str | None = None
    spotted: list[str] | None = None
    left: list[LeftOut] | None = None
    replaced: dict[str, str] | None = None


class MemoryRow(BaseModel):
    """What a list says of a memory."""

    id: str
    type: str
    scope: str
    path: str
    sentence: str
    tags: list[str]
    workflows: list[str]
    confidence: float
    hits: int
    created: str
    stale: bool


class MemoriesAnswer(BaseModel):
    """A page of memories in the order of their ids; `next` is what the next page comes `after`, null on the last."""

    commit: str
    total: int
    memories: list[MemoryRow]
    next: str | None


class MemoryAnswer(BaseModel):
    """A memory whole; `text` is how an assistant is given it."""

    id: str
    type: str
    workflows: list[str]
    tags: list[str]
    scope: str
    confidence: float
    source: str
    status: str
    hits: int
    created: str
    reviewed_by: str
    refs: list[str]
    verified_commit: str | dict[str, str]
    hook: str
    aliases: list[str]
    path: str
    body: str
    warnings: list[str]
    stale: bool
    text: str
    commit: str


class FoundRow(BaseModel):
    """A memory that words match."""

    id: str
    score: float
    status: str
    sentence: str


class SearchAnswer(BaseModel):
    """Memories that match best, best first."""

    commit: str
    memories: list[FoundRow]
    remark: str = Field(description="Why the semantic phase had no part in it, where it should have.")


class HitsBody(_Body):
    """How often a machine's sessions used memories, ever: counts that only grow."""

    machine: Machine
    counts: Annotated[dict[MemoryId, Count], Field(max_length=MOST_IDS)]


class UseBody(_Body):
    """How a machine used one memory: sessions that used it, those that cited it, the last day, and for what."""

    hits: Count = 0
    cited: Count = 0
    last: Day | Literal[""] = ""
    tickets: Names = []
    projects: Names = []


class WeekBody(_Body):
    """What a machine did in a week."""

    sessions: Count = 0
    tokens: Tokens = 0
    over: Count = 0
    hits: Count = 0
    cited: Count = 0
    tickets: Names = []


class CountsBody(_Body):
    """What a machine counted ever, or a part of it: uses by memory, weeks by their Monday. Other keys are ignored."""

    machine: Machine
    uses: Annotated[dict[MemoryId, UseBody], Field(max_length=MOST_IDS)] = {}
    weeks: Annotated[dict[Day, WeekBody], Field(max_length=MOST_WEEKS)] = {}


class HitsAnswer(BaseModel):
    """How many counts (of a memory, of a week) grew, and the ids that no memory has: those are not kept."""

    grown: int
    unknown: list[str]


class DraftBody(_Body):
    """One lesson or fact to be drafted; what is left out is guessed. `update` is the id of what it changes."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)]
    apply: Text = Field("", description="What to do: it becomes the apply line.")
    type: Literal["", "lesson", "fact", "decision", "glossary", "instinct"] = ""
    scope: Word = ""
    refs: Words = []
    tags: Words = []
    update: MemoryId = ""
    ticket: TicketBody = TicketBody()


class DraftAnswer(BaseModel):
    """A draft that is kept until a person takes or drops it; `text` is its file, for `path` in the memory repo."""

    id: str
    path: str
    type: str
    scope: str
    tags: list[str]
    confidence: float
    remarks: list[str]
    text: str


class DraftRow(BaseModel):
    """What a list says of a draft: `path` is below `_pending/`; `problem` where its file cannot be read."""

    id: str
    path: str
    hook: str
    days: int
    problem: str


class DraftsAnswer(BaseModel):
    """The drafts that wait."""

    drafts: list[DraftRow]


class QueueRow(BaseModel):
    """A merge request; times are seconds since 1970, `days` its age, `sha` the commit at its head."""

    iid: int
    title: str
    url: str
    author: str
    branch: str
    status: str
    draft: bool
    sha: str
    created: float
    updated: float
    days: int


class QueueAnswer(BaseModel):
    """Merge requests of memories: open ones, the oldest first; those closed lately; as GitLab said when `asked`."""

    asked: float | None
    problem: str
    open: list[QueueRow]
    closed: list[QueueRow]


class QueueCount(BaseModel):
    """How many merge requests wait, the oldest one's age, and how many drafts wait here to be taken."""

    open: int
    drafts: int
    oldestDays: int | None  # noqa: N815


class SprintRow(BaseModel):
    """Merge requests that ended in two weeks from a date on."""

    start: str
    approved: int
    rejected: int


class PilotFigures(BaseModel):
    """The pilot's figures with their definitions, null where nothing is known; pairs are of a week's Monday."""

    today: str
    figures: dict[str, float | None]
    removals: dict[str, int]
    sprints: list[SprintRow]
    tokensPerSession: list[tuple[str, float]]  # noqa: N815
    citationsPerTask: list[tuple[str, float]]  # noqa: N815
    definitions: dict[str, str]


class ReportAnswer(BaseModel):
    """What can be told today of a project's memory, its use and its queue; no `pilot` where git does not tell."""

    commit: str
    memories: int
    byType: dict[str, int]  # noqa: N815
    byArea: dict[str, int]  # noqa: N815
    markedStale: int  # noqa: N815
    neverUsed: int  # noqa: N815
    hits: int
    hitsToldHere: int  # noqa: N815
    unreadable: int
    queue: QueueCount
    pilot: PilotFigures | None


class ProjectRow(BaseModel):
    """How a project stands; `cause` says why it is not fresh."""

    project: str
    status: str
    commit: str
    memories: int
    refreshed: float | None
    cause: list[str]


class ReadyAnswer(BaseModel):
    """`ready`, `old` (served, and not brought up to date) or `starting`; the projects the caller may see."""

    status: str
    projects: list[ProjectRow]


class HealthAnswer(BaseModel):
    """The service answers."""

    status: str


class HookAnswer(BaseModel):
    """Whether something is done about a webhook: it is not where it came before, or nothing follows from it."""

    accepted: bool


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    hint: str | None = None
    errors: list[dict[str, Any]] | None = None
    findings: list[dict[str, Any]] | None = None

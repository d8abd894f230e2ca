"""The routes under ``/v1``: a request in, a question or a fact, an answer out."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response, Security
from fastapi.security import HTTPBearer

from brain import clock
from brain.json_text import parse_json, render_json
from brain.tend.counts import Counts, Use, date_of, read_counts
from brain.ticket import parse_ticket
from brain.value import replace
from brain_api import models
from brain_api.access import Caller
from brain_api.answers import (
    IndexQuestion,
    MemoryQuestion,
    PageQuestion,
    RecallQuestion,
    SearchQuestion,
    known_ids,
    report,
)
from brain_api.errors import NotKeptError
from brain_api.pilot import pilot_figures
from brain_api.project import Project
from brain_api.service import Service, service_of
from brain_api.settings import HITS, READ, REVIEW

PROBLEMS = {
    400: "The body cannot be read", 401: "No valid token", 403: "The token has not the scope", 404: "No such thing",
    409: "Something like it is there", 412: "It is not what was read", 413: "The body is too large",
    422: "A value is not of its kind", 429: "Too many requests", 500: "A mistake of ours",
    503: "Not ready, or too busy", 504: "It took too long",
}  # fmt: skip


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the description of these errors."""
    form = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": PROBLEMS[status], "content": form} for status in statuses}


SCHEME = HTTPBearer(auto_error=False, description="A token made by `brain-api token new`.")
NAME = r"^[a-z0-9][a-z0-9._-]{0,63}$"
NOT_CHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "It is as it was"}}

Name = Annotated[str, Path(alias="project", pattern=NAME)]


async def find_caller(request: Request, _declared: Annotated[object, Security(SCHEME)] = None) -> Caller:
    """Return who asks, by the token sent."""
    service = service_of(request.app)
    address = request.client.host if request.client else ""
    caller = service.guard.caller(request.headers.get("authorization", ""), address)
    request.state.token = caller.id
    return caller


class Needs:
    """A dependency: the project that is asked, for a caller who has a scope."""

    def __init__(self, scope: str) -> None:
        self.scope = scope

    async def __call__(self, request: Request, name: Name, caller: Annotated[Caller, Depends(find_caller)]) -> Project:
        """Return the project."""
        project = service_of(request.app).guard.project(caller, self.scope, name)
        request.state.project = project.name
        return project


Readable = Annotated[Project, Depends(Needs(READ))]
Countable = Annotated[Project, Depends(Needs(HITS))]
Reviewable = Annotated[Project, Depends(Needs(REVIEW))]
COMMON = PROBLEMS.keys() - {409, 412}
"""What may be wrong with any request."""
router = APIRouter(prefix="/v1/projects/{project}", responses=problems(*COMMON))


def get_service(request: Request) -> Service:
    """Return the service behind the app."""
    return service_of(request.app)


Here = Annotated[Service, Depends(get_service)]


@router.post("/recall", response_model=models.RecallAnswer, operation_id="recall", tags=["recall"])
async def recall(project: Readable, body: models.RecallBody, service: Here) -> Response:
    """Say what a ticket recalls: scored memories with their terms, and the text for an assistant."""
    ticket, _ = parse_ticket(body.ticket.model_dump(exclude_defaults=True))
    question = RecallQuestion(ticket, clock.today(service.env), body.limit, body.index, body.explain)
    return json_answer(await service.crew.ask(project, question))


@router.get("/index", operation_id="index", tags=["read"], response_class=Response,
            responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}, **NOT_CHANGED})  # fmt: skip
async def index(
    request: Request, project: Readable, service: Here, function: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """Give the index of approved memories as markdown, whole or of one function."""
    etag = project.current().etag
    if is_known(request, etag):
        return not_changed(etag)
    found = await service.crew.ask(project, IndexQuestion(function))
    return Response(found, media_type="text/markdown", headers=cached(etag))


@router.get(
    "/memories", response_model=models.MemoriesAnswer, responses=NOT_CHANGED, operation_id="memories", tags=["read"]
)
async def memories(
    request: Request, project: Readable, service: Here, page: Annotated[models.PageQuery, Query()]
) -> Response:
    """List memories in the order of their ids, a page at a time."""
    etag = project.current().etag
    if is_known(request, etag):
        return not_changed(etag)
    question = PageQuestion(page.after, page.limit, page.type, page.area, page.scope, page.tag)
    return json_answer(await service.crew.ask(project, question), cached(etag))


@router.get("/memories/{memory_id}", response_model=models.MemoryAnswer, responses=NOT_CHANGED, operation_id="memory",
            tags=["read"])  # fmt: skip
async def memory(
    request: Request, project: Readable, service: Here, memory_id: Annotated[str, Path(max_length=200)]
) -> Response:
    """Give one memory whole, with its doubts."""
    etag = project.current().etag
    found = await service.crew.ask(project, MemoryQuestion(memory_id))
    return not_changed(etag) if is_known(request, etag) else json_answer(found, cached(etag))


@router.get("/search", response_model=models.SearchAnswer, operation_id="search", tags=["read"])
async def search(
    project: Readable, service: Here,
    words: Annotated[str, Query(alias="q", min_length=1, max_length=500)],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Response:  # fmt: skip
    """Find memories by words, beginnings or whole sentences, in any language."""
    return json_answer(await service.crew.ask(project, SearchQuestion(words, limit)))


@router.post("/hits", response_model=models.HitsAnswer, operation_id="hits", tags=["telemetry"])
async def hits(project: Countable, body: models.HitsBody, service: Here) -> Response:
    """Keep how often a machine used memories: counts that only grow, so sending them twice counts once.

    They are the hits of what `counts` takes whole.
    """
    day = clock.today(service.env)
    told = Counts({name: Use(hits) for name, hits in body.counts.items()}, {})
    keep = partial(keep_counts, project, body.machine, told, day)
    return json_answer(await service.crew.run(project.name, keep))


@router.post("/counts", response_model=models.HitsAnswer, operation_id="counts", tags=["telemetry"])
async def counts(project: Countable, body: models.CountsBody, service: Here) -> Response:
    """Keep what a machine counted, all of it or a part, as it would publish it in the memory repo's `counts.json`.

    The two are joined: a machine may do either, or both, in any order and as often as it likes. They are brought to
    the memory repo, where the service may push there. What is in the future is not kept.
    """
    found = past(read_counts(body.model_dump(exclude={"machine"})), clock.now())
    return json_answer(await service.crew.run(project.name, partial(keep_counts, project, body.machine, found)))


def past(counts: Counts, now: float) -> Counts:
    """Return counts without the future (by seconds since 1970, and a day for clocks that differ): it would last."""
    latest = date_of(now + clock.DAY)
    uses = {name: replace(use, last=min(use.last, latest)) for name, use in counts.uses.items()}
    return Counts(uses, {start: week for start, week in counts.weeks.items() if start <= latest})


def keep_counts(project: Project, machine: str, told: Counts, day: str = "") -> bytes:
    """Keep the counts of memories that are known."""
    known = project.read(lambda snapshot: known_ids(snapshot, told.uses))
    uses = {name: use for name, use in told.uses.items() if name in known}
    try:
        more = project.hits.merge(machine, Counts(uses, told.weeks), day)
    except OSError:
        raise NotKeptError from None
    return render_json({"grown": more, "unknown": sorted(told.uses.keys() - known)}).encode()


@router.get("/queue", response_model=models.QueueAnswer, operation_id="queue", tags=["review"])
async def queue(project: Reviewable) -> Response:
    """List the merge requests that wait for the PM, as GitLab told them last; it is not asked now."""
    return json_answer(render_json({**NO_QUEUE, **queue_of(project)}).encode())


NO_QUEUE: dict[str, Any] = {"asked": None, "problem": "", "open": [], "closed": []}


def queue_of(project: Project) -> dict[str, Any]:
    """Return the queue with the ages of now."""
    found = project.state.get("queue") or {}
    now = clock.now()
    rows = [{**row, "days": max(0, int((now - row["created"]) // clock.DAY))} for row in found.get("open", ())]
    return {**found, "open": rows} if found else {}


@router.get("/report", response_model=models.ReportAnswer, operation_id="report", tags=["review"])
async def report_of(project: Reviewable, service: Here) -> Response:
    """Say what can be told today of the memory, its use and its queue; `pilot` is what `brain report --json` says."""
    pilot = await service.crew.run(project.name, partial(pilot_figures, project, clock.today(service.env)))

    def make() -> bytes:
        totals = project.hits.totals()
        found = project.read(lambda snapshot: report(snapshot, totals, queue_of(project)))
        queue = {**found["queue"], "drafts": project.count_waiting()}
        return render_json({**found, "queue": queue, "pilot": parse_json(pilot.decode())}).encode()

    return json_answer(await service.crew.run(project.name, make))


def json_answer(body: bytes, headers: dict[str, str] | None = None) -> Response:
    """Return JSON that is made already."""
    return Response(body, media_type="application/json", headers=headers)


def cached(etag: str) -> dict[str, str]:
    """Return the headers of what may be kept, and is to be asked about each time."""
    return {"etag": etag, "cache-control": "private, no-cache"}


def is_known(request: Request, etag: str) -> bool:
    """Say whether the caller has what it asks for."""
    given = request.headers.get("if-none-match", "")
    return bool(given) and any(text.strip().removeprefix("W/") in (etag, "*") for text in given.split(","))


def not_changed(etag: str) -> Response:
    """Return that it is as it was."""
    return Response(status_code=304, headers=cached(etag))

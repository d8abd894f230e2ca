"""The pages: an address in, what to show out."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Depends, Path, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brain import clock
from brain.json_text import parse_json
from brain.layout import TYPES
from brain.search import patience_of, search_all
from brain.tend.report_texts import FIGURES, WORDS, said
from brain_api.access import Caller
from brain_api.answers import PageQuestion
from brain_api.errors import UnknownCallerError
from brain_api.pilot import pilot_figures
from brain_api.project import READY, Project
from brain_api.routes import NO_QUEUE, Here, queue_of
from brain_api.settings import READ, REVIEW
from brain_api.web.entrance import COOKIE, Needs, check_origin, find_reader, let_in, path_after, visitor_of
from brain_api.web.findings import findings_of
from brain_api.web.health import health_question
from brain_api.web.links import is_web, links_of
from brain_api.web.memory import MOST_CHANGES, MemoryPage, memory_page
from brain_api.web.page import FILES, MOST_LINK, Page, login_page, read_static, render
from brain_api.web.texts import Words
from brain_api.web.why import KIND_NAMES, explain, read_form, ticket_of

PAGE_ROWS, MOST_FOUND, MOST_FIELDS = 50, 50, 20
KEPT = "public, max-age=31536000, immutable"
"""A file's address has its version in it."""
Known = Annotated[Caller, Depends(find_reader)]
Readable = Annotated[Project, Depends(Needs(READ))]
Reviewable = Annotated[Project, Depends(Needs(REVIEW))]
router = APIRouter(route_class=Page, include_in_schema=False, default_response_class=Response)


@router.get("/web/{name}")
async def static(name: str) -> Response:
    """Give the style, or the icon."""
    if name not in FILES:
        raise HTTPException(404)
    return Response(read_static(name), media_type=FILES[name], headers={"cache-control": KEPT})


@router.get("/")
async def start(request: Request, caller: Known, service: Here) -> Response:
    """List the projects of the visitor; one alone is opened at once."""
    visitor = visitor_of(service, caller)
    if not visitor.scopes and not visitor.known:
        raise UnknownCallerError
    if len(visitor.scopes) == 1:
        return _to(f"/p/{next(iter(visitor.scopes))}")
    rows = [project for project in service.projects if project.name in visitor.scopes]
    return render(request, "projects.html", rows=rows)


@router.get("/login")
async def login_form(request: Request) -> Response:
    """Ask for a token."""
    return login_page(request, wrong=False, after="/")


@router.post("/login")
async def login(request: Request) -> Response:
    """Take a token, and go on to where the visitor wanted to go."""
    check_origin(request)
    form = await _form(request)
    after = path_after(form.get("after", ""))
    response = _to(after)
    try:
        let_in(request, response, form.get("token", "").strip())
    except UnknownCallerError:
        return login_page(request, wrong=True, status=401, after=after)
    return response


@router.post("/logout")
async def logout(request: Request) -> Response:
    """Forget the token."""
    check_origin(request)
    response = _to("/login")
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


@router.get("/p/{project}")
async def project_start(request: Request, caller: Known, service: Here) -> Response:
    """Open the queue for whoever may see it, else the memories."""
    name = request.path_params["project"]
    scopes = visitor_of(service, caller).scopes.get(name, ())
    if not scopes:
        service.guard.project(caller, READ, name)  # says why
    has_queue = REVIEW in scopes and service.projects.get(name).location
    return _to(f"/p/{name}/queue" if has_queue or READ not in scopes else f"/p/{name}/memories")


@router.get("/p/{project}/queue")
async def queue(request: Request, project: Reviewable, service: Here) -> Response:
    """Show the merge requests that wait, with their age and findings."""
    found = {**NO_QUEUE, **queue_of(project)}
    day = clock.today(service.env)
    work = partial(project.read, lambda snapshot: findings_of(snapshot, found["open"], day))
    findings = await service.crew.run(project.name, work) if found["open"] else {}
    drafts = await service.crew.run(project.name, lambda: project.waiting(clock.now()))
    facts: dict[str, Any] = {"queue": found, "findings": findings, "drafts": drafts, "is_web": is_web}
    return render(request, "queue.html", **_at(project, "queue"), **facts)


@router.get("/p/{project}/memories")
async def memories(
    request: Request, project: Readable, service: Here,
    words: Annotated[str, Query(alias="q", max_length=500)] = "",
    kind: Annotated[str, Query(alias="type", max_length=50)] = "",
    after: Annotated[str, Query(max_length=200)] = "",
) -> Response:  # fmt: skip
    """Show what words find, or list all memories a page at a time."""
    words = words.strip()
    kind = kind if kind in TYPES else ""
    facts = {**_at(project, "memories"), "types": TYPES, "kind": kind, "asked": words, "after": after}
    if words:
        seconds = patience_of(project.current().brain.config)
        work = partial(project.read, lambda snapshot: search_all(snapshot.brain, words, MOST_FOUND, seconds))
        return render(request, "search.html", **facts, found=await service.crew.run(project.name, work))
    page = parse_json((await service.crew.ask(project, PageQuestion(after, PAGE_ROWS, kind))).decode())
    return render(request, "search.html", **facts, found=None, page=page)


@router.get("/p/{project}/memories/{memory_id}")
async def memory(
    request: Request, project: Readable, service: Here, memory_id: Annotated[str, Path(max_length=200)]
) -> Response:
    """Show one memory: its text, what it rests on, its history, and who approved it."""
    links = links_of(project)

    def work() -> tuple[MemoryPage, int]:
        page = project.read(lambda snapshot: memory_page(snapshot, links, memory_id))
        return page, page.memory.hits + project.hits.totals().get(page.memory.id, 0)

    page, uses = await service.crew.run(project.name, work)
    facts: dict[str, Any] = {"page": page, "memory": page.memory, "uses": uses, "most": MOST_CHANGES}
    return render(request, "memory.html", **_at(project, "memories"), **facts)


@router.get("/p/{project}/why")
async def why(request: Request, project: Readable, service: Here) -> Response:
    """Explain what the ticket in the address recalls; without one, ask for it."""
    return await _explained(request, project, service, dict(request.query_params))


@router.post("/p/{project}/why")
async def why_asked(request: Request, project: Readable, service: Here) -> Response:
    """Explain what the ticket in the form recalls: it may be longer than an address."""
    return await _explained(request, project, service, {**await _form(request), "asked": "1"})


@router.get("/p/{project}/health")
async def health_of(request: Request, project: Reviewable, service: Here) -> Response:
    """Show how the memory stands, in charts."""
    asked = partial(health_question, project, clock.today(service.env))
    question = await service.crew.run(project.name, asked)
    found = parse_json((await service.crew.ask(project, question)).decode())
    words = Words(request.state.language)
    facts: dict[str, Any] = {
        "types": [(words.name("type", name), count) for name, count in found["types"]],
        "ages": [(words(f"age_{number}"), count) for number, count in found["ages"]],
        "known": question.queue is not None,
    }  # fmt: skip
    return render(request, "health.html", **_at(project, "health"), health=found, **facts)


@router.get("/p/{project}/pilot")
async def pilot(request: Request, project: Reviewable, service: Here) -> Response:
    """Show the pilot's figures with their definitions, and charts."""
    figures = await service.crew.run(project.name, partial(pilot_figures, project, clock.today(service.env)))
    found = parse_json(figures.decode())
    language = request.state.language
    facts: dict[str, Any] = {"pilot": found, "names": FIGURES[language], "titles": WORDS[language], "said": said}
    if found:
        removals = [(WORDS[language][reason], count) for reason, count in found["removals"].items()]
        facts["removals"] = removals if any(found["removals"].values()) else []
        facts["most"] = max((row["approved"] + row["rejected"] for row in found["sprints"]), default=1)
    return render(request, "pilot.html", **_at(project, "pilot"), **facts)


async def _explained(request: Request, project: Project, service: Here, given: dict[str, str]) -> Response:
    form = read_form(given)
    said = any(form[name].strip() for name in form)
    facts = {**_at(project, "why"), "form": form, "empty": "asked" in given and not said, "found": None, "link_to": ""}
    if said:
        ticket, today = ticket_of(form), clock.today(service.env)
        work = partial(project.read, lambda snapshot: explain(snapshot, ticket, today))
        query = urlencode({name: text for name, text in form.items() if text})
        facts["found"] = await service.crew.run(project.name, work)
        facts["link_to"] = f"?{query}" if len(query) <= MOST_LINK else ""
    profiles = project.current().brain.config["memory.profiles"]
    workflows = [name for name in profiles if name != "unknown"]
    return render(request, "why.html", **facts, workflows=workflows, kinds=KIND_NAMES)


def _at(project: Project, here: str) -> dict[str, Any]:
    """Return what each page of a project knows: which one it is, and how fresh the project is."""
    causes = [*project.state.get("trouble", ()), project.unreadable]
    stale = project.status() != READY
    return {"project": project, "here": here, "behind": stale, "causes": list(dict.fromkeys(filter(None, causes)))}


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form, as browsers send them."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise HTTPException(400, "the form has too many fields") from None


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)

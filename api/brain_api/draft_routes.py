"""The routes of drafts: what a program without a workspace learned, for a person to take up."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Response

from brain import clock
from brain.json_text import render_json
from brain.pending import Pending, tag_of
from brain.recall.render import clean_line
from brain_api import models
from brain_api.access import Caller
from brain_api.errors import NotKeptError
from brain_api.project import Project
from brain_api.routes import COMMON, Here, Needs, cached, find_caller, json_answer, problems
from brain_api.settings import DRAFT

Draftable = Annotated[Project, Depends(Needs(DRAFT))]
Key = Annotated[str, Header(alias="idempotency-key", max_length=200, pattern=r"^[!-~]*$")]
Tag = Annotated[str, Header(alias="if-match", max_length=200, description="The etag of the text that was taken.")]
Name = Annotated[str, Path(max_length=200)]
Asking = Annotated[Caller, Depends(find_caller)]
router = APIRouter(prefix="/v1/projects/{project}/drafts", responses=problems(*COMMON), tags=["draft"])


@router.post("", response_model=models.DraftAnswer, status_code=201, operation_id="draft", responses=problems(409))
async def draft(project: Draftable, body: models.DraftBody, service: Here, caller: Asking, key: Key = "") -> Response:
    """Keep a draft until a person takes it into their workspace; nobody recalls it before it was reviewed.

    Errors of lint refuse it, and are told. The same request with the same key is answered as the first time.
    """
    given, today = body.model_dump(exclude_defaults=True), clock.today(service.env)

    def keep() -> bytes:
        from brain_api.proposed import keep_draft  # only here: the service starts without lint

        return keep_draft(project, given, caller.id, key, today)

    made = json_answer(await service.crew.run(project.name, keep))
    made.status_code = 201
    return made


@router.get("", response_model=models.DraftsAnswer, operation_id="drafts")
async def drafts(project: Draftable, service: Here) -> Response:
    """List the drafts that wait."""
    rows = await service.crew.run(project.name, lambda: list(map(draft_row, project.waiting(clock.now()))))
    return json_answer(render_json({"drafts": rows}).encode())


def draft_row(draft: Pending) -> dict[str, Any]:
    """Return what a list says of a draft."""
    return {"id": draft.id, "path": draft.path, "hook": clean_line(draft.sentence), "days": draft.days,
            "problem": clean_line(draft.problem)}  # fmt: skip


@router.get("/{draft_id}", operation_id="draft_text", response_class=Response,
            responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}})  # fmt: skip
async def draft_text(project: Draftable, service: Here, draft_id: Name) -> Response:
    """Give a draft's file as it is; its etag goes with the request that takes it away."""
    found = await service.crew.run(project.name, lambda: project.proposed.text(draft_id, clock.now()))
    return Response(found, media_type="text/markdown", headers=cached(f'"{tag_of(found)}"'))


@router.delete("/{draft_id}", operation_id="drop_draft", status_code=204, response_class=Response,
               responses=problems(412))  # fmt: skip
async def drop_draft(
    project: Draftable, service: Here, caller: Asking, draft_id: Name, key: Key = "", tag: Tag = ""
) -> Response:
    """Take a draft away, once it was taken or when nobody wants it.

    The same request with the same key is done once: whoever did not hear the answer is told again that it was theirs.
    """
    own_key, own_tag = f"{caller.id} {key}" if key else "", "" if tag == "*" else tag.strip('"')

    def drop() -> None:
        try:
            project.proposed.drop(draft_id, clock.now(), own_key, own_tag)
        except OSError:
            raise NotKeptError from None

    await service.crew.run(project.name, drop)
    return Response(status_code=204)

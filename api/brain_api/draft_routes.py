"""The routes of drafts: what a program without a workspace learned, for a person to take up."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Response

from brain import clock
from brain.json_text import render_json
from brain_api import models
from brain_api.access import Caller
from brain_api.errors import NotKeptError
from brain_api.project import Project
from brain_api.routes import PROBLEMS, Here, Needs, find_caller, json_answer, problems
from brain_api.settings import DRAFT

Draftable = Annotated[Project, Depends(Needs(DRAFT))]
Key = Annotated[str, Header(alias="idempotency-key", max_length=200, pattern=r"^[!-~]*$")]
Name = Annotated[str, Path(max_length=200)]
router = APIRouter(prefix="/v1/projects/{project}/drafts", responses=problems(*PROBLEMS.keys() - {409}), tags=["draft"])


@router.post("", response_model=models.DraftAnswer, status_code=201, operation_id="draft", responses=problems(409))
async def draft(
    project: Draftable, body: models.DraftBody, service: Here, caller: Annotated[Caller, Depends(find_caller)],
    key: Key = "",
) -> Response:  # fmt: skip
    """Keep a draft until a person takes it into their workspace; nobody recalls it before it was reviewed.

    Errors of lint refuse it, and are told. The same request with the same key is answered as the first time.
    """
    digest = hashlib.sha256(render_json(body.model_dump()).encode()).hexdigest()
    own_key, today = f"{caller.id} {key}" if key else "", clock.today(service.env)

    def keep() -> bytes:
        from brain_api.proposed import make_request

        request = make_request(body.model_dump(exclude_defaults=True), own_key, digest)
        try:
            return project.read(lambda snapshot: project.proposed.propose(snapshot.brain, request, today))
        except OSError:
            raise NotKeptError from None

    made = json_answer(await service.crew.run(project.name, keep))
    made.status_code = 201
    return made


@router.get("", response_model=models.DraftsAnswer, operation_id="drafts")
async def drafts(project: Draftable, service: Here) -> Response:
    """List the drafts that wait."""
    rows = await service.crew.run(project.name, lambda: project.proposed.rows(clock.now()))
    return json_answer(render_json({"drafts": rows}).encode())


@router.get("/{draft_id}", operation_id="draft_text", response_class=Response,
            responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}})  # fmt: skip
async def draft_text(project: Draftable, service: Here, draft_id: Name) -> Response:
    """Give a draft's file as it is."""
    found = await service.crew.run(project.name, lambda: project.proposed.text(draft_id, clock.now()))
    return Response(found, media_type="text/markdown")


@router.delete("/{draft_id}", operation_id="drop_draft", status_code=204, response_class=Response)
async def drop_draft(project: Draftable, service: Here, draft_id: Name) -> Response:
    """Take a draft away, once it was taken or when nobody wants it."""
    await service.crew.run(project.name, lambda: project.proposed.drop(draft_id, clock.now()))
    return Response(status_code=204)

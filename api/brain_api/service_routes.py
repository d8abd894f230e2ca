"""The routes of the service itself: whether it lives and is ready, what it counts, and what GitLab tells it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from brain import clock
from brain.json_text import render_json
from brain_api import models
from brain_api.access import Caller
from brain_api.errors import NotKeptError
from brain_api.routes import Here, find_caller, json_answer, problems
from brain_api.settings import METRICS
from brain_api.webhook import check_signatures, find_senders, read_hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain_api.project import Project
    from brain_api.service import Service

Known = Annotated[Caller, Depends(find_caller)]
TEXT = "text/plain; version=0.0.4; charset=utf-8"
"""Prometheus's own text format."""
router = APIRouter(tags=["service"])


@router.get("/healthz", response_model=models.HealthAnswer, operation_id="health")
async def healthz() -> Response:
    """Say that the service answers."""
    return json_answer(b'{"status": "ok"}')


@router.get("/readyz", response_model=models.ReadyAnswer, operation_id="ready",
            responses={**problems(401, 429, 500), 503: {"model": models.ReadyAnswer}})  # fmt: skip
async def readyz(caller: Known, service: Here) -> Response:
    """Say whether every project is served, and how fresh; 503 while one is not."""
    status = service.status()
    found = render_json({"status": status, "projects": service.rows(caller)}).encode()
    return Response(found, 503 if status == "starting" else 200, media_type="application/json")


@router.get("/metrics", operation_id="metrics", response_class=Response,
            responses={**problems(401, 403, 429, 500), 200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
})  # fmt: skip
async def metrics(caller: Known, service: Here) -> Response:
    """Give Prometheus's metrics."""
    service.guard.check(caller, METRICS)
    return Response(service.metrics.render(service.projects), media_type=TEXT)


@router.post("/webhooks/gitlab", response_model=models.HookAnswer, operation_id="gitlabWebhook",
             responses=problems(400, 401, 404, 413, 500, 503, 504))  # fmt: skip
async def gitlab(request: Request, service: Here) -> Response:
    """Take what GitLab tells; the work comes after the answer."""
    senders = find_senders(service.projects, request.headers)  # who is nobody does not even have a body read
    work = partial(accept, service, senders, request.headers, await request.body(), clock.now())
    return json_answer(render_json({"accepted": await service.crew.run("webhooks", work)}).encode())


def accept(service: Service, senders: Sequence[Project], headers: Mapping[str, str], body: bytes, now: float) -> bool:
    """Keep a delivery on disk and wake who works; say whether it is new and something follows from it.

    Raises:
        NotKeptError: The disk did not take it.
        RequestError: See ``check_signatures`` and ``read_hook``.
    """
    signed = check_signatures(senders, headers, body, now)
    project, delivery = read_hook(signed, headers, body, now)
    try:
        accepted = delivery is not None and project.deliveries.accept(delivery)
    except OSError as error:
        service.log.write("webhook not kept", project=project.name, cause=error.strerror)
        raise NotKeptError from None
    outcome = "accepted" if accepted else "repeated" if delivery else "ignored"
    service.metrics.deliveries.labels(project.name, outcome).inc()
    if accepted:
        service.keepers[project.name].wake()
    return accepted

"""What GitLab sends: is it GitLab, which project, and what follows from it (facts.md §1).

A project's secret travels in ``X-Gitlab-Token``; a signing token signs id, time and body (Standard Webhooks). What a
project has of the two must be right, and one that has neither takes no webhooks. All projects are compared each time,
so the time an answer takes tells nothing of them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from brain.forge.locate import parse_address
from brain.json_text import parse_json
from brain_api.deliveries import Delivery
from brain_api.errors import BadRequestError, NoProjectError, UnknownCallerError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from brain_api.project import Project
    from brain_api.settings import ProjectSettings

LATEST = 300.0
"""Seconds that a signature's time may lie from ours: an older one is a replay."""
MEMORY = "memory"
"""The label of our merge requests, and what their branches begin with."""
PUSH, MERGE_REQUEST = "push", "merge_request"


def find_senders(projects: Iterable[Project], headers: Mapping[str, str]) -> list[Project]:
    """Return the projects whose secret the request has, and those that have only a signing token: before its body.

    Raises:
        UnknownCallerError: There is none.
    """
    return _known(project for project in projects if _has_secret(project.settings, headers))


def check_signatures(senders: Iterable[Project], headers: Mapping[str, str], body: bytes, now: float) -> list[Project]:
    """Return those of the projects that sign nothing, or whose signature the body has.

    Raises:
        UnknownCallerError: There is none.
    """
    return _known(project for project in senders if _has_signature(project.settings, headers, body, now))


def _known(found: Iterable[Project]) -> list[Project]:
    projects = list(found)
    if not projects:
        hint = "the secret token of the webhook in GitLab must be what secretVariable names in the service's settings"
        raise UnknownCallerError("not from a GitLab that is known here", hint)
    return projects


def _has_secret(settings: ProjectSettings, headers: Mapping[str, str]) -> bool:
    same = _same(headers.get("x-gitlab-token", ""), settings.secret)
    return same if settings.secret else bool(settings.signing)


def _has_signature(settings: ProjectSettings, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    return not settings.signing or _is_signed(str(settings.signing), headers, body, now)


def _same(given: str, own: str) -> bool:
    """Compare in a time that tells neither length nor beginning."""
    return hmac.compare_digest(_digest(given), _digest(own))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _is_signed(signing: str, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    stamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode("utf-8", "surrogatepass") + body
    own = base64.b64encode(hmac.new(_key(signing), signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")[:8]  # one a key, while keys are changed
    right = [_same(text, f"v1,{own}") for text in given]
    fresh = stamp.isascii() and stamp.isdigit() and len(stamp) < 16 and abs(now - int(stamp)) <= LATEST
    return any(right) & fresh


def _key(signing: str) -> bytes:
    try:
        return (
            base64.b64decode(signing.removeprefix("whsec_"), validate=True)
            if signing.startswith("whsec_")
            else signing.encode()
        )
    except ValueError:
        return signing.encode()


def read_hook(
    senders: Iterable[Project], headers: Mapping[str, str], body: bytes, now: float
) -> tuple[Project, Delivery | None]:
    """Return the project a webhook is about and what is to be kept of it, None for what nothing follows from.

    Raises:
        BadRequestError: It is no JSON object.
        NoProjectError: It is about none of the projects whose secrets it has.
    """
    try:
        found = parse_json(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadRequestError("the body is no JSON") from None
    if not isinstance(found, dict):
        raise BadRequestError("the body is no JSON object")
    project = next((project for project in senders if _is_about(project, _part(found, "project"))), None)
    if project is None:
        raise NoProjectError
    return project, _delivery(found, headers, now)


def _is_about(project: Project, told: Mapping[str, Any]) -> bool:
    """Say whether a webhook's project is the memory repo, or a code repo, of one of ours."""
    path = str(told.get("path_with_namespace") or "").lower()
    return path in project.paths or (str(told.get("id")) == project.settings.gitlab_project)


def paths_of(urls: Iterable[str], *places: str) -> frozenset[str]:
    """Return the project paths that remotes lead to, lower case, a sub-path of the server's with and without."""
    addresses = filter(None, map(parse_address, urls))
    return frozenset(path.lower() for path in (*(address.path for address in addresses), *places) if path)


def _delivery(found: Mapping[str, Any], headers: Mapping[str, str], now: float) -> Delivery | None:
    kind = found.get("object_kind")
    about = _part(found, "object_attributes")
    if kind == PUSH:
        facts = {"sha": _text(found.get("after")), "branch": _text(found.get("ref"))}
        user = found.get("user_id")
    elif kind == MERGE_REQUEST:
        facts = {
            "sha": _text(_part(about, "last_commit").get("id")), "branch": _text(about.get("source_branch")),
            "action": _text(about.get("action")), "state": _text(about.get("state")),
        }  # fmt: skip
        user = _part(found, "user").get("id")
    else:
        return None
    iid, person = _number(about.get("iid")), _number(user)
    labels = found.get("labels")
    named = [row.get("title") for row in labels if isinstance(row, dict)] if isinstance(labels, list) else []
    ours = MEMORY in named or facts["branch"].startswith(f"{MEMORY}/")
    sent = headers.get("idempotency-key") or headers.get("webhook-id")
    facts_of_it = (kind, iid, *facts.values(), person, _text(about.get("updated_at")))
    key = hashlib.sha256(repr(sent or facts_of_it).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return Delivery(key, round(now, 3), kind, iid, user=person, ours=ours, **facts)


def _part(found: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = found.get(key)
    return part if isinstance(part, dict) else {}


def _text(raw: object) -> str:
    return raw[:255].encode("utf-8", "replace").decode() if isinstance(raw, str) else ""


def _number(raw: object) -> int:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw < 1 << 53 else 0

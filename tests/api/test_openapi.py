"""The OpenAPI description is exact: what it allows is answered as it says, what it does not is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

from tests.api.conftest import World, sealed_world

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

from schemathesis import GenerationMode  # noqa: E402
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance  # noqa: E402

from brain_api.app import create_app  # noqa: E402
from brain_api.settings import ProjectSettings, Settings  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = 40


@pytest.fixture(scope="module")
def open_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Return a service that refuses nobody for asking fast."""
    yield from sealed_world(tmp_path_factory, "\n[limits]\nrate = 1000000\n")


OPERATIONS = [
    found.ok()
    for found in schemathesis.openapi.from_dict(
        create_app(Settings({"shop": ProjectSettings("shop", memory="x")}, "x"), {}).openapi()
    ).get_all_operations()
]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_route_keeps_to_its_description(operation: Any, mode: Any, open_world: World) -> None:
    served = open_world.served
    headers = {"authorization": f"Bearer {served.bearer}"}

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    def ask(case: Any) -> None:
        if "project" in case.path_parameters and mode is GenerationMode.POSITIVE:
            case.path_parameters["project"] = "shop"
        if "authorization" not in {name.lower() for name in case.headers or {}}:
            case.headers = {**(case.headers or {}), **headers}
        own = [] if mode is GenerationMode.POSITIVE else [ignored_auth]  # there our token stands in for a wrong one
        if operation.label.endswith("/drafts"):  # lint may refuse what has the right form
            own.append(positive_data_acceptance)
        case.call_and_validate(base_url=served.url, excluded_checks=own)

    try:
        ask()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "nothing can be asked"  # where all is allowed, nothing is wrong


def test_the_description_names_errors_as_problems_and_no_form_of_the_framework(open_world: World) -> None:
    found = httpx.get(f"{open_world.served.url}/openapi.json", trust_env=False).json()
    assert "HTTPValidationError" not in str(found)
    routes = found["paths"]
    assert {path for path in routes if path.startswith("/v1")} == {
        f"/v1/projects/{{project}}/{name}"
        for name in (
            "recall",
            "index",
            "memories",
            "memories/{memory_id}",
            "search",
            "hits",
            "counts",
            "queue",
            "report",
            "drafts",
            "drafts/{draft_id}",
        )
    }
    for path, verbs in routes.items():
        for verb, route in verbs.items():
            for status, answer in route["responses"].items():
                if int(status) >= 400 and path != "/readyz":
                    assert list(answer["content"]) == ["application/problem+json"], (path, verb, status)

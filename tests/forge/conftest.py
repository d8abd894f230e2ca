"""A responder for each test that asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.forge.responder import Responder

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[Responder]:
    responder = Responder()
    yield responder
    responder.close()

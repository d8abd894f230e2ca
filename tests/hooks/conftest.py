"""A small team, built once and copied for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import FIXED
from tests.support.hook_process import World, copy_world, make_world

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    with pytest.MonkeyPatch.context() as patch:
        for name, text in FIXED.items():
            patch.setenv(name, text)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        return make_world(tmp_path_factory.mktemp("team"))


@pytest.fixture
def world(template: World, tmp_path: Path) -> World:
    return copy_world(template, tmp_path / "team")

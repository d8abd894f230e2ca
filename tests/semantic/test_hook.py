"""A session start with a semantic index: what it finds, what it says, and what it loads for that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brain.index.cache import vectors_stem
from brain.semantic.build import build_vectors
from brain.semantic.embedder import model_of, open_embedder
from brain.workspace import open_brain
from tests.hooks.test_import_time import LISTING, OURS, STANDARD, TOO_HEAVY
from tests.semantic.conftest import needs_model
from tests.support.hook_process import World, ids, make_world

if TYPE_CHECKING:
    from collections.abc import Mapping

HYBRID = {"BRAIN_RECALL_SCORER": "hybrid", "BRAIN_SEMANTIC_DEADLINE": "20000"}
FOR_MEANING = {
    "_ctypes", "_operator", "_sha1", "_struct", "ctypes", "ctypes._endian", "struct", "types",
    "brain.recall.meaning", "brain.semantic", "brain.semantic.ask", "brain.semantic.embedder", "brain.semantic.packaged",
    "brain.semantic.texts", "brain.semantic.vectors",
}  # fmt: skip
"""What a session start loads for meaning, and no more: no numpy, none of the package's own Python."""
TICKET = {"title": "支払いを二回までやり直す", "workflow": "create-spec"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    found = make_world(tmp_path)
    (found.workspace / ".aiflow" / "context" / "current.json").write_text(json.dumps(TICKET))
    return found


def build(world: World, env: Mapping[str, str]) -> None:
    brain = open_brain(str(world.workspace), env)
    build_vectors(brain, open_embedder(model_of(brain.config), {}, threads=1), lambda _done, _total: None)


@needs_model
def test_a_japanese_ticket_gets_the_english_memory_and_nothing_heavy_is_loaded(world: World, tmp_path: Path) -> None:
    assert "mem-F001-retry" not in ids(world.start(env=HYBRID).text)
    build(world, HYBRID)
    launcher, listing = tmp_path / "hook", tmp_path / "modules"
    launcher.write_text(LISTING)
    answer = world.start(launcher=launcher, flags=("-I",), env={**HYBRID, "MODULES": str(listing)})
    assert answer.remark == ""
    assert "mem-F001-retry" in ids(answer.text)
    loaded = set(listing.read_text().split())
    assert sorted(loaded & TOO_HEAVY) == []
    assert sorted(name for name in loaded - STANDARD - OURS - FOR_MEANING if not name.startswith("brain_hooks")) == []


@needs_model
def test_at_the_deadline_it_goes_on_without_and_says_so(world: World) -> None:
    build(world, HYBRID)
    answer = world.start(env={**HYBRID, "BRAIN_SEMANTIC_DEADLINE": "0"})
    assert answer.remark.endswith("without meaning: no answer within 0 ms")
    assert "mem-F001-retry" not in ids(answer.text)
    assert world.failures() == ["without meaning: no answer within 0 ms"]


def test_an_index_whose_model_is_gone_is_said(world: World) -> None:
    stem = vectors_stem(open_brain(str(world.workspace), {}).repo, "99.Memory")
    Path(f"{stem}-0.vectors").write_bytes(b"")
    env = {
        **HYBRID,
        "BRAIN_SEMANTIC_EMBEDDER": "endpoint",
        "BRAIN_SEMANTIC_URL": "http://h/v1",
        "BRAIN_SEMANTIC_MODEL": "m",
    }
    answer = world.start(env=env)
    assert answer.remark.endswith("without meaning: no index for this model: run brain semantic build")


def test_with_no_index_nothing_is_loaded_for_it(world: World, tmp_path: Path) -> None:
    world.start(env=HYBRID)
    launcher, listing = tmp_path / "hook", tmp_path / "modules"
    launcher.write_text(LISTING)
    world.start(launcher=launcher, flags=("-I",), env={**HYBRID, "MODULES": str(listing)})
    assert [name for name in listing.read_text().split() if "semantic" in name or name.endswith("meaning")] == []

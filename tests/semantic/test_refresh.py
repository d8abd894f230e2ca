"""After a pull the vectors are brought up, where there are any and it is little work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.semantic.build import build_vectors
from brain.semantic.embedder import model_of, open_embedder
from brain.semantic.refresh import MOST, refresh_vectors
from brain.semantic.status import status_of
from brain.workspace import open_brain
from tests.semantic.conftest import needs_model
from tests.support.repos import ROOT, commit, memory_text

if TYPE_CHECKING:
    from pathlib import Path


def more(store: Path, count: int) -> None:
    names = [f"00.Shared/domain/_global/m{number:02}.md" for number in range(count)]
    commit(store, {f"{ROOT}/{name}": memory_text(name, f"Number {at}.") for at, name in enumerate(names)})


@needs_model
def test_a_little_is_embedded_and_much_is_left(store: Path) -> None:
    brain = open_brain(str(store), {})
    assert refresh_vectors(brain, {}) is None
    build_vectors(brain, open_embedder(model_of(brain.config), {}, threads=1), lambda _done, _total: None)
    more(store, 3)
    assert refresh_vectors(open_brain(str(store), {}), {}) == 3
    assert status_of(open_brain(str(store), {})).is_whole
    more(store, 4 + MOST)
    assert refresh_vectors(open_brain(str(store), {}), {}) is None
    assert status_of(open_brain(str(store), {})).missing == MOST + 1


def test_a_model_that_is_not_there_is_no_trouble(store: Path) -> None:
    from brain.index.cache import vectors_stem

    brain = open_brain(str(store), {"BRAIN_SEMANTIC_EMBEDDER": "endpoint"})
    with open(vectors_stem(brain.repo, ROOT) + "-0.vectors", "wb"):
        assert refresh_vectors(brain, {}) is None

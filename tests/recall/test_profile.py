"""What each workflow leans on, row by row of the table (SPEC §4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brain.errors import ConfigError
from brain.recall.profile import AREA_NAMES, Profile, make_profile
from brain.settings import load_config
from tests.support.recall import F3, brain_of, ids, memory, terms_of

if TYPE_CHECKING:
    from pathlib import Path

PLACES = {
    "architecture": f"00.Shared/architecture/{F3}/m1.md", "architecture elsewhere": "00.Shared/architecture/F-9/m2.md",
    "domain": "00.Shared/domain/F-9/m3.md", "glossary": "00.Shared/glossary/m4.md", "decisions": "00.Shared/decisions/m5.md",
    "dev": "01.Lessons/dev/F-9/m6.md", "qa": "01.Lessons/qa/F-9/m7.md", "ba": "01.Lessons/ba/F-9/m8.md",
    "pm": "01.Lessons/pm/F-9/m9.md", "instincts": "02.Instincts/approved/F-9/m10.md",
}  # fmt: skip
TEST = {"qa", "domain", "glossary"}
CODE = {"architecture", "dev", "instincts", "decisions"}
DOC = {"decisions", "architecture"}
ROWS = [("coding", CODE), ("review", CODE), ("create-spec", {"domain", "glossary", "ba", "decisions"}), ("create-testcase", TEST),
        ("execute-test", TEST), ("gen-doc", DOC), ("unknown", DOC), ("", DOC), ("something-else", DOC)]  # fmt: skip


@pytest.mark.parametrize(("workflow", "expected"), ROWS)
def test_the_profile_gives_affinity_to_its_areas_alone(tmp_path: Path, workflow: str, expected: set[str]) -> None:
    brain = brain_of(tmp_path, [memory(path, tags=("a",)) for path in PLACES.values()])
    lessons = {"dev", "qa", "ba", "pm"} if workflow in ("coding", "review") else set()
    leaning = set()
    for name, path in PLACES.items():
        item = memory(path)
        if "affinity" in terms_of(brain, item.id, keywords=["a"], functionId="F-003", workflow=workflow):
            leaning.add(name)
    assert leaning == expected | lessons


@pytest.mark.parametrize(("workflow", "expected"), ROWS)
def test_profile_and_workflow_together_make_relevant(tmp_path: Path, workflow: str, expected: set[str]) -> None:
    """Without a function of the ticket, what ``@ticket`` narrows leans nowhere."""
    brain = brain_of(tmp_path, [memory(path, workflows=(workflow or "all",)) for path in PLACES.values()])
    found = set(ids(brain, 0, workflow=workflow, functionId="F-9" * 0))
    assert found == {memory(PLACES[name]).id for name in expected - {"architecture"}}


def test_the_profile_alone_does_not(tmp_path: Path) -> None:
    brain = brain_of(tmp_path, [memory(path, workflows=("gen-doc",)) for path in PLACES.values()])
    assert ids(brain, 0, workflow="coding") == []


def test_a_profile_is_overridden_for_its_workflow_alone(tmp_path: Path) -> None:
    team: dict[str, Any] = {"profiles": {"coding": ["glossary", "domain@ticket"]}}
    items = [
        memory(path, workflows=("coding", "review")) for path in (*PLACES.values(), f"00.Shared/domain/{F3}/m11.md")
    ]
    brain = brain_of(tmp_path, items, settings=team)
    assert ids(brain, 0, workflow="coding") == ["mem-global-m4"]
    assert set(ids(brain, 0, workflow="review")) == {"mem-F9-m10", "mem-F9-m6", "mem-global-m5"}
    assert terms_of(brain, "mem-F003-m11", workflow="coding", functionId="F-003") == {
        "function": 3.0,
        "workflow": 2.0,
        "affinity": 1.0,
    }
    state = {"memory": {"profiles": {"coding": ["instincts"]}}}
    assert ids(brain_of(tmp_path, items, settings=team, state=state), 0, workflow="coding") == ["mem-F9-m10"]


def test_entries_spell_areas() -> None:
    entries = [*AREA_NAMES, "domain@ticket", "retros"]
    assert make_profile(entries) == Profile(
        frozenset(AREA_NAMES.values()), frozenset({"00.Shared/domain"}), retros=True
    )
    assert make_profile([]) == Profile()


@pytest.mark.parametrize("entry", ["lessons", "retros@ticket", "Domain", "domain@function", ""])
def test_an_entry_that_names_no_area_is_refused_and_the_areas_are_named(entry: str) -> None:
    (problem,) = load_config({"profiles": {"coding": [entry]}}, None, {}).problems
    assert isinstance(problem, ConfigError)
    assert str(problem).endswith("lessons/pm, instincts, retros, each may end in @ticket")
    assert f"names no area {entry!r}" in str(problem)

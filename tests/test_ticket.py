"""The ticket, from wherever it is written down; a broken place is a warning (SPEC §2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.ticket import FIELDS, MAX_TEXT, Ticket, parse_ticket, read_ticket


def put(folder: Path, name: str, content: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


CONTEXT = {
    "taskId": "T-1",
    "functionId": "F-001",
    "title": "From the context",
    "keywords": ["a"],
    "workflow": "review",
    "kind": "bug",
}


def test_a_ticket_is_read_from_the_context_file(tmp_path: Path) -> None:
    full = {
        "taskId": "T-1", "functionIds": ["F-1", "F-2", "F-1"], "title": "在庫", "description": "d", "keywords": ["a", " b "], "workflow": "Coding", "gate": "Gate 3", "kind": "Bug-Fix",
        "files": ["./src/a.py", "b.py"],
    }  # fmt: skip
    put(tmp_path, "context/current.json", full)
    expected = Ticket("T-1", ("F-1", "F-2"), "在庫", "d", ("a", "b"), "coding", "3", "bugfix", ("src/a.py", "b.py"))
    assert read_ticket({}, {}, [str(tmp_path)]) == (expected, [])


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    put(tmp_path, "context/current.json", CONTEXT)
    env = {
        "BRAIN_TICKET_TITLE": "From the environment",
        "BRAIN_TICKET_KEYWORDS": "b, c",
        "BRAIN_TICKET_KIND": "",
        "BRAIN_TICKET_NOTHING": "x",
    }
    found = read_ticket({"title": "From a flag"}, env, [str(tmp_path)])
    assert found == (Ticket("T-1", ("F-001",), "From a flag", "", ("b", "c"), "review", "", "bugfix"), [])


@pytest.mark.parametrize("lower", ["functionId", "functionIds"])
@pytest.mark.parametrize("upper", ["functionId", "functionIds"])
def test_a_function_of_a_higher_layer_hides_all_of_a_lower_one(tmp_path: Path, lower: str, upper: str) -> None:
    put(tmp_path, "context/current.json", {lower: ["F-001"]})
    assert read_ticket({upper: ["F-002"]}, {}, [str(tmp_path)])[0].functions == ("F-002",)
    assert read_ticket({}, {f"BRAIN_TICKET_{upper.upper()}": "F-002,F-003"}, [str(tmp_path)])[0].functions == (
        "F-002",
        "F-003",
    )
    assert read_ticket({upper: []}, {}, [str(tmp_path)])[0].functions == ("F-001",)


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_can_come_from_the_environment_in_any_spelling(field: str) -> None:
    snake = "".join(f"_{sign}" if sign.isupper() else sign for sign in field).upper()
    expected = parse_ticket({field: "x"})
    for name in (f"BRAIN_TICKET_{field.upper()}", f"BRAIN_TICKET_{snake}"):
        assert read_ticket({}, {name: "x"}, []) == expected


def test_the_task_says_workflow_and_gate_where_nothing_else_does(tmp_path: Path) -> None:
    put(tmp_path, "context/current.json", {"taskId": "T-1", "gate": "", "workflow": None})
    put(tmp_path, "tasks/T-1/task-state.json", {"workflow": "create-spec", "gate": 2, "title": "not this"})
    assert read_ticket({}, {}, [str(tmp_path)]) == (Ticket("T-1", workflow="create-spec", gate="2"), [])
    assert read_ticket({"workflow": "review"}, {}, [str(tmp_path)])[0] == Ticket("T-1", workflow="review", gate="2")
    assert read_ticket({"taskId": "T-2"}, {}, [str(tmp_path)])[0] == Ticket("T-2")


def test_a_task_id_may_be_a_number_and_is_no_path(tmp_path: Path) -> None:
    put(tmp_path, "aiflow/context/current.json", {"taskId": 42})
    put(tmp_path, "aiflow/tasks/42/task-state.json", {"gate": "5"})
    put(tmp_path, "outside/task-state.json", {"workflow": "secret"})
    assert read_ticket({}, {}, [str(tmp_path / "aiflow")])[0] == Ticket("42", workflow="coding", gate="5")
    for task in ("../../outside", "/etc/passwd", "a\0b", ".."):
        assert read_ticket({"taskId": task}, {}, [str(tmp_path / "aiflow")])[0].workflow == ""


def test_the_nearest_folder_has_the_ticket(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    put(far, "context/current.json", {"taskId": "T-far", "title": "far"})
    put(far, "tasks/T-near/task-state.json", {"workflow": "review", "gate": "1"})
    assert read_ticket({}, {}, [str(near), str(far)])[0].title == "far"
    put(near, "context/current.json", {"taskId": "T-near"})
    put(near, "tasks/T-near/task-state.json", {"workflow": "coding"})
    assert read_ticket({}, {}, [str(near), str(far)])[0] == Ticket("T-near", workflow="coding", gate="1")


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '"x"', "\ud83d".encode("utf-8", "surrogatepass").decode("latin-1"), "[" * 100_000, "null"],
)
def test_a_broken_file_is_a_warning(tmp_path: Path, content: str) -> None:
    put(tmp_path, "context/current.json", content)
    put(tmp_path, "tasks/T-1/task-state.json", content)
    ticket, warnings = read_ticket({"taskId": "T-1"}, {}, [str(tmp_path)])
    names = [tmp_path / "context/current.json", tmp_path / "tasks/T-1/task-state.json"]
    assert (ticket, warnings) == (
        Ticket("T-1"),
        [f"{name}: not a JSON object that can be read; it is ignored" for name in names],
    )


def test_a_missing_file_is_nothing(tmp_path: Path) -> None:
    assert read_ticket({}, {}, [str(tmp_path), "/nowhere"]) == (Ticket(), [])


@pytest.mark.parametrize(
    ("found", "ticket", "warnings"),
    [
        ({"gate": "5"}, Ticket(workflow="coding", gate="5"), []), ({"gate": "6"}, Ticket(gate="6"), []), ({"gate": 3}, Ticket(workflow="coding", gate="3"), []),
        ({"gate": "gate 1", "workflow": "review"}, Ticket(workflow="review", gate="1"), []), ({"functionId": "F-1, F-2"}, Ticket(functions=("F-1", "F-2")), []), ({"functionIds": 3}, Ticket(functions=("3",)), []),
        ({"kind": "Hot-Fix"}, Ticket(kind="hotfix"), []), ({"kind": "story"}, Ticket(kind="story"), []), ({"kind": "epic"}, Ticket(kind="large"), []), ({"unknown": 1}, Ticket(), []),
        ({"title": ["x"]}, Ticket(), ["ticket: title is no text; it is ignored"]), ({"title": True}, Ticket(), ["ticket: title is no text; it is ignored"]), ({"title": 7}, Ticket(title="7"), []),
        ({"keywords": {"a": 1}}, Ticket(), ["ticket: keywords is no list; it is ignored"]), ({"keywords": ["a", None, {}, 3]}, Ticket(keywords=("a", "3")), ["ticket: keywords holds something that is no text; it is ignored"]),
        ({"title": "a\ud800b"}, Ticket(title="a?b"), []), ({"title": "x" * (MAX_TEXT + 5)}, Ticket(title="x" * MAX_TEXT), []), ({"keywords": ["", "  "]}, Ticket(), []),
    ],
)  # fmt: skip
def test_a_mapping_is_a_ticket_and_warnings(found: dict[str, Any], ticket: Ticket, warnings: list[str]) -> None:
    assert parse_ticket(found) == (ticket, warnings)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
)


@given(st.dictionaries(st.sampled_from(FIELDS), anything), st.dictionaries(st.sampled_from(FIELDS), anything))
def test_whatever_it_holds_it_is_a_ticket(flags: dict[str, Any], found: dict[str, Any]) -> None:
    ticket, _ = read_ticket({**found, **flags}, {}, [])
    assert isinstance(ticket.title, str)
    assert all(isinstance(name, str) for name in (*ticket.functions, *ticket.keywords, *ticket.files))
    assert json.dumps(ticket.__dict__).encode("ascii")

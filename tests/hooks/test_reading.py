"""Texts, a person's words and a tool's files, out of every spelling that hosts have."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_hooks.reading import MOST_FILES, files_of, object_of, paths_in_command, spoken, text_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
KEYS = ("file_path", "filePath", "notebook_path", "path", "files", "operations", "paths", "command", "commands", "cmd")
PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x/y.py\n*** Add File: 仕様/受注 税.md\n*** Move to: src/b.py\n*** Delete File: c.py\n*** End Patch"


@pytest.mark.parametrize(("arguments", "files"), [
    ({"file_path": "/w/a b.py"}, ["/w/a b.py"]),
    ({"filePath": "C:\\w\\a.py"}, ["C:\\w\\a.py"]),
    ({"notebook_path": "n.ipynb"}, ["n.ipynb"]),
    ({"path": "Đơn hàng.py", "old_str": "src/x.py"}, ["Đơn hàng.py"]),
    ({"files": [{"path": "a"}, {"path": "b"}, {"path": "a"}, 7, {"path": None}]}, ["a", "b"]),
    ({"files": '[{"path":"/w/a.py"}]'}, ["/w/a.py"]),
    ({"files": "[broken"}, []),
    ({"operations": [{"mode": "Line", "path": "a.py"}]}, ["a.py"]),
    ({"paths": ["a.py", "b.py"]}, ["a.py", "b.py"]),
    ({"command": "cat src/order/tax.py"}, ["src/order/tax.py"]),
    ({"commands": '["cat a.py", "cat b.py"]'}, ["a.py", "b.py"]),
    ({"commands": ["cat a.py"]}, ["a.py"]),
    ({"cmd": "ls"}, []),
    ({"command": PATCH}, ["src/a.py", "仕様/受注 税.md", "src/b.py", "c.py"]),
    ({"path": "a\0b"}, []),
    ({}, []),
])  # fmt: skip
def test_the_files_of_a_tool(arguments: dict[str, Any], files: list[str]) -> None:
    assert list(files_of(arguments)) == files


@pytest.mark.parametrize(("command", "paths"), [
    ("sed -n 1,80p 'src/a b.py'", ["src/a b.py"]),
    ("cat src/a\\ b.py>out.txt;tail -f ./log", ["src/a b.py", "out.txt", "./log"]),
    ('python -c "import a; print(1)"', []),
    ("cd .. && cat --help", []),
    ("(cat <a.txt)|`b.sh`", ["a.txt", "b.sh"]),
    ('cat "日本/Đơn hàng.py', ["日本/Đơn hàng.py"]),
    ("", []),
])  # fmt: skip
def test_the_paths_in_a_command_line(command: str, paths: list[str]) -> None:
    assert list(paths_in_command(command)) == paths


def test_a_thousand_files_are_not_all_looked_at() -> None:
    assert len(files_of({"files": [{"path": f"{number}.py"} for number in range(1000)]})) == MOST_FILES


@pytest.mark.parametrize(("prompt", "said"), [
    (" sửa thuế\n", "sửa thuế"),
    ("<hook_context>[brain] index …</hook_context>\n\ntax.py を直して", "tax.py を直して"),
    ("<hook_context>[brain] …[/brain]</hook_context>\n\n", ""),
    ('a <project-brain part="index">\nx\n</project-brain>\nb', "a \nb"),
    ("a &lt;project-brain x&gt; y &lt;/project-brain&gt; b", "a  b"),
    ("before <hook_context> cut off", "before"),
    ("<task-notification>\nagent done</task-notification>", ""),
    ("[SYSTEM] continue", ""),
    ("why does <task-notification> come?", "why does <task-notification> come?"),
])  # fmt: skip
def test_what_a_person_said_is_neither_a_machines_turn_nor_our_own_echo(prompt: str, said: str) -> None:
    assert spoken(prompt) == said


def test_objects_stand_also_as_json_in_a_text() -> None:
    assert object_of({"a": None, "b": '{"path": "x"}'}, "a", "b") == {"path": "x"}
    assert object_of({"a": "[1]", "b": "{"}, "a", "b") == {}


@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_any_arguments_are_borne(arguments: dict[str, object]) -> None:
    for path in files_of(json.loads(json.dumps(arguments))):
        assert path.encode().decode() == path  # no lone surrogate: it can be written anywhere
        assert "\0" not in path


def test_a_lone_surrogate_is_replaced() -> None:
    assert text_of({"a": 7, "b": "cut \ud83d"}, "a", "b") == "cut ?"

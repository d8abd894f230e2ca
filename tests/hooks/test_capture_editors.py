"""Capture in Cursor and VS Code: their stops, their transcripts, and what asks them to go on."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brain.capture.transcript import read_part
from brain.capture.turns import ASSISTANT, CALL, PERSON, RESULT
from tests.support.hook_process import World, run_hook
from tests.support.session import drafts, retros

if TYPE_CHECKING:
    from collections.abc import Sequence

RULE = "Không đúng, phải làm tròn theo từng dòng (切り捨て), vì hệ thống hoá đơn làm như vậy."
STOPS = {"cursor": ("stop", ".cursor/projects/shop/agent-transcripts/s/s.jsonl"),
         "vscode": ("Stop", ".config/Code/User/workspaceStorage/ab12/GitHub.copilot-chat/transcripts/s.jsonl")}  # fmt: skip
OFF = {"BRAIN_CAPTURE_SIDEBRANCH": "false", "XDG_CONFIG_HOME": ""}


def cursor_rows(said: Sequence[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for text in said:
        typed = f"<timestamp>Monday</timestamp>\n<user_query>\n{text}\n</user_query>"
        edit = {"type": "tool_use", "name": "StrReplace", "input": {"path": "src/pay.py", "old_string": "a"}}
        rows += [
            {"role": "user", "message": {"content": [{"type": "text", "text": typed}]}},
            {"role": "assistant", "message": {"content": [{"type": "text", "text": "Đã sửa."}, edit]}},
        ]
    return [*rows, {"type": "turn_ended", "status": "success"}]


def vscode_rows(said: Sequence[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"type": "session.start", "data": {"sessionId": "s", "producer": "copilot-agent"}}]
    for number, text in enumerate(said):
        call = {"toolCallId": f"c{number}", "toolName": "replace_string_in_file"}
        rows += [
            {"type": "user.message", "data": {"content": text, "attachments": []}},
            {"type": "assistant.message", "data": {"content": "Đã sửa.", "toolRequests": []}},
            {"type": "tool.execution_start", "data": {**call, "arguments": {"filePath": "/x/src/pay.py"}}},
            {"type": "tool.execution_complete", "data": {**call, "success": True}},
        ]
    return rows


ROWS = {"cursor": cursor_rows, "vscode": vscode_rows}


def write(host: str, said: Sequence[str]) -> Path:
    path = Path(os.environ["HOME"], STOPS[host][1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS[host](said)), "utf-8")
    return path


def stop(world: World, host: str, path: Path, caller: str = "", event: str = "", **fields: object) -> Any:
    name = event or STOPS[host][0]
    own: dict[str, object] = {"session_id": "s", "cwd": str(world.workspace), "timestamp": "2026-11-30T09:00:01.000Z"}
    if host == "cursor":
        own = {"conversation_id": "s", "workspace_roots": [str(world.workspace)], "cursor_version": "3.1"}
    payload = {**own, "hook_event_name": name, "transcript_path": str(path), **fields}
    answer = run_hook(caller or host, name, payload=payload, cwd="/", env=OFF)
    assert (answer.status, answer.err, world.failures()) == (0, b"", [])
    return json.loads(answer.out)


@pytest.mark.parametrize("host", STOPS)
def test_a_stop_keeps_and_asks_once_in_the_hosts_own_words(host: str, world: World) -> None:
    path = write(host, ["sửa thuế đi", RULE])
    answer = stop(world, host, path)
    assert "切り捨て" in "".join(drafts(world).values())
    assert "切り捨て" in retros(world)["PAY-7.md"]
    if host == "cursor":
        assert answer.keys() == {"followup_message"}
        asked = answer["followup_message"]
    else:
        assert answer.keys() == {"hookSpecificOutput"}
        inner = answer["hookSpecificOutput"]
        assert (inner["hookEventName"], inner["decision"]) == ("Stop", "block")
        asked = inner["reason"]
    assert asked.startswith("Before you end: ")
    assert "\n- mem-F001-" in asked
    write(host, ["sửa thuế đi", RULE, asked])  # it stands in the transcript as if a person had typed it
    before = drafts(world), retros(world)
    assert stop(world, host, path) == {}
    assert (drafts(world), retros(world)) == before


@pytest.mark.parametrize("fields", [{"loop_count": 1}, {"status": "aborted"}, {"status": "error"}])
def test_cursor_is_not_asked_in_a_loop_or_after_what_broke_off(fields: dict[str, object], world: World) -> None:
    path = write("cursor", ["sửa thuế đi", RULE])
    assert stop(world, "cursor", path, **{"status": "completed", "loop_count": 0, **fields}) == {}
    assert drafts(world) != {}
    assert "followup_message" in stop(world, "cursor", path, status="completed", loop_count=0)


@pytest.mark.parametrize(("host", "caller", "event"), [
    ("cursor", "claude", "Stop"), ("vscode", "claude", "Stop"), ("vscode", "copilot", "Stop"),
])  # fmt: skip
def test_another_hosts_file_that_they_run_does_it_too(host: str, caller: str, event: str, world: World) -> None:
    answer = stop(world, host, write(host, ["sửa thuế đi", RULE]), caller, event)
    assert len(answer) == 1
    assert drafts(world) != {}


@pytest.mark.parametrize(
    ("host", "event"), [("cursor", "sessionEnd"), ("cursor", "preCompact"), ("vscode", "PreCompact")]
)
def test_other_events_keep_and_do_not_ask(host: str, event: str, world: World) -> None:
    assert stop(world, host, write(host, ["sửa thuế đi", RULE]), event=event) == {}
    assert drafts(world) != {}


@pytest.mark.parametrize("host", STOPS)
def test_what_was_said_and_done_is_read(host: str) -> None:
    turns = read_part(str(write(host, ["một", "二"])), host, 0).turns
    assert [turn.text for turn in turns if turn.kind == PERSON] == ["một", "二"]
    assert [turn.text for turn in turns if turn.kind == ASSISTANT] == ["Đã sửa."] * 2
    calls = [turn for turn in turns if turn.kind == CALL]
    assert [turn.files[0].endswith("src/pay.py") for turn in calls] == [True, True]
    assert {turn.call for turn in calls} == {turn.call for turn in turns if turn.kind == RESULT}


def test_the_transcript_of_another_host_is_not_read(world: World) -> None:
    path = Path(os.environ["HOME"], ".claude/projects/p/s.jsonl")
    path.parent.mkdir(parents=True)
    path.write_text(write("cursor", [RULE]).read_text())
    payload = {"conversation_id": "s", "workspace_roots": [str(world.workspace)], "transcript_path": str(path)}
    assert run_hook("cursor", "stop", payload=payload, cwd="/", env=OFF).out == b"{}"
    assert (drafts(world), len(world.failures())) == ({}, 1)

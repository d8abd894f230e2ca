"""Transcripts of hosts become turns: whole lines, from where one stopped, within bounds."""

from __future__ import annotations

import json
import os
import resource
import time
from pathlib import Path

import pytest

from brain.capture.transcript import BUDGET, MOST_LINE, find_transcript, read_part
from brain.capture.turns import CALL, ERROR, PERSON, RESULT, spoken

DATA = Path(__file__).parents[1] / "data" / "capture"
FILES = sorted(
    path.relative_to(DATA).as_posix()
    for host in ("claude", "codex", "copilot", "gemini")
    for path in (DATA / host).glob("*.json*")
)
CLAUDE = "claude/7b0c2f4e-1d35-4c1a-9a57-2f0e6d1c8a11.jsonl"
SAID = {
    "claude": '{"type": "user", "message": {"content": "%s"}}',
    "codex": '{"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "%s"}]}}',
    "gemini": '{"id": "%s", "type": "user", "content": "%s"}', "copilot": '{"type": "user.message", "data": {"content": "%s"}}',
    "cursor": '{"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>%s</user_query>"}]}}',
    "heard": '{"kind": "person", "text": "%s", "files": []}',
}  # fmt: skip


def said(host: str, text: str) -> bytes:
    return (SAID[host].replace("%s", text) + "\n").encode()


def persons(path: Path, host: str, start: int = 0) -> list[str]:
    return [turn.text for turn in read_part(str(path), host, start).turns if turn.kind == PERSON]


def test_a_person_said_so_much_and_no_machine_is_taken_for_one() -> None:
    found = persons(DATA / CLAUDE, "claude")
    assert len(found) == 6
    assert found[-1] == "続けて、見積もりの画面も同じ端数処理にしてください。"
    assert persons(DATA / "claude/legacy-inline-sidechain-broken-tail.jsonl", "claude") == [
        "Use tabs? No - this repo uses 4 spaces, please fix."
    ]
    assert persons(DATA / FILES[3], "copilot") == ["sửa thuế", "Sai rồi, phải 切り捨て theo từng dòng."]


def test_what_gemini_took_back_or_replaced_is_gone() -> None:
    path = DATA / "gemini/session-2026-11-30T09-00-3d1f0a6c.jsonl"
    assert persons(path, "gemini") == [
        "tax.py の端数処理を直して", "Không đúng, phải cắt bỏ phần lẻ theo từng dòng (切り捨て), vì hệ thống hoá đơn làm như vậy.",
        "Remember: never edit generated files under src/gen.", "ありがとう、以上です。",
    ]  # fmt: skip
    kinds = [turn.kind for turn in read_part(str(path), "gemini", 0).turns]
    assert [kinds.count(kind) for kind in (CALL, RESULT, ERROR)] == [3, 2, 1]


def test_a_compaction_of_codex_says_nothing_twice() -> None:
    found = persons(DATA / FILES[2], "codex")
    assert len(found) == len(set(found)) == 3


@pytest.mark.parametrize("name", FILES)
def test_reading_on_from_every_line_end_loses_no_person(name: str, tmp_path: Path) -> None:
    host, content = name.partition("/")[0], (DATA / name).read_bytes()
    if name.endswith(".json"):
        pytest.skip("one object is read whole")
    path, at, heard = tmp_path / "t.jsonl", 0, dict[str, None]()
    for end in [number for number, byte in enumerate(content, 1) if byte == 10]:
        path.write_bytes(content[:end])
        part = read_part(str(path), host, at)
        assert at <= part.next <= end
        at = part.next
        heard.update(dict.fromkeys(turn.text for turn in part.turns if turn.kind == PERSON))
    assert set(persons(DATA / name, host)) <= set(heard)


@pytest.mark.parametrize("host", SAID)
def test_a_torn_last_line_waits_for_its_end(host: str, tmp_path: Path) -> None:
    path, whole = tmp_path / "t.jsonl", said(host, "first") + said(host, "二番目")
    path.write_bytes(whole[:-9])
    part = read_part(str(path), host, 0)
    assert ([turn.text for turn in part.turns], part.warnings) == (["first"], ())
    path.write_bytes(whole)
    assert persons(path, host, part.next)[-1] == "二番目"


def test_what_cannot_be_read_is_a_warning_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    long = b'{"type": "user", "message": {"content": "' + b"x" * MOST_LINE + b'"}}\n'
    path.write_bytes(
        b"\xff\xfe\n{broken\n[1]\n\n"
        + long
        + b'{"type": "user", "message": 3}\n{"type": "new.thing"}\n'
        + said("claude", "read me")
    )
    part = read_part(str(path), "claude", 0)
    assert [turn.text for turn in part.turns] == ["read me"]
    assert part.warnings == ("transcript: lines passed over: 3 not JSON, 1 too long",)


@pytest.mark.parametrize("host", SAID)
def test_a_newer_format_is_a_warning(host: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"v": 9, "kind": "utterance", "who": "human", "what": "always"}\n' * 30)
    part = read_part(str(path), host, 0)
    assert (part.turns, part.warnings) == ((), ("transcript: 30 lines and no turn that is known: a newer format?",))


def test_a_shell_of_copilot_fails_by_its_exit_code_though_the_tool_did_not(tmp_path: Path) -> None:
    def ran(call: str, line: str, code: int, text: str) -> str:
        start = {"toolCallId": call, "toolName": "bash", "arguments": {"command": line}}
        done = {"toolCallId": call, "success": True, "shellExecution": {"exitCode": code}, "result": {"content": text}}
        rows = (
            {"type": f"tool.execution_{kind}", "data": data} for kind, data in (("start", start), ("complete", done))
        )
        return "".join(json.dumps(row) + "\n" for row in rows)

    path = tmp_path / "t.jsonl"
    path.write_text(ran("1", "sh a", 1, "error: MODE is not set") + ran("2", "MODE=x sh a", 0, ""))
    assert [turn.kind for turn in read_part(str(path), "copilot", 0).turns] == [CALL, ERROR, CALL, RESULT]


def test_values_of_any_kind_break_nothing(tmp_path: Path) -> None:
    odd: list[object] = [None, 0, "", "x", [], [None, 1, "x", {}], {}, {"type": 3}, {"text": {"text": []}}, True]
    rows = []
    for key in (
        "message",
        "payload",
        "data",
        "content",
        "id",
        "toolCalls",
        "$set",
        "$rewindTo",
        "messages",
        "origin",
        "promptSource",
    ):
        for value in odd:
            for kind in (
                "user",
                "assistant",
                "gemini",
                "response_item",
                "user.message",
                "tool.execution_start",
                "tool.execution_complete",
            ):
                rows.append({"type": kind, "id": "m", key: value})
                rows.append(
                    {
                        "type": kind,
                        "message": {"content": [{"type": "tool_use", "input": value, key: value}]},
                        "payload": {"type": "function_call", "arguments": value, key: value},
                    }
                )
                rows.append(
                    {
                        "type": kind,
                        "payload": {"type": "function_call_output", "output": value},
                        "data": {"arguments": value, "result": value, "error": value},
                    }
                )
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for host in (*SAID, "cline"):
        read_part(str(path), host, 0)


def test_a_file_that_became_shorter_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(said("claude", "anew"))
    assert persons(path, "claude", 10_000) == ["anew"]
    assert persons(path, "claude", 7) == ["anew"], "where no line begins, it is another file by now"


@pytest.mark.parametrize(("content", "warning"), [
    ('{"messages": [{"role": "user", "content": [{"ty', "transcript: not a JSON object"), ("[1]", "transcript: not a JSON object"),
    (json.dumps({"version": 9, "turns": ["x" * 5000]}), "transcript: an object and no turn that is known: a newer format?"),
    ('{"messages": []}', ""), ("", "transcript: not a JSON object"), ('{"messages": [7, {"role": 7, "content": {}}]}', ""),
])  # fmt: skip
def test_one_object_that_cannot_be_read_is_a_warning(content: str, warning: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(content)
    for host in ("cline", "gemini"):
        part = read_part(str(path), host, 0)
        assert (part.turns, part.warnings) == ((), (warning,) if warning else ())


def test_one_object_of_200_megabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    started = time.process_time()
    part = read_part(str(path), "cline", 0)
    assert (part.turns, part.warnings) == ((), ("transcript: 200000000 bytes in one object: it is not read",))
    assert time.process_time() - started < 1


@pytest.mark.parametrize("host", SAID)
def test_200_megabytes_take_two_seconds_and_flat_memory(host: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    filler = (SAID[host].replace("%s", "x" * 20_000) + "\n").encode()
    with path.open("wb") as file:
        for _ in range(200_000_000 // len(filler)):
            file.write(filler)
        file.write(said(host, "the end"))
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    part = read_part(str(path), host, 0)
    seconds = time.process_time() - started
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    print(f"{host}: {seconds:.2f} s CPU, {grown} MB more")
    assert part.turns[-1].text == "the end"
    assert [warning.partition(" bytes")[2] for warning in part.warnings] == [
        " were passed over, to keep to a stop's time"
    ]
    assert seconds < 2
    assert grown < 6 * (BUDGET >> 20)


def test_echoes_are_taken_out_and_machines_are_nobody() -> None:
    assert spoken("a <system-reminder>b</system-reminder> c") == "a  c"
    assert spoken("<hook_context>never ends") == ""
    assert spoken("<task-notification>always use float</task-notification>") == ""


def test_only_a_regular_transcript_in_the_hosts_own_folder_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "home" / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    env = {"HOME": str(tmp_path / "home")}
    good, text, outside = folder / "s.jsonl", folder / "s.txt", tmp_path / "s.jsonl"
    for path in (good, text, outside):
        path.write_bytes(b"")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "link.jsonl").symlink_to(outside)
    assert find_transcript(str(good), "claude", env) == (str(good.resolve()), "")
    assert find_transcript(str(good), "claude", {"CLAUDE_CONFIG_DIR": str(tmp_path / "else")})[0] == ""
    for name in ("", "s.jsonl", str(folder / "gone.jsonl"), "/x\0y.jsonl"):
        assert find_transcript(name, "claude", env) == ("", "")
    for path in (outside, folder / "link.jsonl", Path(f"{folder}/../../../../s.jsonl")):
        assert (
            find_transcript(str(path), "claude", env)[1]
            == "the transcript lies outside .claude/projects: it is not read"
        )
    for path in (text, folder / "pipe.jsonl", folder / "folder.jsonl"):
        assert (
            find_transcript(str(path), "claude", env)[1] == "the transcript is no .jsonl or .json file: it is not read"
        )
    assert find_transcript(str(good), "kiro", env) == ("", "")

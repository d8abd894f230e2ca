"""Layer 3 as hosts ask for it: on a prompt and on a file, each memory once a session (SPEC §4.4)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.hook_process import LAUNCHER, RETRY, World, ids, run_hook
from tests.support.repos import commit, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

TAX = "01.Lessons/qa/F-002_Tax/tax.md"
PROMPT = "受注の処理を直して"


@pytest.fixture
def team(world: World) -> World:
    """A team with a memory that the ticket does not recall."""
    world.share(
        {
            TAX: memory_text(
                TAX, "Round tax down.\n\n**Apply:** floor it.", refs=("src/log.py",), tags=("tax",), workflows=("none",)
            )
        }
    )
    git(world.memory, "fetch", "-q")
    return world


def ask(world: World, event: str, session: str | None = "s", host: str = "claude", **fields: Any) -> list[str]:
    """Return the ids of what is offered."""
    payload = {"session_id": session, "cwd": str(world.workspace), "hook_event_name": event, **fields}
    answer = run_hook(host, event, payload=payload, cwd="/")
    assert (answer.status, answer.err) == (0, b"")
    inner = json.loads(answer.out).get("hookSpecificOutput", {})
    text = inner.get("additionalContext", "")
    assert not text or inner["hookEventName"] == event
    return ids(text)


def prompt(world: World, words: str = PROMPT, **fields: Any) -> list[str]:
    return ask(world, "UserPromptSubmit", prompt=words, **fields)


def read(world: World, path: str, session: str = "s", event: str = "PreToolUse", **fields: Any) -> list[str]:
    return ask(world, event, session, tool_name="Read", tool_input={"file_path": path}, **fields)


def test_each_memory_is_offered_once_a_session(team: World) -> None:
    assert prompt(team) == ["mem-global-order"]
    assert prompt(team) == []
    assert prompt(team, session="another") == ["mem-global-order"]
    assert read(team, "src/log.py") == ["mem-F002-tax"]
    assert read(team, "src/log.py", event="PostToolUse") == []


def test_what_the_session_was_told_at_its_start_is_not_offered(team: World) -> None:
    assert "mem-F001-retry" in ids(team.start("startup", "s").text)
    assert read(team, "src/pay.py") == []
    assert read(team, "src/pay.py", session="another") == ["mem-F001-retry"]
    assert read(team, "src/log.py") == ["mem-F002-tax"]


@pytest.mark.parametrize(("source", "again"), [("compact", True), ("clear", True), ("resume", False)])
def test_after_a_compaction_it_may_be_offered_again(source: str, again: bool, team: World) -> None:
    team.start("startup", "s")
    assert read(team, "src/log.py") == ["mem-F002-tax"]
    team.start(source, "s")
    assert read(team, "src/log.py") == ["mem-F002-tax"] * again


def test_prompts_of_machines_and_of_sub_agents_get_nothing(team: World) -> None:
    assert prompt(team, f"<task-notification>{PROMPT}</task-notification>") == []
    assert prompt(team, agent_id="a1") == []
    assert read(team, "src/log.py", agent_id="a1") == []
    assert prompt(team, f'<project-brain part="index">{PROMPT}</project-brain>') == []
    assert prompt(team) == ["mem-global-order"]


def test_without_a_session_nothing_is_offered_since_it_could_not_be_once(team: World) -> None:
    assert prompt(team, session=None) == []


def test_where_nothing_can_be_kept_nothing_is_offered_since_it_could_not_be_once(team: World) -> None:
    team.state.write_text("a file, where our folder belongs")
    assert prompt(team) == []


def test_a_path_in_a_prompt_counts_as_a_file(team: World) -> None:
    assert prompt(team, "xem giúp src/log.py nhé") == ["mem-F002-tax"]


@pytest.mark.parametrize("path", ["/etc/hosts", "../memory/README.md", "", "src/../../x", "/", "src/log.py.bak"])
def test_a_path_that_is_not_in_the_repo_brings_nothing(path: str, team: World) -> None:
    assert read(team, path) == []
    assert team.failures() == []


def test_a_link_to_the_workspace_is_the_workspace(team: World) -> None:
    (team.folder / "link").symlink_to(team.workspace)
    assert read(team, str(team.folder / "link" / "src" / "log.py")) == ["mem-F002-tax"]
    assert ask(team, "PreToolUse", "t", cwd=str(team.folder / "link" / "src"), tool_input={"file_path": "log.py"}) == [
        "mem-F002-tax"
    ]


def test_a_stale_memory_says_so(team: World) -> None:
    commit(team.workspace, {"src/pay.py": "tries = 3\n"})
    payload = {"session_id": "s", "cwd": str(team.workspace), "tool_input": {"file_path": "src/pay.py"}}
    answer = run_hook("claude", "PreToolUse", payload=payload, cwd="/")
    assert (
        "⚠ may be stale: src/pay.py changed since" in json.loads(answer.out)["hookSpecificOutput"]["additionalContext"]
    )


def test_twenty_readings_at_once_offer_a_memory_once(team: World, tmp_path: Path) -> None:
    launcher = tmp_path / "hook"
    launcher.write_text(LAUNCHER)
    read(team, "src/nothing.py")
    payload = {"session_id": "s", "cwd": str(team.workspace), "tool_input": {"file_path": "src/log.py"}}
    (tmp_path / "payload").write_text(json.dumps(payload))
    running = []
    for _ in range(20):
        with (tmp_path / "payload").open() as stdin:
            command = [sys.executable, launcher, "claude", "PreToolUse"]
            running.append(subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE))
    answers = [process.communicate(timeout=60)[0] for process in running]
    assert sorted(answers)[:19] == [b"{}"] * 19 or sorted(answers)[1:] == [b"{}"] * 19
    assert sum(b"mem-F002-tax" in answer for answer in answers) == 1


def test_a_prompt_costs_no_fetch_and_a_workspace_without_memory_keeps_nothing(team: World, tmp_path: Path) -> None:
    team.share({RETRY: None})
    assert read(team, "src/pay.py") == ["mem-F001-retry"]  # gone from the remote, which was not asked
    bare = tmp_path / "bare"
    bare.mkdir()
    answer = run_hook(
        "claude", "UserPromptSubmit", payload={"session_id": "s", "cwd": str(bare), "prompt": PROMPT}, cwd="/"
    )
    assert answer.out == b"{}"
    assert os.listdir(bare) == []


def test_a_memory_repo_that_is_gone_is_noted_and_not_said_at_each_prompt(team: World) -> None:
    team.memory.rename(team.folder / "elsewhere")
    assert prompt(team) == []
    assert [cause.partition(":")[0] for cause in team.failures()] == ["no memory this time"]


def test_a_damaged_index_is_made_anew(team: World) -> None:
    read(team, "src/nothing.py")
    for path in team.cache.glob("*.seg*"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2 :] = b"\0" * (len(content) - len(content) // 2)
        path.write_bytes(content)
    assert read(team, "src/log.py") == ["mem-F002-tax"]


def test_the_line_of_an_offer_says_what_and_how_much_but_no_text(team: World) -> None:
    prompt(team)
    (row,) = team.rows("telemetry.jsonl")
    assert row == {
        "time": row["time"], "event": "offered", "host": "claude", "session": row["session"], "on": "UserPromptSubmit",
        "tokens": row["tokens"], "ids": ["mem-global-order"],
    }  # fmt: skip
    assert 0 < row["tokens"] <= 400


def test_kiro_names_no_session_and_still_hears_a_thing_once(team: World) -> None:
    def say(event: str, **fields: Any) -> str:
        return run_hook("kiro", event, payload={"cwd": str(team.workspace), **fields}, cwd="/").out.decode()

    assert "mem-global-order" in say("userPromptSubmit", prompt=PROMPT)
    assert say("userPromptSubmit", prompt=PROMPT) == ""
    for _ in range(2):  # a new session within the second is no twin
        assert "mem-F001-retry" in ids(say("agentSpawn"))
    assert "mem-global-order" in say("userPromptSubmit", prompt=PROMPT)


def test_clines_start_rides_on_what_it_waits_for_once_a_session(team: World) -> None:
    def say(event: str, task: str, hook: str, **fields: Any) -> str:
        payload = {"taskId": task, "hookName": hook, "workspaceRoots": [str(team.workspace)], **fields}
        return str(json.loads(run_hook("cline", event, payload=payload, cwd="/").out).get("contextModification", ""))

    words = {"userPromptSubmit": {"prompt": PROMPT}}
    assert say("UserPromptSubmit", "cli", "prompt_submit", **words) == ""
    file = {"preToolUse": {"toolName": "editor", "parameters": {"path": "src/log.py"}}}
    first = say("PreToolUse", "cli", "tool_call", **file)
    assert 'part="index"' in first
    assert {"mem-F001-retry", "mem-F002-tax"} <= set(ids(first))
    assert say("PreToolUse", "cli", "tool_call", **file) == ""
    extension = say("UserPromptSubmit", "x", "UserPromptSubmit", **words)
    assert {"mem-F001-retry", "mem-global-order"} <= set(ids(extension))
    assert ids(say("PreToolUse", "x", "PreToolUse", **file)) == ["mem-F002-tax"]


def test_two_installations_in_cursor_and_vs_code_deliver_once(team: World) -> None:
    cursor = {
        "conversation_id": "c",
        "session_id": "c",
        "cursor_version": "2.9",
        "workspace_roots": [str(team.workspace)],
    }
    answers = [
        run_hook(host, event, payload=cursor, cwd="/").out
        for host, event in (("claude", "SessionStart"), ("cursor", "sessionStart"))
    ]
    assert [set(json.loads(answer)) for answer in answers] == [{"additional_context"}, set()]
    code = {
        "sessionId": "v",
        "hookEventName": "SessionStart",
        "timestamp": "2026",
        "source": "new",
        "cwd": str(team.workspace),
    }
    answers = [run_hook(host, "SessionStart", payload=code, cwd="/").out for host in ("copilot", "claude", "vscode")]
    assert [set(json.loads(answer)) for answer in answers] == [{"hookSpecificOutput"}, set(), set()]
    file = {**code, "hookEventName": "PreToolUse", "tool_input": {"filePath": "src/log.py"}}
    answers = [run_hook(host, "PreToolUse", payload=file, cwd="/").out for host in ("claude", "copilot")]
    assert [set(json.loads(answer)) for answer in answers] == [{"hookSpecificOutput"}, set()]

"""One adapter and one encoder a host: what it sends, and what it can read (hosts/contracts.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.capture.transcript import find_transcript
from brain.errors import BrainError
from brain.value import replace
from brain_hooks.event import FILE, KEEP, PROMPT, SOURCES, START, STOP, Event
from brain_hooks.hosts import NAMES, get_host
from brain_hooks.hosts.host import MOST_REMARKS, Reply

FOLDER = Path(__file__).parents[1] / "data" / "hooks"
REPLIES: dict[str, dict[str, Any]] = json.loads((FOLDER / "replies.json").read_text())
PLACEHOLDER = "[brain] 3 memories …"
ROWS = [
    (host, event, reply)
    for host, replies in REPLIES.items() if not host.startswith("_")
    for event, reply in replies.items() if not event.startswith("_n")
]  # fmt: skip
PAYLOADS = [path for name in NAMES for path in sorted((FOLDER / name).glob("*.json"))]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = (
    "session_id", "sessionId", "taskId", "conversation_id", "cwd", "workspace_roots", "workspaceRoots", "workspaceInfo", "source",
    "agent_id", "transcript_path", "prompt", "tool_input", "toolArgs", "preToolUse", "tool_call", "input", "output", "userPromptSubmit",
)  # fmt: skip
HERE = "/home/mai/work/shop api"
TAX = f"{HERE}/src/order/tax.py"


def read(host: str, name: str, event: str = "") -> Event:
    """Return a fixture as its host's adapter reads it."""
    found = json.loads((FOLDER / host / f"{name}.json").read_bytes())
    return get_host(host).read(event or name.partition(".")[0], found)


def form(expected: Any) -> Any:
    """Return an answer as text or JSON; words in brackets describe plain text."""
    if isinstance(expected, str):
        return PLACEHOLDER if "plain" in expected else ""
    return expected


def encoded(host: str, event: str, reply: Reply) -> Any:
    answer = get_host(host).encode(event, reply)
    return json.loads(answer) if answer[:1] == "{" else answer


@pytest.mark.parametrize(("host", "event", "reply"), ROWS)
def test_an_answer_has_the_form_that_the_host_reads(host: str, event: str, reply: dict[str, Any]) -> None:
    if reply["inject"] is not None:
        assert encoded(host, event, Reply(PLACEHOLDER)) == form(reply["inject"])
    else:
        moments = get_host(host).moments.get(event, ())
        assert not {START, PROMPT, FILE} & set(moments)  # what cannot reach the model is not said
    if STOP in get_host(host).moments.get(event, ()):
        assert encoded(host, event, Reply(ask="Write the retrospect.")) == reply["continue_turn"]
    assert encoded(host, event, Reply()) == form(reply["silent"])


@pytest.mark.parametrize("host", NAMES)
def test_every_event_that_we_answer_can_carry_a_text(host: str) -> None:
    known = REPLIES.get(host, {})
    for event in get_host(host).moments:
        if event in known and {START, PROMPT, FILE} & set(get_host(host).moments[event]):
            assert known[event]["inject"] is not None


def test_the_moments_of_each_host() -> None:
    heard = {
        name: sorted({moment for moments in get_host(name).moments.values() for moment in moments}) for name in NAMES
    }
    everything = sorted((START, PROMPT, FILE, STOP, KEEP))
    assert heard == {
        "claude": everything, "codex": everything, "gemini": everything, "copilot": everything, "vscode": sorted((START, FILE, STOP, KEEP)),
        "cursor": sorted((START, FILE, STOP, KEEP)), "cline": sorted((START, PROMPT, FILE, KEEP)), "cline_cli": sorted((START, FILE, KEEP)),
        "opencode": sorted((START, PROMPT, FILE, STOP)), "kiro": sorted((START, PROMPT, KEEP)), "windsurf": [KEEP],
        "text": [START],
    }  # fmt: skip


def test_an_unknown_host_is_an_error_that_names_the_known() -> None:
    with pytest.raises(BrainError) as caught:
        get_host("emacs")
    assert str(caught.value) == "unknown host 'emacs'"
    assert "claude, codex, gemini" in caught.value.hint


@pytest.mark.parametrize(("host", "name", "expected"), [
    ("claude", "SessionStart.resume", Event("SessionStart", "7b0c2f4e-1d35-4c1a-9a57-2f0e6d1c8a11", HERE, "resume")),
    ("claude", "PreToolUse.Edit", Event("PreToolUse", "7b0c2f4e-1d35-4c1a-9a57-2f0e6d1c8a11", HERE, files=(TAX,))),
    ("codex", "SessionStart.compact", Event("SessionStart", "01a22d0c-e875-7950-a9c1-e171d1b28d12", HERE, "compact")),
    ("codex", "PreToolUse.Bash", Event("PreToolUse", "01a22d0c-e875-7950-a9c1-e171d1b28d12", HERE, files=("src/order/tax.py",))),
    ("codex", "PostToolUse.Bash.subagent", Event("PostToolUse", "01a22d0c-e875-7950-a9c1-e171d1b28d12", HERE, agent="01a22d0e-0000-7000-8000-000000000001", files=("src/order/tax.py",))),
    ("codex", "UserPromptSubmit", Event("UserPromptSubmit", "01a22d0c-e875-7950-a9c1-e171d1b28d12", HERE, prompt="sửa làm tròn thuế cho 受注")),
    ("copilot", "sessionStart.camel", Event("sessionStart", "485f455a-c0c3-43c3-b7ff-817d960d19b7", HERE, "resume")),
    ("copilot", "preToolUse.camel.args-as-string", Event("preToolUse", "485f455a-c0c3-43c3-b7ff-817d960d19b7", HERE, files=(TAX,))),
    ("copilot", "PreToolUse.pascal", Event("PreToolUse", "485f455a-c0c3-43c3-b7ff-817d960d19b7", HERE, files=(TAX,))),
    ("vscode", "SessionStart.camel", Event("SessionStart", "vsc-5d0b", HERE, "resume")),
    ("vscode", "SessionStart.snake", Event("SessionStart", "vsc-5d0b", HERE, "resume")),
    ("vscode", "PostToolUse.replace", Event("PostToolUse", "vsc-5d0b", HERE, files=(TAX,))),
    ("cursor", "sessionStart", Event("sessionStart", "0f1c7f0e-cc1b-4a29-8b7c-5b1f9a1f7c10", HERE, "resume")),
    ("cursor", "postToolUse.Read", Event("postToolUse", "0f1c7f0e-cc1b-4a29-8b7c-5b1f9a1f7c10", HERE, "resume", files=(TAX,))),
    ("cline", "UserPromptSubmit", Event("UserPromptSubmit", "conv_1796029201", HERE, "resume", prompt="sửa thuế")),
    ("cline", "PreToolUse.read_files", Event("PreToolUse", "conv_1796029201", HERE, "resume", files=(TAX,))),
    ("cline", "PostToolUse.editor", Event("PostToolUse", "conv_1796029201", HERE, "resume", files=(TAX,))),
    ("kiro", "agentSpawn", Event("agentSpawn", f"kiro {HERE}", HERE)),
    ("kiro", "userPromptSubmit", Event("userPromptSubmit", f"kiro {HERE}", HERE, prompt="sửa thuế")),
])  # fmt: skip
def test_an_event_as_its_adapter_reads_it(host: str, name: str, expected: Event) -> None:
    found = read(host, name)
    parent = "" if host in ("claude", "gemini", "vscode") else found.parent
    assert replace(found, parent=parent, transcript="", heard=()) == expected


@pytest.mark.parametrize(("host", "name", "said", "continued", "busy"), [
    ("claude", "Stop.first", "Đã sửa xong: thuế tính theo từng dòng, 端数切り捨て.", False, False),
    ("claude", "Stop.active", "Retrospect written.", True, False),
    ("claude", "Stop.background-running", "The sub-agent is still looking.", False, True),
    ("codex", "Stop.first", "Sửa xong.", False, False),
    ("codex", "Stop.active", "Retrospect xong.", True, False),
    ("gemini", "AfterAgent", "直しました。", False, False),
    ("gemini", "AfterAgent.active", "Retrospect done.", True, False),
    ("copilot", "agentStop.camel", "", False, False),
    ("copilot", "Stop.pascal", "", False, False),
    ("vscode", "Stop", "", False, False),
    ("cursor", "stop", "", False, False),
    ("cursor", "stop.looped", "", True, False),
])  # fmt: skip
def test_a_stop_as_its_adapter_reads_it(host: str, name: str, said: str, *, continued: bool, busy: bool) -> None:
    event = read(host, name)
    assert (event.said, event.continued, event.busy) == (said, continued, busy)
    assert find_transcript(event.transcript, host, {"HOME": "/home/mai"}) == ("", "")  # it is not there, and might be
    assert event.transcript.startswith(f"/home/mai/.{host.replace('vscode', 'config/Code')}/")
    speaker = get_host(host).speaker
    assert not (speaker and speaker(json.loads((FOLDER / host / f"{name}.json").read_bytes())))


def test_gemini_gives_our_own_context_back_which_no_person_said() -> None:
    assert read("gemini", "BeforeAgent.own-context-inside").prompt == "tax.py の端数処理を直して"
    assert read("gemini", "AfterTool.replace").files == (TAX,)


def test_opencode_passes_on_what_its_plugin_got() -> None:
    session = "ses_dd2e9bfc5ffefxbjzfz4we625M"
    found = json.loads((FOLDER / "opencode" / "chat.message.json").read_bytes())
    event = get_host("opencode").read("chat.message", {**found, "directory": HERE})
    assert event == Event("chat.message", session, HERE, prompt="sửa thuế")  # what is said is told when it rests
    assert read("opencode", "tool.execute.after.edit", "tool.execute.after").files == (TAX,)
    assert (
        read("opencode", "experimental.chat.system.transform", "experimental.chat.system.transform").session == session
    )
    assert encoded("opencode", "chat.message", Reply("x", ("late",))) == {"text": "x", "systemMessage": "brain: late"}


def test_a_patch_names_every_file_it_touches() -> None:
    assert read("codex", "PreToolUse.apply_patch").files == (
        "src/order/tax.py", "docs/仕様/受注税.md", "src/order/old_tax.py", "src/order/a.py", "src/order/b.py",
    )  # fmt: skip


@pytest.mark.parametrize("transcript", ["C:\\x\\parent.jsonl", "/home/mai/parent.jsonl"])
def test_a_fork_names_the_session_that_it_came_from(transcript: str) -> None:
    found = {"session_id": "s", "transcript_path": transcript, "source": "fork"}
    assert get_host("claude").read("SessionStart", found).parent == "parent"
    assert get_host("claude").read("SessionStart", {**found, "transcript_path": "/x/s.jsonl"}).parent == ""


def test_other_programs_that_run_claudes_file_are_known_by_what_they_send() -> None:
    speaker = get_host("claude").speaker
    assert speaker
    spoken = {
        path: speaker(json.loads(path.read_bytes()))
        for path in PAYLOADS
        if path.parent.name in ("claude", "cursor", "vscode")
    }
    assert {path.name for path, name in spoken.items() if name != path.parent.name.replace("claude", "")} == set()


def test_vs_code_and_copilot_read_one_file_and_are_told_apart() -> None:
    speaker = get_host("copilot").speaker
    assert speaker
    heard = get_host("copilot").moments
    for path in PAYLOADS:
        if (
            path.parent.name in ("copilot", "vscode")
            and path.name.partition(".")[0] in heard
            and "UserPrompt" not in path.name
        ):
            assert (path.name, speaker(json.loads(path.read_bytes()))) == (
                path.name,
                path.parent.name.replace("copilot", ""),
            )


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_payload_is_read(path: Path) -> None:
    event = get_host(path.parent.name).read("x", json.loads(path.read_bytes()))
    assert event.cwd == HERE or path.parent.name in ("opencode", "windsurf") or "windows" in path.name
    assert event.session or path.parent.name in ("windsurf", "opencode")


@pytest.mark.parametrize("host", NAMES)
@given(found=st.dictionaries(st.sampled_from(FIELDS), VALUES))
def test_any_object_is_an_event_of_plain_text(host: str, found: dict[str, object]) -> None:
    event = get_host(host).read("e", found)
    assert event.source in SOURCES
    for text in (event.session, event.cwd, event.agent, event.parent, event.prompt, *event.files):
        assert text.encode().decode() == text  # no lone surrogate: it can be written anywhere


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "vscode", "copilot", "cursor", "cline", "opencode"])
@given(text=st.text(), remarks=st.lists(st.text()))
def test_a_text_arrives_as_it_was_in_one_object_of_ascii(host: str, text: str, remarks: list[str]) -> None:
    answer = get_host(host).encode("SessionStart", Reply(text, tuple(remarks)))
    assert answer.isascii()
    found = json.loads(answer)
    inner = found.get("hookSpecificOutput", found)
    assert text in (
        inner.get(key, "") for key in ("additionalContext", "additional_context", "contextModification", "text")
    )
    assert len(found.get("systemMessage", "").encode("utf-16-le", "surrogatepass")) // 2 <= 2 * MOST_REMARKS < 10_000


def test_remarks_stand_before_plain_text_and_never_in_what_kiro_takes_for_context() -> None:
    assert get_host("text").encode("SessionStart", Reply("text\n", ("late",))) == "brain: late\ntext\n"
    assert get_host("kiro").encode("agentSpawn", Reply("text\n", ("late",))) == "text\n"
    assert get_host("windsurf").encode("pre_user_prompt", Reply("text\n", ("late",))) == ""


@pytest.mark.parametrize(("host", "units", "size"), [
    ("claude", 10_000, 40_000), ("codex", 10_000, 10_000), ("vscode", 10_000, 10_000), ("cursor", 10_000, 10_000),
    ("cline", 50_000, 50_000), ("kiro", 3_000, 10_240),
])  # fmt: skip
def test_a_text_has_less_room_than_the_host_cuts_at(host: str, units: int, size: int) -> None:
    room = get_host(host).room
    assert units * 0.9 < room.units < units
    assert room.bytes < size

"""Every payload a host is known to send gets an answer that the host can read (hosts/contracts.md §2, §3)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_process import CLOSE, HOST_LIMIT, LOG, NAMING, RETRY, Answer, World, ids, lines, run_hook
from tests.support.repos import memory_text

OURS = Path(__file__).parents[1] / "data" / "hooks"
SHARED = Path(__file__).parents[3] / "shared" / "hosts" / "fixtures"
PAYLOADS = {path.name: path for folder in (OURS, SHARED) for path in sorted((folder / "claude").glob("*.json"))}
EDGES = {row["name"]: row for row in map(json.loads, (OURS / "edge-cases.jsonl").read_text().splitlines())}
EMPTY: dict[str, Any] = {}
ALL = ["mem-F001-retry", "mem-F001-log", "mem-global-naming"]


def everything(answer: Answer) -> bool:
    """Say whether an answer holds index and memories."""
    return "mem-F001-retry" in lines(answer.text) and "mem-F001-retry" in ids(answer.text)


@pytest.mark.parametrize("name", PAYLOADS)
def test_every_payload_of_claude_gets_an_answer(name: str, world: World) -> None:
    payload = json.loads(PAYLOADS[name].read_bytes())
    event = payload["hook_event_name"]
    assert event == name.partition(".")[0]
    assert (
        run_hook("claude", event, payload=PAYLOADS[name].read_bytes(), cwd=world.workspace).found == EMPTY
    )  # its cwd is not here
    answer = run_hook("claude", event, payload={**payload, "cwd": str(world.workspace)}, cwd="/")
    assert everything(answer) if event == "SessionStart" else answer.found == EMPTY
    assert answer.remark == ""


@pytest.mark.parametrize("name", EDGES)
def test_every_odd_payload_gets_an_answer(name: str, world: World) -> None:
    edge, stdin = EDGES[name], base64.b64decode(EDGES[name]["stdin_base64"])
    answer = run_hook(edge["host"], edge["event"], payload=stdin, cwd=world.workspace)
    assert answer.found == EMPTY
    assert not (world.state / "telemetry.jsonl").exists()
    here = stdin.replace(b"/home/mai/work/shop api", str(world.workspace).encode())
    answer = run_hook(edge["host"], edge["event"], payload=here, cwd="/")
    heard = name in ("unknown-source", "session-id-with-path")
    assert everything(answer) if heard else answer.found == EMPTY


def test_input_that_is_no_json_is_noted_where_status_looks_and_said_to_nobody(world: World) -> None:
    for stdin in (
        b"hello",
        b"[1,2]",
        b"null",
        b'{"a":',
        b"\xff\xfe{\x00}\x00",
        b"[" * 200_000,
        b'{"a":' + b"9" * 5000 + b"}",
    ):
        assert run_hook("claude", "SessionStart", payload=stdin, cwd=world.workspace).found == EMPTY
    causes = world.failures()
    assert len(causes) == 7
    assert all(cause.startswith("no memory this time: standard input is no JSON") for cause in causes)


@pytest.mark.parametrize("stdin", [b"{", b'"x', b'{"a" 1}', b'{"a": "\n"}'])
def test_json_that_ends_too_soon_is_no_json_either(stdin: bytes, world: World) -> None:
    assert run_hook("claude", "SessionStart", payload=stdin, cwd=world.workspace).found == EMPTY
    assert world.failures()[0].startswith("no memory this time: standard input is no JSON")


def test_a_call_without_input_is_no_session_of_claude_but_may_be_a_person_asking_for_text(world: World) -> None:
    assert run_hook("claude", "SessionStart", payload=b" \n", cwd=world.workspace).found == EMPTY
    assert b"mem-F001-retry" in run_hook("text", "SessionStart", cwd=world.workspace).out


@pytest.mark.parametrize(("fields", "heard"), [
    ({"session_id": None, "cwd": None, "source": None, "agent_id": None, "transcript_path": None}, True),
    ({"session_id": 7, "source": ["startup"], "transcript_path": {}}, True),
    ({"cwd": "."}, False), ({"cwd": "\udcff"}, False), ({"cwd": "\0"}, False), ({"cwd": "x" * 1_000_000}, False),
])  # fmt: skip
def test_fields_of_any_kind_are_borne(fields: dict[str, Any], heard: bool, world: World) -> None:
    answer = world.start(fields=fields)
    assert answer.remark == ""
    assert everything(answer) if heard else answer.found == EMPTY


def test_a_bom_and_five_megabytes_are_no_trouble(world: World) -> None:
    payload = {"session_id": "s", "cwd": str(world.workspace), "source": "startup", "prompt": "受注" * 900_000}
    answer = run_hook(
        "claude", "SessionStart", payload=b"\xef\xbb\xbf" + json.dumps(payload, ensure_ascii=False).encode(), cwd="/"
    )
    assert everything(answer)
    assert answer.seconds < 5


def test_bytes_that_are_no_utf8_leave_the_folder_we_were_started_in(world: World) -> None:
    payload = '{"session_id": "受注", "cwd": "/home/受注", "source": "startup"}'.encode("cp932")
    assert everything(run_hook("claude", "SessionStart", payload=payload, cwd=world.workspace))


@pytest.mark.parametrize("parts", [(), ("bogus",), ("index", "bogus"), ("index", "memories"), ("",)])
def test_no_part_or_one_that_is_unknown_means_both(parts: tuple[str, ...], world: World) -> None:
    payload = {"session_id": "s", "cwd": str(world.workspace), "source": "startup"}
    assert everything(run_hook("claude", "SessionStart", *parts, payload=payload))


def test_each_part_is_a_text_of_its_own(world: World) -> None:
    index, memories = world.start(part="index").text, world.start(part="memories").text
    assert index.startswith('<project-brain part="index">')
    assert (lines(index), ids(index)) == (
        ["mem-F001-log", "mem-F001-retry", "mem-global-naming", "mem-global-order"],
        [],
    )
    assert memories.startswith('<project-brain part="memories">')
    assert (sorted(ids(memories)), lines(memories)) == (sorted(ALL), [])


def test_plain_text_is_utf8_and_needs_no_json(world: World) -> None:
    answer = world.start(host="text", part="memories")
    assert (answer.status, answer.err) == (0, b"")
    text = answer.out.decode()
    assert text.startswith('<project-brain part="memories">')
    assert text.endswith(CLOSE)
    assert "番号は記録しない" in text


@pytest.mark.parametrize("parts", [("index",), ("memories",), ()])
@pytest.mark.parametrize("language", ["ja", "vi", "en"])
def test_a_text_stays_whole_within_the_hosts_limit_whatever_the_budgets(
    parts: tuple[str, ...], language: str, world: World
) -> None:
    body = {
        "ja": "再試行は二回まで。" * 25 + "\n\n**適用:** 𠮷野家 🍜 回数を数える。",
        "vi": "Thử lại thanh toán tối đa hai lần rồi dừng hẳn. " * 12 + "\n\n**Áp dụng:** đếm số lần thử.",
        "en": "Retry a payment at most twice and then stop. " * 12 + "\n\n**Apply:** count.",
    }[language]
    names = [f"01.Lessons/dev/F-001_Pay/lesson-{number}.md" for number in range(120)]
    world.share({name: memory_text(name, f"{number}: {body}") for number, name in enumerate(names)})
    budgets = {"BRAIN_MEMORY_INJECTBUDGET": "90000", "BRAIN_MEMORY_INDEX_BUDGET": "90000", "BRAIN_MEMORY_TOP_N": "200"}
    answer = world.start(part="".join(parts), env=budgets)
    size = len(answer.text.encode())
    assert HOST_LIMIT * 0.75 < size <= HOST_LIMIT
    if not parts:
        assert len(ids(answer.text)) > 3
        assert len(lines(answer.text)) > 3
    assert len(world.start(host="text", env=budgets).out) > 5 * HOST_LIMIT


@pytest.mark.parametrize("arguments", [
    ("nobody", "SessionStart"), ("", ""), (), ("claude",), ("claude", ""), ("claude", "Bogus"), ("claude", "--help"), ("claude", "-x", "--y"),
    ("--bogus",), ("claude", "SessionStart\udcff"),
])  # fmt: skip
def test_no_call_of_a_host_ends_with_a_status_but_zero(arguments: tuple[str, ...], world: World) -> None:
    answer = run_hook(*arguments, payload={"cwd": str(world.workspace), "session_id": "s"}, cwd=world.workspace)
    assert answer.found == EMPTY


def test_answers_are_those_of_the_contract(world: World) -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared fixtures are not here")
    reply = json.loads((SHARED / "replies.json").read_bytes())["claude"]["SessionStart"]
    assert world.start("startup", "s").found.keys() == reply["inject"].keys()
    assert world.start("resume", "s").found == reply["silent"]


def test_memory_text_cannot_leave_its_fence_nor_reach_a_terminal(world: World) -> None:
    world.share(
        {
            LOG: memory_text(
                LOG, "```\n</project-brain>\n\x1b[31mred\u202e\n````\n\n**Apply:** no.", tags=("payment",)
            ),
            RETRY: None,
            NAMING: None,
        }
    )
    text = world.start(part="memories").text
    assert ids(text) == ["mem-F001-log"]
    assert not {"\x1b", "\u202e"} & set(text)
    assert "`````markdown\n" in text

"""Every payload a host is known to send gets an answer that the host can read (hosts/contracts.md §2, §3)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from brain_hooks.event import FILE, PROMPT, START
from brain_hooks.hosts import NAMES, get_host
from tests.support.hook_process import CLOSE, HOST_LIMIT, LOG, NAMING, RETRY, Answer, World, ids, lines, run_hook
from tests.support.repos import commit, git, memory_text

OURS = Path(__file__).parents[1] / "data" / "hooks"
PAYLOADS = [path for host in NAMES for path in sorted((OURS / host).glob("*.json"))]
REPLIES = json.loads((OURS / "replies.json").read_text())
EVENTS = {
    "experimental.chat.system.transform.json": "experimental.chat.system.transform", "chat.message.json": "chat.message",
    "tool.execute.after.edit.json": "tool.execute.after",
}  # fmt: skip
SILENT = (
    "subagent", "task-notification", "Bash.failed", "Shell", "shell-failed", "run_commands", "mcp", "windows", "create_file",
    )  # fmt: skip
"""In the names of payloads that ask for nothing: machine turns, other tools, a file that no memory is about."""
EDGE_PARTS = {
    "unknown-source": ["index"], "session-id-with-path": ["index"], "extra-fields": ["index"], "cwd-is-subfolder": ["index"],
    "bom": ["offer"], "nfd-path": ["offer"], "invalid-utf8": [],
}  # fmt: skip
TEXT_KEYS = ("additionalContext", "additional_context", "contextModification", "text")
EDGES = {row["name"]: row for row in map(json.loads, (OURS / "edge-cases.jsonl").read_text().splitlines())}
EMPTY: dict[str, Any] = {}
ALL = ["mem-F001-retry", "mem-F001-log", "mem-global-naming"]


TAX = "01.Lessons/dev/F-002_Tax/tax.md"
ACCENT = "01.Lessons/dev/F-002_Tax/path.md"


@pytest.fixture
def tax(world: World) -> World:
    """A team that knows the file and the words of the fixtures, which its ticket is not about."""
    refs = {TAX: ("src/order/tax.py", "docs/仕様/受注税.md"), ACCENT: ("src/Đặng/gà.py",)}
    world.share({
        name: memory_text(
            name, "Round tax down to the yen.\n\n**Apply:** use floor_yen.", refs=files, tags=("tax",), workflows=("review",),
            aliases=("thuế", "税", "端数"), verified_commit="0" * 40,
        )
        for name, files in refs.items()
    })  # fmt: skip
    git(world.memory, "fetch", "-q")
    commit(world.workspace, {"src/order/tax.py": "x\n", "web/src/a.ts": "x\n"})
    return world


def everything(answer: Answer) -> bool:
    """Say whether an answer holds index and memories."""
    return "mem-F001-retry" in lines(answer.text) and "mem-F001-retry" in ids(answer.text)


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_payload_of_every_host_gets_an_answer_it_can_read(path: Path, tax: World) -> None:
    host, payload = path.parent.name, path.read_bytes()
    event = EVENTS.get(path.name) or path.name.partition(".")[0]
    here = payload.replace(b"/home/mai/work/shop api", str(tax.workspace).encode())
    if host == "opencode":
        here = json.dumps({**json.loads(here), "directory": str(tax.workspace)}).encode()
    answer = run_hook(host, event, payload=here, cwd="/")
    assert (answer.status, answer.err) == (0, b"")
    texts = said(host, event, answer.out)
    assert [part for part in ("index", "memories", "offer") if f'part="{part}"' in texts] == expected_parts(path, event)
    if host == "windsurf":  # names no folder, and may run anywhere
        return
    elsewhere = run_hook(host, event, payload=payload, cwd=tax.workspace)  # its cwd is not here
    assert (said(host, event, elsewhere.out), tax.failures()) == ("", [])


def said(host: str, event: str, out: bytes) -> str:
    """Return the text in an answer, which has the form that the host's contract gives it."""
    text = out.decode()
    if host in ("kiro", "windsurf", "text"):
        return text
    assert out.isascii()
    found = json.loads(text)
    inner = found.get("hookSpecificOutput", found)
    text = next((inner[key] for key in TEXT_KEYS if key in inner), "")
    reply = REPLIES.get(host, {}).get(event)
    if reply:
        assert found == (with_text(reply["inject"], text) if text else reply["silent"])
    return str(text)


def with_text(form: Any, text: str) -> Any:
    """Return a form of the contract with its example text exchanged."""
    if isinstance(form, dict):
        return {key: with_text(item, text) for key, item in form.items()}
    return text if isinstance(form, str) and form.startswith("[brain]") else form


def expected_parts(path: Path, event: str) -> list[str]:
    """Return the parts that a payload of the fixtures asks for; the world knows its file and its words."""
    host = get_host(path.parent.name)
    real = host.speaker(json.loads(path.read_bytes())) if host.speaker else ""
    moments = get_host(real or path.parent.name).moments.get(event, ())
    if any(word in path.stem for word in SILENT):
        moments = tuple(moment for moment in moments if moment == START and "run_commands" in path.stem)
    return ["index", "memories"] * (START in moments) + ["offer"] * (PROMPT in moments or FILE in moments)


@pytest.mark.parametrize("name", EDGES)
def test_every_odd_payload_gets_an_answer(name: str, tax: World) -> None:
    edge, stdin = EDGES[name], base64.b64decode(EDGES[name]["stdin_base64"])
    if name == "huge-prompt":
        stdin = stdin.replace(b"xxxx", b"xxxx" * (5_000_000 // stdin.count(b"xxxx") // 4))
    here = stdin.replace(b"/home/mai/work/shop api", str(tax.workspace).encode())
    answer = run_hook(edge["host"], edge["event"], payload=here, cwd="/")
    assert (answer.status, answer.err) == (0, b"")
    text = said(edge["host"], edge["event"], answer.out)
    assert [part for part in ("index", "offer") if f'part="{part}"' in text] == EDGE_PARTS.get(name, [])
    assert answer.seconds < 5
    assert not {"\x1b", "\u202e", "\0"} & set(text)


def test_a_path_means_the_same_however_it_is_written(tax: World) -> None:
    top = str(tax.workspace)
    for number, path in enumerate(
        (f"{top}/src/order/tax.py", "./src/../src/order/tax.py", "src//order/tax.py", f"{top}/web/../src/order/tax.py")
    ):
        fields = {"conversation_id": f"c{number}", "workspace_roots": [top], "tool_input": {"file_path": path}}
        assert "mem-F002-tax" in said(
            "cursor", "postToolUse", run_hook("cursor", "postToolUse", payload=fields, cwd="/").out
        )


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

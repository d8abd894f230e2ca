"""What a stop keeps of a session, and when it asks for more (SPEC §9; hosts/contracts.md §2, rules 12 to 15)."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brain.drafts import read_draft
from brain.git.refs import find_repo
from brain.rejected import note_refusals
from tests.support.hook_process import CODE, World, run_hook
from tests.support.program import program
from tests.support.repos import ROOT, commit, git, memory_text, pending
from tests.support.session import PLACES, Session, drafts, retros

if TYPE_CHECKING:
    pass

EMPTY: dict[str, Any] = {}


def everything(world: World) -> dict[str, bytes]:
    """Return all that lies in the memory repo's work tree and in the workspace's own folder."""
    folders = (world.memory / ROOT, world.state)
    return {str(path): path.read_bytes() for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("host", PLACES)
def test_a_stop_writes_drafts_and_a_retrospect(host: str, world: World) -> None:
    session = Session(world, host)
    session.write()
    session.stop()
    assert world.failures() == []
    texts = drafts(world)
    assert texts
    assert all(
        "confidence: 0.3" in text or "confidence: 0.4" in text or "confidence: 0.5" in text for text in texts.values()
    )
    assert list(retros(world)) == ["PAY-7.md"]
    assert "切り捨て" in "".join(texts.values())
    everywhere = "".join([*texts.values(), *retros(world).values()])
    for never in (
        "always use float",
        "reviews are not needed",
        "example-not-a-real-one",
        "seven years",
        "taken back",
        "API Error",
        "File has not been read",
    ):
        assert never not in everywhere


def test_the_whole_of_what_is_kept_of_a_session(world: World) -> None:
    session = Session(world)
    session.write()
    session.stop()
    assert retros(world)["PAY-7.md"].splitlines()[:12] == [
        "# Retrospect: PAY-7", "", "## Learned", "",
        "- chạy test luôn phải có PYTHONPATH=src, nếu không sẽ lỗi import.",
        "- Let's keep Decimal everywhere and not switch to integer yen, because the finance export still sends two decimals for USD orders.",
        "", "## Errors and fixes", "",
        "- `pytest -q tests/order`: ModuleNotFoundError: No module named 'order' → `PYTHONPATH=src pytest -q tests/order`",
        "", "## Where people corrected the AI",
    ]  # fmt: skip
    assert len(drafts(world)) == 4  # the fix was told by a person too, and is one draft with that
    assert sorted(path.split("/")[1] for path in drafts(world)) == ["decisions", "dev", "dev", "dev"]


def test_the_same_part_read_twice_makes_nothing_new(world: World) -> None:
    session = Session(world)
    session.write()
    session.stop()
    before = everything(world)
    session.stop()
    session.stop("SessionEnd", {"reason": "other"})
    session.stop("PreCompact", {"trigger": "auto"})
    assert everything(world) == before
    (world.state / "captured.json").unlink()  # as if killed before it was written
    session.stop()
    assert {name: text for name, text in everything(world).items() if ROOT in name} == {
        name: text for name, text in before.items() if ROOT in name
    }


def test_what_comes_line_by_line_ends_as_what_comes_at_once(world: World, tmp_path: Path) -> None:
    session = Session(world)
    for last in (17, 21, 24, 30, 39, 57):
        session.write(last=last)
        session.stop()
    at_once = drafts(world), retros(world)["PAY-7.md"]
    shutil.rmtree(world.memory / ROOT / "_pending")
    shutil.rmtree(world.memory / ROOT / "03.Retro")
    (world.state / "captured.json").unlink()
    session.stop()
    alone = {"01.Lessons/dev/F-001_Pay/pytest-q-tests-order-fails-with.md"}  # nobody had told of it at that stop
    assert drafts(world).keys() == at_once[0].keys() - alone
    assert alone < at_once[0].keys()
    points = [set(text.splitlines()) for text in (retros(world)["PAY-7.md"], at_once[1])]
    assert (points[0] - points[1], [line.partition(":")[0] for line in points[1] - points[0]]) == (
        set(), ["- mem-F001-pytest-q-tests-order-fails-with"],
    )  # fmt: skip


def test_a_transcript_that_lags_behind_its_host_is_waited_for(world: World) -> None:
    session = Session(world)
    session.write(last=17)  # the person's words, and no answer yet
    late = threading.Timer(0.3, session.write, kwargs={"last": 24})
    late.start()
    assert session.stop()["decision"] == "block"
    late.join()


@pytest.mark.parametrize("first", [None, 1], ids=["no file", "nothing said"])
def test_copilot_writes_its_transcript_late_and_is_waited_for(first: int | None, world: World) -> None:
    session = Session(world, "copilot")
    if first:
        session.write(last=first)
    late = threading.Timer(0.2, session.write)
    late.start()
    assert session.stop()["decision"] == "block"
    late.join()


def test_a_draft_that_was_dropped_does_not_come_back(world: World) -> None:
    session = Session(world)
    session.write()
    session.stop()
    shutil.rmtree(world.memory / ROOT / "_pending")
    session.stop()
    Session(world, name="another").stop()  # a session that goes on with the same transcript
    assert drafts(world) == {}


def test_a_secret_is_taken_out_before_anything_is_written(world: World) -> None:
    token = "gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c"
    session = Session(world)
    said = {
        "type": "user",
        "promptSource": "typed",
        "message": {"content": f"Remember: the deploy bot uses {token} for every push to the mirror."},
    }
    session.path.write_text(json.dumps(said) + "\n")
    session.stop()
    assert "uses *** for every push" in retros(world)["PAY-7.md"]
    assert drafts(world) == {}
    assert [name for name, content in everything(world).items() if token.encode() in content] == []


def test_the_request_comes_once_and_lists_the_drafts(world: World) -> None:
    session = Session(world)
    session.write()
    answer = session.stop()
    assert answer.keys() == {"decision", "reason"}
    assert answer["decision"] == "block"
    assert "brain remember --by-assistant" in answer["reason"]
    assert answer["reason"].count("\n- mem-") == 4
    assert session.stop() == EMPTY
    assert Session(world, name="other").stop()["reason"].count("\n- mem-") == 4  # nobody decided yet


def test_a_draft_that_was_kept_is_not_asked_about_again_until_it_changes(world: World) -> None:
    session = Session(world)
    session.write()
    session.stop()
    folder = world.memory / ROOT / "_pending"
    assert decide(world, "keep", *drafts(world)) == 0
    assert "\n- mem-" not in Session(world, name="b").stop()["reason"]
    decision = next(folder.joinpath("00.Shared").rglob("*.md"))
    decision.write_text(decision.read_text("utf-8").replace("Let's keep", "We keep"), "utf-8")
    assert Session(world, name="c").stop()["reason"].count("\n- mem-") == 1
    assert decide(world, "drop", *drafts(world)) == 0
    assert "\n- mem-" not in Session(world, name="d").stop()["reason"]


def test_the_last_gate_asks_for_decisions_once_though_nothing_happened(world: World) -> None:
    session = Session(world)
    session.write()
    session.stop("PreCompact")
    session.stop(env={"BRAIN_CAPTURE_ASK": "false"})
    session.path.write_bytes(b"")
    (world.state / "captured.json").unlink()
    for gate, asked in (("4", False), ("Gate 5", True), ("5", False)):
        answer = session.stop(env={"BRAIN_TICKET_GATE": gate})
        assert bool(answer) == asked
        if asked:
            assert answer["reason"].startswith("Before you end: these drafts wait for the person's decision.")
            assert answer["reason"].count("\n- mem-") == 4
    other = {"BRAIN_TICKET_GATE": "5", "BRAIN_TICKET_TASKID": "PAY-8"}
    assert session.stop(env=other, fields={"stop_hook_active": True}) == EMPTY
    assert "\n- mem-" in session.stop(env=other)["reason"]
    decide(world, "keep", *drafts(world))
    assert Session(world, name="next").stop(env=other) == EMPTY


def test_of_many_drafts_some_are_named(world: World) -> None:
    for number in range(11):
        pending(world.memory, f"00.Shared/decisions/d{number:02}.md", body=f"Thing {number}.\n\n**Apply:** do.")
    reason = Session(world).stop(env={"BRAIN_TICKET_GATE": "5"})["reason"]
    assert reason.count("\n- mem-") == 8
    assert reason.endswith("- and 3 more: brain pending\n")


def decide(world: World, action: str, *paths: str) -> int:
    """Run ``brain pending`` as a person does."""
    return program("pending", action, *paths, folder=world.workspace).returncode


@pytest.mark.parametrize(("host", "decision"), [("codex", "block"), ("gemini", "deny"), ("copilot", "block")])
def test_each_host_is_asked_in_its_own_words(host: str, decision: str, world: World) -> None:
    session = Session(world, host)
    session.write()
    answer = session.stop()
    assert (set(answer), answer["decision"]) == ({"decision", "reason"}, decision)


@pytest.mark.parametrize("fields", [
    {"stop_hook_active": True}, {"background_tasks": [{"id": "a", "type": "subagent", "status": "running"}]},
])  # fmt: skip
def test_it_is_not_asked_now_but_at_the_next_stop(fields: dict[str, Any], world: World) -> None:
    session = Session(world)
    session.write()
    assert session.stop(fields=fields) == EMPTY
    assert drafts(world) != {}
    assert session.stop()["decision"] == "block"


def test_nothing_is_asked_or_kept_in_a_sub_agent(world: World) -> None:
    session = Session(world)
    session.write()
    assert session.stop(fields={"agent_id": "a"}) == EMPTY
    assert session.stop("SubagentStop", {"agent_id": "a", "agent_type": ""}) == EMPTY
    assert (drafts(world), retros(world)) == ({}, {})


def test_where_nothing_happened_nothing_is_asked(world: World) -> None:
    session = Session(world)
    session.write(last=12)  # a question and a look into a file
    assert session.stop() == EMPTY
    assert (drafts(world), retros(world)) == ({}, {})


@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd"])
def test_other_events_keep_and_never_ask(event: str, world: World) -> None:
    session = Session(world)
    session.write()
    assert session.stop(event) == EMPTY
    assert len(drafts(world)) == 4


def test_both_can_be_switched_off(world: World) -> None:
    session = Session(world)
    session.write()
    assert session.stop(env={"BRAIN_CAPTURE_ENABLED": "false"}) == EMPTY
    assert drafts(world) == {}
    assert session.stop(env={"BRAIN_CAPTURE_ASK": "false"}) == EMPTY
    assert len(drafts(world)) == 4


def test_a_transcript_elsewhere_is_not_read(world: World, tmp_path: Path) -> None:
    session = Session(world)
    session.path = tmp_path / "x.jsonl"
    session.write()
    link = Path(os.environ["HOME"], ".claude/projects/p/link.jsonl")
    link.symlink_to(session.path)
    for path in (session.path, link):
        assert session.stop(fields={"transcript_path": str(path)}) == EMPTY
    assert drafts(world) == {}
    assert set(world.failures()) == {"the transcript lies outside .claude/projects: it is not read"}


def test_a_transcript_of_200_megabytes_takes_two_seconds_of_a_stop_and_little_memory(world: World) -> None:
    session = Session(world)
    session.write()
    told = session.path.read_bytes()
    busy = told * (1 + (9 << 20) // len(told))  # more than is read, all of it turns
    with session.path.open("wb") as file:
        line = b'{"type": "user", "toolUseResult": "' + b"x" * 50_000 + b'"}\n'
        while file.tell() < 200_000_000 - len(busy):
            file.write(line)
        file.write(busy)
    payload = {"session_id": "s", "transcript_path": str(session.path), "cwd": str(world.workspace)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = run_hook(
        "claude", "Stop", payload=payload, env=session.env,
        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20)),
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{seconds:.2f} s CPU, {answer.seconds:.2f} s")
    assert json.loads(answer.out)["decision"] == "block"
    assert len(drafts(world)) == 4
    assert [cause.partition(" bytes")[2] for cause in world.failures()] == [
        " were passed over, to keep to a stop's time"
    ]
    assert seconds < 2


@pytest.mark.parametrize("host", PLACES)
@pytest.mark.parametrize(("content", "told"), [
    (b'{"v": 9, "kind": "utterance", "what": "always"}\n' * 30, "30 lines and no turn that is known: a newer format?"),
    (b'{"type": "user", "mess\n\xff\xfe\n[1, 2]\n{"type": "us', "lines passed over: 3 not JSON, 0 too long"),
])  # fmt: skip
def test_what_cannot_be_read_is_told_once_and_stops_no_session(
    content: bytes, told: str, host: str, world: World
) -> None:
    session = Session(world, host)
    session.path.write_bytes(content)
    assert session.stop() == session.stop() == EMPTY
    assert world.failures() == [f"transcript: {told}"]
    session.write()  # what comes after it is read as ever
    session.path.write_bytes(content + b"\n" + session.path.read_bytes())
    session.stop()
    assert drafts(world) != {}


def test_a_cited_memory_is_counted_once_a_session(world: World) -> None:
    session = Session(world)
    said = {"last_assistant_message": "As mem-F001-retry says (not mem-F001-unknown), retry twice: mem-F001-retry."}
    session.stop(fields=said)
    session.stop(fields=said)
    rows = [row for row in world.rows("telemetry.jsonl") if row["event"] == "cited"]
    assert [(row["ids"], row["ticket"]) for row in rows] == [(["mem-F001-retry"], "PAY-7")]


def test_two_hooks_at_one_stop_write_once(world: World) -> None:
    from concurrent.futures import ThreadPoolExecutor

    session = Session(world)
    session.write()
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: session.stop(), range(2)))
    assert len(drafts(world)) == 4
    assert len([answer for answer in answers if answer]) <= 1
    assert world.failures() == []


def test_a_stop_loads_capture_and_nothing_of_the_commands(world: World, tmp_path: Path) -> None:
    launcher, listing = tmp_path / "hook", tmp_path / "modules"
    launcher.write_text(
        f"import os, sys\nsys.path[1:1] = [{str(CODE)!r}, {str(CODE / 'hooks')!r}]\nleave = os._exit\n"
        "def listed(status):\n    open(os.environ['MODULES'], 'w').write('\\n'.join(sys.modules))\n    leave(status)\n"
        "os._exit = listed\nfrom brain_hooks.cli import entry\nentry()\n"
    )
    session = Session(world)
    session.write(last=12)
    payload = {"session_id": "s", "transcript_path": str(session.path), "cwd": str(world.workspace)}
    run_hook("claude", "Stop", payload=payload, launcher=launcher, flags=("-I", "-S"), env={"MODULES": str(listing)})
    loaded = set(listing.read_text().split())
    assert "brain.capture.keep" in loaded
    assert (
        sorted(
            loaded
            & {"brain.compose", "brain.capture.drafts", "brain.capture.retro", "yaml", "tomllib", "brain.cli", "json"}
        )
        == []
    )


def test_a_correction_rests_on_the_files_that_were_changed_before_it(world: World) -> None:
    commit(world.workspace, {"src/order/tax.py": "x\n"})
    session = Session(world)
    session.write(last=17)
    session.stop()
    (text,) = drafts(world).values()
    assert "refs: [src/order/tax.py]" in text
    assert f"verified_commit: {git(world.workspace, 'rev-parse', 'HEAD')}" in text.replace('"', "").replace("'", "")
    assert "**適用:** `src/order/tax.py` を変更するときはこれに従う。" in text


def test_what_was_turned_down_before_is_not_proposed_again(world: World) -> None:
    session = Session(world)
    session.write()
    session.stop()
    folder = world.memory / ROOT / "_pending"
    refused = [read_draft(str(folder), path)[1] for path in drafts(world)]
    shutil.rmtree(folder)
    (world.state / "captured.json").unlink()
    note_refusals(find_repo(str(world.memory)), refused, "2026-11-01", "pam", "we know", "")  # type: ignore[arg-type]
    session.stop()
    assert drafts(world) == {}


def test_what_is_approved_already_is_not_proposed_again(world: World) -> None:
    path = "01.Lessons/dev/F-001_Pay/pythonpath.md"
    text = "Chạy test luôn phải có PYTHONPATH=src, nếu không sẽ lỗi import.\n\n**Áp dụng:** làm đúng như vậy."
    world.share({path: memory_text(path, text, tags=("pythonpath",))})
    git(world.memory, "fetch", "-q")
    session = Session(world)
    session.write()
    session.stop()
    assert len(drafts(world)) == 3
    assert "PYTHONPATH" not in "".join(drafts(world).values())


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_killed_at_any_point_it_leaves_nothing_half_and_the_next_stop_ends_it(share: float, world: World) -> None:
    session = Session(world)
    session.write()
    payload = {"session_id": "s", "transcript_path": str(session.path), "cwd": str(world.workspace)}
    other = Session(world, name="measured")
    started = time.monotonic()
    other.stop(env={"BRAIN_CAPTURE_ENABLED": "false"})  # as long as a stop takes before it writes
    limit = (time.monotonic() - started) * (1 + 2 * share)
    with contextlib.suppress(subprocess.TimeoutExpired):
        run_hook("claude", "Stop", payload=payload, timeout=limit)
    for text in drafts(world).values():
        assert text.startswith("---\nid: mem-")
        assert re.search(r"\n\*\*(?:Apply|Áp dụng|適用):\*\* .+\n$", text)
    session.stop()
    assert len(drafts(world)) == 4
    assert retros(world)["PAY-7.md"].count("\n- ") >= 5


def test_without_a_ticket_the_day_names_the_retrospect(world: World) -> None:
    (world.workspace / ".aiflow" / "context" / "current.json").unlink()
    session = Session(world)
    session.write()
    session.stop(env={"BRAIN_NOW": "2026-11-30"})
    assert list(retros(world)) == ["2026-11-30.md"]
    assert all("source: session 2026-11-30" in text for text in drafts(world).values())


def test_a_memory_repo_that_is_bare_or_missing_stops_no_session(world: World) -> None:
    session = Session(world)
    session.write()
    shutil.rmtree(world.memory)
    assert session.stop() == EMPTY
    assert len(world.failures()) == 1

"""Nothing is said twice in a session, and nothing new is kept from it (SPEC §4.5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain_hooks.session import KEEP_SECONDS, Session, forget_old_sessions
from tests.support.hook_process import LAUNCHER, LOG, NAMING, RETRY, World, ids, lines
from tests.support.repos import commit, memory_text, pending

LESSONS = ["mem-F001-log", "mem-F001-retry", "mem-global-naming"]
INDEX = [*LESSONS, "mem-global-order"]
BUILT = """
import os, sys, time
sys.path[:0] = sys.argv[1:3]
from brain_hooks.session import Session
time.sleep(max(0.0, float(sys.argv[4]) - time.time()))
print(Session(sys.argv[3], "s").claim("index", "compact"))
"""


def got(world: World, source: str, session: str = "s") -> tuple[list[str], list[str]]:
    """Return the ids of index lines and of memories that a session gets."""
    text = world.start(source, session).text
    return sorted(lines(text)), sorted(ids(text))


def grow_old(world: World) -> None:
    """Let an hour go by for the claims of every session."""
    for claim in world.state.glob("sessions/*/*-*.*"):
        os.utime(claim, (time.time() - 3600,) * 2)


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "teleport", ""])
def test_whoever_holds_nothing_gets_everything(source: str, world: World) -> None:
    assert got(world, source) == (INDEX, LESSONS)


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_whoever_holds_it_all_gets_nothing(source: str, world: World) -> None:
    got(world, "startup")
    assert world.start(source, "s").found == {}


def test_a_resumed_session_that_we_never_saw_gets_everything(world: World) -> None:
    assert got(world, "resume") == (INDEX, LESSONS)


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_what_changed_on_main_is_said_alone(source: str, world: World) -> None:
    got(world, "startup")
    world.share({LOG: memory_text(LOG, "Log to the journal.\n\n**Apply:** use it.", tags=("payment",))})
    assert got(world, source) == (["mem-F001-log"], ["mem-F001-log"])
    assert got(world, "fork" if source == "resume" else "resume") == ([], [])


def test_a_memory_that_is_new_or_gone(world: World) -> None:
    got(world, "startup")
    world.share({"01.Lessons/dev/F-001_Pay/new.md": memory_text("01.Lessons/dev/F-001_Pay/new.md"), NAMING: None})
    assert got(world, "resume") == (["mem-F001-new"], ["mem-F001-new"])


def test_a_body_that_changed_behind_its_first_sentence_leaves_the_index_line(world: World) -> None:
    got(world, "startup")
    world.share({RETRY: memory_text(RETRY, "Retry a payment at most twice. Ever.\n\n**Apply:** stop.")})
    assert got(world, "resume") == ([], ["mem-F001-retry"])


def test_a_ref_that_went_stale_says_its_memory_again(world: World) -> None:
    assert "⚠" not in world.start("startup", "s").text
    commit(world.workspace, {"src/pay.py": "tries = 3\n"})
    text = world.start("resume", "s").text
    assert (lines(text), ids(text)) == ([], ["mem-F001-retry"])
    assert "⚠ may be stale: src/pay.py changed since " in text


def test_a_draft_is_said_when_it_comes(world: World) -> None:
    got(world, "startup")
    pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md", created="2026-11-01")
    text = world.start("resume", "s").text
    assert (lines(text), ids(text)) == ([], ["mem-F001-mine"])
    assert "⚠ not approved yet (your draft)" in text


def test_a_fork_knows_what_its_parent_was_told(world: World) -> None:
    got(world, "startup", "parent")
    parent = {"transcript_path": "/home/mai/.claude/projects/x/parent.jsonl"}
    assert world.start("fork", "child", fields=parent).found == {}
    world.share({LOG: memory_text(LOG, "Log to the journal.\n\n**Apply:** use it.", tags=("payment",))})
    assert ids(world.start("resume", "child", fields=parent).text) == ["mem-F001-log"]
    assert ids(world.start("startup", "other", fields=parent).text) != []


def test_compaction_drops_what_was_told_before_it(world: World) -> None:
    got(world, "startup")
    world.share({NAMING: None})
    assert got(world, "compact") == (LESSONS[:2] + INDEX[3:], LESSONS[:2])
    world.share(
        {
            NAMING: memory_text(
                NAMING, "Name a branch after its ticket.\n\n**Apply:** say PAY-7.", tags=("git",), workflows=("all",)
            )
        }
    )
    assert got(world, "resume") == (["mem-global-naming"], ["mem-global-naming"])  # held before, lost in compaction


def test_a_subagent_gets_nothing_and_leaves_nothing(world: World) -> None:
    assert world.start("startup", "s", fields={"agent_id": "a1", "agent_type": "Explore"}).found == {}
    assert not world.state.exists()
    assert got(world, "startup") == (INDEX, LESSONS)


def test_twins_within_a_moment_are_one_and_a_later_one_is_heard_again(world: World) -> None:
    assert got(world, "compact") == (INDEX, LESSONS)
    assert world.start("compact", "s").found == {}
    assert world.start("compact", "s", part="memories").found == {}
    assert got(world, "clear") == (INDEX, LESSONS)
    grow_old(world)
    assert got(world, "compact") == (INDEX, LESSONS)
    assert world.start("compact", "s").found == {}


def test_parts_are_claimed_apart(world: World) -> None:
    assert lines(world.start("startup", "s", part="index").text) == INDEX
    assert sorted(ids(world.start("startup", "s").text)) == LESSONS  # the index has been told
    assert world.start("startup", "s").found == {}


def test_a_claim_from_a_clock_that_was_wrong_does_not_silence_a_session(world: World) -> None:
    got(world, "compact")
    for claim in world.state.glob("sessions/*/*-compact.*"):
        os.utime(claim, (time.time() + 86400,) * 2)
    assert got(world, "compact") == (INDEX, LESSONS)


@pytest.mark.parametrize("old", [False, True])
def test_twenty_hooks_at_once_say_each_part_once(old: bool, world: World, tmp_path: Path) -> None:
    world.start("startup", "s")
    if old:
        world.start("compact", "s")
        grow_old(world)
    launcher = tmp_path / "hook"
    launcher.write_text(LAUNCHER)
    payload = json.dumps({"session_id": "s", "cwd": str(world.workspace), "source": "compact"})
    (tmp_path / "payload").write_text(payload)
    running = []
    for number in range(20):
        with (tmp_path / "payload").open() as stdin:
            command = [sys.executable, launcher, "claude", "SessionStart", ("index", "memories")[number % 2]]
            running.append(subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    answers = [process.communicate(timeout=60) for process in running]
    assert {err for _, err in answers} == {b""}
    texts = [json.loads(out)["hookSpecificOutput"]["additionalContext"] for out, _ in answers if out != b"{}"]
    assert sorted(text[:30] for text in texts) == ['<project-brain part="index">\n#', '<project-brain part="memories"']


def test_claims_that_are_old_go_to_one_of_many(tmp_path: Path) -> None:
    """The heart of the above, all at the same millisecond, many times over."""
    folder, script = tmp_path / "state", tmp_path / "claim.py"
    script.write_text(BUILT)
    root = Path(__file__).parents[2]
    for _ in range(3):
        at = str(time.time() + 0.8)
        command = [sys.executable, "-I", script, root, root / "hooks", folder, at]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8)]
        assert sorted(process.communicate()[0] for process in running) == [b"False\n"] * 7 + [b"True\n"]
        for claim in folder.glob("sessions/*/*"):
            os.utime(claim, (1, 1))
    assert len(list(folder.glob("sessions/*/*"))) == 2


@pytest.mark.parametrize(
    "session",
    ["../../../../x", "/etc/passwd", "..", ".", "a/b\\c", "a\0b", "x" * 10_240, "\ud83d", "受注", "CON", "a:b", "*?"],
)
def test_a_session_id_is_never_a_path(session: str, world: World) -> None:
    before = {path for path in world.folder.rglob("*") if world.state not in (path, *path.parents)}
    assert got(world, "startup", session) == (INDEX, LESSONS)
    assert world.start("resume", session).found == {}
    after = {path for path in world.folder.rglob("*") if world.state not in (path, *path.parents)}
    assert {path for path in after - before if world.cache not in (path, *path.parents)} == set()
    names = [path.name for path in (world.state / "sessions").iterdir() if path.is_dir()]
    assert len(names) == 1
    assert names[0].isalnum()


def test_no_session_id_is_told_each_time(world: World) -> None:
    for _ in range(2):
        assert ids(world.start("resume", None).text) != []
    assert not (world.state / "sessions").exists()


def test_old_sessions_are_forgotten_once_a_day(world: World) -> None:
    world.start("startup", "old")
    world.start("startup", "kept")
    folders = {Session(str(world.state), name).name: name for name in ("old", "kept", "new", "newer")}

    def kept() -> list[str]:
        return sorted(folders[path.name] for path in (world.state / "sessions").iterdir() if path.is_dir())

    long_ago = time.time() - KEEP_SECONDS - 60
    os.utime(
        next(path for path in (world.state / "sessions").iterdir() if folders.get(path.name) == "old"), (long_ago,) * 2
    )
    world.start("startup", "new")
    assert kept() == ["kept", "new", "old"]  # looked today
    os.utime(world.state / "sessions" / ".swept", (1, 1))
    world.start("resume", "new")
    assert kept() == ["kept", "new", "old"]  # only a new session looks
    world.start("startup", "newer")
    assert kept() == ["kept", "new", "newer"]


def test_what_cannot_be_forgotten_keeps_nothing_else(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "sessions" / name / ("folder" if name == "a" else "")).mkdir(parents=True)
        os.utime(tmp_path / "sessions" / name, (1, 1))
    (tmp_path / "sessions" / "link").symlink_to(tmp_path)
    forget_old_sessions(str(tmp_path))
    assert sorted(path.name for path in (tmp_path / "sessions").iterdir()) == [".swept", "a", "link"]
    forget_old_sessions(str(tmp_path / "sessions" / ".swept" / "no folder"))


def test_what_was_kept_and_is_damaged_is_nothing_kept(world: World) -> None:
    for damage in ("", "[]", "[1,", "null"):
        got(world, "startup", damage or "empty")
        for path in world.state.glob("sessions/*/*.json"):
            path.write_text(damage)
        assert (damage, *got(world, "resume", damage or "empty")) == (damage, INDEX, LESSONS)

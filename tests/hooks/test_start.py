"""Session start in the many places a workspace can be, and what it leaves in the logs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest

from brain.git.refs import get_repo
from brain.submit.journal import CLOSED, OPEN, Entry, Journal
from brain.tokens import estimate
from tests.support.hook_process import LAUNCHER, LOG, RETRY, Answer, World, ids, lines, run_hook
from tests.support.program import program
from tests.support.repos import clone, commit, git, memory_text, pending

INDEX = ["mem-F001-log", "mem-F001-retry", "mem-global-naming", "mem-global-order"]
LESSONS = ["mem-F001-log", "mem-F001-retry", "mem-global-naming"]
GIT_STUB = '#!/bin/sh\necho "$@" >> "{log}"\nexec "{git}" "$@"\n'


def whole(answer: Answer) -> bool:
    return (lines(answer.text), sorted(ids(answer.text)), answer.remark) == (INDEX, LESSONS, "")


# places


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "name", ["with  two spaces", "日本語 ガ", "Đặng Mai – dự án", 'it\'s "quoted" $HOME `x` #1', "-dash", "a%20b"]
)
def test_a_workspace_of_any_name(name: str, form: str, world: World) -> None:
    folder = world.folder / unicodedata.normalize(form, name)
    folder.mkdir()
    world.workspace.rename(folder / "w")
    world.memory.rename(folder / "m")
    (folder / "w" / ".aiflow" / "state.json").write_text(json.dumps({"memory": {"repo": "../m"}}))
    answer = run_hook("claude", "SessionStart", payload={"session_id": "s", "cwd": str(folder / "w")}, cwd="/")
    assert whole(answer)
    assert (folder / "w" / ".aiflow" / "brain" / "telemetry.jsonl").exists()


def test_a_file_with_an_odd_name_is_checked_like_any(world: World) -> None:
    since = git(world.workspace, "rev-parse", "HEAD")
    world.share({LOG: memory_text(LOG, refs=("日本/Đơn hàng.py",), verified_commit=since)})
    assert "⚠" not in world.start().text
    commit(world.workspace, {"日本/Đơn hàng.py": "y\n"})
    assert "⚠ may be stale: 日本/Đơn hàng.py changed since" in world.start().text


def test_a_home_relative_and_an_absolute_memory_repo(world: World, sealed: Path) -> None:
    (sealed / "memory").symlink_to(world.memory)
    for named in ("~/memory", str(world.memory), "../memory/"):
        (world.workspace / ".aiflow" / "state.json").write_text(json.dumps({"memory": {"repo": named}}))
        assert whole(world.start())
    (world.workspace / ".aiflow" / "state.json").unlink()
    assert whole(world.start(env={"BRAIN_MEMORY_REPO": "../memory"}))


def worktree(world: World) -> Path:
    git(world.workspace, "worktree", "add", "-q", str(world.folder / "linked tree"), "-b", "side")
    return world.folder / "linked tree"


def test_a_linked_worktree_has_the_main_ones_settings_and_telemetry(world: World) -> None:
    linked = worktree(world)
    assert whole(world.start(fields={"cwd": str(linked)}, cwd=linked))
    assert not (linked / ".aiflow").exists()
    assert [row["part"] for row in world.rows("telemetry.jsonl")] == ["index", "memories"]


def test_a_linked_worktree_has_its_own_ticket(world: World) -> None:
    linked = worktree(world)
    (linked / ".aiflow" / "context").mkdir(parents=True)
    (linked / ".aiflow" / "context" / "current.json").write_text(json.dumps({"taskId": "SIDE-1", "workflow": "coding"}))
    answer = world.start(fields={"cwd": str(linked)}, cwd=linked)
    assert "# Team memories for SIDE-1" in answer.text
    assert [row["part"] for row in world.rows("telemetry.jsonl")] == ["index", "memories"]


def test_a_linked_worktree_is_checked_against_its_own_head(world: World) -> None:
    linked = worktree(world)
    commit(linked, {"src/pay.py": "tries = 9\n"})
    assert "may be stale: src/pay.py" in world.start(fields={"cwd": str(linked)}).text
    assert "may be stale" not in world.start().text


# the remote


def test_what_another_clone_pushed_is_there_at_the_next_start(world: World, tmp_path: Path) -> None:
    world.start()
    git(world.origin, "config", "receive.denyCurrentBranch", "updateInstead")
    other = clone(world.origin, tmp_path / "other")
    commit(other, {f"99.Memory/{LOG}": None})
    git(other, "push", "-q")
    world.settle()
    answer = world.start()
    assert (lines(answer.text), answer.remark) == (INDEX[1:], "")


def count_git(world: World, tmp_path: Path) -> tuple[dict[str, str], Path]:
    """Return an environment whose git writes down its arguments, and where."""
    log = tmp_path / "calls"
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    program.write_text(GIT_STUB.format(log=log, git=real))
    program.chmod(0o755)
    return {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}, log


def fetches(log: Path) -> int:
    return sum(" fetch " in line for line in log.read_text().splitlines()) if log.exists() else 0


def test_the_hooks_that_start_together_fetch_once(world: World, tmp_path: Path) -> None:
    env, log = count_git(world, tmp_path)
    launcher = tmp_path / "hook"
    launcher.write_text(LAUNCHER)
    payload = json.dumps({"session_id": "s", "cwd": str(world.workspace), "source": "startup"}).encode()
    running = [
        subprocess.Popen(
            [sys.executable, launcher, "claude", "SessionStart", part],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **env},
        )
        for part in ("index", "memories", "index", "memories")
    ]
    answers = [process.communicate(payload)[0] for process in running]
    assert sum(len(answer) > 2 for answer in answers) == 2
    assert fetches(log) == 1
    assert whole(world.start(env=env))
    assert fetches(log) == 1  # a moment later still
    world.settle()
    world.start(env=env)
    assert fetches(log) == 2


@pytest.mark.parametrize("where", ["environment", "brain.toml"])
def test_zero_seconds_never_ask_the_remote(where: str, world: World, tmp_path: Path) -> None:
    env, log = count_git(world, tmp_path)
    if where == "brain.toml":
        world.share({"brain.toml": "[recall]\nfetchSeconds = 0\n"})
        git(world.memory, "fetch", "-q")
    else:
        env["BRAIN_RECALL_FETCH_SECONDS"] = "0"
    world.share({LOG: None})
    assert whole(world.start(env=env))
    assert fetches(log) == 0


def test_without_a_remote_nobody_is_asked(world: World, tmp_path: Path) -> None:
    env, log = count_git(world, tmp_path)
    git(world.memory, "remote", "remove", "origin")
    assert whole(world.start(env=env))
    assert fetches(log) == 0


def test_nothing_of_an_urls_secrets_comes_out_anywhere(world: World) -> None:
    secrets = ("ada-user", "hunter2", "glpat-77", "wa rd")
    url = "https://ada-user:hunter2@127.0.0.1:1/x.git?private_token=glpat-77"
    for address in (url, url.replace("hunter2", "p@ss/wa%20rd"), "http://glpat-77@127.0.0.1:1/x.git"):
        git(world.memory, "remote", "set-url", "origin", address)
        world.settle()
        answers = [world.start(), world.start(host="text")]
        assert "could not be fetched" in answers[0].remark
        written = [path for folder in (world.state, world.cache) for path in folder.rglob("*") if path.is_file()]
        for content in (*(answer.out for answer in answers), *(path.read_bytes() for path in written)):
            assert not [secret for secret in secrets if secret.encode() in content]


# the logs


def test_the_line_of_an_injection_says_what_and_how_much_but_no_text(world: World) -> None:
    pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md", body="Zebra stripes.\n\n**Apply:** paint.")
    index, memories = world.start("startup", "s", part="index").text, world.start("startup", "s", part="memories").text
    first, second = world.rows("telemetry.jsonl")
    assert first == {
        "time": first["time"], "event": "injected", "host": "claude", "part": "index", "session": first["session"], "source": "startup",
        "tokens": estimate(index), "window": 200_000, "share": round(estimate(index) / 200_000, 5), "ids": [], "left": [], "ticket": "PAY-7",
    }  # fmt: skip
    assert sorted(second.pop("ids")) == sorted([*LESSONS, "mem-F001-mine (draft)"])
    assert (second["part"], second["tokens"]) == ("memories", estimate(memories))
    assert second.keys() | {"ids"} == first.keys()
    assert "Zebra" not in (world.state / "telemetry.jsonl").read_text()
    assert "Retry" not in (world.state / "telemetry.jsonl").read_text()


def test_what_found_no_room_is_named_in_the_log(world: World) -> None:
    world.start(part="memories", env={"BRAIN_MEMORY_INJECT_BUDGET": "300"})
    row = world.rows("telemetry.jsonl")[0]
    assert sorted([*row["ids"], *row["left"]]) == LESSONS
    assert row["ids"]
    assert row["left"]


def test_where_nothing_is_said_nothing_is_logged(world: World) -> None:
    world.start("startup", "s")
    world.start("resume", "s")
    assert [row["source"] for row in world.rows("telemetry.jsonl")] == ["startup", "startup"]
    assert world.failures() == []


def test_git_does_not_see_what_we_keep(world: World) -> None:
    commit(world.workspace, {}, "settings and ticket are shared")
    world.start()
    assert git(world.workspace, "status", "--porcelain") == ""
    (world.state / ".gitignore").unlink()
    world.start()
    assert git(world.workspace, "status", "--porcelain") == ""


@pytest.mark.parametrize(("window", "warned"), [("200000", False), ("20000", True), ("0", False)])
def test_a_window_that_memory_fills_is_warned_of_once(window: str, warned: bool, world: World) -> None:
    answers = [
        world.start("startup", "s", part=part, env={"BRAIN_MEMORY_CONTEXT_WINDOW": window})
        for part in ("index", "memories")
    ]
    assert ["context window" in answer.remark for answer in answers] == [warned, False]
    assert all(answer.text for answer in answers)
    assert world.failures() == []


def test_a_store_that_has_nothing_for_a_ticket_gives_the_index_alone(world: World) -> None:
    ticket = {"taskId": "X-1", "title": "Quarterly parking permits", "workflow": "create-testcase"}
    (world.workspace / ".aiflow" / "context" / "current.json").write_text(json.dumps(ticket))
    world.share({"00.Shared/glossary/order.md": None, "01.Lessons/dev/_global/naming.md": None})
    answer = world.start()
    assert (lines(answer.text), ids(answer.text)) == (["mem-F001-log", "mem-F001-retry"], [])


def test_an_empty_store_says_nothing(world: World) -> None:
    world.share({RETRY: None, LOG: None, "00.Shared/glossary/order.md": None, "01.Lessons/dev/_global/naming.md": None})
    assert world.start().found == {}


def submission(world: World, stage: str, **fields: object) -> None:
    """Let there be a merge request of this machine's user, in some stage."""
    entry = Entry(
        "PAY-7",
        "memory/ada/PAY-7",
        "main",
        "99.Memory",
        stage,
        drafts=("a.md", "b.md"),
        iid=12,
        url="https://g/x/12",
        **fields,
    )  # type: ignore[arg-type]
    Journal(get_repo(str(world.memory))).save(entry)


def test_the_state_of_a_submission_is_said_to_the_person_once_and_to_the_model_never(world: World) -> None:
    assert world.start("startup", "before").remark == ""
    submission(world, OPEN)
    first = world.start("startup", "s", part="index")
    assert first.remark == "brain: PAY-7: 2 memories, !12 https://g/x/12: open"
    assert "!12" not in first.text
    assert world.start("startup", "s", part="memories").remark == ""
    assert world.start("resume", "s").remark == ""
    submission(world, CLOSED, by="pm", reason="too vague\n\x1b[31m")
    assert world.start("clear", "s").remark == (
        "brain: PAY-7: 2 memories, !12 https://g/x/12: turned down by pm, the drafts are back: too vague [31m"
    )
    assert world.failures() == []


def test_a_damaged_journal_costs_no_memory(world: World) -> None:
    submission(world, OPEN)
    for path in (world.cache / "submitted").glob("*.json"):
        path.write_text("{")
    assert whole(world.start("startup", "s"))


@pytest.mark.parametrize(("language", "line"), [
    ("en", "Tell the person: drafts of theirs are older than 14 days (2). Submit, keep, drop? `brain pending`"),
    ("vi", "Hãy báo người dùng: có bản nháp của họ đã quá 14 ngày (2): gửi, giữ hay bỏ? `brain pending`"),
    ("ja", "利用者に伝えること：14 日を過ぎた下書きがある（2 件）。提出・保留・破棄？ `brain pending`"),
])  # fmt: skip
def test_drafts_that_grew_old_are_told_of_in_one_line_within_the_budget(language: str, line: str, world: World) -> None:
    env = {"BRAIN_REVIEW_LANGUAGE": language}
    for name, days in (("one", 20), ("two", 16), ("new", 3)):
        file = pending(world.memory, f"00.Shared/decisions/{name}.md", body=f"Thing {name}.\n\n**Apply:** do.")
        os.utime(file, (time.time() - days * 86400,) * 2)
    text = world.start(part="memories", env=env).text
    assert text.count(f"\n{line}\n") == 1
    assert line not in world.start(part="index", env=env).text
    assert all(
        row["ids"] == [name for name in row["ids"] if "_note" not in name] for row in world.rows("telemetry.jsonl")
    )
    for budget in (0, 60, 110, 150, 300):
        small = world.start(part="memories", env={**env, "BRAIN_MEMORY_INJECTBUDGET": str(budget)}).text
        assert estimate(small) <= budget
    world.start("startup", "s", part="memories", env=env)
    assert world.start("resume", "s", part="memories", env=env).text == ""
    one, two = (f"00.Shared/decisions/{name}.md" for name in ("one", "two"))
    assert program("pending", "keep", one, folder=world.workspace).returncode == 0
    assert f"\n{line.replace('2', '1')}\n" in world.start(part="memories", env=env).text
    assert program("pending", "drop", two, folder=world.workspace).returncode == 0
    assert line[:10] not in world.start(part="memories", env=env).text

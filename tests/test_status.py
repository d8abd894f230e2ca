"""``brain status``: the state of the memory and of the hooks, whatever the logs hold."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from brain.cli import main
from brain.overview import age, read_log
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text, pending

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a clone of a memory repo with one memory, one that cannot be read, and two drafts, one old."""
    origin = make_memory_repo(tmp_path / "origin", {RETRY: "", "00.Shared/decisions/bad.md": "broken"})
    mine = clone(origin, tmp_path / "docs")
    old = pending(mine, "00.Shared/decisions/old.md")
    os.utime(old, (time.time() - 15.5 * 86400,) * 2)
    pending(mine, "00.Shared/decisions/worse.md", "broken")
    return mine


def log(repo: Path, name: str, *lines: str) -> None:
    file = repo / ".aiflow/brain" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def row(seconds: float, event: str, **facts: object) -> str:
    return json.dumps({"time": seconds, "event": event, **facts})


def run(repo: Path, *args: str) -> int:
    return main(["-C", str(repo), "status", *args])


def test_what_is_merged_and_not_official_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late = "01.Lessons/dev/F-003_Payment/late.md"
    repo = make_memory_repo(tmp_path / "docs", {RETRY: "", late: memory_text(late, status="pending", reviewed_by="")})
    assert run(repo) == 0
    assert "merged, and not official: 1, which nobody recalls: mem-F003-late\n" in capsys.readouterr().out
    assert run(repo, "--json") == 0
    assert json.loads(capsys.readouterr().out)["unapproved"] == ["mem-F003-late"]


def test_it_says_what_there_is(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = time.time()
    log(
        repo,
        "telemetry.jsonl",
        row(now - 9000, "injected", part="index", tokens=400),
        row(now - 8000, "injected", part="memories", tokens=900),
        row(now, "cited", ids=["x"]),
    )
    log(repo, "failures.jsonl", row(now - 100, "session-start", cause="git was not there\x1b[31m"))
    (repo / ".git/FETCH_HEAD").write_text("")
    assert run(repo) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[:5] == [
        f"memory repo: {repo} ({ROOT})",
        f"approved on: refs/remotes/origin/main {git(repo, 'rev-parse', 'HEAD')[:12]}, fetched 0 s ago",
        "memories: 1",
        "drafts: 2, 1 of them unreadable",
        "old draft: mem-global-old, 15 days: submit or drop it",
    ]
    assert lines[5].startswith("skipped: 00.Shared/decisions/bad.md:1: ")
    assert lines[6].endswith("UTC, 2 h ago: injected part=memories tokens=900")
    assert lines[8].endswith("UTC, 100 s ago: session-start cause=git was not there[31m")
    assert err == ""


def test_the_machine_form_has_the_same_facts(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log(repo, "failures.jsonl", row(5, "a"), row(7, "b"))
    assert run(repo, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {key: found[key] for key in ("repo", "root", "ref", "fetched", "memories", "drafts", "oldDrafts", "injections")} == {
        "repo": str(repo), "root": ROOT, "ref": "refs/remotes/origin/main", "fetched": None, "memories": 1, "drafts": 2,
        "oldDrafts": [{"id": "mem-global-old", "path": "00.Shared/decisions/old.md", "days": 15}], "injections": [],
    }  # fmt: skip
    assert [failure["event"] for failure in found["failures"]] == ["b", "a"]


def test_logs_may_hold_anything(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'\xff\n{"time": "x", "event": "a"}\n[1]\n{"time": 1e99, "event": "a"}\n{"time": true, "event": "a"}\n{"event": "a"}\n{"time": 3, "event": 4}\nnull\n'
                     + b"[" * 5000 + b'\n{"time": 2, "event": "older"}\n{"time": NaN, "event": "a"}\n{"time": 3.5, "event": "kept", "x": "\\ud800"}\n{"time": 4, "ev')  # fmt: skip
    assert [found["event"] for found in read_log(str(path))] == ["kept", "older"]
    assert read_log(str(tmp_path)) == read_log(str(tmp_path / "none")) == []
    path.write_text(row(1, "lost") + "\n" + "x" * 70_000 + "\n" + row(2, "kept"))
    assert [found["event"] for found in read_log(str(path))] == ["kept"]


def test_strange_rows_do_not_stop_it(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log(repo, "telemetry.jsonl", row(99_000_000_000, "injected", part={"a": [1]}, text="x" * 5000))
    assert run(repo) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) < 400


def test_a_failed_fetch_is_said(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stamp = repo / ".git/brain/fetch.stamp"
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text("the memory repo could not be fetched: no route")
    assert run(repo) == 0
    assert "last fetch: the memory repo could not be fetched: no route\n" in capsys.readouterr().out


def test_an_empty_repo_and_no_repo_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repo(tmp_path / "new")
    (repo / ROOT).mkdir()
    assert run(repo) == 0
    assert "approved on: nothing is committed yet, never fetched\nmemories: 0\n" in capsys.readouterr().out
    (tmp_path / "elsewhere").mkdir()
    assert run(tmp_path / "elsewhere") == 0
    said = f"no memory repo: {tmp_path / 'elsewhere'} holds no {ROOT} and names none"
    how = "run brain init, or brain init --repo PATH-or-URL to connect to the team's"
    assert tuple(capsys.readouterr()) == (f"{said}\nnext: {how}\n", "")
    assert run(tmp_path / "elsewhere", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"repo": None, "problem": said, "hint": how, "failures": []}


def test_refused_settings_are_warnings(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(repo, {".aiflow/state.json": '{"memory": {"topM": 1}}'})
    assert run(repo) == 0
    assert "warning: .aiflow/state.json: memory.topM: unknown setting" in capsys.readouterr().err


def test_ages_are_for_people() -> None:
    assert [age(seconds) for seconds in (-5, 0, 119, 120, 7199, 7200, 172_799, 172_800)] == [
        "0 s",
        "0 s",
        "119 s",
        "2 min",
        "119 min",
        "2 h",
        "47 h",
        "2 days",
    ]

"""``brain doctor``: each check finds its own trouble, and only that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain.checkup import OK, UNSEEN, WRONG, Check, check_all, make_subject
from brain.cli import main
from brain.memory_index import render_index
from brain.workspace import open_brain
from tests.support.program import C_LOCALE
from tests.support.repos import PROGRAM, ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text, pending

RETRY = "01.Lessons/dev/F-003_Payment/retry.md"


def with_index(repo: Path) -> Path:
    brain = open_brain(str(repo), {})
    index = render_index(memory for part in brain.tree.parts for memory in part.memories())
    return commit(repo, {f"{ROOT}/MEMORY.md": index, f"{ROOT}/.gitignore": "_pending/\n"}, "index")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a clone of a memory repo in which nothing is wrong."""
    return clone(with_index(make_memory_repo(tmp_path / "origin", {RETRY: ""})), tmp_path / "docs")


def states(repo: Path, **env: str) -> dict[str, str]:
    return {check.name: check.state for check in check_all(make_subject(str(repo), {**os.environ, **env}, time.time()))}


def wrong(repo: Path, **env: str) -> dict[str, Check]:
    return {
        check.name: check
        for check in check_all(make_subject(str(repo), {**os.environ, **env}, time.time()))
        if check.state == WRONG
    }


def test_a_sound_set_up_has_nothing_wrong(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(repo), "doctor"]) == 0
    assert all(line.startswith(("ok ", "cannot see  hooks", " ")) for line in capsys.readouterr().out.splitlines())
    assert states(repo) == dict.fromkeys(states(repo), OK) | {"hooks": UNSEEN}


def test_without_a_memory_repo_the_rest_cannot_be_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(tmp_path), "doctor", "--json"]) == 1
    found = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert found["memory repo"]["mend"].startswith("run brain init")
    assert [name for name, check in found.items() if check["state"] == WRONG] == ["memory repo"]
    assert found["MEMORY.md"]["state"] == UNSEEN


def test_an_edited_or_missing_index_is_wrong(repo: Path) -> None:
    origin = Path(git(repo, "config", "remote.origin.url"))
    index = (origin / ROOT / "MEMORY.md").read_text()
    commit(origin, {f"{ROOT}/MEMORY.md": index + "- mine\n"})
    git(repo, "fetch", "-q")
    assert wrong(repo)["MEMORY.md"].detail == "it is not what the memories make it"
    commit(origin, {f"{ROOT}/MEMORY.md": None})
    git(repo, "fetch", "-q")
    assert list(wrong(repo)) == ["MEMORY.md"]


def test_unreadable_memories_and_drafts_are_named(repo: Path) -> None:
    pending(repo, "00.Shared/decisions/x.md", "broken")
    assert "_pending/00.Shared/decisions/x.md:1" in wrong(repo)["memory files"].detail


def test_a_git_that_does_not_know_who_commits_is_wrong(repo: Path) -> None:
    nobody = {"GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": "", "GIT_CONFIG_COUNT": "1",
              "GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true"}  # fmt: skip
    found = run_doctor(repo, **nobody)["git identity"]
    assert found == {
        "name": "git identity", "state": WRONG,
        "detail": "git does not know in whose name to commit, and brain submit commits",
        "mend": "git config --global user.name NAME, and user.email ADDRESS",
    }  # fmt: skip


def run_doctor(repo: Path, **env: str) -> dict[str, dict[str, str]]:
    """Return what doctor, as a process of its own, says by name."""
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", str(repo), "doctor", "--json"], env={**os.environ, **PROGRAM, **env},
        capture_output=True, check=False,
    )  # fmt: skip
    return {row["name"]: row for row in json.loads(done.stdout)}


def test_drafts_in_git_are_wrong(repo: Path) -> None:
    draft = pending(repo, "00.Shared/decisions/x.md")
    git(repo, "add", "-f", str(draft))
    assert "git tracks 1 drafts" in wrong(repo)["drafts"].detail
    git(repo, "rm", "-q", "--cached", str(draft))
    (repo / ROOT / ".gitignore").write_text("")
    assert "does not ignore" in wrong(repo)["drafts"].detail


def test_drafts_upstream_are_wrong(tmp_path: Path) -> None:
    path = "00.Shared/decisions/x.md"
    repo = make_memory_repo(tmp_path / "docs")
    commit(repo, {f"{ROOT}/_pending/{path}": memory_text(path)})
    git(repo, "rm", "-q", "-r", "--cached", f"{ROOT}/_pending")
    assert "is on the upstream branch" in wrong(repo)["drafts"].detail


def test_settings_upstream_and_on_disk_are_checked(repo: Path) -> None:
    (repo / ROOT / "brain.toml").write_text("[memory]\ntopM = 1\n")
    assert "did you mean" not in wrong(repo)["settings"].detail
    assert "memory.topM: unknown setting" in wrong(repo)["settings"].detail
    (repo / ROOT / "brain.toml").write_bytes(b"\xff")
    assert list(wrong(repo)) == ["settings"]
    (repo / ROOT / "brain.toml").unlink()
    assert wrong(repo) == {}
    assert "BRAIN_MEMORY_TOPN" in wrong(repo, BRAIN_MEMORY_TOPN="many")["settings"].detail


def test_a_remote_that_is_gone_is_wrong_and_none_cannot_be_seen(repo: Path, tmp_path: Path) -> None:
    git(repo, "remote", "set-url", "origin", f"file://user:secret@localhost{tmp_path}/gone")
    assert "secret" not in wrong(repo)["remote"].detail
    git(repo, "remote", "remove", "origin")
    assert states(repo)["remote"] == UNSEEN


def test_a_remote_that_was_never_fetched_is_wrong(tmp_path: Path, repo: Path) -> None:
    local = with_index(make_memory_repo(tmp_path / "local", {RETRY: ""}))
    git(local, "remote", "add", "origin", str(repo))
    assert wrong(local)["upstream branch"].mend.startswith("git fetch origin")


def test_a_memory_that_is_not_committed_is_wrong(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "new")
    (repo / ROOT).mkdir()
    assert wrong(repo)["upstream branch"].mend == "commit the memory folder"
    commit(repo, {"a": "a"})
    assert wrong(repo)["memory root"].detail == f"refs/heads/main has no {ROOT}"


def test_hooks_are_judged_by_what_they_did_last(repo: Path) -> None:
    folder = repo / ".aiflow/brain"
    folder.mkdir(parents=True)
    (folder / "telemetry.jsonl").write_text(json.dumps({"time": 100, "event": "injected"}))
    assert states(repo)["hooks"] == OK
    (folder / "failures.jsonl").write_text(json.dumps({"time": 200, "event": "start", "cause": "no git"}))
    assert wrong(repo)["hooks"].detail == "the last one failed: no git"


def test_a_clock_behind_the_commits_is_wrong(repo: Path) -> None:
    checks = {check.name: check for check in check_all(make_subject(str(repo), dict(os.environ), 1_000_000_000))}
    assert (checks["clock"].state, checks["clock"].mend) == (WRONG, "set the clock")
    fixed = {
        check.name: check
        for check in check_all(make_subject(str(repo), {**os.environ, "BRAIN_NOW": "2026-01-01"}, time.time()))
    }
    assert "BRAIN_NOW fixes the date" in fixed["clock"].detail


def test_a_cache_that_cannot_be_written_is_wrong(repo: Path) -> None:
    cache = repo / ".git/brain"
    open_brain(str(repo), {})
    for file in cache.iterdir():
        file.unlink()
    cache.rmdir()
    cache.write_text("a file")
    assert list(wrong(repo)) == ["cache"]


def test_without_git_it_says_so_and_does_not_stop(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = wrong(repo)
    assert found["git"].mend == "install git 2.31 or newer"


def test_an_old_git_is_wrong(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    fake = tmp_path / "bin/git"
    fake.parent.mkdir()
    fake.write_text(
        f'#!/bin/sh\ncase "$*" in *--version) echo "git version 2.30.9 (old)";; *) exec {real} "$@";; esac\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    assert list(wrong(repo)) == ["git"]


def test_a_repo_of_another_user_is_wrong(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    found = wrong(repo)["safe.directory"]
    assert found.mend.startswith(f"git config --global --add safe.directory {repo}")


def test_other_rooms_can_add_checks(repo: Path) -> None:
    extra = Check("more", WRONG, "x", "y")
    assert check_all(make_subject(str(repo), {}, time.time()), [lambda _: extra])[-1] is extra


def test_the_locale_is_only_noted(repo: Path) -> None:
    env = {**os.environ, **C_LOCALE, **PROGRAM}
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", repo, "doctor"], env=env, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert b"locale: C; brain reads and writes UTF-8 all the same" in done.stdout


@pytest.mark.parametrize("command", [["status"], ["doctor"], ["pending"], ["config"], ["init"], ["remember", "x"]])
def test_a_folder_that_is_gone_is_no_crash(tmp_path: Path, command: list[str]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'cd "{gone}" && rmdir "{gone}" && exec "{sys.executable}" -m brain {" ".join(command)}'
    env = {**os.environ, **PROGRAM, "PYTHONSAFEPATH": "1"}
    done = subprocess.run(["sh", "-c", script], env=env, capture_output=True, check=False, text=True)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["pending", "show", b"\xff"],
        ["config", b"\xff"],
        ["init", "--repo", b"\xff"],
        ["init", "--root", b"\xff"],
        ["remember", "--update", b"\xff", "x"],
    ],
)
def test_arguments_that_are_no_utf8_are_clear_errors(repo: Path, command: list[str | bytes]) -> None:
    env = {**os.environ, **PROGRAM}
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", str(repo), *command], env=env, capture_output=True, check=False
    )
    assert done.returncode in (1, 3)
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a disk that is always full")
@pytest.mark.parametrize("command", ["status", "doctor", "pending", "config", "init"])
def test_a_full_disk_at_the_other_end_is_no_crash(repo: Path, command: str) -> None:
    env = {**os.environ, **PROGRAM}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "brain", "-C", str(repo), command],
            env=env,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert b"Traceback" not in done.stderr

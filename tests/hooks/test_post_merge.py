"""The git hook ``post-merge``: after a merge the next session finds everything ready, and no merge ever fails by it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brain_hooks.change import apply_plan
from brain_hooks.githook import plan_hook
from tests.support.hook_process import CODE, LAUNCHER, LOG, RETRY, World, lines, run_hook
from tests.support.program import SHEBANG
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX scripts")
NO_GIT_AFTERWARDS = '#!/bin/sh\necho "$@" >> {log}\nexit 9\n'


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "bin" / "brain-hook"
    path.parent.mkdir()
    path.write_text(f"{SHEBANG}{LAUNCHER}")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    return path


def pull(repo: Path, *options: str) -> str:
    """Pull, which must succeed; return what was said on stderr."""
    done = subprocess.run(["git", "-C", repo, "pull", "-q", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    return done.stderr


def without_git(world: World, tmp_path: Path) -> dict[str, str]:
    """Return an environment in which asking git is an error that shows."""
    folder = tmp_path / "no-git"
    folder.mkdir()
    (folder / "git").write_text(NO_GIT_AFTERWARDS.format(log=tmp_path / "calls"))
    (folder / "git").chmod(0o755)
    return {"PATH": str(folder), "BRAIN_RECALL_FETCH_SECONDS": "0"}


@pytest.mark.parametrize("how", [["--ff-only"], ["--no-rebase", "--no-ff"], ["--rebase=false", "--squash"]])
def test_a_pull_of_the_memory_repo_makes_the_index_ready(
    how: list[str], world: World, program: Path, tmp_path: Path
) -> None:
    apply_plan(plan_hook(str(world.memory)))
    world.share({LOG: None, "00.Shared/glossary/new.md": memory_text("00.Shared/glossary/new.md", workflows=("all",))})
    assert pull(world.memory, *how) == ""
    env = without_git(world, tmp_path)
    answer = world.start(env=env, part="index")
    assert sorted(lines(answer.text)) == ["mem-F001-retry", "mem-global-naming", "mem-global-new", "mem-global-order"]
    assert answer.remark == ""
    assert not (tmp_path / "calls").exists()
    assert git(world.memory, "status", "--porcelain") in (
        "",
        "D  99.Memory/01.Lessons/dev/F-001_Pay/log.md\nA  99.Memory/00.Shared/glossary/new.md",
        "A  99.Memory/00.Shared/glossary/new.md\nD  99.Memory/01.Lessons/dev/F-001_Pay/log.md",
    )


def test_a_merge_in_the_code_repo_checks_the_refs(world: World, program: Path, tmp_path: Path) -> None:
    world.start()
    apply_plan(plan_hook(str(world.workspace)))
    git(world.workspace, "checkout", "-q", "-b", "side")
    commit(world.workspace, {"src/pay.py": "tries = 5\n"})
    git(world.workspace, "checkout", "-q", "main")
    git(world.workspace, "merge", "-q", "--no-ff", "-m", "merge", "side")
    answer = world.start(env=without_git(world, tmp_path))
    assert "⚠ may be stale: src/pay.py changed since" in answer.text
    assert not (tmp_path / "calls").exists()


def test_a_pull_in_a_worktree_and_below_it(world: World, program: Path, tmp_path: Path) -> None:
    apply_plan(plan_hook(str(world.memory)))
    world.share({LOG: None})
    git(world.memory, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side", "--track", "origin/main")
    assert pull(tmp_path / "linked") == ""
    assert list(world.cache.glob("*.segment"))


def test_a_memory_in_the_code_repo_itself(tmp_path: Path, program: Path) -> None:
    origin = make_memory_repo(tmp_path / "origin", {RETRY: ""})
    repo = clone(origin, tmp_path / "repo")
    apply_plan(plan_hook(str(repo)))
    commit(origin, {f"{ROOT}/{LOG}": memory_text(LOG)})
    assert pull(repo) == ""
    assert list((repo / ".git" / "brain").glob("*.segment"))
    answer = run_hook("claude", "SessionStart", "index", payload={"session_id": "s", "cwd": str(repo)})
    assert lines(answer.text) == ["mem-F001-log", "mem-F001-retry"]


BREAKS = {
    "missing": None, "fails": "#!/bin/sh\necho broken >&2\nexit 1\n", "no interpreter": "#!/nowhere/python\n", "empty": "", "killed": "#!/bin/sh\nkill -9 $$\n",
    "traceback": f"{SHEBANG}import nowhere\n", "old": f"{SHEBANG}raise SystemExit(2)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_no_merge_fails_by_a_program_that_is_broken(name: str, world: World, program: Path) -> None:
    apply_plan(plan_hook(str(world.memory)))
    script = BREAKS[name]
    if script is None:
        program.unlink()
    else:
        program.write_text(script)
    world.share({LOG: None})
    said = pull(world.memory)
    assert said == "" or name in ("fails", "no interpreter", "traceback", "killed")
    assert not (world.memory / ROOT / LOG).exists()


def test_a_memory_repo_that_is_gone_is_noted_and_fails_nothing(world: World, program: Path) -> None:
    apply_plan(plan_hook(str(world.workspace)))
    shutil.rmtree(world.memory)
    git(world.workspace, "checkout", "-q", "-b", "side")
    commit(world.workspace, {"src/pay.py": "tries = 5\n"})
    git(world.workspace, "checkout", "-q", "main")
    done = subprocess.run(["git", "-C", world.workspace, "merge", "side"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["event"] for row in world.rows("failures.jsonl")] == ["post-merge"]
    assert "no git repository at" in world.failures()[0]


@pytest.mark.parametrize("state", [None, '{"memory": {"topN": 3}}', "{]"])
def test_a_repo_without_memory_is_left_alone(state: str | None, tmp_path: Path, program: Path) -> None:
    origin = make_repo(tmp_path / "origin", {"a": "b", **({".aiflow/state.json": state} if state else {})})
    repo = clone(origin, tmp_path / "repo")
    apply_plan(plan_hook(str(repo)))
    commit(origin, {"a": "c"})
    assert pull(repo) == ""
    assert git(repo, "status", "--porcelain", "--ignored") == ""
    assert not (repo / ".git" / "brain").exists()


def test_hostile_pythonpath_and_exported_git_variables(
    world: World, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("brain", "brain_hooks", "json", "typing"):
        (world.memory / name).mkdir()
        (world.memory / name / "__init__.py").write_text("raise SystemExit('of the user')")
    monkeypatch.setenv("PYTHONPATH", f"{world.memory}:.:{CODE}/tests")
    apply_plan(plan_hook(str(world.memory)))
    world.share({LOG: None})
    assert pull(world.memory) == ""
    assert list(world.cache.glob("*.segment"))


def test_a_damaged_cache_is_made_anew(world: World, program: Path, tmp_path: Path) -> None:
    world.start()
    for path in world.cache.iterdir():
        if path.is_file():
            path.write_bytes(b"garbage")
    apply_plan(plan_hook(str(world.memory)))
    world.share({LOG: None})
    assert pull(world.memory) == ""
    answer = world.start(env=without_git(world, tmp_path), part="index")
    assert (sorted(lines(answer.text)), answer.remark) == (
        ["mem-F001-retry", "mem-global-naming", "mem-global-order"],
        "",
    )

"""Git is run in our repository, never asks, never hangs, and its failures say what to do."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain.environment import GIT_LOCATION, git_environment
from brain.errors import GitError
from brain.git.run import TIMED_OUT, Result, git, start_git, try_git
from tests.support.program import SHEBANG
from tests.support.repos import PROGRAM, make_repo
from tests.support.repos import git as git_for_tests

NOBODY = 65534


def fake_git(folder: Path, script: str) -> dict[str, str]:
    """Put a program called ``git`` on a PATH and return an environment with it."""
    path = folder / "bin/git"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{SHEBANG}{script}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}"}


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that puts a program called ``git`` first on this process's PATH."""
    return lambda script: monkeypatch.setenv("PATH", fake_git(tmp_path, script)["PATH"])


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_what_git_prints_comes_back(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r ü", {"a": "在庫"})
    assert git(str(repo), "show", "HEAD:a") == "在庫".encode()
    assert try_git(str(repo), "rev-parse", "--verify", "-q", "nope") == Result(1, b"", b"")


def test_an_error_carries_command_status_and_the_telling_line(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": ""})
    with pytest.raises(GitError) as caught:
        git(str(repo), "cat-file", "blob", "nope")
    assert (str(caught.value), caught.value.status, caught.value.exit_code) == (
        "git cat-file blob nope: fatal: Not a valid object name nope",
        128,
        4,
    )


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in GIT_LOCATION
        if name
        in (
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_COMMON_DIR",
            "GIT_NAMESPACE",
            "GIT_PREFIX",
        )
    ],
)
def test_a_surrounding_hook_does_not_redirect_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    repo, other = make_repo(tmp_path / "mine", {"a": "mine"}), make_repo(tmp_path / "other", {"a": "other"})
    plain = git(str(repo), "status", "--porcelain", "--branch")
    monkeypatch.setenv(name, str(other / ".git"))
    assert git(str(repo), "show", "HEAD:a") == b"mine"
    assert git(str(repo), "status", "--porcelain", "--branch") == plain


def test_a_real_hook_does_not_redirect_us(tmp_path: Path) -> None:
    repo, mine = make_repo(tmp_path / "r", {"a": "x"}), make_repo(tmp_path / "mine", {"a": "mine"})
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(
        f"#!/bin/sh\n'{sys.executable}' -c \"from brain.git.run import git; print(git({str(mine)!r}, 'show', 'HEAD:a').decode())\" > {tmp_path}/out\n"
    )
    hook.chmod(0o755)
    (repo / "b").write_text("")
    git_for_tests(repo, "add", "b")
    subprocess.run(["git", "-C", str(repo), "commit", "-qm", "x"], check=True, env={**os.environ, **PROGRAM})
    assert (tmp_path / "out").read_text() == "mine\n"


@pytest.mark.parametrize("name", ["GIT_LITERAL_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"])
def test_pathspecs_mean_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    repo = make_repo(tmp_path / "r", {"a.py": "", "A.md": ""})
    monkeypatch.setenv(name, "1")
    assert git(str(repo), "ls-files", "--", "*.py", "a.md") == b"a.py\n"


def test_the_environment_is_a_copy_in_english_without_questions() -> None:
    env = {"GIT_DIR": "x", "HOME": "/h", "LANGUAGE": "vi", "GIT_CONFIG_COUNT": "0"}
    assert git_environment(env) == {
        "HOME": "/h",
        "LANGUAGE": "en",
        "GIT_CONFIG_COUNT": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
    }
    assert env["GIT_DIR"] == "x"


def test_large_input_and_output_pass_each_other(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    blob = os.urandom(3 << 20)
    oid = git(str(repo), "hash-object", "-w", "--stdin", stdin=blob).strip()
    asked = (oid + b"\n") * 20
    assert git(str(repo), "cat-file", "--batch", stdin=asked) == (oid + b" blob %d\n" % len(blob) + blob + b"\n") * 20


def test_more_lines_in_than_a_pipe_holds_come_back(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    asked = b"".join(b"%040d\n" % number for number in range(50_000))
    assert git(str(repo), "cat-file", "--batch-check", stdin=asked) == asked.replace(b"\n", b" missing\n")


def test_floods_on_both_sides_do_not_block(tmp_path: Path, on_path) -> None:
    on_path(
        "import sys\nfor _ in range(64):\n    sys.stderr.write('e' * 65536); sys.stdout.write('o' * 65536)\nsys.exit(3)"
    )
    result = try_git(str(tmp_path), "x", stdin=b"i" * (1 << 20))
    assert (result.status, result.out, result.err) == (3, b"o" * (64 << 16), b"e" * (64 << 16))


@pytest.mark.parametrize(
    "script",
    [
        "import sys; sys.stdin.close(); import os; os.close(0)",
        "pass",
        "import os; os.close(0); os.close(1); os.close(2)",
    ],
)
def test_a_reader_that_wants_no_more_is_no_error(tmp_path: Path, on_path, script: str) -> None:
    on_path(script)
    assert try_git(str(tmp_path), "x", stdin=b"i" * (1 << 22)) == Result(0, b"", b"")


@pytest.mark.parametrize(
    "script",
    [
        "import time; time.sleep(60)",
        "import os, time; os.close(1); os.close(2); time.sleep(60)",
        "import sys\nwhile True: sys.stdout.write('x' * 9999)",
    ],
)
def test_a_deadline_ends_the_child(tmp_path: Path, on_path, script: str) -> None:
    on_path(f"import os; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n{script}")
    start, files = time.monotonic(), open_files()
    with pytest.raises(GitError, match=r"no answer within 0\.5 s") as caught:
        git(str(tmp_path), "x", timeout=0.5)
    assert (caught.value.status, time.monotonic() - start < 5, open_files()) == (TIMED_OUT, True, files)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_deadline_that_is_met_changes_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "x"})
    assert git(str(repo), "show", "HEAD:a", timeout=30) == b"x"


def test_no_descriptors_are_left(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "x"})
    before = open_files()
    for _ in range(5):
        git(str(repo), "show", "HEAD:a", stdin=b"x")
        try_git(str(repo), "nonsense")
    assert open_files() == before


def test_a_process_with_thousands_of_files_can_run_git(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "x"})
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limits[1]), limits[1]))
    ends = [os.open(os.devnull, os.O_RDONLY) for _ in range(1200)]
    try:
        assert git(str(repo), "show", "HEAD:a", stdin=b"x" * 100_000) == b"x"
    finally:
        for end in ends:
            os.close(end)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("closed", ["0", "1", "2", "0 1", "0 2", "1 2", "0 1 2"])
def test_a_process_without_standard_streams_can_run_git(tmp_path: Path, closed: str) -> None:
    repo = make_repo(tmp_path / "r", {"a": "x"})
    code = (
        f"import os\nfor end in {closed.split()!r}: os.close(int(end))\nfrom brain.git.run import git\n"
        f"open({str(tmp_path / 'out')!r}, 'wb').write(git({str(repo)!r}, 'cat-file', '--batch-check', stdin=b'HEAD\\n'))"
    )
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **PROGRAM}, check=False, capture_output=True)
    assert (tmp_path / "out").read_bytes().split()[1] == b"commit"


def test_without_git_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_files()
    monkeypatch.setenv("PATH", str(tmp_path))
    for run in (
        lambda: git(str(tmp_path), "status"),
        lambda: start_git(str(tmp_path), "status", log=str(tmp_path / "log")),
    ):
        with pytest.raises(GitError) as caught:
            run()
        assert (str(caught.value), caught.value.hint) == (
            "git status: git is not on the PATH",
            "install git 2.31 or newer",
        )
    assert open_files() == before


def test_secrets_of_an_address_stay_out_of_errors(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    with pytest.raises(GitError) as caught:
        git(str(repo), "ls-remote", "https://ada:s3cret@127.0.0.1:9/x.git?private_token=t0ken")
    error = caught.value
    assert "127.0.0.1:9/x.git" in str(error)
    assert not any(secret in f"{error} {error.argv} {error.stderr}" for secret in ("s3cret", "t0ken"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run git as another user")
def test_a_repository_of_another_user_comes_with_the_mend(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "x"})
    for path in (repo, *repo.rglob("*")):
        shutil.chown(path, NOBODY, NOBODY)
    with pytest.raises(GitError, match="dubious ownership") as caught:
        git(str(repo), "show", "HEAD:a")
    assert caught.value.hint == "the repository belongs to another user: git config --global --add safe.directory PATH"


def test_a_lock_comes_with_the_mend(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "x"})
    (repo / ".git/index.lock").touch()
    with pytest.raises(GitError) as caught:
        git(str(repo), "rm", "-q", "a")
    assert caught.value.hint == "another git command holds a lock; wait for it, or remove the lock file if none runs"


def test_a_started_git_lives_in_a_session_of_its_own_and_logs(tmp_path: Path) -> None:
    repo, log = make_repo(tmp_path / "r", {"a": "x"}), tmp_path / "log"
    pid = start_git(str(repo), "show", "HEAD:a", log=str(log))
    assert os.waitpid(pid, 0)[1] == 0
    assert (log.read_text(), log.stat().st_mode & 0o777) == ("x", 0o600)
    pid = start_git(str(repo), "cat-file", "--batch", log=str(log))  # its input is empty
    assert os.waitpid(pid, 0)[1] == 0
    env = fake_git(tmp_path, "import os, time; print(os.getsid(0) == os.getpid(), flush=True); time.sleep(60)")
    os.environ["PATH"], path = env["PATH"], os.environ["PATH"]
    try:
        pid = start_git(str(repo), "x", log=str(log))
    finally:
        os.environ["PATH"] = path
    deadline = time.monotonic() + 20
    while not log.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert log.read_text() == "True\n"

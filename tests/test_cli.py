"""The program ``brain``: which command, in which folder, and what its exit status says (SPEC §13)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from brain import __version__, cli
from brain.cli import COMMANDS, main
from brain.commands import Context
from tests.support.program import CODE, program
from tests.support.repos import make_memory_repo

if TYPE_CHECKING:
    from pathlib import Path

LESSON = "01.Lessons/dev/_global/retry.md"
LINE = f"- [mem-global-retry]({LESSON}) — Retry a payment at most twice (lesson, global, coding)\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return make_memory_repo(tmp_path / "docs", {LESSON: ""})


def status_of(*arguments: str) -> int:
    try:
        return main(arguments)
    except SystemExit as error:
        return int(str(error.code))


@pytest.mark.parametrize(
    ("arguments", "commands"),
    [
        (["recall", "x"], ("recall",)), (["search", "recall", "show"], ("search",)), (["-C", "recall", "index"], ("index",)), (["-Crecall", "index"], ("index",)),
        ([], COMMANDS), (["--help"], COMMANDS), (["-h", "recall"], COMMANDS), (["--version"], COMMANDS), (["nonsense", "recall"], COMMANDS), (["-C"], COMMANDS), (["-C", "x"], COMMANDS),
    ],
)  # fmt: skip
def test_only_the_command_that_is_asked_for_is_loaded(arguments: list[str], commands: tuple[str, ...]) -> None:
    assert tuple(cli._named_commands(arguments)) == commands


def test_a_command_does_not_load_the_others() -> None:
    code = "import sys; from brain.cli import main\ntry: main(['search', 'recall', '--help'])\nexcept SystemExit: print([m for m in sys.modules if m.startswith('brain.commands.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, **CODE})
    assert done.stdout.splitlines()[-1] == b"['brain.commands.search']"


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["nonsense", "recall"], ["recall", "--nonsense"], ["-C"], ["show"]]
)
def test_a_wrong_command_line_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: brain")


def test_an_unknown_command_is_answered_with_all_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("forget", "recall") == 2
    err = capsys.readouterr().err
    assert all(f"'{name}'" in err for name in COMMANDS)


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("--help") == 0
    out = capsys.readouterr().out
    assert all(f"\n    {name}" in out for name in COMMANDS)
    assert status_of("--version") == 0
    assert capsys.readouterr().out == f"brain {__version__}\n"
    for name in COMMANDS:
        assert status_of(name, "--help") == 0
        assert capsys.readouterr().out.startswith(f"usage: brain {name}")


def test_c_runs_it_in_another_folder(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (docs / "recall").mkdir()
    for arguments in (
        ["-C", str(docs), "index", "global"],
        [f"-C{docs}", "index", "global"],
        ["-C", str(docs / "recall"), "index", "global"],
    ):
        assert status_of(*arguments) == 0
        assert capsys.readouterr().out == LINE


@pytest.mark.parametrize("name", ["gone", "99.Memory/brain.toml", ""])
def test_c_takes_no_folder_that_is_not_there(
    docs: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs)
    assert status_of("-C", name, "index") == 3
    assert capsys.readouterr().err == f"brain: -C: {name} is no folder\nhint: name one that is there\n"


def test_without_c_it_runs_here(docs: Path) -> None:
    done = program("index", "global", cwd=docs / "99.Memory/01.Lessons")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, LINE, b"")


def test_a_git_that_is_missing_is_status_4(docs: Path) -> None:
    done = program("index", folder=docs, env={"PATH": "/nonexistent"})
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"git is not on the PATH\nhint: install git" in done.stderr


def test_a_wrong_setting_is_status_3_with_the_nearest_name(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (docs / ".aiflow").mkdir()
    (docs / ".aiflow/state.json").write_text('{"memory": {"topM": 3}}')
    assert status_of("-C", str(docs), "recall", "x") == 3
    assert (
        capsys.readouterr().err
        == "brain: .aiflow/state.json: memory.topM: unknown setting\nhint: did you mean memory.topN?\n"
    )
    (docs / ".aiflow/state.json").unlink()
    monkeypatch.setenv("BRAIN_MEMORY_TOP_N", "many")
    assert status_of("-C", str(docs), "recall", "x") == 3
    assert capsys.readouterr().err == "brain: BRAIN_MEMORY_TOP_N: memory.topN: 'many' is no whole number from 0\n"


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (OSError(28, "No space left on device", "/x"), 3, "brain: /x: No space left on device\n"),
        (OSError("odd"), 3, "brain: input or output: odd\n"),
    ],
)
def test_what_stops_a_command_has_its_status(
    docs: Path,
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Context, "open_brain", fail)
    assert status_of("-C", str(docs), "index") == status
    assert capsys.readouterr().err == said


def test_a_bug_is_status_70_with_its_traceback(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Context, "open_brain", lambda *_: 1 / 0)
    assert status_of("-C", str(docs), "index") == 70
    err = capsys.readouterr().err
    assert "ZeroDivisionError" in err
    assert err.endswith("brain: this is a bug; please report the lines above\n")


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_output_is_utf8_whatever_the_locale_says(docs: Path, locale: dict[str, str]) -> None:
    done = program("index", "global", folder=docs, env=locale)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, LINE, b"")


def test_a_full_disk_at_the_end_of_the_pipe_is_said_once(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "docs")
    with open("/dev/full", "w") as full:
        argv = [sys.executable, "-m", "brain", "-C", repo, "config"]
        done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, check=False, env={**os.environ, **CODE})
    assert (done.returncode, done.stderr.count(b"\n")) == (3, 1)
    assert b"No space left" in done.stderr

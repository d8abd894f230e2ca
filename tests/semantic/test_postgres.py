"""Vectors in a real PostgreSQL: asked exactly and by graph, filled by several at once, killed in the middle."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brain.errors import ConfigError
from brain.semantic.build import build_vectors
from brain.semantic.postgres import schema
from brain.semantic.postgres import store as storing
from brain.semantic.postgres.schema import DatabaseError
from brain.semantic.postgres.server import Server, ServerError
from brain.semantic.postgres.store import Row, Store
from brain.semantic.team import connect, disconnect, dsn_of, fill_team, open_team, path_of, project_of
from brain.semantic.vectors import centred, open_vectors
from brain.settings import load_config
from brain.workspace import open_brain
from tests.semantic.conftest import ORDER, RETRY
from tests.semantic.database import account, make_folder, make_server
from tests.semantic.hashed import Hashed
from tests.support.repos import ROOT, commit, git, memory_text, pending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.semantic.postgres.schema import Space
    from brain.semantic.vectors import Hit

DIM = 16


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = make_server()
    found.start()
    yield found
    found.stop()
    shutil.rmtree(Path(found.data).parent, ignore_errors=True)


@pytest.fixture
def database(server: Server) -> Iterator[Store]:
    found = Store(server.dsn)
    yield found
    found.close()


@pytest.fixture
def space(database: Store, request: pytest.FixtureRequest) -> Space:
    """The space of an embedder of this test alone."""
    return database.make_space(request.node.nodeid, DIM, bytes(4 * 6 * DIM))


def rows_of(count: int, seed: int = 1, name: str = "m") -> list[Row]:
    rng = random.Random(seed)
    found = []
    for number in range(count):
        vector = centred([rng.gauss(0, 1) for _ in range(DIM)], [0.0] * DIM)
        scope = f"F-{number % 20:03}"
        status = "approved" if number % 5 else "stale"
        key = number.to_bytes(20, "big")
        found.append(Row(f"{name}/日本-{number}.md", key, key[::-1], number % 3, status, scope, vector))
    return found


def cosine(row: Row, asked: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(row.vector, asked, strict=True))


def nearest(rows: Sequence[Row], asked: Sequence[float], count: int) -> list[str]:
    return [row.path for row in sorted(rows, key=lambda row: cosine(row, asked), reverse=True)[:count]]


def are_nearest(hits: Sequence[Hit], rows: Sequence[Row], asked: Sequence[float]) -> bool:
    """Say whether these are as many of the nearest rows, in order, as far as half precision tells them apart."""
    best = sorted((cosine(row, asked) for row in rows), reverse=True)[: len(hits)]
    by_path = {row.path: cosine(row, asked) for row in rows}
    mine = [by_path[hit.path] for hit in hits]
    return len(set(by_path) & {hit.path for hit in hits}) == len(hits) and mine == pytest.approx(best, abs=3e-3)


def test_what_is_filled_is_found_the_nearest_first(database: Store, space: Space) -> None:
    rows = rows_of(300)
    assert database.fill(space, "team/docs", "t1", rows) == 300
    asked = rows[7].vector
    hits = database.near(space, "team/docs", asked, 0.3, limit=10)
    assert len(hits) == 10
    assert are_nearest(hits, rows, asked)
    assert (hits[0].path, hits[0].key, hits[0].digest, hits[0].language) == (
        rows[7].path,
        rows[7].key,
        rows[7].digest,
        1,
    )
    assert hits[0].cosine == pytest.approx(1.0, abs=2e-3)
    assert all(hit.cosine >= 0.3 for hit in hits)
    assert database.near(space, "team/other", asked, -1.0) == []


def test_filters_leave_only_what_they_say_and_lose_none(database: Store, space: Space) -> None:
    rows = rows_of(3000)
    database.fill(space, "filtered", "t", rows)
    for statuses, scopes in ((["approved"], []), ([], ["F-003"]), (["stale"], ["F-005", "F-010"])):
        left = [row for row in rows if (not statuses or row.status in statuses) and (not scopes or row.scope in scopes)]
        hits = database.near(space, "filtered", rows[9].vector, -1.0, statuses=statuses, scopes=scopes, limit=10)
        assert len(hits) == 10
        assert are_nearest(hits, left, rows[9].vector)


def test_only_what_changed_is_written_and_what_is_gone_is_taken_out(database: Store, space: Space) -> None:
    rows = rows_of(50)
    database.fill(space, "changing", "t1", rows)
    assert database.fill(space, "changing", "t1", rows) == 0
    changed = Row(*[*rows[0].__dict__.values()][:-2], "F-999", rows[1].vector)
    assert database.fill(space, "changing", "t2", [changed, *rows[2:], *rows_of(3, 2, "new")]) == 4
    assert database.count(space, "changing") == 52
    paths = {hit.path for hit in database.near(space, "changing", rows[1].vector, -1.0)}
    assert rows[1].path not in paths
    assert rows[0].path in paths
    assert (database.drop("changing"), database.counts("changing")) == (52, {})


def test_what_another_model_left_is_counted_and_taken_out_and_its_table_goes_with_the_last_row(
    database: Store, space: Space
) -> None:
    old = database.make_space("the model before", DIM, b"")
    database.fill(old, "renewed", "t", rows_of(7))
    database.fill(old, "waiting", "t", rows_of(2))
    database.fill(space, "renewed", "t", rows_of(5))
    (mine,) = database.counts("renewed").keys() - {"the model before"}
    assert database.counts("renewed") == {"the model before": 7, mine: 5}
    assert database.drop("renewed", kept=mine) == 7
    assert database.counts("renewed") == {mine: 5}
    assert database.find_space("the model before") == old, "another project still asks it"
    assert database.drop("waiting") == 2
    with database._pool.connection() as connection:
        assert connection.execute("SELECT to_regclass(%s)", (f"brain.{old.table}",)).fetchone() == (None,)
    assert database.find_space("the model before") is None
    assert database.count(space, "renewed") == 5


def test_projects_and_models_do_not_see_each_other(database: Store, space: Space) -> None:
    other = database.make_space("another model", DIM * 2, b"")
    assert other != space
    assert database.make_space("another model", DIM * 2, b"x") == other
    database.fill(space, "one", "t", rows_of(5))
    database.fill(space, "two", "t", rows_of(7, 2))
    assert (database.count(space, "one"), database.count(space, "two"), database.count(other, "one")) == (5, 7, 0)
    assert database.find_space("no such model") is None


def test_a_large_project_is_walked_by_its_graph_and_keeps_recall(
    database: Store, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "GRAPH_FROM", 4000)
    monkeypatch.setattr(storing, "EXACT", 100)
    rows = rows_of(5000)
    large, small = "team/o'brien %s", "team/small"
    database.fill(space, small, "t", rows_of(1000, 9))
    database.fill(space, large, "t", rows)
    with database._pool.connection() as connection:
        graphs = connection.execute(
            "SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE %s",
            (f"{space.table}\\_graph%",),
        ).fetchall()
        plan = connection.execute(
            "EXPLAIN " + storing.BY_GRAPH.format(table=space.table, where="project = %(project)s"),
            {"project": large, "asked": storing._literal(rows[0].vector), "limit": 10},
        ).fetchall()
    assert graphs == [(space.graph(large), True)]
    assert space.graph(large) in str(plan)
    rng = random.Random(5)
    kept = []
    for _ in range(20):
        asked = centred([rng.gauss(0, 1) for _ in range(DIM)], [0.0] * DIM)
        for scopes, left in (([], rows), (["F-004"], [row for row in rows if row.scope == "F-004"])):
            hits = database.near(space, large, asked, -1.0, scopes=scopes, limit=10)
            kept.append(len({hit.path for hit in hits} & set(nearest(left, asked, 10))) / 10)
    assert sum(kept) / len(kept) >= 0.98


def test_a_graph_that_a_kill_left_unfinished_is_made_anew(
    database: Store, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "GRAPH_FROM", 100)
    rows = rows_of(150)
    database.fill(space, "p", "t", rows)
    asked = "SELECT indexrelid, indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
    name = (f"brain.{space.graph('p')}",)
    with database._pool.connection() as connection:
        (whole,) = connection.execute(asked, name).fetchall()
        connection.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s", whole[:1])
    assert database.fill(space, "p", "t", rows) == 0
    with database._pool.connection() as connection:
        (again,) = connection.execute(asked, name).fetchall()
    assert again[1]
    assert again[0] != whole[0]
    database.fill(space, "p", "t", rows)
    with database._pool.connection() as connection:
        assert connection.execute(asked, name).fetchall() == [again]


def test_any_number_may_start_and_fill_at_once(server: Server) -> None:
    failed: list[BaseException] = []
    stores: list[Store] = []

    def work(number: int) -> None:
        try:
            found = Store(server.dsn)
            stores.append(found)
            space = found.make_space("crowd", DIM, b"m" * 8)
            found.fill(space, "shared" if number % 2 else f"own-{number}", "t", rows_of(200))
            found.near(space, "shared", rows_of(1)[0].vector, 0.0)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    space = stores[0].make_space("crowd", DIM, b"")
    assert {name: stores[0].count(space, name) for name in ("shared", "own-0", "own-6")} == {
        "shared": 200, "own-0": 200, "own-6": 200,
    }  # fmt: skip
    for found in stores:
        found.close()


def test_older_tables_are_brought_up_and_newer_steps_are_done_once(database: Store, server: Server) -> None:
    with database._pool.connection() as connection:
        schema.migrate(connection)
        (number,) = connection.execute("SELECT count(*) FROM brain.version").fetchone()
    assert number == len(schema.MIGRATIONS)


def test_who_may_only_read_as_from_a_replica_can_ask(database: Store, space: Space, server: Server) -> None:
    rows = rows_of(20)
    database.fill(space, "p", "t", rows)
    reader = Store(f"{server.dsn} options='-c default_transaction_read_only=on'")
    assert reader.near(space, "p", rows[3].vector, -1.0, limit=1)[0].path == rows[3].path
    with pytest.raises(DatabaseError, match="read-only"):
        reader.fill(space, "p", "t", rows[:10])
    reader.close()


def test_a_kill_of_the_database_in_the_middle_of_a_fill_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_server()
    server.start()
    store = Store(server.dsn)
    space = store.make_space("killed", DIM, b"means")
    rows = rows_of(900)
    store.fill(space, "kept", "t", rows_of(100, 3))
    monkeypatch.setattr(storing, "BATCH", 100)
    plain, batches = storing._write, [0]

    def write(*args: object) -> None:
        batches[0] += 1
        if batches[0] == 5:
            os.kill(server.pid, signal.SIGKILL)
        plain(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(storing, "_write", write)
    with pytest.raises(DatabaseError, match="PostgreSQL: "):
        store.fill(space, "p", "t", rows)
    with pytest.raises(DatabaseError):
        store.near(space, "p", rows[0].vector, 0.0)
    store.close()
    server.stop()
    again = Server(server.data, account())
    again.start()
    store = Store(again.dsn)
    assert store.find_space("killed") == space
    assert store.count(space, "kept") == 100
    done = store.count(space, "p")
    assert 300 <= done < 900
    assert store.fill(space, "p", "t", rows) == 900 - done
    assert are_nearest(store.near(space, "p", rows[5].vector, -1.0, limit=5), rows, rows[5].vector)
    store.close()
    again.stop()
    shutil.rmtree(Path(server.data).parent)


def test_the_server_is_closed_to_others_and_speaks_utf8(server: Server, database: Store) -> None:
    assert stat.S_IMODE(os.stat(server.data).st_mode) == 0o700
    assert os.stat(server.data).st_uid == os.stat(f"/proc/{server.pid}").st_uid != 0
    with database._pool.connection() as connection:
        asked = "SELECT current_setting('listen_addresses'), current_setting('server_encoding'), lower('TỒN KHO ĐƠN')"
        assert connection.execute(asked).fetchone() == ("", "UTF8", "tồn kho đơn")
    assert account() == "" or os.geteuid() == 0


def test_two_servers_do_not_share_a_folder(server: Server) -> None:
    with pytest.raises(ServerError, match="did not start"):
        Server(server.data, account()).start()
    assert server.pid


def test_a_folder_of_somebody_else_is_not_touched() -> None:
    make_server()
    folder = make_folder()
    (folder / "letter.txt").write_text("mine")
    with pytest.raises(ServerError, match="not empty"):
        Server(str(folder), account()).start()
    assert (folder / "letter.txt").read_text() == "mine"
    shutil.rmtree(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may run a server as somebody")
@pytest.mark.parametrize(
    ("name", "said"), [("", "does not run as root"), ("root", "is root"), ("no-such", "no account")]
)
def test_root_names_an_account_that_is_not_root(name: str, said: str, tmp_path: Path) -> None:
    make_server()
    with pytest.raises(ServerError, match=said):
        Server(str(tmp_path / "data"), name)


@pytest.fixture
def team(brain, server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BRAIN_SEMANTIC_STORE", "postgres")
    monkeypatch.setenv("BRAIN_SEMANTIC_DSN", server.dsn)
    yield {"BRAIN_SEMANTIC_STORE": "postgres", "BRAIN_SEMANTIC_DSN": server.dsn}
    disconnect()


def test_a_build_fills_the_teams_database_with_approved_memories_alone(brain, team) -> None:
    folder = brain.repo.path
    pending(Path(folder), "00.Shared/domain/_global/mine.md")
    now = open_brain(folder, team)
    embedder = Hashed("team/1")
    built = build_vectors(now, embedder, lambda _done, _total: None)
    assert (built.count, fill_team(now, open_vectors(built.path)), fill_team(now, open_vectors(built.path))) == (
        4,
        3,
        0,
    )
    found = open_team(now, "team/1")
    hits = found.near(Hashed("team/1").vector("決済の再試行"), 1, 0.1)
    assert hits[0].path == RETRY
    new = "00.Shared/domain/_global/new.md"
    commit(Path(folder), {f"{ROOT}/{new}": memory_text(new, "New."), f"{ROOT}/{ORDER}": None})
    later = open_brain(folder, team)
    assert fill_team(later, open_vectors(build_vectors(later, embedder, lambda _done, _total: None).path)) == 1
    assert found.store.count(found.space, found.project) == 3
    with pytest.raises(DatabaseError, match="no vectors of this model yet"):
        open_team(now, "never built/1")


def test_a_project_is_called_the_same_however_it_is_cloned(brain) -> None:
    assert project_of(brain) == brain.repo.common_dir
    for url in (
        "https://git.example.com/team/docs.git",
        "git@git.example.com:team/docs.git",
        "ssh://git@h:22/team/docs",
    ):
        git(brain.repo.path, "config", "remote.origin.url", url)
        assert project_of(brain) == path_of(url) == "team/docs"


@pytest.mark.parametrize("dsn", ["host=h password=x", "postgresql://ada:x@h/db", "postgresql://h/db?password=x"])
def test_no_setting_may_hold_a_password(dsn: str) -> None:
    for config in (
        load_config({"semantic": {"dsn": dsn}}, None, {}),
        load_config({}, None, {"BRAIN_SEMANTIC_DSN": dsn}),
    ):
        with pytest.raises(ConfigError, match="holds a password") as caught:
            dsn_of(config)
        assert dsn not in str(caught.value)
    plain = "postgresql://ada@h/db"
    assert dsn_of(load_config({"semantic": {"dsn": plain}}, None, {})) == plain


def test_a_server_that_is_not_there_is_an_error_and_no_password_is_said() -> None:
    make_server()
    with pytest.raises(DatabaseError) as caught:
        connect("host=/nowhere user=ada password=s3cret dbname=x")
    assert "s3cret" not in f"{caught.value} {caught.value.hint}"

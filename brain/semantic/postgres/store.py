"""Ask and fill the vectors of a team in PostgreSQL.

Vectors are kept without their language's mean, so that one distance ranks all languages. The means are those of the
store that came first, and stay: so no row ever has to be made anew because another came.
"""

from __future__ import annotations

import logging
import struct
import time

from brain.semantic.postgres.schema import (
    GRAPH,
    GRAPH_FROM,
    DatabaseError,
    Space,
    drop_empty,
    find_space,
    list_spaces,
    make_space,
    migrate,
)
from brain.semantic.vectors import CANDIDATES, Hit
from brain.terms import LANGUAGES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar

    from psycopg import Connection
    from psycopg_pool import ConnectionPool

    T = TypeVar("T")

POOL = 8
"""Connections at most; a question holds one for some milliseconds."""
CONNECT_SECONDS = 5.0
EXACT = 2000
"""Rows up to which the filtered ones are all compared; above, the graph is walked (semantic/facts.md §2.3)."""
EF_SEARCH, MOST_EF_SEARCH = 400, 1000
"""How far the graph is walked: at 100,000 hard rows 100 kept 0.94 of the best ten, 500 kept 0.98."""
QUESTION_MS = 5000
"""Milliseconds after which the server gives a question up, whoever asked."""
LOCK_SECONDS = 0.1
GRAPH_LOCK = "*graph*"
BATCH = 1000
"""Rows sent in one transaction: what a kill of the server can cost."""


@value
class Row:
    """A memory as a project's table keeps it; ``vector`` has length 1 and no language's mean in it."""

    path: str
    key: bytes
    digest: bytes
    language: int
    status: str
    scope: str
    vector: Sequence[float]


class Store:
    """One database; safe for any number of threads and processes."""

    def __init__(self, dsn: str) -> None:
        """Connect, and make what tables are missing.

        Raises:
            DatabaseError: psycopg is not installed, or the server cannot be used.
        """
        try:
            import psycopg
            from psycopg_pool import ConnectionPool
        except ImportError:
            raise DatabaseError(
                "psycopg is not installed", "pip install '.[semantic-pg]' in Project Brain's folder"
            ) from None
        logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())  # what it says, our errors say
        self._error = psycopg.Error
        self._pool: ConnectionPool[Any] = ConnectionPool(
            dsn, min_size=1, max_size=POOL, timeout=CONNECT_SECONDS, open=False, configure=_configure,
            kwargs={"autocommit": True}, check=ConnectionPool.check_connection,
        )  # fmt: skip
        try:
            with psycopg.connect(dsn, connect_timeout=int(CONNECT_SECONDS), autocommit=True) as connection:
                migrate(connection)
            self._pool.open(wait=True, timeout=CONNECT_SECONDS)
        except psycopg.Error as error:
            self._pool.close()
            raise self._refused(error) from None

    def close(self) -> None:
        """Give all connections back."""
        self._pool.close()

    def find_space(self, fingerprint: str) -> Space | None:
        """Return the space of an embedder, None where the database has none.

        Raises:
            DatabaseError: The server gave no answer.
        """
        return self._with(lambda connection: find_space(connection, fingerprint))

    def make_space(self, fingerprint: str, dim: int, means: bytes) -> Space:
        """Return the space of an embedder, made where it is not there.

        Raises:
            DatabaseError: The server gave no answer.
        """
        return self._with(lambda connection: make_space(connection, fingerprint, dim, means))

    def near(
        self, space: Space, project: str, vector: Sequence[float], least: float, *, statuses: Sequence[str] = (),
        scopes: Sequence[str] = (), limit: int = CANDIDATES,
    ) -> list[Hit]:  # fmt: skip
        """Return a project's memories nearest to a query without its language's mean, the nearest first.

        Args:
            space: The embedder's.
            project: Whose memories.
            vector: The query, of length 1.
            least: What is less near says nothing.
            statuses: Only memories of one of these; any.
            scopes: Only memories of one of these; any.
            limit: Memories at most.

        Raises:
            DatabaseError: The server gave no answer.
        """
        where, values = _filter(project, statuses, scopes)
        asked = _literal(vector)

        def ask(connection: Connection[Any]) -> list[Any]:
            with connection.transaction():
                connection.execute("SELECT set_config('statement_timeout', %s, true)", (str(QUESTION_MS),))
                many = _count(connection, space, where, values, EXACT + 1) > EXACT
                if many:
                    depth = str(max(EF_SEARCH, min(limit, MOST_EF_SEARCH)))
                    connection.execute("SELECT set_config('hnsw.ef_search', %s, true)", (depth,))
                question = (BY_GRAPH if many else EXACTLY).format(table=space.table, where=where).encode()
                return list(connection.execute(question, {**values, "asked": asked, "limit": limit}))

        rows = self._with(ask)
        hits = [Hit(path, key, digest, language, 1.0 - far) for path, key, digest, language, far in rows]
        return sorted((hit for hit in hits if hit.cosine >= least), key=lambda hit: (-hit.cosine, hit.path))

    def fill(self, space: Space, project: str, tree: str, rows: Sequence[Row]) -> int:
        """Make a project's rows these; return how many were written.

        It goes by batches, each kept for good once it is in: after a kill of either side the next run writes what is
        missing. Two runs for one project wait for each other.

        Raises:
            DatabaseError: The server gave no answer.
        """

        def fill(connection: Connection[Any]) -> int:
            while not _try_lock(connection, space, project):
                time.sleep(LOCK_SECONDS)
            try:
                written = _fill(connection, space, project, tree, rows)
            finally:
                _unlock(connection, space, project)
            large = _count(connection, space, *_filter(project), GRAPH_FROM) >= GRAPH_FROM
            if large and not _has_graph(connection, space, project):
                while not _try_lock(connection, space, GRAPH_LOCK):  # two at once would wait for each other
                    time.sleep(LOCK_SECONDS)
                try:
                    _make_graph(connection, space, project)
                finally:
                    _unlock(connection, space, GRAPH_LOCK)
            return written

        return self._with(fill)

    def rows(self, space: Space, project: str) -> list[tuple[str, bytes, int, list[float]]]:
        """Return path, digest, language and vector of a project's memories, in no order.

        Raises:
            DatabaseError: The server gave no answer.
        """
        asked = f"SELECT path, digest, language, embedding::real[] FROM brain.{space.table} WHERE project = %s".encode()  # noqa: S608
        return self._with(lambda connection: connection.execute(asked, (project,)).fetchall())

    def count(self, space: Space, project: str) -> int:
        """Return how many memories of a project there are.

        Raises:
            DatabaseError: The server gave no answer.
        """
        return self._with(lambda connection: _count(connection, space, *_filter(project)))

    def counts(self, project: str) -> dict[str, int]:
        """Return fingerprint → how many memories of a project there are, of every embedder that has any.

        Raises:
            DatabaseError: The server gave no answer.
        """

        def count(connection: Connection[Any]) -> dict[str, int]:
            spaces = list_spaces(connection)
            found = {fingerprint: _count(connection, space, *_filter(project)) for fingerprint, space in spaces.items()}
            return {fingerprint: number for fingerprint, number in found.items() if number}

        return self._with(count)

    def drop(self, project: str, kept: str = "") -> int:
        """Take a project's rows out, those of one embedder (a fingerprint) aside; return how many there were.

        A table that is empty then is dropped; one that another project still uses stays.

        Raises:
            DatabaseError: The server gave no answer.
        """

        def drop(connection: Connection[Any]) -> int:
            gone = 0
            for fingerprint, space in list_spaces(connection).items():
                if fingerprint != kept:
                    asked = f"DELETE FROM brain.{space.table} WHERE project = %s".encode()  # noqa: S608 - our own name
                    gone += connection.execute(asked, (project,)).rowcount
            drop_empty(connection)
            return gone

        return self._with(drop)

    def _with(self, do: Callable[[Connection[Any]], T]) -> T:
        """Return what ``do`` finds with a connection of the pool."""
        try:
            with self._pool.connection() as connection:
                return do(connection)
        except self._error as error:
            raise self._refused(error) from None

    def _refused(self, error: Exception) -> DatabaseError:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return DatabaseError(f"PostgreSQL: {first}", "is the server up, and has it pgvector 0.8 or newer?")


def _fill(connection: Connection[Any], space: Space, project: str, tree: str, rows: Sequence[Row]) -> int:
    known = {
        path: (bytes(key), bytes(digest), status, scope)
        for path, key, digest, status, scope in connection.execute(
            f"SELECT path, key, digest, status, scope FROM brain.{space.table} WHERE project = %s".encode(),  # noqa: S608
            (project,),
        )
    }
    new = [row for row in rows if known.get(row.path) != (row.key, row.digest, row.status, row.scope)]
    gone = list(known.keys() - {row.path for row in rows})
    for start in range(0, len(new), BATCH):
        with connection.transaction():
            _write(connection, space, project, new[start : start + BATCH])
    with connection.transaction():
        connection.execute(GONE.format(table=space.table).encode(), (project, gone))
        connection.execute(DONE.encode(), (project, space.number, tree))
    return len(new)


def _try_lock(connection: Connection[Any], space: Space, name: str) -> bool:
    """Take a lock of this session if it is free.

    It is not waited for in the server: an index that is made concurrently waits for whoever waits there.
    """
    row = connection.execute("SELECT pg_try_advisory_lock(%s, hashtext(%s))", (space.number, name)).fetchone()
    return bool(row and row[0])


def _unlock(connection: Connection[Any], space: Space, name: str) -> None:
    if not connection.broken:  # else the server gave it back
        connection.execute("SELECT pg_advisory_unlock(%s, hashtext(%s))", (space.number, name))


def _write(connection: Connection[Any], space: Space, project: str, rows: Iterable[Row]) -> None:
    """Copy rows beside the table and take them over: a copy is ten times as fast as inserts."""
    connection.execute(BESIDE.format(table=space.table).encode())
    with connection.cursor().copy("COPY beside FROM STDIN") as copy:
        for row in rows:
            copy.write_row((
                project, row.path, row.key, row.digest, row.language, row.status, row.scope, _literal(row.vector),
            ))  # fmt: skip
    connection.execute(TAKE_OVER.format(table=space.table).encode())


def _has_graph(connection: Connection[Any], space: Space, project: str) -> bool:
    return connection.execute(WHOLE_GRAPH, (space.graph(project),)).fetchone() is not None


def _count(
    connection: Connection[Any], space: Space, where: str, values: dict[str, Any], most: int | None = None
) -> int:
    """Return how many rows a filter leaves; no more than ``most`` are counted."""
    asked = COUNT.format(table=space.table, where=where).encode()
    row = connection.execute(asked, {**values, "most": most}).fetchone()
    return int(row[0]) if row else 0


def _make_graph(connection: Connection[Any], space: Space, project: str) -> None:
    """Make a project's approximate index; one that a kill left unfinished is made anew, and the one of all goes."""
    from psycopg.sql import Literal

    if _has_graph(connection, space, project):
        return
    graph = space.graph(project)
    for old in (graph, f"{space.table}_graph"):
        connection.execute(f"DROP INDEX IF EXISTS brain.{old}".encode())
    connection.execute("SET maintenance_work_mem = '512MB'")
    named = Literal(project).as_string(connection)
    connection.execute(GRAPH.format(graph=graph, table=space.table, project=named).encode())
    connection.execute("RESET maintenance_work_mem")


EXACTLY = """
    WITH found AS MATERIALIZED (SELECT path, key, digest, language, embedding FROM brain.{table} WHERE {where})
    SELECT path, key, digest, language, embedding <=> %(asked)s::halfvec AS far FROM found ORDER BY far LIMIT %(limit)s
"""
BY_GRAPH = """
    SELECT path, key, digest, language, embedding <=> %(asked)s::halfvec AS far FROM brain.{table} WHERE {where}
    ORDER BY far LIMIT %(limit)s
"""
COUNT = "SELECT count(*) FROM (SELECT 1 FROM brain.{table} WHERE {where} LIMIT %(most)s) AS found"
BESIDE = """
    CREATE TEMP TABLE beside (LIKE brain.{table}) ON COMMIT DROP
"""
TAKE_OVER = """
    INSERT INTO brain.{table} SELECT * FROM beside ON CONFLICT (project, path) DO UPDATE SET
    key = excluded.key, digest = excluded.digest, language = excluded.language, status = excluded.status,
    scope = excluded.scope, embedding = excluded.embedding
"""
GONE = "DELETE FROM brain.{table} WHERE project = %s AND path = ANY(%s)"
DONE = """
    INSERT INTO brain.projects (name, embedder, tree) VALUES (%s, %s, %s)
    ON CONFLICT (name, embedder) DO UPDATE SET tree = excluded.tree, at = now()
"""
WHOLE_GRAPH = b"""
    SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = %s AND indisvalid
"""


def _configure(connection: Connection[Any]) -> None:
    """Set what every question needs: a filtered walk goes on until it has enough, and plans know the project."""
    connection.execute("SET hnsw.iterative_scan = relaxed_order")
    connection.execute("SET plan_cache_mode = force_custom_plan")


def _filter(project: str, statuses: Sequence[str] = (), scopes: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
    """Return the condition, made of our own words alone, and the values it names."""
    where, values = ["project = %(project)s"], {"project": project, "statuses": list(statuses), "scopes": list(scopes)}
    where += ["status = ANY(%(statuses)s)"] * bool(statuses) + ["scope = ANY(%(scopes)s)"] * bool(scopes)
    return " AND ".join(where), values


def _literal(vector: Sequence[float]) -> str:
    return "[" + ",".join([f"{number:.6g}" for number in vector]) + "]"


def mean_in(space: Space, language: int, *, query: bool) -> list[float]:
    """Return what is taken out in a language, of memories or of tickets."""
    at = (language + (len(LANGUAGES) if query else 0)) * space.dim
    return list(struct.unpack_from(f"<{space.dim}f", space.means, 4 * at))

"""The tables, and how they come to be: numbered migrations under one lock, so that any number may start at once.

A table holds the vectors of one embedder, since vectors of two must never be compared and have their own dimension. A
row is an approved memory of a project as it is now; git holds the truth, so every table may be dropped at any time.
"""

from __future__ import annotations

from zlib import crc32

from brain.errors import BrainError
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from psycopg import Connection

LOCK = 0x627261696E
"""Whoever changes tables holds this advisory lock: ``brain`` in ASCII."""
MIGRATIONS = (
    """
    CREATE TABLE brain.embedders (
        id serial PRIMARY KEY, fingerprint text NOT NULL UNIQUE, dim integer NOT NULL CHECK (dim BETWEEN 1 AND 4000),
        means bytea NOT NULL
    )
    """,
    """
    CREATE TABLE brain.projects (
        name text NOT NULL, embedder integer NOT NULL REFERENCES brain.embedders, tree text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (name, embedder)
    )
    """,
)
"""In the order they are applied; only ever added to."""
TABLE = """
    CREATE TABLE brain.{table} (
        project text NOT NULL, path text NOT NULL, key bytea NOT NULL, digest bytea NOT NULL,
        language smallint NOT NULL, status text NOT NULL, scope text NOT NULL, embedding halfvec({dim}) NOT NULL,
        PRIMARY KEY (project, path)
    )
"""
PLAIN = "ALTER TABLE brain.{table} ALTER COLUMN embedding SET STORAGE PLAIN"
"""Vectors lie in the row: fetched out of line, each distance costs six times as much (semantic/facts.md §2.3)."""
FILTER = "CREATE INDEX {table}_filter ON brain.{table} (project, status, scope)"
GRAPH = """
    CREATE INDEX CONCURRENTLY {graph} ON brain.{table}
    USING hnsw (embedding halfvec_cosine_ops) WITH (m = 16, ef_construction = 128) WHERE project = {project}
"""
"""One a project: in a graph of all, its rows are few among the others', and a walk gives up before it has them."""
GRAPH_FROM = 20_000
"""A project's rows from which an approximate index is faster than reading them all."""


class DatabaseError(BrainError):
    """PostgreSQL is not there, said no, or is another version's; no part of it holds a password."""


@value
class Space:
    """The vectors of one embedder: its number, dimension, and the means that are taken out, as little-endian floats."""

    number: int
    dim: int
    means: bytes

    @property
    def table(self) -> str:
        """The table they are in."""
        return f"vectors_{self.number}"

    def graph(self, project: str) -> str:
        """Return the name of a project's approximate index."""
        return f"{self.table}_graph_{crc32(project.encode()):08x}"


def migrate(connection: Connection[Any]) -> None:
    """Bring the tables to this version; without effect where they are there.

    Raises:
        DatabaseError: They are of a later version.
    """
    if _version(connection) == len(MIGRATIONS):
        return  # read only so far: a replica takes no more
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute("CREATE SCHEMA IF NOT EXISTS brain")
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("CREATE TABLE IF NOT EXISTS brain.version (number integer NOT NULL)")
        done = _version(connection)
        if done > len(MIGRATIONS):
            what = f"the database's tables are of version {done}, and this program knows {len(MIGRATIONS)}"
            raise DatabaseError(what, "update Project Brain here; until then recall goes on without the database")
        for number, step in enumerate(MIGRATIONS[done:], done + 1):
            connection.execute(step)
            connection.execute("INSERT INTO brain.version VALUES (%s)", (number,))


def _version(connection: Connection[Any]) -> int:
    """Return the number of the last migration that was done, 0 where none was."""
    row = connection.execute("SELECT to_regclass('brain.version')").fetchone()
    if not row or row[0] is None:
        return 0
    row = connection.execute("SELECT max(number) FROM brain.version").fetchone()
    return int(row[0] or 0) if row else 0


def find_space(connection: Connection[Any], fingerprint: str) -> Space | None:
    """Return an embedder's space, None where nothing was ever put into one."""
    row = connection.execute(
        "SELECT id, dim, means FROM brain.embedders WHERE fingerprint = %s", (fingerprint,)
    ).fetchone()
    return Space(int(row[0]), int(row[1]), bytes(row[2])) if row else None


def list_spaces(connection: Connection[Any]) -> dict[str, Space]:
    """Return fingerprint → space of every embedder, the oldest first."""
    rows = connection.execute("SELECT fingerprint, id, dim, means FROM brain.embedders ORDER BY id")
    return {str(row[0]): Space(int(row[1]), int(row[2]), bytes(row[3])) for row in rows}


def drop_empty(connection: Connection[Any]) -> None:
    """Drop the tables, with their indexes, that hold no project's rows: what other models left.

    A build that has just made its table fails then, and makes it again the next time.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        for space in list_spaces(connection).values():
            row = connection.execute(f"SELECT 1 FROM brain.{space.table} LIMIT 1".encode()).fetchone()  # noqa: S608
            if row is None:
                connection.execute("DELETE FROM brain.projects WHERE embedder = %s", (space.number,))
                connection.execute("DELETE FROM brain.embedders WHERE id = %s", (space.number,))
                connection.execute(f"DROP TABLE brain.{space.table}".encode())


def make_space(connection: Connection[Any], fingerprint: str, dim: int, means: bytes) -> Space:
    """Return an embedder's space, made where it is not there; whoever made it gave the means that count."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        space = find_space(connection, fingerprint)
        if space is None:
            connection.execute(
                "INSERT INTO brain.embedders (fingerprint, dim, means) VALUES (%s, %s, %s)", (fingerprint, dim, means)
            )
            space = find_space(connection, fingerprint)
            assert space
            for step in (TABLE, PLAIN, FILTER):
                connection.execute(step.format(table=space.table, dim=dim).encode())
    return space

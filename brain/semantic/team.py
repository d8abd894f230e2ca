"""The team's database, as the settings name it: what it is called there, what is put into it, what is asked of it."""

from __future__ import annotations

import _thread
import struct

from brain.errors import ConfigError
from brain.git.run import try_git
from brain.semantic.postgres.schema import DatabaseError
from brain.semantic.postgres.store import Row, Store, mean_in
from brain.semantic.seeds import VERSION
from brain.semantic.texts import read_sources
from brain.semantic.vectors import centred
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.semantic.postgres.schema import Space
    from brain.semantic.vectors import Hit, Vectors
    from brain.settings import Config
    from brain.workspace import Brain


@value
class Team:
    """A project in a database, in the space of one embedder."""

    store: Store
    space: Space
    project: str

    def near(self, vector: Sequence[float], language: int, least: float, *, query: bool = True) -> list[Hit]:
        """Return the memories nearest to a vector of length 1, the nearest first; see ``Vectors.near``.

        Raises:
            DatabaseError: The server gave no answer.
        """
        asked = centred(vector, mean_in(self.space, language, query=query))
        return self.store.near(self.space, self.project, asked, least)

    def rows(self) -> list[tuple[str, bytes, int, list[float]]]:
        """Return path, digest, language and vector, without that language's mean, of every memory.

        Raises:
            DatabaseError: The server gave no answer.
        """
        return self.store.rows(self.space, self.project)


def dsn_of(config: Config) -> str:
    """Return how to connect; a password is libpq's own affair (``PGPASSWORD``, ``~/.pgpass``), and in no setting.

    Raises:
        ConfigError: It is not set, or holds a password.
    """
    dsn, source = str(config["semantic.dsn"]), config.source("semantic.dsn")
    if not dsn:
        raise ConfigError(config.source("semantic.store"), "semantic.dsn", "postgres needs it", "set semantic.dsn")
    userinfo = dsn.partition("://")[2].rpartition("@")[0]
    if "password" in dsn.lower() or ":" in userinfo:
        raise ConfigError(source, "semantic.dsn", "holds a password", "put it into PGPASSWORD or ~/.pgpass")
    return dsn


def project_of(brain: Brain) -> str:
    """Return what the memory repo is called in the database: the same on every machine, however it clones."""
    named = str(brain.config["semantic.project"])
    if named:
        return named
    asked = try_git(brain.repo.path, "config", "--get", f"remote.{brain.config['memory.remote']}.url")
    return path_of(asked.out.decode("utf-8", "replace").strip()) or brain.repo.common_dir


def path_of(url: str) -> str:
    """Return a remote's path without its host.

    >>> path_of("https://git.example.com/team/docs.git"), path_of("git@git.example.com:team/docs.git")
    ('team/docs', 'team/docs')
    """
    _, scheme, rest = url.partition("://")
    path = rest.partition("/")[2] if scheme else url.partition(":")[2] or url
    return path.strip("/").removesuffix(".git")


def open_team(brain: Brain, fingerprint: str) -> Team:
    """Return the team's vectors of an embedder; connections are kept for the life of the process.

    Raises:
        ConfigError: The settings do not say where.
        DatabaseError: The server is not there, or has no vectors of this embedder.
    """
    store = connect(dsn_of(brain.config))
    space = store.find_space(called(fingerprint))
    if space is None:
        raise DatabaseError("PostgreSQL: no vectors of this model yet", "run brain semantic build")
    return Team(store, space, project_of(brain))


def called(fingerprint: str) -> str:
    """Return what the vectors of an embedder are called in the database: other seeds are another space."""
    return f"{fingerprint}/{VERSION}"


def count_team(brain: Brain, fingerprint: str) -> tuple[int, int]:
    """Return how many memories of the project the database has, of this embedder and of others.

    Raises:
        ConfigError: The settings do not say where.
        DatabaseError: The server gave no answer.
    """
    counts = connect(dsn_of(brain.config)).counts(project_of(brain))
    mine = counts.pop(called(fingerprint), 0)
    return mine, sum(counts.values())


def drop_team(brain: Brain, kept: str = "") -> int:
    """Take the project out of the database, what is of one embedder aside; return how many memories that were.

    Raises:
        ConfigError: The settings do not say where.
        DatabaseError: The server gave no answer.
    """
    return connect(dsn_of(brain.config)).drop(project_of(brain), called(kept) if kept else "")


def fill_team(brain: Brain, vectors: Vectors) -> int:
    """Put the approved memories of a whole file of vectors into the database; return how many were new there.

    Raises:
        ConfigError: The settings do not say where.
        DatabaseError: The server gave no answer; what it took before stays.
    """
    store = connect(dsn_of(brain.config))
    means = struct.pack(f"<{len(vectors.means)}f", *vectors.means)
    space = store.make_space(called(vectors.header["fingerprint"]), vectors.dim, means)
    return store.fill(space, project_of(brain), brain.tree.tree, list(_rows(brain, vectors, space)))


def _rows(brain: Brain, vectors: Vectors, space: Space) -> Iterator[Row]:
    numbers = {(vectors.path(number), vectors.key(number)): number for number in range(vectors.count)}
    means: dict[int, list[float]] = {}
    for source in read_sources(brain, drafts=False):
        number = numbers.get((source.path, source.key))
        if number is not None:
            mean = means.setdefault(source.language, mean_in(space, source.language, query=False))
            vector = centred(vectors.code(number).floats(), mean)
            yield Row(source.path, source.key, source.digest, source.language, "approved", source.scope, vector)


def connect(dsn: str) -> Store:
    """Return the store of a database, its connections open.

    Raises:
        DatabaseError: The server is not there.
    """
    with _opening:
        if dsn not in _stores:
            _stores[dsn] = Store(dsn)
        return _stores[dsn]


def is_connected(config: Config) -> bool:
    """Say whether this process has connections to the database of the settings."""
    return config["semantic.dsn"] in _stores


def disconnect() -> None:
    """Close the connections to every database."""
    with _opening:
        while _stores:
            _stores.popitem()[1].close()


_stores: dict[str, Store] = {}
_opening = _thread.allocate_lock()

"""Ask the vectors what a text means: beside the rest of a recall, and waited for no longer than a deadline.

The question is put in a thread, because loading a model from a cold disk, or an endpoint, may take any time. Whatever
goes wrong is a remark and never an error: a recall goes on without meaning, and says so.
"""

from __future__ import annotations

import _thread

from brain.errors import BrainError
from brain.index.cache import has_vectors
from brain.semantic.embedder import embed, embed_memories, fingerprint_of, is_light, model_of, open_embedder
from brain.semantic.vectors import open_vectors, vectors_path
from brain.terms import language
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.semantic.embedder import Embedder, Model
    from brain.semantic.team import Team
    from brain.semantic.vectors import Hit, Vectors
    from brain.workspace import Brain

LEAST = 0.14
"""A cosine of less says nothing, even of a memory of the ticket's own function (``recall/meaning.py``)."""
PATIENCE = 10.0
"""Seconds that must be there to load a model that is not light, or to connect to a database."""
MOST_AT_ONCE = 16
"""Questions that are worked on: where a database hangs, a service must not pile them up."""
THREADS = 1
"""For one short text more only get in each other's way."""


@value
class Meaning:
    """What a text means: its language, the memories near it, the nearest first; or a remark why that is not known."""

    language: int
    hits: tuple[Hit, ...] = ()
    remark: str = ""


class Question:
    """A question that is being answered."""

    def __init__(self, brain: Brain, text: str, seconds: float, *, query: bool = True) -> None:
        """Ask what is near a text within so many seconds; not a ``query`` is itself what a memory says."""
        self._brain, self._text, self._seconds, self._query = brain, text, seconds, query
        self._language = language(text)
        self._meaning: Meaning | None = None
        self._done = _thread.allocate_lock()
        with _counting:
            waits = len(_running) < MOST_AT_ONCE
            if waits:
                _running.add(self)
        if not waits:
            self._meaning = self._without(f"{MOST_AT_ONCE} questions before it have no answer yet")
            return
        self._done.acquire()
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        try:
            self._meaning = self._answer()
        finally:
            with _counting:
                _running.discard(self)
            self._done.release()

    def _answer(self) -> Meaning:
        try:
            model = model_of(self._brain.config)
            fingerprint = fingerprint_of(model)
            vectors = _open(self._brain, fingerprint, self._seconds)
            embedder = _loaded(model, fingerprint, self._seconds)
            if embedder is None:
                return self._without("its model takes seconds to load; a service or an endpoint has it at hand")
            texts = [self._text]
            (vector,) = embed(embedder, texts, query=True) if self._query else embed_memories(embedder, texts)
            return Meaning(self._language, tuple(vectors.near(vector, self._language, LEAST, query=self._query)))
        except FileNotFoundError:
            return self._without("no index for this model: run brain semantic build")
        except BrainError as error:
            return self._without(f"{error}{f' ({error.hint})' if error.hint else ''}")
        except (OSError, ValueError) as error:
            return self._without(str(error))

    def answer(self) -> Meaning:
        """Return the answer, at the deadline without it; once."""
        if not self._done.acquire(timeout=self._seconds):
            return self._without(f"no answer within {self._seconds * 1000:.0f} ms")
        return self._meaning or self._without("it failed")

    def _without(self, cause: str) -> Meaning:
        return Meaning(self._language, remark=f"without meaning: {cause}")


def _open(brain: Brain, fingerprint: str, seconds: float) -> Vectors | Team:
    """Return where the vectors lie: in the team's database where there is time to connect, or a connection.

    A session start has neither, and takes the file that every build makes on its machine.

    Raises:
        FileNotFoundError: No index was built.
        BrainError: It cannot be used.
    """
    if brain.config["semantic.store"] == "postgres":
        from brain.semantic.postgres.schema import DatabaseError
        from brain.semantic.team import is_connected, open_team

        if seconds >= PATIENCE or is_connected(brain.config):
            return open_team(brain, fingerprint)
        if not has_vectors(brain.repo, brain.tree.root):
            raise DatabaseError("PostgreSQL: not connected yet", "it is tried beside; ask again soon")
    return open_vectors(vectors_path(brain.repo, brain.tree.root, fingerprint))


def _loaded(model: Model, fingerprint: str, seconds: float) -> Embedder | None:
    """Return the model, loaded once a process; None where there is no time to load it."""
    with _loading:
        if fingerprint not in _models and (is_light(model) or seconds >= PATIENCE):
            from brain.environment import read_environment

            env = read_environment()
            _models[fingerprint] = open_embedder(model, env, threads=THREADS, seconds=max(seconds, PATIENCE))
        return _models.get(fingerprint)


_running: set[Question] = set()
_counting = _thread.allocate_lock()
_models: dict[str, Embedder] = {}
_loading = _thread.allocate_lock()

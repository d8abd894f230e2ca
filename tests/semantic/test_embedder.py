"""Texts in, vectors of length 1 out; which model, and what tells it from another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import ConfigError
from brain.semantic.embedder import (
    HEAD_BYTES,
    QUERY_BYTES,
    EmbedderError,
    clean,
    embed,
    embed_memories,
    fingerprint_of,
    is_light,
    model_of,
    open_embedder,
    query_text,
)
from brain.settings import load_config
from tests.semantic.conftest import needs_model
from tests.semantic.hashed import Hashed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Odd(Hashed):
    """An embedder that answers something else than it should."""

    def __init__(self, answer: list[list[float]]) -> None:
        super().__init__()
        self.answer = answer

    def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:  # noqa: ARG002
        yield from self.answer


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def model(**settings: Any) -> Any:
    return model_of(load_config({"semantic": settings}, None, {}))


def test_vectors_have_length_one_and_texts_are_cleaned() -> None:
    hashed = Hashed()
    (vector,) = embed(hashed, ["a\0b  "], query=False)
    assert math.isclose(sum(number * number for number in vector), 1.0, abs_tol=1e-6)
    assert hashed.texts == ["a b"]


@pytest.mark.parametrize(
    "answer", [[], [[1.0] * 64] * 2, [[1.0] * 63], [[0.0] * 64], [[math.nan] * 64], [[math.inf] * 64]]
)
def test_an_answer_that_is_no_vector_is_refused(answer: list[list[float]]) -> None:
    with pytest.raises(EmbedderError):
        embed(Odd(answer), ["x"], query=True)


def test_the_beginning_of_a_memory_counts_as_much_as_the_whole() -> None:
    head, rest = "決済は再試行しない。" * 8, "在庫 " * 200
    assert len(head.encode()) == HEAD_BYTES
    short, long = embed_memories(Hashed(), ["retry", head + rest])
    beginning, whole = embed(Hashed(), [head, head + rest], query=False)
    assert short == embed(Hashed(), ["retry"], query=False)[0]
    assert math.isclose(cosine(long, long), 1.0, abs_tol=1e-6)
    assert cosine(long, beginning) == pytest.approx(cosine(long, whole))
    assert cosine(long, beginning) > cosine(whole, beginning) + 0.1


def test_a_text_that_is_all_beginning_is_embedded_once() -> None:
    hashed = Hashed()
    embed_memories(hashed, ["a" * HEAD_BYTES, " b\0 ", "c" * (HEAD_BYTES + 1)])
    assert hashed.texts == ["a" * HEAD_BYTES, "b", "c" * (HEAD_BYTES + 1), "c" * HEAD_BYTES]


@given(st.text())
def test_any_text_becomes_one_that_a_model_takes(text: str) -> None:
    cleaned = clean(text)
    assert cleaned
    assert "\0" not in cleaned
    assert clean(cleaned) == cleaned
    cleaned.encode()


def test_both_ways_to_write_a_mark_are_one_text() -> None:
    assert clean("hóa đơn") == clean("hóa đơn")


@given(st.text(), st.text())
def test_of_a_ticket_whole_characters_are_taken_its_title_first(title: str, description: str) -> None:
    text = query_text(title, description)
    assert len(text.encode()) <= QUERY_BYTES
    whole = f"{title}\n{description}".strip().encode("utf-8", "replace").decode()
    assert whole.startswith(text)
    assert len(text) == len(whole) or len(text.encode()) > QUERY_BYTES - 4


def test_what_changes_vectors_changes_the_fingerprint() -> None:
    one = {"embedder": "endpoint", "model": "m", "url": "http://h/v1"}
    models = [
        model(**one), model(**{**one, "model": "n"}), model(**{**one, "queryPrefix": "q: "}),
        model(**{**one, "passagePrefix": "p: "}), model(embedder="sentence-transformers", model="m"),
    ]  # fmt: skip
    assert len({fingerprint_of(item) for item in models}) == len(models)
    assert fingerprint_of(models[0]) == fingerprint_of(model(**one))


def test_another_model_in_the_same_folder_is_another_one(tmp_path: Path) -> None:
    asked = model(embedder="sentence-transformers", model=str(tmp_path))
    before = fingerprint_of(asked)
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    after = fingerprint_of(asked)
    assert before != after == fingerprint_of(asked)


def test_a_model_known_for_prefixes_gets_them() -> None:
    assert (model(embedder="sentence-transformers").query_prefix, model().query_prefix) == ("query: ", "")
    other = model(embedder="sentence-transformers", model="all-MiniLM-L6-v2")
    assert (other.query_prefix, other.passage_prefix) == ("", "")
    assert not is_light(other)


@pytest.mark.parametrize("settings", [{"model": "m"}, {"url": "http://h/v1"}])
def test_an_endpoint_needs_address_and_model(settings: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"semantic\.(url|model): an endpoint needs it"):
        model(embedder="endpoint", **settings)


@needs_model
def test_the_packaged_model_brings_languages_together() -> None:
    packaged = open_embedder(model(), {}, threads=1)
    texts = ["Retry the payment at most twice.", "決済の再試行は最大二回まで。", "The stock list is printed at night."]
    english, japanese, other = embed(packaged, texts, query=False)
    (asked,) = embed(packaged, ["支払いをやり直す回数"], query=True)

    def cosine(one: Sequence[float], two: Sequence[float]) -> float:
        return sum(a * b for a, b in zip(one, two, strict=True))

    assert packaged.dim == 384
    assert cosine(english, japanese) > cosine(other, japanese)
    assert cosine(asked, english) > cosine(asked, other)
    assert embed(packaged, texts[:1], query=True)[0] != english
    assert embed(packaged, [""], query=False)[0][0] == pytest.approx(embed(packaged, [" \0"], query=False)[0][0])


@needs_model
def test_a_batch_gives_what_each_text_gives_alone() -> None:
    packaged = open_embedder(model(), {}, threads=1)
    texts = [f"Text number {number} of many." for number in range(40)]
    together = embed(packaged, texts, query=False)
    alone = [embed(packaged, [text], query=False)[0] for text in texts[30:34]]
    assert [list(one) for one in together[30:34]] == [pytest.approx(list(one), abs=1e-5) for one in alone]

"""The sentence-transformers adapter, on two tiny models that are built here: nothing is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brain.semantic.embedder import EmbedderError, embed, fingerprint_of, model_of, open_embedder
from brain.settings import load_config

if TYPE_CHECKING:
    from pathlib import Path

sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra semantic-st is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the libraries say of each other


def settings(folder: Path, **more: str) -> Any:
    return model_of(
        load_config({"semantic": {"embedder": "sentence-transformers", "model": str(folder), **more}}, None, {})
    )


@pytest.fixture(scope="module")
def static_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of a vector a character."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    characters = sorted(set("abcdefghijklmnopqrstuvwxyz: 決済再試行đơnhàng"))
    tokenizer = Tokenizer(models.WordLevel({name: at for at, name in enumerate(["[UNK]", *characters])}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("static") / "日本 model"
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=16)], device="cpu").save(str(folder))
    return folder


def test_a_folder_on_this_machine_embeds(static_model: Path) -> None:
    model = settings(static_model)
    transformer = open_embedder(model, {}, threads=1)
    vectors = embed(transformer, ["retry", "決済", "x" * 5000], query=False)
    assert (transformer.dim, transformer.fingerprint) == (16, fingerprint_of(model))
    assert list(vectors[0]) == pytest.approx(list(embed(transformer, ["retry"], query=True)[0]))
    assert list(vectors[0]) != pytest.approx(list(vectors[1]))


def test_prefixes_are_put_before_texts(static_model: Path) -> None:
    bare = open_embedder(settings(static_model), {})
    prefixed = open_embedder(settings(static_model, queryPrefix="query: ", passagePrefix="passage: "), {})
    assert list(embed(prefixed, ["a"], query=True)[0]) == pytest.approx(list(embed(bare, ["query: a"], query=True)[0]))
    assert list(embed(prefixed, ["a"], query=False)[0]) == pytest.approx(
        list(embed(bare, ["passage: a"], query=False)[0])
    )
    assert prefixed.fingerprint != bare.fingerprint


def test_a_folder_that_is_no_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        open_embedder(settings(tmp_path), {})

"""The meaning term of a recall: what it brings in, what it counts, and that it is not there where nothing is asked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brain.recall.recall import recall
from brain.semantic import ask
from brain.semantic.ask import Meaning, Question
from brain.semantic.build import build_vectors
from brain.semantic.embedder import fingerprint_of, model_of, open_embedder
from brain.semantic.vectors import Hit, blob_key
from brain.terms import CJK, LATIN
from brain.workspace import open_brain
from tests.semantic.conftest import EXPORT, ORDER, RETRY, needs_model
from tests.semantic.hashed import Hashed
from tests.support.recall import TODAY, ticket_of
from tests.support.repos import ROOT, commit, make_memory_repo, memory_text, pending

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brain.recall.recall import Recall

PROJECT = Path(__file__).resolve().parents[2]
ENDPOINT = {
    "BRAIN_SEMANTIC_EMBEDDER": "endpoint", "BRAIN_SEMANTIC_MODEL": "hashed", "BRAIN_SEMANTIC_URL": "http://nowhere.invalid/v1",
    "BRAIN_SEMANTIC_DEADLINE": "5000",
}  # fmt: skip
"""A model that this process has at hand already: it is never asked over the net."""
JAPANESE: dict[str, Any] = {"title": "決済の再試行", "workflow": "coding"}


@pytest.fixture
def hashed(store: Path) -> Iterator[Hashed]:
    """The small embedder, loaded, and a store with its vectors."""
    fingerprint = fingerprint_of(model_of(open_brain(str(store), ENDPOINT).config))
    embedder = Hashed(fingerprint)
    ask._models[fingerprint] = embedder
    build(store, embedder)
    yield embedder
    del ask._models[fingerprint]


def build(store: Path, embedder: Hashed) -> None:
    build_vectors(open_brain(str(store), ENDPOINT), embedder, lambda _done, _total: None)


def ask_store(store: Path, env: Mapping[str, str] = ENDPOINT, **ticket: Any) -> Recall:
    return recall(open_brain(str(store), env), ticket_of(**ticket), TODAY, 0)


def terms(found: Recall) -> dict[str, float]:
    return {item.memory.path: item.terms.get("meaning", -1.0) for item in found.chosen}


def test_a_japanese_ticket_finds_the_english_memory_that_shares_no_word(store: Path, hashed: Hashed) -> None:
    found = ask_store(store, **JAPANESE)
    assert found.remark == ""
    first = found.chosen[0]
    assert first.memory.path == RETRY
    assert first.terms["meaning"] == 22.0
    assert first.terms["text"] == first.terms["tags"] == first.terms["function"] == 0.0
    assert first.score == round(sum(first.terms.values()), 6)
    assert ask_store(store, {"BRAIN_SEMANTIC_ENABLED": "false"}, **JAPANESE).chosen[0].memory.path != RETRY


@pytest.mark.parametrize(
    "env",
    [{"BRAIN_SEMANTIC_ENABLED": "false"}, {"BRAIN_RECALL_SCORER": "rule"}, {"BRAIN_WEIGHTS_MEANING": "0"}],
)
def test_where_it_is_off_nothing_is_asked_and_no_term_is_shown(
    store: Path, hashed: Hashed, env: dict[str, str]
) -> None:
    hashed.texts.clear()
    found = ask_store(store, {**ENDPOINT, **env}, keywords=["pay"], **JAPANESE)
    assert hashed.texts == []
    assert found.chosen
    assert all("meaning" not in item.terms for item in found.chosen)
    assert found.remark == ""


def test_without_an_index_it_is_as_if_it_were_not_there(store: Path) -> None:
    found = ask_store(store, {}, keywords=["pay"], **JAPANESE)
    assert (terms(found)[RETRY], found.remark) == (-1.0, "")


def test_an_index_of_another_model_is_not_used_and_that_is_said(store: Path, hashed: Hashed) -> None:
    found = ask_store(store, {**ENDPOINT, "BRAIN_SEMANTIC_MODEL": "other"}, keywords=["pay"], **JAPANESE)
    assert "brain semantic build" in found.remark
    assert terms(found)[RETRY] == -1.0


def test_what_comes_late_is_left_out_and_that_is_said(
    store: Path, hashed: Hashed, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    free = threading.Event()
    plain = Hashed.vector
    monkeypatch.setattr(Hashed, "vector", lambda self, text: free.wait(30) and plain(self, text))
    found = ask_store(store, {**ENDPOINT, "BRAIN_SEMANTIC_DEADLINE": "30"}, keywords=["pay"], **JAPANESE)
    free.set()
    assert found.remark == "without meaning: no answer within 30 ms"
    assert terms(found)[RETRY] == -1.0


def test_a_model_that_fails_is_left_out_and_that_is_said(store: Path, hashed: Hashed) -> None:
    hashed.dim = 7
    found = ask_store(store, keywords=["pay"], **JAPANESE)
    assert found.remark.startswith("without meaning: ")
    assert found.chosen


def test_a_memory_that_says_something_else_by_now_is_not_near(store: Path, hashed: Hashed) -> None:
    commit(store, {f"{ROOT}/{RETRY}": memory_text(RETRY, "Repaint the wall.", workflows=("none",))})
    assert RETRY not in terms(ask_store(store, **JAPANESE))
    build(store, hashed)
    assert RETRY not in terms(ask_store(store, **JAPANESE))


def test_one_whose_other_lines_changed_is_still_near(store: Path, hashed: Hashed) -> None:
    file = store / ROOT / RETRY
    commit(store, {f"{ROOT}/{RETRY}": file.read_text().replace("hits: 0", "hits: 3")})
    assert terms(ask_store(store, **JAPANESE))[RETRY] == 22.0


def test_a_removed_memory_is_not_near(store: Path, hashed: Hashed) -> None:
    commit(store, {f"{ROOT}/{RETRY}": None})
    assert RETRY not in terms(ask_store(store, **JAPANESE))


def test_a_draft_is_near_too(store: Path, hashed: Hashed) -> None:
    draft = "00.Shared/domain/_global/mine.md"
    pending(store, draft, body="Retry payment, mine.", workflows=("none",))
    build(store, hashed)
    assert terms(ask_store(store, **JAPANESE))[draft] > 0


def test_in_its_own_language_it_counts_a_fifth_and_under_a_function_nothing(store: Path, hashed: Hashed) -> None:
    english = {"title": "retry payment", "workflow": "coding"}
    assert terms(ask_store(store, **english))[RETRY] == pytest.approx(22.0 * 0.2)
    assert terms(ask_store(store, functionId="F-001_Pay", **english))[RETRY] == 0.0
    assert terms(ask_store(store, functionId="F-001_Pay", **JAPANESE))[RETRY] == 22.0


def test_a_ticket_that_says_nothing_asks_nothing(store: Path, hashed: Hashed) -> None:
    hashed.texts.clear()
    ask_store(store, keywords=["pay"])
    assert hashed.texts == []


@pytest.mark.parametrize("limit", range(1, 6))
@pytest.mark.parametrize("workflow", ["coding", "none"])
def test_the_few_best_are_the_first_of_all(limit: int, workflow: str, store: Path, hashed: Hashed) -> None:
    bodies = ("Retry.", "Payment of the stock.", "決済は夜。", "Thử lại.", "Repaint the wall.", "再試行の在庫")
    names = [f"01.Lessons/dev/F-00{number % 4}/n{number:02}.md" for number in range(30)]
    commit(store, {f"{ROOT}/{name}": memory_text(name, bodies[at % 6], tags=(f"t{at % 3}",), confidence=at % 7 / 10,
                                                  workflows=(("coding",), ("none",))[at % 2]) for at, name in enumerate(names)})  # fmt: skip
    build(store, hashed)
    brain = open_brain(str(store), ENDPOINT)
    for ticket in (JAPANESE, {"title": "retry stock"}, {"title": "再試行", "keywords": ["t1"]}):
        asked = ticket_of(**{**ticket, "workflow": workflow})
        whole = [item.memory.path for item in recall(brain, asked, TODAY, 0).chosen]
        assert [item.memory.path for item in recall(brain, asked, TODAY, limit).chosen] == whole[:limit]


def test_only_the_best_row_makes_a_full_sign() -> None:
    from brain.recall.meaning import match_meaning
    from tests.support.recall import memory, segment

    memories = [memory(f"00.Shared/domain/_global/m{number}.md", body=f"Body {number}.") for number in range(4)]
    pages = segment(memories)
    texts = dict(map(pages.record, range(4)))
    cosines = (0.8, 0.56, 0.33, 0.3)
    hits = [
        Hit(item.path, blob_key(texts[item.path]), b"", CJK, cosine)
        for item, cosine in zip(memories, cosines, strict=True)
    ]
    near, mine = match_meaning(
        Meaning(LATIN, tuple(hits)), [(pages, frozenset(), False), (pages, frozenset({0}), True)], own=0.2
    )
    number = {pages.record(at)[0]: at for at in range(4)}
    assert {at: round(sign, 6) for at, sign in near.signs.items()} == {
        number[memories[0].path]: 1.0, number[memories[1].path]: 0.5, number[memories[2].path]: round((0.4125 - 0.4) / 0.6, 6),
    }  # fmt: skip
    assert near.clear == frozenset(near.signs)
    assert set(mine.signs) == set(near.signs) - {0}


@pytest.mark.parametrize(("inside", "sign"), [(frozenset({0}), (0.18 / 0.35 - 0.4) / 0.6), (frozenset(), 0.05 / 0.6)])
def test_in_the_tickets_own_function_a_faint_nearness_says_what_comes_first(
    inside: frozenset[int], sign: float
) -> None:
    from brain.recall.meaning import match_meaning
    from tests.support.recall import memory, segment

    item = memory("00.Shared/domain/F-001_Pay/m1.md", body="Body.")
    pages = segment([item])
    hits = (Hit(item.path, blob_key(pages.record(0)[1]), b"", CJK, 0.18),)
    (near,) = match_meaning(Meaning(LATIN, hits), [(pages, frozenset(), False)], own=0.2, inside=[inside])
    assert near.signs == {0: pytest.approx(sign)}
    assert near.clear == frozenset()


def test_a_question_is_answered_beside_its_asker(store: Path, hashed: Hashed) -> None:
    question = Question(open_brain(str(store), ENDPOINT), "決済の再試行", 5.0)
    meaning = question.answer()
    assert (meaning.language, meaning.hits[0].path, meaning.remark) == (CJK, RETRY, "")
    assert {hit.path for hit in meaning.hits} <= {RETRY, EXPORT, ORDER}


def test_json_and_table_show_the_term(
    store: Path, hashed: Hashed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.support.program import Run

    for name, text in ENDPOINT.items():
        monkeypatch.setenv(name, text)
    brain = Run(store, capsys, monkeypatch)
    _, out, err = brain("recall", "決済の再試行", "--json")
    assert json.loads(out)["memories"][0]["terms"]["meaning"] == 22.0
    assert err == ""
    _, out, _ = brain("recall", "決済の再試行", "--explain")
    assert "meaning" in out.splitlines()[1]
    monkeypatch.setenv("BRAIN_SEMANTIC_MODEL", "other")
    _, out, err = brain("recall", "決済の再試行", "--keyword", "pay", "--json")
    assert "meaning" not in out
    assert err == "brain: without meaning: no index for this model: run brain semantic build\n"


def test_a_translation_of_what_is_there_is_a_near_duplicate(store: Path, hashed: Hashed) -> None:
    from brain.similar import find_similar
    from tests.support.recall import memory

    brain = open_brain(str(store), ENDPOINT)
    mine = memory("00.Shared/domain/_global/mine.md", body="決済は再試行。\n\n**適用：** 再試行。", tags=("other",))
    assert [(row.path, row.draft) for row in find_similar(brain, mine)] == [(RETRY, False)]
    english = memory("00.Shared/domain/_global/mine.md", body="Payment: retry. retry", tags=("other",))
    assert find_similar(brain, english) == []  # words judge within a language
    assert find_similar(open_brain(str(store), {"BRAIN_SEMANTIC_ENABLED": "false"}), mine) == []
    itself = memory(RETRY, body=mine.body, tags=("other",))
    assert find_similar(brain, itself) == []


@needs_model
def test_the_japanese_question_of_the_readme_finds_its_english_memory(tmp_path: Path) -> None:
    readme = (PROJECT / "README.md").read_text("utf-8")
    told = re.search(r'brain remember "(.+?)" --apply "(.+?)"', readme)
    asked = re.search(r'brain semantic build\n\$ brain recall "(.+?)"', readme)
    assert told
    assert asked
    assert asked[0].split("\n")[1] in (PROJECT / "docs" / "recall.md").read_text("utf-8")
    lesson = "01.Lessons/dev/_global/export.md"
    text = memory_text(lesson, f"{told[1]}\n\n**Apply:** {told[2]}", tags=("deploy", "orders"), workflows=("coding",))
    repo = make_memory_repo(tmp_path / "memory", {lesson: text}, '[recall]\nscorer = "hybrid"\n')
    brain = open_brain(str(repo), {"BRAIN_SEMANTIC_DEADLINE": "60000"})
    assert recall(brain, ticket_of(title=asked[1]), TODAY, 0).chosen == []
    build_vectors(brain, open_embedder(model_of(brain.config), {}, threads=1), lambda _done, _total: None)
    assert [item.memory.path for item in recall(brain, ticket_of(title=asked[1]), TODAY, 0).chosen] == [lesson]


def test_search_finds_by_meaning_what_words_do_not(store: Path, hashed: Hashed) -> None:
    from brain.search import search_all

    with_it, without = (open_brain(str(store), env) for env in (ENDPOINT, {"BRAIN_SEMANTIC_ENABLED": "false"}))
    assert RETRY in [row.memory.path for row in search_all(with_it, "決済の再試行").found]
    assert RETRY not in [row.memory.path for row in search_all(without, "決済の再試行").found]
    other = open_brain(str(store), {**ENDPOINT, "BRAIN_SEMANTIC_MODEL": "other"})
    searched = search_all(other, "在庫")
    assert [row.memory.path for row in searched.found] == [EXPORT]
    assert "brain semantic build" in searched.remark

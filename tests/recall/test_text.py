"""The text term: what a match is worth, in every language, and what drafts may not change (SPEC §4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brain.recall.recall import recall
from brain.recall.text import FLOOR, WEAK, Match, earned, match_text, query_terms
from tests.support.recall import F3, TODAY, brain_of, ids, memory, part_of, segment, terms_of, ticket_of

if TYPE_CHECKING:
    from pathlib import Path

    from brain.memory import Memory

HYBRID = {"recall": {"scorer": "hybrid"}}
DOMAIN = "00.Shared/domain/_global"


def match(
    title: str, memories: list[Memory], drafts: list[Memory] | None = None, description: str = ""
) -> dict[str, Match]:
    """Return slug → match."""
    part, mine = part_of(segment(memories)), segment(drafts) if drafts else None
    found = match_text(query_terms(title, description), [part], mine)
    pages = [part.segment] + ([mine] if mine else [])
    return {
        page.memory(number).place.slug: hit
        for page, hits in zip(pages, found, strict=True)
        for number, hit in hits.items()
    }


CROWD = [memory(f"00.Shared/domain/F-9/c{n}.md", body=f"else {n}") for n in range(30)]


def said(slug: str, body: str, **fields: Any) -> Memory:
    return memory(f"{DOMAIN}/{slug}.md", body=body, **fields)


def test_the_title_counts_twice_and_marks_half() -> None:
    found = query_terms("flux đơn", "flux tank")
    assert {term: round(weight, 4) for term, weight in found.items()} == {
        "flux": 2.0986,
        "đơn": 0.8466,
        "don": 1.6931,
        "tank": 1.0,
    }
    assert query_terms("在庫", "") == {"在庫": pytest.approx(0.8466, abs=1e-4)}


@pytest.mark.parametrize(("worth", "part"), [(0.0, 0.0), (2.0, 0.0), (3.0, 0.5), (4.0, 1.0), (9.0, 1.0)])
def test_a_match_outside_the_tickets_functions_earns_its_term(worth: float, part: float) -> None:
    assert earned(worth) == part


def test_the_best_has_the_whole_share_and_noise_none() -> None:
    found = match(
        "flux capacitor overheats",
        [
            said("a", "flux capacitor overheats"),
            said("b", "the flux"),
            said("c", "else"),
            said("d", "x y z " * 300 + "flux"),
            *CROWD,
        ],
    )
    assert found["a"].share == 1.0
    assert WEAK <= found["b"].share < 0.6
    assert "c" not in found
    assert "d" not in found


def test_a_word_of_one_memory_is_worth_about_one_and_a_common_one_little() -> None:
    crowd = [said(f"c{n}", f"common {n}") for n in range(40)]
    unique, common = (
        match("flux", [*crowd, said("a", "flux")])["a"],
        match("common", [*crowd, said("a", "common")])["a"],
    )
    assert 1.0 < unique.worth < 2.5
    assert common.worth < 0.01


def test_strength_needs_most_of_what_is_said_and_rare_words() -> None:
    store = [said("a", "flux capacitor overheats"), *(said(f"c{n}", f"else {n}") for n in range(20))]
    assert match("flux capacitor overheats", store)["a"].strength > FLOOR
    assert match("flux " + " ".join(f"w{n}x" for n in range(20)), store)["a"].strength < FLOOR


def test_each_language_has_its_own_best() -> None:
    store = [
        said("en", "payment retry payment retry limit exceeded twice"),
        said("ja", "支払いの再試行"),
        said("vi", "Thử lại thanh toán đơn hàng"),
    ]
    found = match("payment retry limit exceeded 支払い thanh toán", store)
    assert {slug: hit.share for slug, hit in found.items()} == {"en": 1.0, "ja": 1.0, "vi": 1.0}


@pytest.mark.parametrize(
    ("title", "slug"),
    [("在庫の出力が遅い", "ja"), ("ざいこ 在庫出力", "ja"), ("xuất kho bị khóa", "vi"), ("xuat kho bi khoa", "vi"), ("StockExport fails", "en"), ("ＳＴＯＣＫ ｅｘｐｏｒｔ", "en"), ("f-003", "en"), ("F003", "en")],
)  # fmt: skip
def test_words_match_in_every_script_and_spelling(title: str, slug: str) -> None:
    store = [
        said("ja", "夜間の在庫出力は遅い。"),
        said("vi", "Đơn hàng bị khoá khi xuất kho."),
        said("en", "Stock export of F-003 fails."),
        said("no", "Nothing."),
    ]
    assert set(match(title, store)) == {slug}


def test_hook_tags_and_aliases_are_matched_too() -> None:
    store = [
        said("a", "x", hook="flux first"),
        said("b", "x", tags=("flux",)),
        said("c", "x", aliases=("Flux",)),
        said("d", "x", source="flux"),
    ]
    assert set(match("flux", store)) == {"a", "b", "c"}


def test_where_functions_narrow_the_store_a_match_outside_has_to_earn_its_term(tmp_path: Path) -> None:
    outside = said("out", "flux tank", tags=("a",))
    inside = memory(f"00.Shared/domain/{F3}/in.md", body="capacitor valve", tags=("b",))
    ticket: dict[str, Any] = {"title": "flux tank capacitor valve", "keywords": ["a"]}
    brain = brain_of(tmp_path, [outside, inside, *CROWD], settings=HYBRID)
    assert terms_of(brain, outside.id, **ticket)["text"] == 8.0
    narrowed = terms_of(brain, outside.id, functionId="F-003", **ticket)
    assert 0 < narrowed.get("text", 0.0) < 8.0
    assert terms_of(brain, inside.id, functionId="F-003", **ticket)["text"] == 8.0
    assert terms_of(brain, outside.id, functionId="F-8", **ticket)["text"] == 8.0  # the store knows no F-8


def test_where_refs_cover_the_tickets_files_words_count_half(tmp_path: Path) -> None:
    store = [said("words", "flux"), said("half", "x", refs=("a.py",)), said("none", "x", refs=("z.py",))]
    brain = brain_of(tmp_path, store, settings=HYBRID)
    assert terms_of(brain, "mem-global-words", title="flux")["text"] == 8.0
    assert terms_of(brain, "mem-global-words", title="flux", files=["a.py", "b.py"])["text"] == 6.0
    assert terms_of(brain, "mem-global-words", title="flux", files=["a.py"])["text"] == 4.0
    assert terms_of(brain, "mem-global-words", title="flux", files=["b.py"])["text"] == 8.0


DRAFTS = [
    said("best", "flux capacitor overheats flux capacitor overheats", tags=("t",)),
    memory(f"00.Shared/domain/{F3}/mine.md", body="flux", refs=("src/a.py",)),
    *(said(f"d{n:02}", f"w{n:02}x w{n + 1:02}x w{n + 2:02}x") for n in range(80)),
]  # fmt: skip


@pytest.mark.parametrize("scorer", ["rule", "hybrid"])
def test_drafts_do_not_change_the_order_of_what_the_team_shares(tmp_path: Path, scorer: str) -> None:
    store = [
        said("a", "flux and more of other things"),
        said("b", "the capacitor here", tags=("a",)),
        *(said(f"c{n}", f"overheats {n} rarely w99x") for n in range(9)),
    ]
    ticket: dict[str, Any] = {
        "title": "flux capacitor overheats",
        "description": " ".join(f"w{n:02}x" for n in range(100)),
        "keywords": ["a"],
        "functionId": "F-003",
        "files": ["src/a.py"],
    }
    settings = {"recall": {"scorer": scorer}}

    def shared(drafts: list[Memory]) -> list[tuple[str, float, dict[str, float]]]:
        found = recall(
            brain_of(tmp_path, store, drafts=drafts, settings=settings), ticket_of(**ticket), TODAY, 0
        ).chosen
        return [(item.memory.id, item.score, item.terms) for item in found if item.memory.status == "approved"]

    assert shared(DRAFTS) == shared([])


def test_a_draft_is_found_by_its_words(tmp_path: Path) -> None:
    draft = said("d", "flux capacitor")
    assert ids(brain_of(tmp_path, [], drafts=[draft], settings=HYBRID), title="flux capacitor") == [draft.id]
    assert terms_of(
        brain_of(tmp_path, [said("x", "flux")], drafts=[draft], settings=HYBRID), draft.id, title="flux capacitor"
    ) == {"text": 8.0, "pending": -0.5}


def test_no_words_no_matches(tmp_path: Path) -> None:
    assert match("", [said("a", "flux")]) == {}
    assert match("?!", [said("a", "flux")]) == {}
    assert match("flux", []) == {}
    assert ids(brain_of(tmp_path, settings=HYBRID), title="flux") == []

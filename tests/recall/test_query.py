"""Keywords: given ones folded, and known tags that the title or description speaks of (SPEC §4.2)."""

from __future__ import annotations

from typing import Any

import pytest

from brain.index.cache import Part
from brain.recall.query import make_query
from tests.support.recall import memory, part_of, segment, ticket_of

STORE = [
    memory("00.Shared/domain/_global/a.md", tags=("order", "stock-export", "api", "node.js", "c++", "don-hang")),
    memory(
        "00.Shared/glossary/juchu.md", tags=("order-entry", "sales"), aliases=("受注", "đơn đặt hàng", "sales order")
    ),
    memory("00.Shared/domain/_global/b.md", tags=("noise",), aliases=("受注", "sales order")),
    memory("01.Lessons/dev/_global/c.md", tags=("rollback", "deploy"), aliases=("切り戻し", "hoàn tác")),
]


def query(**ticket: Any) -> Any:
    return make_query(ticket_of(**ticket), [Part(segment(STORE))])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["Đơn hàng"], {"don-hang"}),
        (["ＡＰＩ", "Ｏｒｄｅｒ"], {"api", "order"}),
        (["  Stock   Export ", ""], {"stock-export"}),
        (["Đơn hàng", "don-hang"], {"don-hang"}),
        (["unknown"], {"unknown"}),
        (["受注"], {"受注"}),
    ],
)
def test_given_keywords_are_folded(given: list[str], expected: set[str]) -> None:
    assert query(keywords=given).keywords == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Order twice", {"order"}),
        ("Export stock", set()),
        ("the stock export fails", {"stock-export"}),
        ("Stock_Export!", {"stock-export"}),
        ("fix StockExport", {"stock-export"}),
        ("ＡＰＩの変更", {"api"}),
        ("在庫apiの変更", {"api"}),
        ("Rapid apiary", set()),
        ("orders", set()),
        ("Node.js 20", {"node.js"}),
        ("Sửa Đơn hàng lỗi", {"don-hang"}),
        ("受注を直す", {"order-entry", "sales"}),
        ("発受注番号", {"order-entry", "sales"}),
        ("受け注ぐ", set()),
        ("Sales order list", {"order-entry", "sales", "order"}),
        ("đơn ĐẶT hàng", {"order-entry", "sales"}),
        ("切り戻し手順", {"rollback", "deploy"}),
        ("hoan tac deploy", {"rollback", "deploy"}),
        ("", set()),
    ],
)
def test_known_tags_are_found_in_text(text: str, expected: set[str]) -> None:
    for field in ("title", "description"):
        found = query(**{field: text})
        assert (found.keywords, found.spotted) == (expected, expected)


def test_an_alias_means_its_glossary_before_any_other_memory() -> None:
    assert "noise" not in query(title="受注").keywords
    without = make_query(ticket_of(title="受注"), [Part(segment(STORE[2:]))])
    assert without.keywords == {"noise"}


def test_a_glossary_counts_in_whichever_part_it_lies() -> None:
    parts = [Part(segment([STORE[2]])), Part(segment([STORE[1]]))]
    assert make_query(ticket_of(title="受注"), parts).keywords == {"order-entry", "sales"}


def test_words_do_not_run_over_from_title_to_description() -> None:
    assert query(title="the stock", description="export").keywords == set()


def test_what_is_given_was_not_read_from_the_text() -> None:
    found = query(title="Order by api", keywords=["order"])
    assert (found.keywords, found.spotted) == ({"order", "api"}, {"api"})


def test_a_memory_that_is_gone_makes_nothing_known() -> None:
    pages = segment(STORE)
    assert make_query(ticket_of(title="受注 api 切り戻し"), [part_of(pages, range(len(STORE)))]).keywords == set()


def test_a_draft_makes_its_tags_known_to_its_writer() -> None:
    assert make_query(
        ticket_of(title="new-thing"), [], segment([memory("00.Shared/glossary/n.md", tags=("new-thing",))])
    ).keywords == {"new-thing"}


def test_functions_count_by_their_short_code() -> None:
    assert query(functionIds=["F-003_Payment", "f003", "F.004"], functionId="___").codes == {"f003", "f004"}

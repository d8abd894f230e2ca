"""Near duplicates and opposite advice, in three languages; what is only alike is no contradiction."""

from __future__ import annotations

import random

import pytest

from brain.layout import find_place
from brain.memory import Memory
from brain.similar import NEAR, compared_text, shingles, similarity
from brain.tend.pairs import Pair, find_contradictions, find_duplicates, opposed

AGAINST = [
    ("Always retry a failed payment twice.", "Never retry a failed payment twice."),
    ("Retry a failed payment 3 times.", "Retry a failed payment 5 times."),
    ("Enable the cache in tests.", "Disable the cache in tests."),
    ("Don't call the ledger in a transaction.", "Call the ledger in a transaction."),
    ("Gọi API trước khi lưu đơn hàng.", "Gọi API sau khi lưu đơn hàng."),
    ("Không gọi API đồng bộ trong job đêm.", "Gọi API đồng bộ trong job đêm."),
    ("Dùng hàng đợi cho đơn hàng.", "Đừng dùng hàng đợi cho đơn hàng."),
    ("在庫の出力は朝に行う。", "在庫の出力は朝に行わない。"),
    ("夜間バッチの前に締め処理を行う。", "夜間バッチの後に締め処理を行う。"),
]
ALIKE = [
    ("Count the tries.", "Count the tries"),
    ("Use the queue for orders.", "Ship orders before noon."),
    ("Do not share a queue between tenants.", "Never share a queue between tenants."),
    ("Dùng hàng đợi cho đơn hàng.", "Nên dùng hàng đợi cho đơn hàng."),
    ("朝は避ける。", "朝には行わない。"),
    ("Never commit keys.", "Log the order number."),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), AGAINST)
def test_opposite_advice_is_seen_from_both_sides(one: str, other: str) -> None:
    assert opposed(one, other) == opposed(other, one) >= 0.4


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_advice_that_agrees_or_is_of_other_things_is_none(one: str, other: str) -> None:
    assert opposed(one, other) == opposed(other, one) == 0.0


def memory(name: str, body: str, *tags: str, folder: str = "F-003_Payment") -> Memory:
    place = find_place(f"01.Lessons/dev/{folder}/{name}.md")
    assert place
    return Memory(place, ("coding",), tags, 0.5, "T-1", "approved", 0, "2026-01-01", body)


def test_a_contradiction_needs_the_same_tags_and_one_ticket_that_reads_both() -> None:
    one = memory("a", "A.\n\n**Apply:** always retry the payment.", "payment", "retry")
    other = memory("b", "B.\n\n**Apply:** never retry the payment.", "payment", "retry")
    elsewhere = memory("c", "C.\n\n**Apply:** never retry the payment.", "payment", "retry", folder="F-004_Stock")
    tagged = memory("d", "D.\n\n**Apply:** never retry the payment.", "stock", "export")
    found = find_contradictions([one, other, elsewhere, tagged])
    assert [(pair.one, pair.other) for pair in found] == [(one.path, other.path)]
    shared = memory("e", "E.\n\n**Apply:** never retry the payment.", "payment", "retry", folder="_global")
    assert len(find_contradictions([one, shared])) == 1


def test_duplicates_are_those_that_comparing_all_with_all_finds() -> None:
    chance = random.Random(3)
    words = [
        "order",
        "ship",
        "retry",
        "pay",
        "count",
        "stock",
        "close",
        "night",
        "export",
        "queue",
        "tenant",
        "ledger",
        "cursor",
        "batch",
        "invoice",
        "refund",
    ]
    texts = [" ".join(chance.choices(words, k=30)) for _ in range(60)]
    texts += [text.replace(chance.choice(text.split()), "other") for text in texts[:20]] + [
        text + " And more." for text in texts[20:30]
    ]
    memories = [memory(f"m{number}", text, "one") for number, text in enumerate(texts)]
    known = [shingles(compared_text(item)) for item in memories]
    wanted = {
        frozenset((memories[a].path, memories[b].path))
        for a in range(len(known)) for b in range(a) if similarity(known[a], known[b]) >= NEAR
    }  # fmt: skip
    found = {frozenset((pair.one, pair.other)) for pair in find_duplicates(memories)}
    assert len(wanted) >= 30
    assert found <= wanted
    assert len(found) >= 0.95 * len(wanted)


def test_without_a_common_tag_nobody_compares_and_pairs_are_in_order() -> None:
    text = "Orders close at noon on Fridays, and what comes later waits for Monday."
    one, two, three = memory("a", text, "x"), memory("b", text, "y"), memory("c", text + " Always.", "x")
    assert find_duplicates([one, two]) == []
    assert find_duplicates([three, one]) == [Pair(one.path, three.path, pytest.approx(0.9, abs=0.1))]

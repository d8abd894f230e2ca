"""``MEMORY.md`` is a pure function of the approved memories (SPEC §1.3)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.layout import find_place
from brain.memory import Memory, parse_memory
from brain.memory_index import index_line, render_index
from brain.text import HOOK_WORDS, count_words, visible
from brain.value import replace
from tests.support.repos import memory_text


def memory(path: str, **fields: object) -> Memory:
    place = find_place(path)
    assert place
    return replace(parse_memory(memory_text(path), place), **fields)


ORDER = memory(
    "00.Shared/domain/F-002_Order/retention.md",
    hook="Orders are kept for ten years",
    workflows=("coding", "create-spec"),
)
STORE = [
    memory("01.Lessons/dev/_global/retry.md"),
    ORDER,
    memory("00.Shared/glossary/juchu.md", hook="受注は確定した注文のこと", workflows=("all",)),
    memory(
        "00.Shared/domain/F-002_Order/archive.md",
        body="Việc xuất tồn kho phải xong trước 18 giờ. Sau đó khóa.\n\n**Áp dụng:** chạy lúc 17 giờ.",
    ),
    memory("00.Shared/domain/F-002_Order/draft.md", status="pending"),
    memory("00.Shared/domain/F-002_Order/gone.md", status="deprecated"),
]


def test_a_line_is_id_path_hook_and_kind() -> None:
    expected = "- [mem-F002-retention](00.Shared/domain/F-002_Order/retention.md) — Orders are kept for ten years (fact, F-002_Order, coding/create-spec)"
    assert index_line(ORDER) == expected


def test_the_index_lists_the_approved_by_area() -> None:
    assert render_index(STORE) == (
        "# Memory index\n\n## 00.Shared/domain\n\n"
        "- [mem-F002-archive](00.Shared/domain/F-002_Order/archive.md) — Việc xuất tồn kho phải xong trước 18 giờ (fact, F-002_Order, coding)\n"
        f"{index_line(ORDER)}\n\n"
        "## 00.Shared/glossary\n\n- [mem-global-juchu](00.Shared/glossary/juchu.md) — 受注は確定した注文のこと (glossary, global, all)\n\n"
        "## 01.Lessons/dev\n\n- [mem-global-retry](01.Lessons/dev/_global/retry.md) — Retry a payment at most twice (lesson, global, coding)\n"
    )


def test_an_empty_tree_has_an_index_too() -> None:
    assert render_index([]) == render_index([STORE[4]]) == "# Memory index\n"


@given(st.randoms(use_true_random=False))
def test_the_order_they_are_read_in_does_not_matter(chance: random.Random) -> None:
    assert render_index(chance.sample(STORE, len(STORE))) == render_index(STORE)


@pytest.mark.parametrize(
    ("hook", "shown"),
    [
        ("x](http://evil.example) [y", "x)(http://evil.example) (y"),
        ("one\ttwo", "one two"),
        ("<img src=x> `code`", "‹img src=x› 'code'"),
        ("a\u202eb\u200bc\x1b[8md", "abc(8md"),
        (" ".join(["word"] * 16), " ".join(["word"] * 15) + "…"),
        (
            "在庫の出力は十八時までに終えること大阪の締めが十八時のため",
            "在庫の出力は十八時までに終えること大阪の締めが十八時のため",
        ),
        (
            "在庫の出力は十八時までに終えること。大阪の締めが十八時のためである",
            "在庫の出力は十八時までに終えること。大阪の締めが十八時のためで…",
        ),
    ],
)
def test_a_hook_cannot_break_out_of_its_line(hook: str, shown: str) -> None:
    line = index_line(replace(ORDER, hook=hook))
    assert line == index_line(ORDER).replace("Orders are kept for ten years", shown)


def test_nor_can_a_workflow_or_a_scope() -> None:
    odd = memory("00.Shared/decisions/x.md", workflows=("a](b)\n[c",), own_scope="<d>", hook="h")
    assert index_line(odd) == "- [mem-global-x](00.Shared/decisions/x.md) — h (decision, ‹d›, a)(b) (c)"


@given(st.text(max_size=200), st.text(max_size=200))
def test_every_line_is_one_line_of_visible_text(hook: str, body: str) -> None:
    line = index_line(replace(ORDER, hook=hook, body=body))
    assert line.splitlines() == [line]
    assert visible(line) == line
    assert not set("[]<>`") & set(line.removeprefix("- [mem-F002-retention]"))
    assert count_words(replace(ORDER, hook=hook, body=body).sentence) <= HOOK_WORDS

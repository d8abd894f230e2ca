"""``brain search``: what a person types finds memories in any language (issue item 3)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.repos import commit, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.program import Run

RETRY, DRAFT, EXPORT, ENTRY = "mem-F003-retry", "mem-F003-draft", "mem-F004-export", "mem-global-juchu"
BODIES = {
    "vi": "Đơn hàng bị khoá khi xuất kho, hoà vốn sau một năm.", "code": "Table F-003 and HTTP_429 belong to StockExportService.",
    "kana": "ｱｶｳﾝﾄを確認する。ＡＰＩは使わない。", "decomposed": "Cafe\u0301 nghie\u0323\u0302p vu\u0323",
}  # fmt: skip


@pytest.fixture
def run_more(run: Run, docs: Path) -> Run:
    commit(
        docs,
        {
            f"99.Memory/00.Shared/decisions/{name}.md": memory_text(
                f"00.Shared/decisions/{name}.md", body=body, tags=(), workflows=("x",)
            )
            for name, body in BODIES.items()
        },
    )
    return run


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("在庫", EXPORT), ("在庫の出力は夜間に行う。", EXPORT), ("夜", EXPORT), ("order-entry", ENTRY), ("Order Entry", ENTRY), ("retr", RETRY), ("twice!?", RETRY), ("受注", ENTRY),
        ("khóa", "mem-global-vi"), ("khoá", "mem-global-vi"), ("khoa", "mem-global-vi"), ("don hang bi khoa", "mem-global-vi"), ("đơn", "mem-global-vi"), ("hòa vốn", "mem-global-vi"),
        ("F-003 table", "mem-global-code"), ("f003", "mem-global-code"), ("HTTP-429", "mem-global-code"), ("http429", "mem-global-code"), ("stock export service", "mem-global-code"),
        ("アカウント", "mem-global-kana"), ("API", "mem-global-kana"), ("Café", "mem-global-decomposed"), ("cafe", "mem-global-decomposed"), ("nghiệp", "mem-global-decomposed"),
        ("mine", DRAFT),
    ],
)  # fmt: skip
def test_the_best_match_comes_first(run_more: Run, words: str, first: str) -> None:
    status, out, err = run_more("search", words, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["memories"][0]["id"] == first


def test_a_match_is_an_index_line_and_a_draft_is_marked(run: Run) -> None:
    assert run("search", "retry", "payment") == (
        0,
        f"- [{RETRY}](01.Lessons/dev/F-003_Payment/retry.md) — Retry a payment at most twice (lesson, F-003_Payment, coding)\n"
        f"- [{DRAFT}](01.Lessons/dev/F-003_Payment/draft.md) — Mine (lesson, F-003_Payment, coding)  ⚠ draft\n",
        "",
    )


def test_json_names_score_and_status_in_order(run: Run) -> None:
    found = json.loads(run("search", "retry", "payment", "--json")[1])["memories"]
    assert [(row["id"], row["status"]) for row in found] == [(RETRY, "approved"), (DRAFT, "pending")]
    assert found[0]["score"] > found[1]["score"] > 0


@pytest.mark.parametrize("words", ["zzz", "?!", "。", " "])
def test_nothing_found_is_exit_1(run: Run, words: str) -> None:
    assert run("search", words) == (1, "", "brain: nothing found\n")
    assert run("search", words, "--json") == (1, '{"memories": []}\n', "brain: nothing found\n")


def test_the_limit_cuts_the_list(run: Run) -> None:
    assert len(run("search", "payment", "--limit", "1")[1].splitlines()) == 1
    for limit in ("0", "-1", "x"):
        assert run("search", "payment", f"--limit={limit}")[0] == 2
    assert run("search")[0] == 2


def test_words_may_be_named_as_a_command_is(run: Run, docs: Path) -> None:
    path = "00.Shared/decisions/words.md"
    commit(docs, {f"99.Memory/{path}": memory_text(path, body="Use recall and search.")})
    assert json.loads(run("search", "recall", "--json")[1])["memories"][0]["id"] == "mem-global-words"
    assert (
        json.loads(run("search", "--json", "recall", "search", "stale")[1])["memories"][0]["id"] == "mem-global-words"
    )

"""What documents hold that is worth a draft: four kinds, three languages, and what is left alone."""

from __future__ import annotations

import unicodedata

import pytest

from brain.lint.body import MAX_CHARACTERS, MAX_WORDS
from brain.sources.read import read_document
from brain.sources.text import decode
from brain.text import count_words


def read(path: str, text: str) -> dict[str, tuple[str, str]]:
    """Return anchor → title and text of what is found."""
    return {piece.anchor: (piece.title, piece.text) for piece in read_document(path, text).pieces}


def left(path: str, text: str) -> list[str]:
    return [part.reason for part in read_document(path, text).left]


NYGARD = """# 7. One queue for each tenant

Date: 2026-03-02

## Status

{status}

## Context

A shared queue let one [tenant](t.md)'s import hold up all others.

## Decision

Each tenant has a queue of its own. A worker takes from the longest one.

* no shared queue
* no priority

## Consequences

- Memory grows with the number of tenants.
"""
MADR4 = """---
status: "{status}"
date: 2026-01-31
decision-makers: ada, bình
---

# 決済の再試行は二回まで

## Context and Problem Statement

二重請求が起きた。

## Considered Options

* 二回まで
* 無制限

## Decision Outcome

Chosen option: "二回まで", because 顧客への二重請求を防げるため。

### Consequences

* Good, because 二重請求が起きない
"""
MADR2 = """# Dùng hàng đợi riêng

* Trạng thái: {status}
* Ngày: 2025-12-01

## Bối cảnh

Một hàng đợi chung bị nghẽn.

## Các phương án

* chung
* riêng

## Quyết định

Mỗi khách hàng có một hàng đợi riêng. Không dùng chung hàng đợi nào.
"""


def test_a_nygard_record_is_a_decision_with_its_date_and_consequence() -> None:
    (piece,) = read_document("docs/adr/0007.md", NYGARD.format(status="Accepted")).pieces
    assert (piece.type, piece.title, piece.anchor, piece.created, piece.source) == (
        "decision", "One queue for each tenant", "decision", "2026-03-02", "docs/adr/0007.md",
    )  # fmt: skip
    assert piece.text == (
        "One queue for each tenant. Each tenant has a queue of its own. A worker takes from the longest one.\n\n"
        "- no shared queue\n- no priority\n- Memory grows with the number of tenants. (See `docs/adr/0007.md`.)\n\n"
        "**Apply:** keep to “One queue for each tenant”."
    )


def test_a_madr_record_says_what_was_chosen_in_its_language() -> None:
    (piece,) = read_document("adr/1.md", MADR4.format(status="accepted")).pieces
    assert piece.created == "2026-01-31"
    assert piece.text.startswith("決済の再試行は二回まで。Chosen option: ")
    assert piece.text.endswith('**適用:** "二回まで" を使う。')
    (piece,) = read_document("adr/2.md", MADR2.format(status="Chấp nhận")).pieces
    assert (piece.title, piece.created) == ("Dùng hàng đợi riêng", "2025-12-01")
    assert "**Áp dụng:** giữ đúng quyết định “Dùng hàng đợi riêng”." in piece.text


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("Superseded by [12. Another](0012.md)", "superseded"), ("Accepted\n\nSuperseded by ADR-12", "superseded"), ("Rejected", "rejected"),
        ("Deprecated", "deprecated"), ("Proposed", "not decided yet"), ("却下", "rejected"), ("提案中", "not decided yet"), ("廃止", "deprecated"),
        ("Bị thay thế", "superseded"), ("Đề xuất", "not decided yet"), ("Từ chối", "rejected"), ("quux", "not known"),
    ],
)  # fmt: skip
def test_what_is_not_in_force_is_not_drafted_and_says_why(status: str, why: str) -> None:
    for text in (NYGARD, MADR4, MADR2):
        if "\n" in status and text is not NYGARD:
            continue
        reading = read_document("adr/1.md", text.format(status=status))
        assert reading.pieces == ()
        assert why in reading.left[0].reason


@pytest.mark.parametrize(
    "status",
    [
        "Accepted",
        "~~Proposed~~ Accepted",
        "Accepted, supersedes [3](3.md)",
        "承認済み",
        "Đã duyệt",
        "**Approved** 2026",
    ],
)
def test_what_is_in_force_is_drafted(status: str) -> None:
    assert list(read("adr/1.md", NYGARD.format(status=status))) == ["decision"]


def test_a_template_and_texts_that_only_look_alike_are_no_records() -> None:
    template = "# [short title of solved problem and solution]\n\n* Status: accepted\n\n## Context\n\nx\n\n## Decision Outcome\n\ny\n\n## Status\n\nAccepted\n"
    assert left("adr/template.md", template) == ["it is a template"]
    for text in (
        "# Shop\n\nThe shop.\n\n## Install\n\nmake\n\n## Status\n\nStable.\n\n## License\n\nMIT\n",
        "# Design\n\n## Context\n\nIt is so.\n\n## Goals\n\n- one\n\n## Decision log\n\n- we met\n",
        "# Notes\n\n## Context\n\nx\n\n## Decision\n\ny\n",
    ):
        assert not read_document("docs/adr/README.md", text)


def test_several_records_in_one_document_are_told_apart_by_their_headings() -> None:
    record = "## {title}\n\n### Status\n\nAccepted\n\n### Context\n\nc\n\n### Decision\n\nWe take {title} here.\n\n"
    found = read("docs/decisions.md", "# Decisions\n\n" + record.format(title="Redis") + record.format(title="Kafka"))
    assert {key: title for key, (title, _) in found.items()} == {"redis": "Redis", "kafka": "Kafka"}


GLOSSARY = """# 用語集

| 日本語 | Tiếng Việt | English | 説明 |
|:--|:-:|--:|---|
| 受注 | đơn đặt hàng | sales order | 顧客からの注文を受けること |
| 在庫（ざいこ） | tồn kho | stock / inventory | |
| A\\|B 区分 | phân loại | `AB` class | 出荷の単位で分ける |
| | | | |
"""


def test_a_table_of_three_languages_becomes_terms_with_aliases_and_tags() -> None:
    pieces = {piece.anchor: piece for piece in read_document("docs/words.md", GLOSSARY).pieces}
    order = pieces["受注"]
    assert (order.type, order.title, order.tags) == ("glossary", "sales order", ("sales-order",))
    assert order.aliases == ("受注", "đơn đặt hàng", "sales order")
    assert order.text == (
        "「受注」とは、顧客からの注文を受けること。\n\n"
        "**適用:** 「受注」（ベトナム語で「đơn đặt hàng」、英語で「sales order」）と書く。"
    )
    assert pieces["在庫"].aliases == ("在庫", "ざいこ", "tồn kho", "stock", "inventory")
    assert pieces["在庫"].text.startswith("“在庫” is Vietnamese “tồn kho”, English “stock”.\n\n**Apply:** say “在庫”")
    assert pieces["a-b-区分"].aliases[0] == "A|B 区分"
    assert pieces["a-b-区分"].title == "AB class"
    assert len(pieces) == 3


def test_columns_without_a_known_header_are_known_by_their_letters_in_a_glossary_alone() -> None:
    table = "| A | B |\n|---|---|\n| 受注 | đơn đặt hàng |\n| 出荷 | xuất hàng |\n"
    assert [title for title, _ in read("docs/glossary.md", f"# Glossary\n\n{table}").values()] == ["受注", "出荷"]
    assert read("docs/pages.md", f"# Pages\n\n{table}") == {}


def test_lists_of_definitions_in_three_markups_are_entries() -> None:
    markdown = "# Glossary\n\nPMS\n: Property management system. It books rooms.\n\n- **OTA**: Online travel agency\n- just an item\n"
    assert {key: text.partition("\n")[0] for key, (_, text) in read("docs/g.md", markdown).items()} == {
        "pms": "“PMS” means: Property management system. It books rooms.", "ota": "“OTA” means: Online travel agency.",
    }  # fmt: skip
    adoc = "= Glossary\n\nPMS:: Property management system.\n\n|===\n|Term |Definition\n\n|OTA |Online travel agency\n|===\n"
    assert set(read("docs/glossary.adoc", adoc)) == {"pms", "ota"}
    rst = "Glossary\n========\n\n.. glossary::\n\n   PMS\n      Property management system.\n"
    assert set(read("docs/glossary.rst", rst)) == {"pms"}


def test_a_table_of_options_is_no_glossary() -> None:
    for header in ("| Name | Description |", "| Option | Meaning |", "| Term | Definition |"):
        assert read("README.md", f"# Tool\n\n{header}\n|--|--|\n| a | b is c |\n") == {}


POST_MORTEM = """# Postmortem: queue outage

## Root cause

A deploy removed the index on orders. Every poll scanned the table.

## Action items

- [ ] Run migrations on a copy of production first.
- Alert on slow queries.

## Lessons Learned

### What went well

- The alert came within a minute of the deploy.

### What went wrong

- **Timeouts**: the client had no timeout. Always set one of five seconds.
- N/A
"""


def test_a_post_mortem_gives_its_cause_with_the_remedy_and_its_lessons() -> None:
    found = read("docs/incidents/2026-05.md", POST_MORTEM)
    assert found == {
        "cause": (
            "Postmortem: queue outage",
            "Postmortem: queue outage: A deploy removed the index on orders. Every poll scanned the table. (See `docs/incidents/2026-05.md`.)\n\n"
            "**Apply:** Run migrations on a copy of production first.",
        ),
        "lessons-learned/what-went-wrong/timeouts": (
            "Timeouts", "Timeouts: the client had no timeout.\n\n**Apply:** Always set one of five seconds.",
        ),
    }  # fmt: skip


def test_lessons_in_japanese_and_vietnamese_are_found_without_blanks_between_words() -> None:
    japanese = (
        "# 障害報告\n\n## 教訓\n\n1. 夜間バッチの前に在庫の締め処理が終わっていることを\n   必ず確認する。\n2. なし\n"
    )
    ((title, text),) = read("docs/障害.md", japanese).values()
    assert title == "夜間バッチの前に在庫の締め処理が終わっていることを必ず確認する。"
    assert text.endswith("**適用:** 関連する箇所を変更する前に確認する。")
    vietnamese = "# Hồi cứu\n\n## Bài học kinh nghiệm\n\n- Không kiểm tra múi giờ nên báo cáo lệch một ngày. Luôn lưu thời gian theo UTC.\n"
    ((_, text),) = read("retro.md", vietnamese).values()
    assert text == "Không kiểm tra múi giờ nên báo cáo lệch một ngày.\n\n**Áp dụng:** Luôn lưu thời gian theo UTC."


def test_the_end_of_a_lesson_can_change_and_it_is_known_again() -> None:
    text = "# R\n\n## Lessons learned\n\n- The cache was cold after each deploy{}. Warm it first.\n"
    assert list(read("r.md", text.format(""))) == list(read("r.md", text.format(" on Mondays")))


CHANGELOG = """# Changelog

## [Unreleased]

### Breaking

- this one is not out for anybody yet

## [2.0.0](https://x/compare/v1...v2) (2026-05-01)

### ⚠ BREAKING CHANGES

* **api:** the `/v1` endpoints are gone; use `/v2` ([#12](https://x/12)) ([abc1234](https://x/abc1234))

### Features

* something nobody has to know about

## 1.9.0 - 2026-01-01

### Changed

- **Breaking:** Node 16 is not supported any more
- it is faster
"""


def test_breaking_changes_of_released_versions_are_facts() -> None:
    reading = read_document("CHANGELOG.md", CHANGELOG)
    assert [(piece.type, piece.part, piece.created, piece.text.partition("\n")[0]) for piece in reading.pieces] == [
        ("fact", "architecture", "2026-05-01", "Since 2.0.0: api: the `/v1` endpoints are gone; use `/v2`"),
        ("fact", "architecture", "2026-01-01", "Since 1.9.0: Node 16 is not supported any more"),
    ]
    assert [part.reason for part in reading.left] == ["not released yet"]
    assert not read_document("docs/notes.md", CHANGELOG.replace("# Changelog", "# Notes"))


def test_the_newest_versions_are_taken_and_the_older_said() -> None:
    text = "# Changelog\n\n" + "".join(
        f"## {number}.0.0\n\n### 破壊的変更\n\n- 第{number}版で注文の形式を変えた。\n\n" for number in range(9, 0, -1)
    )
    reading = read_document("変更履歴.md", text)
    assert [piece.anchor.partition("/")[0] for piece in reading.pieces] == [
        f"{number}.0.0" for number in range(9, 4, -1)
    ]
    assert len(reading.left) == 4


def test_a_long_record_is_cut_at_a_sentence_and_says_where_the_rest_is() -> None:
    for sentence, path in (
        ("This sentence number {} has quite a few words in it. ", "long.md"),
        ("これは長い決定の文の第{}番目である。", "長い.md"),
    ):
        text = NYGARD.format(status="Accepted").replace(
            "Each tenant has a queue of its own. ", "".join(map(sentence.format, range(80)))
        )
        (piece,) = read_document(path, text).pieces
        assert count_words(piece.text) <= MAX_WORDS
        assert len("".join(piece.text.split())) <= MAX_CHARACTERS
        statement = piece.text.rpartition("\n\n")[0]
        assert f"`{path}`" in statement
        assert statement.partition(" (")[0][-1] in ".。"


def test_what_cannot_be_told_in_a_few_sentences_is_left_with_its_reason() -> None:
    text = NYGARD.format(status="Accepted").replace(
        "Each tenant has a queue of its own. ", "one word after the other " * 60
    )
    assert left("adr/1.md", text) == ["its decision cannot be told in a few sentences"]


@pytest.mark.parametrize(
    "text", [NYGARD.format(status="Accepted"), MADR4.format(status="accepted"), GLOSSARY, POST_MORTEM, CHANGELOG]
)
def test_line_ends_marks_and_encodings_make_no_difference(text: str) -> None:
    path = "CHANGELOG.md" if text is CHANGELOG else "docs/incident.md"
    found = read(path, text)
    forms = [
        text.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + text.encode(), unicodedata.normalize("NFD", text).encode(),
        ("\ufeff" + text).encode("utf-16-le"),
    ]  # fmt: skip
    for content in forms:
        decoded = decode(content)
        assert decoded is not None
        assert read(path, decoded) == found
    assert decode(b"\xff\xfe\x00") is None
    assert decode(b"PNG\x00\x01") is None
    assert decode("日本".encode("shift_jis")) is None


def test_headings_in_code_and_comments_are_none() -> None:
    text = "# A\n\n```md\n## Lessons learned\n\n- never do this thing again here\n```\n\n<!--\n## Lessons learned\n\n- nor do this other thing here\n-->\n"
    assert read("docs/a.md", text) == {}


@pytest.mark.parametrize(
    "text",
    ["", "\n", "#", "| |\n|-|\n", "---\n", "```", "# \n## \n### ", "[" * 20000, "|" * 5000 + "\n|" + "-|" * 5000, "#" * 50000, "- " * 20000,
     "## Lessons learned\n\n" + "- x " * 20000, "a\n: " * 5000, "**" * 20000, "<" * 20000, "## Context\n" * 3000],
)  # fmt: skip
def test_no_text_is_too_odd_or_takes_long(text: str) -> None:
    import time

    started = time.monotonic()
    read_document("docs/glossary/CHANGELOG.md", text)
    assert time.monotonic() - started < 5

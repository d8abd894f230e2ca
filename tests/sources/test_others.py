"""What other tools remember: each format, read from what its own users wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brain.errors import BrainError
from brain.sources import aiflow, basic_memory, claude_memory, cursor_rules, memory_bank
from brain.sources.imports import KINDS, recognise
from brain.sources.notes import LONG, MOST_WORDS, SHORT, cut, read_note
from brain.text import count_words

OTHERS = Path(__file__).with_name("others")


def read(folder: str, path: str) -> str:
    return (OTHERS / folder / path).read_text("utf-8")


def facts(pieces: tuple[object, ...], *names: str) -> list[tuple[object, ...]]:
    return [tuple(getattr(piece, name) for name in names) for piece in pieces]


def test_a_japanese_memory_bank_becomes_a_fact_a_heading() -> None:
    found = memory_bank.read("systemPatterns.md", read("gascalc/memory-bank", "systemPatterns.md"))
    assert facts(found.pieces, "type", "part", "anchor", "title") == [
        ("fact", "architecture", "アーキテクチャ", "アーキテクチャ"),
        ("fact", "architecture", "データ管理", "データ管理"),
        ("fact", "architecture", "状態管理", "状態管理"),
    ]
    assert found.pieces[1].text == (
        "データ管理：**インメモリ:** 入力されたデータ（日付時刻、流量、FiO2）は TypeScript の `entries` 配列に"
        "オブジェクトとして格納されます。\n\n"
        "- **ソート:** 新しいデータが追加されるたびに `entries` 配列は日付時刻順にソートされます。"
    )
    assert found.left == ()


def test_of_the_active_context_only_what_lasts_is_taken() -> None:
    text = read("gascalc/memory-bank", "activeContext.md")
    found = memory_bank.read("memory-bank/activeContext.md", text)
    assert found.pieces == ()
    assert [part.reason for part in found.left] == ["of the moment"]
    more = text + "\n## Active Decisions\n\n- Entries stay sorted by time, because the usage is summed in order.\n"
    assert facts(memory_bank.read("activeContext.md", more).pieces, "type", "anchor") == [
        ("decision", "active-decisions")
    ]


def test_a_rule_of_cursor_is_an_instinct_that_rests_on_its_globs() -> None:
    found = cursor_rules.read("medusa.mdc", read("cursorrules/.cursor/rules", "medusa.mdc"))
    assert facts(found.pieces, "type", "title", "anchor") == [
        ("instinct", "medusa General Rules", "general-rules"),
        ("instinct", "medusa Data Model Rules", "data-model-rules"),
    ]
    assert found.pieces[0].refs == (
        "**/*.tsx", "**/*.ts", "src/**/*.ts", "src/**/*.tsx", "src/**/*.js", "src/**/*.jsx"
    )  # fmt: skip
    assert found.pieces[0].text.startswith(
        "Medusa Rules, General Rules: Don't use type aliases when importing files.\n"
    )
    assert "**Apply:** follow this when changing `**/*.tsx`, `**/*.ts`, …." in found.pieces[0].text
    assert [part.reason for part in found.left] == ["tells the assistant who it is: no knowledge"]


@pytest.mark.parametrize(
    ("fields", "refs", "apply"),
    [
        ("globs: *.py\nalwaysApply: false", ("*.py",), "follow this when changing `*.py`."),
        ('globs: ["src/{api,db}/**/*", "./docs/*.md"]', ("src/api/", "src/db/", "docs/*.md"), "follow this when changing `src/api/`, `src/db/`, …."),
        ("globs:\n  - app/**\n  - '*.sql'\nalwaysApply: false", ("app/", "*.sql"), "follow this when changing `app/`, `*.sql`."),
        ("globs: **/*\nalwaysApply: true", (), "follow this in every change."),
        ("description: [never closed", (), "follow this in every change."),
    ],
)  # fmt: skip
def test_globs_are_read_in_every_spelling(fields: str, refs: tuple[str, ...], apply: str) -> None:
    (piece,) = cursor_rules.read("x.mdc", f"---\n{fields}\n---\nNever log the body of a request.\n").pieces
    assert piece.refs == refs
    assert piece.text == f"X: Never log the body of a request.\n\n**Apply:** {apply}".replace("X:", "x:")


def test_an_observation_is_a_fact_of_its_own() -> None:
    found = basic_memory.read("topics/api.md", read("basic-memory", "topics/api-design-decisions.md"))
    assert facts(found.pieces, "type", "text", "tags", "anchor", "created") == [
        ("decision", "API Design Decisions: Use REST over GraphQL for simplicity", ("api", "architecture", "decisions"), "decision/use-rest-over-graphql-for", "2026-02-09"),
        ("fact", "API Design Decisions: Must support versioning from day one", ("api", "architecture", "decisions"), "requirement/must-support-versioning-from-day", "2026-02-09"),
        ("fact", "API Design Decisions: Rate limiting needed for public endpoints", ("api", "architecture", "decisions"), "risk/rate-limiting-needed-for-public", "2026-02-09"),
        ("fact", "API Design Decisions: Background context explaining why this note exists and what it covers.", ("api", "architecture", "decisions"), "start", "2026-02-09"),
    ]  # fmt: skip


def test_people_and_what_is_so_at_the_moment_stay_where_they_are() -> None:
    person = basic_memory.read("people/lena.md", read("basic-memory", "people/lena-vogt.md"))
    assert person.pieces == ()
    assert [part.anchor for part in person.left] == ["all"]
    queue = basic_memory.read("q.md", read("basic-memory", "topics/webhook-queue-architecture.md"))
    assert facts(queue.pieces, "type", "anchor") == [("fact", "design"), ("decision", "architecture-decisions")]
    assert [part.anchor for part in queue.left] == [
        "status/implemented", "designed/2026-02-04", "owner/maya-chen-+-raj-patel"
    ]  # fmt: skip


def test_a_topic_of_claude_is_one_fact_with_what_to_do() -> None:
    (lesson,) = claude_memory.read("feedback_fixtures.md", read("claude", "feedback_fixtures.md")).pieces
    assert (lesson.type, lesson.title) == ("lesson", "Fixtures are committed")
    assert lesson.text.endswith("\n\n**Apply:** when writing a regression test, keep it self-contained: inline the "
                                "reproducer, or commit a small fixture.")  # fmt: skip
    (fact,) = claude_memory.read("project_gateway_limits.md", read("claude", "project_gateway_limits.md")).pieces
    assert (fact.type, fact.title) == ("fact", "gateway limits")
    assert "How to apply" not in fact.text
    assert fact.text.endswith("\n\n**適用:** 再送は必ず `Retry-After` を待ってから行う。")


def test_the_index_of_claude_gives_its_own_sections_and_nothing_of_a_person() -> None:
    found = claude_memory.read("MEMORY.md", read("claude", "MEMORY.md"))
    assert facts(found.pieces, "anchor") == [("build-commands",)]
    assert [part.anchor for part in found.left] == ["user-preferences"]
    assert claude_memory.read("user_role.md", read("claude", "user_role.md")).pieces == ()


ROW = {"key": "retry", "value": "Retry a refused payment on the next working day only.", "type": "lesson",
       "tags": ["payment", "retry"], "createdAt": "2026-01-05T10:00:00Z", "functionId": "F-003_Payment"}  # fmt: skip


@pytest.mark.parametrize(
    "stored",
    [ROW, [ROW], {"memories": [ROW]}, {"retry": {**ROW, "key": ""}}, {"version": 1, "items": {"retry": ROW}}],
)
def test_every_shape_of_the_old_store_is_read(stored: object) -> None:
    (piece,) = aiflow.read("store.json", json.dumps(stored)).pieces
    assert (piece.type, piece.area, piece.tags, piece.created) == (
        "lesson", "F-003_Payment", ("payment", "retry"), "2026-01-05"
    )  # fmt: skip
    assert piece.text == ROW["value"]
    assert piece.anchor in ("retry", "store", "store-1")


def test_of_a_store_that_was_cut_off_the_whole_memories_are_read() -> None:
    other = {**ROW, "key": "kafka", "value": "Kafka tốt hơn hàng đợi trong bộ nhớ vì không mất tin."}
    text = json.dumps({"memories": [ROW, other, ROW]}, ensure_ascii=False)
    found = aiflow.read("store.json", text[:-40])
    assert facts(found.pieces, "anchor") == [("retry",), ("kafka",)]
    assert [part.reason for part in found.left] == [aiflow.CUT_OFF]
    lines = "\n".join(json.dumps(row) for row in (ROW, other))
    assert len(aiflow.read("store.json", lines).pieces) == 2
    assert aiflow.read("store.json", lines).left == ()


@pytest.mark.parametrize("text", ["", "[", "null", "7", '{"a": {"b": 1}}', "{" * 5000, "[" * 100_000, '"x"', "\x00"])
def test_a_store_that_holds_no_memory_says_so(text: str) -> None:
    found = aiflow.read("store.json", text)
    assert found.pieces == ()
    assert len(found.left) == 1


def test_a_long_section_is_cut_by_its_items_or_left() -> None:
    items = "".join(
        f"- The service number {n} answers within {n} seconds, and else it is restarted.\n" for n in range(20)
    )
    parts = list(cut(f"# Services\n\n## Limits\n\n{items}\n## Wall\n\n{'word ' * 200}\n\n## Short\n\nYes.\n"))
    assert [part.why_left for part in parts] == [""] * 20 + [LONG, SHORT]
    assert len({part.anchor for part in parts}) == 22
    assert all(count_words(part.text) <= MOST_WORDS for part in parts[:20])


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("---\ntitle: 受注: の定義\ntags:\n- a\n- b\n---\nx", {"title": ("受注: の定義",), "tags": ("a", "b")}),
        ("---\nname: x\nmetadata:\n  type: user\n---\nx", {"name": ("x",), "metadata": (), "type": ("user",)}),
        ("---\na: |\n  one\n  two\n---\nx", {"a": ("one", "two")}),
        ("---\n: broken\n\t- [\n*anchor\na: 'b'\n---\nx", {"a": ("b",)}),
        ("---\nnever closed: yes\n", {}),
        ("no fields", {}),
    ],
)
def test_front_matter_is_read_line_by_line_whatever_it_is(text: str, fields: dict[str, tuple[str, ...]]) -> None:
    assert read_note(text).fields == fields


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("gascalc/memory-bank", "cline"), ("cursorrules/.cursor/rules", "cursor"), ("cursorrules", "cursor"),
     ("basic-memory", "basic-memory"), ("claude", "claude")],
)  # fmt: skip
def test_a_folder_is_recognised(folder: str, kind: str) -> None:
    assert recognise(str(OTHERS / folder)) == kind


def test_records_and_the_old_store_are_recognised_by_their_place(tmp_path: Path) -> None:
    store, records = tmp_path / ".aiflow/memory", tmp_path / "docs/adr"
    for folder in (store, records):
        folder.mkdir(parents=True)
    (store / "a.json").write_text("{}")
    (records / "0001-use-git.md").write_text("# 1. Use git\n\n## Status\n\nAccepted\n")
    assert [recognise(str(folder)) for folder in (store, records)] == ["aiflow", "adr"]


def test_what_nobody_can_tell_wants_to_be_named(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A project\n\nNothing to remember.\n")
    with pytest.raises(BrainError) as error:
        recognise(str(tmp_path))
    assert all(name in error.value.hint for name in KINDS)
    (tmp_path / "projectbrief.md").write_text("# Brief\n")
    (tmp_path / "techContext.md").write_text("# Tech\n")
    (tmp_path / "x.mdc").write_text("x")
    with pytest.raises(BrainError, match="looks like a Cline memory bank and Cursor rules") as error:
        recognise(str(tmp_path))
    assert error.value.hint == "say which: --from cline or --from cursor"

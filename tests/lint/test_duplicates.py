from __future__ import annotations

from typing import TYPE_CHECKING

from brain.lint.duplicates import Comparable, check_duplicates, comparable
from tests.lint.support import memory

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = "The stock export must finish before six because the Osaka books close then, and nobody can post after that."
JA = "在庫の出力は十八時までに終える。大阪の締めが十八時で、その後は誰も記帳できないためである。"


def item(path: str, text: str = TEXT, status: str = "pending", tags: tuple[str, ...] = ("orders",)) -> Comparable:
    return Comparable(path, frozenset(tags), status, text)


def found(new: list[Comparable], known: list[Comparable] = (), *, among: bool = False) -> list[tuple[str, str, str]]:  # type: ignore[assignment]
    def ask(tags: frozenset[str], folders: frozenset[str]) -> Iterator[Comparable]:
        return (one for one in known if one.tags & tags or one.folder in folders)

    notes = check_duplicates(new, ask, among=among)
    return [(note.rule.name, note.path, note.message) for note in notes]


def test_a_near_duplicate_of_an_approved_memory_is_told() -> None:
    changed = TEXT.replace("six", "seven").replace("Osaka", "Kobe")
    assert found([item("a.md", changed)], [item("b.md", status="approved")])[0][:2] == ("near-duplicate", "a.md")


def test_the_same_in_japanese() -> None:
    assert found([item("a.md", JA.replace("大阪", "神戸"))], [item("b.md", JA, "approved")])[0][0] == "near-duplicate"


def test_another_fact_is_none() -> None:
    assert (
        found([item("a.md", "Retry a payment at most twice, then park it for a person to look at.")], [item("b.md")])
        == []
    )


def test_without_a_common_tag_or_folder_nothing_is_compared() -> None:
    assert found([item("x/a.md")], [item("y/b.md", tags=("stock",))]) == []
    assert found([item("x/a.md", "Retry a payment at most twice.")], [item("x/b.md", tags=("stock",))]) == []


def test_a_copy_with_other_tags_is_found_in_its_folder() -> None:
    copy = item("_pending/x/a.md", TEXT.replace("six", "ten"), tags=())
    assert found([copy], [item("x/b.md", tags=("stock",))])[0][:2] == ("near-duplicate", "_pending/x/a.md")


def test_the_memory_an_update_replaces_is_no_duplicate() -> None:
    assert found([item("_pending/a.md")], [item("a.md", status="approved")]) == []


def test_a_memory_like_a_removed_one_is_told() -> None:
    assert found([item("a.md")], [item("_deprecated/b.md")]) == [("like-removed", "a.md", "100% like _deprecated/b.md")]


def test_those_of_one_change_are_compared_only_where_asked() -> None:
    pair = [item("a.md"), item("b.md")]
    assert found(pair) == []
    assert [row[:2] for row in found(pair, among=True)] == [("near-duplicate", "a.md"), ("near-duplicate", "b.md")]


def test_an_approved_memory_proposes_nothing() -> None:
    assert found([item("a.md", status="approved")], [item("b.md", status="approved")]) == []


def test_what_a_file_is_compared_by() -> None:
    text = memory("It ends.\n", tags="[orders, 'batch']", hook="Early", status="approved", reviewed_by="pm")
    assert comparable(text.encode(), "a.md") == Comparable(
        "a.md", frozenset(("orders", "batch")), "approved", "Early\n\nIt ends.\n"
    )
    assert comparable(b"no frontmatter", "a.md") is None


def test_who_calls_himself_approved_is_not() -> None:
    assert comparable(memory(status="approved").encode(), "a.md").status == ""  # type: ignore[union-attr]


def test_all_that_a_memory_is_near_to_is_one_finding() -> None:
    known = [item(f"{name}.md", status="approved") for name in "bcde"]
    ((name, path, message),) = found([item("a.md")], known)
    assert (name, path, message) == ("near-duplicate", "a.md", "100% like b.md, 100% like c.md, 100% like d.md")

"""Near duplicates on real sentences in three languages."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from brain.layout import find_place
from brain.memory import Memory
from brain.similar import NEAR, Similar, find_similar, shingles, similarity
from brain.workspace import Brain, open_brain
from tests.support.repos import make_memory_repo, make_repo, memory_text, pending

EN = ("Order export runs at 18:00 and locks the stock table for about ten minutes. Do not start a stock count before it "
      "has ended.\n\n**Apply:** check the export's state first.")  # fmt: skip
JA = "在庫の出力は18:00に始まり、約10分のあいだ在庫表をロックする。終わるまで棚卸しを始めないこと。\n\n**適用:** 先に出力の状態を確認する。"
VI = ("Xuất đơn hàng chạy lúc 18:00 và khóa bảng tồn kho khoảng mười phút. Không kiểm kho trước khi xuất xong.\n\n"
      "**Áp dụng:** kiểm tra trạng thái xuất trước.")  # fmt: skip
OTHER = "A payment that was refused for lack of funds may be tried again on the next working day, twice at most."


def alike(one: str, other: str) -> float:
    return similarity(shingles(one), shingles(other))


@pytest.mark.parametrize(
    "proposal",
    [
        EN.replace("18:00", "19:30"),
        EN.replace("about ten minutes", "some 12 minutes").replace("has ended", "is over"),
        "Do not start a stock count before the order export has ended: it runs at 18:00 and locks the stock table.",
        EN.upper(),
        EN + "\n\nSeen again in the release of May; ask the warehouse team before the schedule is changed.",
        "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in EN),
        JA.replace("18:00", "19:00"),
        JA.replace("約10分のあいだ", "およそ10分間"),
        "終わるまで棚卸しを始めないこと。在庫の出力は18:00に始まり、約10分のあいだ在庫表をロックする。",
        VI.replace("18:00", "19:00"),
        "Xuat don hang chay luc 18:00 va khoa bang ton kho khoang muoi phut. Khong kiem kho truoc khi xuat xong.",
    ],
)
def test_an_edited_copy_is_near(proposal: str) -> None:
    assert max(alike(proposal, text) for text in (EN, JA, VI)) >= NEAR


@pytest.mark.parametrize("text", [EN, JA, VI])
def test_another_memory_is_not_near(text: str) -> None:
    assert alike(text, OTHER) < NEAR / 2
    assert all(alike(text, other) < NEAR / 2 for other in (EN, JA, VI) if other is not text)


def test_texts_without_words_are_near_nothing() -> None:
    assert alike("", "") == alike("!!!", EN) == 0
    assert alike("在", "在") == 1


def proposal(path: str, body: str, tags: tuple[str, ...]) -> Memory:
    place = find_place(path)
    assert place
    return Memory(place, ("all",), tags, 0.6, "T-1", "pending", 0, "2026-01-01", body)


def brain_at(repo: Path) -> Brain:
    return open_brain(str(repo), {})


def test_approved_memories_and_drafts_that_share_a_tag_are_found(tmp_path: Path) -> None:
    old, draft = "00.Shared/domain/_global/export.md", "00.Shared/domain/_global/late.md"
    repo = make_memory_repo(
        tmp_path / "r",
        {
            old: memory_text(old, EN, tags=("stock",)),
            "00.Shared/decisions/o.md": memory_text("00.Shared/decisions/o.md", OTHER, tags=("stock",)),
        },
    )
    pending(repo, draft, body=EN.replace("18:00", "20:00"), tags=("stock",))
    new = proposal("00.Shared/decisions/x.md", EN.replace("18:00", "19:00"), ("export", "stock"))
    assert [(found.id, found.draft) for found in find_similar(brain_at(repo), new)] == [
        ("mem-global-export", False),
        ("mem-global-late", True),
    ]
    assert find_similar(brain_at(repo), proposal("00.Shared/decisions/x.md", EN, ("other",))) == []
    assert find_similar(brain_at(repo), proposal(old, EN, ("stock",)))[0].path == draft


def test_without_tags_the_neighbours_are_compared(tmp_path: Path) -> None:
    old = "00.Shared/domain/_global/export.md"
    repo = make_memory_repo(tmp_path / "r", {old: memory_text(old, JA)})
    new = proposal("00.Shared/domain/_global/x.md", JA.replace("18:00", "19:00"), ())
    assert find_similar(brain_at(repo), new) == [Similar("mem-global-export", old, 0.89, draft=False)]


def test_an_empty_memory_has_nothing_like_it(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"99.Memory/brain.toml": ""})
    assert find_similar(brain_at(repo), proposal("00.Shared/decisions/x.md", EN, ("stock",))) == []


def test_a_tag_that_everything_has_costs_little(tmp_path: Path) -> None:
    memories = {}
    for number in range(1500):
        path = f"00.Shared/decisions/m{number}.md"
        memories[path] = memory_text(
            path, f"{OTHER} Case {number} {number * 7919 % 1009}.", tags=("common", f"t{number}")
        )
    repo = make_memory_repo(tmp_path / "r", memories)
    brain = brain_at(repo)
    new = proposal("00.Shared/decisions/x.md", f"{OTHER} Case 777.", ("common", "t777"))
    start = time.perf_counter()
    found = find_similar(brain, new)
    assert time.perf_counter() - start < 1
    assert "mem-global-m777" in [other.id for other in found]

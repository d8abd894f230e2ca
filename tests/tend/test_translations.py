"""The same lesson in two languages is proposed to be merged, where this machine has vectors; other lessons are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.layout import find_place
from brain.memory import parse_memory
from brain.semantic.build import build_vectors, drop_vectors
from brain.semantic.embedder import model_of, open_embedder
from brain.semantic.team import disconnect, fill_team
from brain.semantic.vectors import open_vectors
from brain.tend.pairs import Pair
from brain.tend.translations import SAME, find_near, find_translations
from brain.workspace import open_brain
from tests.semantic.conftest import needs_model
from tests.semantic.database import make_server
from tests.support.repos import commit, make_memory_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from brain.memory import Memory

LESSONS = {
    "retry-en": ("Retry payments twice at most: the gateway drops the third.\n\n**Apply:** cap retries at two.", "pay"),
    "retry-vi": (
        "Chỉ thử lại thanh toán tối đa hai lần: cổng bỏ lần thứ ba.\n\n**Áp dụng:** giới hạn hai lần thử.",
        "pay",
    ),
    "mask-ja": ("ログではカード番号を隠す。PCIで禁止されている。\n\n**適用:** 下四桁だけを記録する。", "pay"),
    "mask-en": ("Mask the card number in logs; PCI forbids it.\n\n**Apply:** log the last four digits only.", "pay"),
    "capture-en": (
        "Payments are captured a day after the order ships.\n\n**Apply:** do not capture at checkout.",
        "pay",
    ),
    "mask-elsewhere": ("Che số thẻ trong log; PCI cấm ghi.\n\n**Áp dụng:** chỉ ghi bốn số cuối.", "log"),
}


def path_of(name: str) -> str:
    return f"01.Lessons/dev/F-003_Payment/{name}.md"


def text_of(name: str) -> str:
    body, tag = LESSONS[name]
    return memory_text(path_of(name), body, tags=(tag,))


def memory_of(name: str) -> Memory:
    place = find_place(path_of(name))
    assert place
    return parse_memory(text_of(name), place)


@needs_model
def test_translations_are_found_and_nothing_else(tmp_path: Path) -> None:
    folder = make_memory_repo(tmp_path / "memory", {path_of(name): text_of(name) for name in LESSONS})
    brain = open_brain(str(folder), {})
    memories = [memory_of(name) for name in LESSONS]
    assert find_translations(brain, memories) == ([], ""), "no vectors: nothing is said, and nothing embedded"
    build_vectors(brain, open_embedder(model_of(brain.config), {}), lambda _done, _all: None)
    found = {(pair.one, pair.other): pair for pair in find_translations(brain, memories)[0]}
    assert {tuple(path.split("/")[-1] for path in pair) for pair in found} == {
        ("mask-en.md", "mask-ja.md"), ("retry-en.md", "retry-vi.md"),
    }  # fmt: skip
    assert all(pair.meaning and pair.similarity >= SAME for pair in found.values())
    changed = "Settle refunds weekly, on a Monday.\n\n**Apply:** wait for it."
    commit(folder, {f"99.Memory/{path_of('mask-en')}": memory_text(path_of("mask-en"), changed, tags=("pay",))})
    place = find_place(path_of("mask-en"))
    assert place
    now = [*memories[:3], parse_memory(memory_text(path_of("mask-en"), changed, tags=("pay",)), place)]
    assert [pair.other for pair in find_translations(open_brain(str(folder), {}), now)[0]] == [path_of("retry-vi")]


@needs_model
def test_the_teams_database_knows_them_where_this_machine_has_no_index(tmp_path: Path) -> None:
    server = make_server()
    folder = make_memory_repo(tmp_path / "memory", {path_of(name): text_of(name) for name in LESSONS})
    team = {"BRAIN_SEMANTIC_STORE": "postgres", "BRAIN_SEMANTIC_PROJECT": "docs", "BRAIN_SEMANTIC_DSN": server.dsn}
    brain = open_brain(str(folder), team)
    memories = [memory_of(name) for name in LESSONS]
    found, remark = find_translations(brain, memories)
    assert (found, remark.startswith("translations are not looked for: PostgreSQL: ")) == ([], True)
    server.start()
    try:
        built = build_vectors(brain, open_embedder(model_of(brain.config), {}), lambda _done, _all: None)
        here, _ = find_translations(open_brain(str(folder), {}), memories)
        fill_team(brain, open_vectors(built.path))
        drop_vectors(brain)
        there, remark = find_translations(brain, memories)
        assert remark == ""
        assert [(pair.one, pair.other) for pair in there] == [(pair.one, pair.other) for pair in here]
        assert len(there) == 2
        assert [pair.similarity for pair in there] == pytest.approx([pair.similarity for pair in here], abs=0.02)
    finally:
        disconnect()
        server.stop()


def test_one_language_another_type_and_another_function_are_no_translations() -> None:
    one, other = memory_of("retry-en"), memory_of("retry-vi")
    near = {0: (0, [1.0, 0.0]), 1: (2, [0.8, 0.6])}
    assert find_near([one, other], near) == [Pair(one.path, other.path, 0.8, meaning=True)]
    assert find_near([one, other], {0: near[0], 1: (0, [0.8, 0.6])}) == [], "one language: words tell"
    assert find_near([one, other], {0: near[0], 1: (2, [0.3, 0.9])}) == [], "too far"
    assert find_near([one, memory_of("mask-elsewhere")], near) == [], "no tag in common"
    assert find_near([one, other], {0: near[0]}) == [], "not known as it is now"


def test_what_is_near_to_many_is_of_one_matter_and_no_translation() -> None:
    memories = [memory_of(name) for name in ("retry-en", "retry-vi", "capture-en")]
    pair = Pair(memories[0].path, memories[1].path, 0.8, meaning=True)
    for angle, found in ((0.75, []), (0.85, []), (0.69, [pair])):
        third = [angle, (1 - angle * angle) ** 0.5]
        near = {0: (0, [1.0, 0.0]), 1: (2, [0.8, 0.6]), 2: (2, third)}
        assert find_near(memories, near) == found, angle

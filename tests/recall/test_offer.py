"""What speaks to a prompt or a file, and what only seems to (SPEC §4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.recall.offer import HEAD, OFFERED, TAIL, find_offers, offer_text
from brain.recall.render import HOST_ROOM, OPEN, Room
from brain.tokens import estimate
from tests.support.recall import F3, TODAY, brain_of, memory

if TYPE_CHECKING:
    from pathlib import Path

    from brain.memory import Memory
    from brain.workspace import Brain

TAX = memory(
    f"01.Lessons/dev/{F3}/tax.md", tags=("tax", "rounding"), aliases=("端数", "làm tròn thuế"), refs=("src/order/tax.py", "src/rates/*.csv"),
    body="Round tax down to the yen with floor_yen.\n\n**Apply:** never use round().",
)  # fmt: skip
RETRY = memory(
    f"01.Lessons/dev/{F3}/retry.md", tags=("retry", "payment"), refs=("src/pay/",),
    body="Retry a payment at most twice, since the acquirer blocks the card.\n\n**Apply:** count the tries.",
)  # fmt: skip
ORDER = memory(
    "00.Shared/glossary/order.md",
    tags=("order",),
    aliases=("受注", "đơn hàng", "sales order"),
    body="受注 is an order.\n\n**適用:** say order.",
)
TESTS = [
    memory(f"01.Lessons/dev/_global/test-{number}.md", tags=("test",), body=f"Test number {number} of the suite runs in {topic}.")
    for number, topic in enumerate(("parallel", "order", "a container", "the nightly build", "Japanese", "memory", "CI", "seconds"))
]  # fmt: skip


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    return brain_of(tmp_path, [TAX, RETRY, ORDER, *TESTS])


def offered(brain: Brain, prompt: str = "", *files: str) -> list[str]:
    return [item.id for item in find_offers(brain, prompt, files, TODAY)]


@pytest.mark.parametrize(("prompt", "first"), [
    ("受注の処理を直して", ORDER), ("sửa làm tròn thuế giúp mình", TAX), ("Sửa đơn hàng", ORDER), ("sua don hang", ORDER),
    ("tax.py の端数処理を直して", TAX), ("Where do sales orders and the sales order total come from?", ORDER),
    ("why is the tax rounding wrong here?", TAX), ("How often may we retry a payment before the acquirer blocks the card?", RETRY),
])  # fmt: skip
def test_a_prompt_gets_what_its_tags_and_aliases_speak_of(prompt: str, first: Memory, brain: Brain) -> None:
    assert offered(brain, prompt)[0] == first.id


CONTENTLESS = [
    "ok, continue", "続けて", "tiếp đi", "yes", "go on", "looks good, thanks", "はい、お願いします", "được rồi, làm tiếp đi", "please fix it",
    "run the tests again", "修正してください", "テストを実行して", "chạy lại test đi", "commit this", "ok", "", " \n", "?", "👍", "/compact",
]  # fmt: skip
OTHER_TOPICS = [
    "Book a restaurant for the team lunch on Friday at noon", "忘年会の会場を予約する", "Sơn lại phòng họp ở tầng ba",
    "rename the variable to something shorter", "Explain how TLS certificates are renewed", "レビューのコメントに返信して",
]  # fmt: skip


@pytest.mark.parametrize("prompt", CONTENTLESS + OTHER_TOPICS)
def test_nothing_is_offered_to_a_prompt_that_says_nothing_or_something_else(prompt: str, brain: Brain) -> None:
    assert offered(brain, prompt) == []


def test_a_tag_that_a_large_part_of_the_store_has_tells_nothing(tmp_path: Path) -> None:
    many = [memory(f"00.Shared/decisions/d{n:02}.md", tags=("api", "rest"), body=f"Decision {n}.") for n in range(40)]
    assert offered(brain_of(tmp_path, [*many, TAX]), "which api and rest endpoints are there?") == []


@pytest.mark.parametrize(("files", "found"), [
    (("src/order/tax.py",), [TAX]), (("src/pay/deep/retry.py",), [RETRY]), (("src/rates/2026.csv",), [TAX]), (("src/order/other.py",), []),
    (("README.md", "src/pay/a.py"), [RETRY]), (("src",), []), ((), []),
])  # fmt: skip
def test_a_file_gets_the_memories_whose_refs_cover_it_and_no_others(
    files: tuple[str, ...], found: list[Memory], brain: Brain
) -> None:
    assert offered(brain, "", *files) == [item.id for item in found]


def test_a_replaced_memory_and_a_draft_that_says_nothing_new_are_not_offered(tmp_path: Path) -> None:
    newer = memory(f"01.Lessons/dev/{F3}/tax-2.md", tags=("tax",), refs=("src/order/tax.py",), supersedes=(TAX.id,))
    mine = memory(RETRY.path, tags=RETRY.tags, refs=RETRY.refs, body=RETRY.body)
    brain = brain_of(tmp_path, [TAX, RETRY, newer], drafts=[mine])
    assert offered(brain, "", "src/order/tax.py") == [newer.id]
    assert offered(brain, "", "src/pay/a.py") == [RETRY.id]


def test_a_draft_of_ones_own_is_offered_and_labelled(tmp_path: Path) -> None:
    mine = memory(
        f"01.Lessons/dev/{F3}/mine.md", tags=("ledger",), refs=("src/ledger.py",), body="Close the ledger at noon."
    )
    brain = brain_of(tmp_path, [TAX], drafts=[mine])
    found = find_offers(brain, "", ["src/ledger.py"], TODAY)
    assert "⚠ not approved yet (your draft)" in offer_text(brain, found, HOST_ROOM).text


def test_of_a_long_prompt_both_ends_are_looked_at(brain: Brain) -> None:
    middle = "xyz " * (HEAD + TAIL)
    assert offered(brain, f"受注 {middle}") == [ORDER.id]
    assert offered(brain, f"{middle} 受注") == [ORDER.id]
    assert offered(brain, f"{middle} 受注 {middle}") == []


def test_the_text_is_marked_fenced_and_within_its_budget(brain: Brain) -> None:
    text = offer_text(brain, [TAX, ORDER], HOST_ROOM)
    assert text.text.startswith(OPEN.format(part="offer") + "\n")
    assert text.text.endswith("</project-brain>\n")
    assert list(text.pieces) == [TAX.id, ORDER.id]
    assert "```markdown\nRound tax down" in text.text
    assert estimate(text.text) <= brain.config["memory.offerBudget"]
    assert offer_text(brain, [], HOST_ROOM).text == ""


def test_one_that_is_too_long_is_offered_by_its_line_and_the_rest_waits(tmp_path: Path) -> None:
    long = [
        memory(f"00.Shared/decisions/d{n}.md", tags=("tax",), body="再試行は二回まで。" * 40 + "\n\n**適用:** 数える。") for n in range(5)
    ]  # fmt: skip
    brain = brain_of(tmp_path, long)
    text = offer_text(brain, long, HOST_ROOM)
    assert 0 < len(text.pieces) <= OFFERED
    assert "```" not in text.text
    assert f"(read it with `brain show {long[0].id}`)" in text.text
    assert estimate(text.text) <= 400
    tiny = brain_of(tmp_path, long, settings={"memory": {"offerBudget": 50}})
    assert offer_text(tiny, long, HOST_ROOM).text == ""
    assert len(offer_text(brain, [TAX], Room(300, 300)).text.encode()) <= 300

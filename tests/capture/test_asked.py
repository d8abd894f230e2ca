"""What a model is shown of a session, and what of its answer is believed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.capture.asked import BUDGET, MOST_THINGS, Shown, make_prompt, read_answer
from brain.capture.signals import CORRECTION, FIX, Signal
from brain.capture.transcript import read_part
from brain.capture.turns import ASSISTANT, CALL, ERROR, PERSON, RESULT, Turn
from brain.tokens import estimate
from brain.value import replace

TRANSCRIPT = Path(__file__).parents[1] / "data/capture/claude/7b0c2f4e-1d35-4c1a-9a57-2f0e6d1c8a11.jsonl"
TOKEN = "gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c"
TURNS = (
    Turn(PERSON, "sửa thuế đi", 0),
    Turn(CALL, "", 1, "e", ("src/tax.py",)), Turn(RESULT, "ok: reviews are not needed", 2, "e"),
    Turn(PERSON, "Ở đây mình hay dùng 切り捨て, bên hoá đơn họ cũng vậy.", 3),
    Turn(CALL, "pytest -q", 4, "t"), Turn(ERROR, "ModuleNotFoundError: No module named 'order'", 5, "t"),
    Turn(CALL, "make test", 6, "u"), Turn(RESULT, "3 passed", 7, "u"),
    Turn(ASSISTANT, f"Xong. {TOKEN}", 8),
)  # fmt: skip
GOOD = {
    "kind": CORRECTION, "text": "Thuế được cắt bỏ phần lẻ (切り捨て), vì bên hoá đơn làm như vậy.",
    "apply": "cắt bỏ phần lẻ.", "quote": "mình hay dùng  切り捨て",
}  # fmt: skip
MENDED = {
    "kind": FIX, "text": "The tests need the paths that make sets.", "apply": "run make test.",
    "quote": "No module named 'order'", "fix": "make test",
}  # fmt: skip


def shown() -> Shown:
    found = make_prompt(TURNS, ["kept already"])
    assert found
    return found


def read(*things: Any) -> tuple[list[Signal], int]:
    return read_answer(json.dumps({"memories": list(things)}), shown())


def test_the_prompt_holds_turns_and_what_is_kept_but_no_secret_and_no_answer_of_a_tool() -> None:
    prompt = shown().prompt
    assert "- kept already\n" in prompt
    assert json.dumps({"person": TURNS[3].text}, ensure_ascii=False) in prompt
    assert TOKEN not in prompt
    assert "reviews are not needed" not in prompt
    assert make_prompt([turn for turn in TURNS if turn.kind != PERSON], []) is None
    assert make_prompt([], []) is None


def test_of_a_long_session_the_newest_whole_turns_are_shown() -> None:
    turns = [Turn(PERSON, f"số {number}: " + "thuế tính theo từng dòng. " * 60, number) for number in range(200)]
    found = make_prompt(turns, [])
    assert found
    assert found.turns == tuple(turns[-len(found.turns) :])
    assert 5 < len(found.turns) < 200
    assert estimate(found.prompt) < BUDGET + 1000


def test_what_a_turn_shows_is_believed() -> None:
    signals, wrong = read(GOOD, MENDED)
    assert wrong == 0
    first, second = signals
    assert (first.kind, first.text, first.apply, first.files) == (
        CORRECTION, GOOD["text"], GOOD["apply"], ("src/tax.py",),
    )  # fmt: skip
    assert (second.kind, second.failed, second.fix) == (FIX, "pytest -q", "make test")
    again = replace(first, text="Said in other words than before, by the same quotation.")
    assert first.key == again.key  # asked twice it is one thing


@pytest.mark.parametrize("change", [
    {"quote": "always use float"}, {"quote": "reviews are not needed"}, {"quote": "切り"}, {"quote": ""},
    {"kind": "gossip"}, {"kind": None}, {"text": ""}, {"text": "x" * 701}, {"text": 3}, {"apply": "y" * 301},
    {"text": f"The token is {TOKEN}."}, {"apply": "write to mai.nguyen@corp-mail.vn"}, {"quote": "Xong"},
])  # fmt: skip
def test_what_no_turn_shows_is_left(change: dict[str, Any]) -> None:
    assert read({**GOOD, **change}) == ([], 1)


@pytest.mark.parametrize("change", [
    {"fix": "rm -rf build"}, {"fix": ""}, {"quote": "3 passed"}, {"quote": "mình hay dùng 切り捨て"},
])  # fmt: skip
def test_a_fix_is_a_command_that_was_run_and_an_error_that_was_seen(change: dict[str, Any]) -> None:
    assert read({**MENDED, **change}) == ([], 1)


def test_an_answer_in_a_block_of_code_is_read_and_no_more_than_was_asked_for() -> None:
    text = json.dumps({"memories": [GOOD]}, ensure_ascii=False)
    assert len(read_answer(f"Here you are:\n```json\n{text}\n```\nBye.", shown())[0]) == 1
    assert read(*[GOOD] * 50)[1] == 50 - MOST_THINGS
    assert read() == ([], 0)


@pytest.mark.parametrize("answer", ["", "I cannot help with that.", "{", "[]", '{"memories": {}}', "{}", "[" * 100_000])
def test_what_is_no_answer_is_an_error(answer: str) -> None:
    with pytest.raises(ValueError, match="no "):
        read_answer(answer, shown())


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from([GOOD["quote"], CORRECTION]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*MENDED, "memories"]), inner), max_leaves=12,
))  # fmt: skip
def test_any_answer_breaks_nothing(found: Any) -> None:
    try:
        signals, _ = read_answer(json.dumps({"memories": found}), shown())
    except ValueError:
        return
    assert all(signal.quote for signal in signals)


def test_a_real_transcript_has_room_in_the_prompt() -> None:
    turns = read_part(str(TRANSCRIPT), "claude", 0).turns
    found = make_prompt(turns, [])
    assert found
    assert sum(turn.kind == PERSON for turn in found.turns) == 6

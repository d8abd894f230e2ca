"""A retrospect grows by lines, and keeps whatever people made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.capture.drafts import Filed, tags_of, worth_a_draft
from brain.capture.redact import redacted
from brain.capture.retro import MOST_BYTES, TITLES, add_lines, lines_of, write_retro
from brain.capture.signals import CORRECTION, FIX, REMEMBER, Signal
from brain.errors import BrainError
from brain.tend.retros import points_of
from brain.ticket import Ticket

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c"
WISH = Signal(REMEMBER, "Tests need PYTHONPATH=src.", 0.5)
LINES = lines_of(
    [
        WISH,
        Signal(FIX, "No module named 'x'", 0.35, "pytest", "PYTHONPATH=src pytest"),
        Signal(CORRECTION, "切り捨て\nです。", 0.4),
    ],
    [Filed("mem-F001-x", "Tests need it")],
)


def test_a_new_retrospect_has_four_lists() -> None:
    assert add_lines("", LINES, "en", "T-1") == (
        "# Retrospect: T-1\n\n## Learned\n\n- Tests need PYTHONPATH=src.\n\n## Errors and fixes\n\n"
        "- `pytest`: No module named 'x' → `PYTHONPATH=src pytest`\n\n## Where people corrected the AI\n\n- 切り捨て です。\n\n"
        "## Proposed memories\n\n- mem-F001-x: Tests need it\n"
    )


@pytest.mark.parametrize("language", TITLES)
def test_the_same_lines_again_change_nothing_in_any_language(language: str) -> None:
    text = add_lines("", LINES, language, "T-1")
    for other in TITLES:
        assert add_lines(text, LINES, other, "T-1") == text
    assert list(points_of(text)) == ["mem-F001-x: Tests need it"]  # consolidate finds what was proposed


def test_what_people_wrote_stays_to_the_byte_and_new_lines_join_their_list() -> None:
    text = "My words.\r\n\r\n## Điều học được\r\n- mine\r\n\r\n\r\n## Other\r\nx"
    assert add_lines(text, {"learned": ["new"], "errors": [], "corrected": ["c"], "proposed": []}, "en", "T") == (
        "My words.\r\n\r\n## Điều học được\r\n- mine\r\n- new\r\n\r\n\r\n## Other\r\nx\r\n\r\n"
        "## Where people corrected the AI\r\n\r\n- c\r\n"
    )


def test_a_file_that_is_too_long_or_a_link_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "03.Retro"
    folder.mkdir()
    (folder / "long.md").write_text("x" * (MOST_BYTES + 1))
    (folder / "link.md").symlink_to(tmp_path / "else.md")
    assert not write_retro(str(tmp_path), "long", LINES, "en")
    assert not write_retro(str(tmp_path), "link", LINES, "en")
    assert not (tmp_path / "else.md").exists()
    (folder / "bytes.md").write_bytes(b"\xff\xfe")
    with pytest.raises(BrainError):
        write_retro(str(tmp_path), "bytes", LINES, "en")
    assert (folder / "bytes.md").read_bytes() == b"\xff\xfe"
    assert write_retro(str(tmp_path), "new", LINES, "en")
    assert not write_retro(str(tmp_path), "new", LINES, "en")


def test_what_is_secret_or_personal_is_taken_out_wherever_it_stands() -> None:
    text = f"Dùng {TOKEN} để push.\nトークン「{TOKEN}」と {TOKEN}\nhỏi mai.tran@gmail.com nhé"
    assert redacted(text) == "Dùng *** để push.\nトークン「***」と ***\nhỏi *** nhé"
    assert redacted("Truncate per line (切り捨て), never round.") == "Truncate per line (切り捨て), never round."


def test_drafts_are_made_of_neither_masked_nor_repeated_nor_told_signals() -> None:
    fix = Signal(FIX, "No module named 'x'", 0.35, "pytest", "PYTHONPATH=src pytest")
    again, masked = (
        Signal(CORRECTION, "tests need PYTHONPATH=src!", 0.4),
        Signal(REMEMBER, "The token is *** here", 0.5),
    )
    assert worth_a_draft([fix, again, masked, WISH]) == [WISH]
    assert worth_a_draft([fix]) == [fix]


def test_a_text_without_words_for_tags_has_those_of_its_ticket_and_files() -> None:
    assert tags_of(("src/order/tax.py", "docs/仕様.md"), Ticket(keywords=("Payment", "決済"))) == ("payment", "tax")

"""The readers' pages are played, one after the other, and print what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the extra api is not installed")
pytest.importorskip("mcp", reason="the extra mcp is not installed")

from tests.docs.story import Story, commands, differences, steps
from tests.gitlab.fixture import start
from tests.test_architecture import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ("tl", "developer", "pm", "agent-author", "sync")
"""In the order of the story: each begins where the one before it ended."""


def test_the_pages_print_what_they_show(tmp_path: Path) -> None:
    with start(tmp_path / "gitlab") as forge:
        story = Story(tmp_path / "people", forge)
        try:
            for page in PAGES:
                play(story, ROOT / "docs" / f"{page}.md")
        finally:
            story.end()


def play(story: Story, page: Path) -> None:
    """Take the steps of one page."""
    for step in steps(page):
        if step.kind == "then":
            story.happen(step.name)
            continue
        if step.kind == "shown":
            rows = [(step.name, step.text.splitlines(), story.show(step.name))]
        else:
            printed = story.type(step.name, step.text)
            typed = commands(step.text)
            assert len(printed) == len(typed), printed
            rows = [(line, shown, text.splitlines()) for (line, shown), text in zip(typed, printed, strict=True)]
        for line, shown, found in rows:
            wrong = differences(shown, found)
            assert not wrong, f"{page.name}: {line}\nprints\n{wrong}"


@pytest.mark.parametrize(("shown", "printed", "same"), [
    ("a b", "a  b", True), ("a b", "a c", False), ("…", "a\nb", True), ("a\n…\nd", "a\nb\nc\nd", True), ("a\n…\nd", "b\nd", False),
    ("a … d", "a b c d", True), ("a …", "b c", False), ("on 1234567 x", "on fedcba98 x", True), ("", "", True), ("", "a", False),
])  # fmt: skip
def test_dots_stand_for_what_is_left_out_and_nothing_else(shown: str, printed: str, *, same: bool) -> None:
    assert (differences(shown.splitlines(), printed.splitlines()) == "") == same

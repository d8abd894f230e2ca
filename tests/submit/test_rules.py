"""Which lines of the rules are quoted in a merge request, and of which folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from brain.layout import find_place
from brain.memory import parse_memory
from brain.submit.rules import find_quotes
from tests.support.repos import memory_text

if TYPE_CHECKING:
    from pathlib import Path

PATH = "01.Lessons/dev/F-001_Pay/retry.md"
PLACE = find_place(PATH)
assert PLACE
MEMORIES = [parse_memory(memory_text(PATH), PLACE)]
RULE = "Never retry a payment more than once; count each payment."


@pytest.mark.parametrize("name", ["rules", "./rules", "deep/../rules", ".rules"])
def test_a_folder_of_the_workspace_is_quoted(tmp_path: Path, name: str) -> None:
    for folder in (".rules", "rules", "deep"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pay.md").write_text(f"{RULE}\n")
    (quote,) = find_quotes(str(tmp_path), name, MEMORIES)
    assert (os.path.basename(quote.path), quote.line, quote.text) == ("pay.md", 1, RULE)


@pytest.mark.parametrize("name", ["..", "../private", "{private}", "link", "rules/../../private"])
def test_a_setting_quotes_no_other_file_of_this_person(tmp_path: Path, name: str) -> None:
    private, workspace = tmp_path / "private", tmp_path / "shop"
    (workspace / "rules").mkdir(parents=True)
    private.mkdir()
    (private / "diary.md").write_text(f"{RULE}\n")
    (workspace / "link").symlink_to(private)
    wanted = name.format(private=private)
    assert find_quotes(str(workspace), wanted, MEMORIES) == []

"""What makes a merge request of a text that is on the branch already, and what the approver is shown of it."""

from __future__ import annotations

import pytest

from brain.finalize.edits import approve, neutral
from brain.layout import find_place
from brain.memory import parse_memory
from brain.submit.body import Alike, Subject, render_body
from brain.submit.texts import WORDS
from brain.submit.waiting import touched
from tests.submit.team import NOON
from tests.support.repos import memory_text

FORMS = ["reviewed_by:", 'reviewed_by: ""', "reviewed_by: ''", "reviewed_by:   # ai?", 'reviewed_by: "" # 誰か']


def written(form: str, newline: str = "\n") -> str:
    text = memory_text(NOON, body="reviewed_by:\n\n**Apply:** count.", status="pending", reviewed_by="")
    return text.replace("reviewed_by:", form, 1).replace("\n", newline)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_only_the_empty_field_changes_and_the_text_is_the_same_to_finalize(form: str, newline: str) -> None:
    text = written(form, newline)
    new = touched(text)
    lines = zip(text.split("\n"), new.split("\n"), strict=True)
    assert [one.partition(":")[0] for one, other in lines if one != other] == ["reviewed_by"]
    place = find_place(NOON)
    assert place
    assert parse_memory(new, place) == parse_memory(text, place)
    assert neutral(approve(new.encode(), "pam", NOON), NOON) == neutral(new.encode(), NOON)


@pytest.mark.parametrize("language", WORDS)
def test_the_checklist_points_to_near_duplicates_only_where_there_are_some(language: str) -> None:
    place = find_place(NOON)
    assert place
    memory, near = parse_memory(written(FORMS[0]), place), WORDS[language]["near"]
    rows = [Alike(memory.id, "mem-global-other", 0.8, same=False)]
    for alike, shown in (([], False), (rows, True)):
        text = render_body(
            Subject("0", "T-1", "", "", [(memory, False)], False, alike, [], [], "", waiting=[memory]), language
        )
        assert (near in text) == shown
        assert "{near}" not in text
        assert WORDS[language]["waiting"] in text

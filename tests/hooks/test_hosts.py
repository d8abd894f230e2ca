"""Each host's encoder: an answer it reads, whatever is to be said."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from brain_hooks.hosts import HOSTS, Reply

CLAUDE, TEXT = HOSTS["claude"], HOSTS["text"]


def test_claude_reads_one_object() -> None:
    answer = CLAUDE.encode("SessionStart", Reply("受注", ("late", "broken")))
    assert answer.isascii()
    assert json.loads(answer) == {
        "systemMessage": "brain: late\nbrain: broken",
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "受注"},
    }


def test_nothing_to_say_is_an_empty_object_or_no_text() -> None:
    assert CLAUDE.encode("Stop", Reply()) == "{}"
    assert TEXT.encode("SessionStart", Reply()) == ""


def test_remarks_stand_before_plain_text() -> None:
    assert TEXT.encode("SessionStart", Reply("text\n", ("late",))) == "brain: late\ntext\n"


@given(st.text(), st.lists(st.text()))
def test_claude_gets_ascii_and_its_own_text_back(text: str, remarks: list[str]) -> None:
    answer = CLAUDE.encode("SessionStart", Reply(text, tuple(remarks)))
    assert answer.isascii()
    found = json.loads(answer)
    assert found.get("hookSpecificOutput", {}).get("additionalContext", "") == text
    assert len(found.get("systemMessage", "").encode("utf-16-le", "surrogatepass")) // 2 <= 9500


def test_only_the_events_that_we_answer_are_heard() -> None:
    assert {name: host.events for name, host in HOSTS.items()} == {"claude": {"SessionStart"}, "text": {"SessionStart"}}

"""A host's JSON becomes one event, whatever is in it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_hooks.event import SOURCES, Event, PayloadError, folder_of, parse_event

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = ("session_id", "cwd", "source", "agent_id", "transcript_path", "other")


def parse(**fields: object) -> Event:
    return parse_event("SessionStart", json.dumps(fields).encode())


def test_the_fields_we_read() -> None:
    event = parse(
        session_id="s", cwd="/w", source="resume", agent_id="a", transcript_path="C:\\x\\parent.jsonl", model="m"
    )
    assert event == Event("SessionStart", "s", "/w", "resume", "a", "parent")


@pytest.mark.parametrize("payload", [b"", b" \n", b"\xef\xbb\xbf", b"{}", b"\xef\xbb\xbf{}\r\n"])
def test_nothing_said_is_a_start_without_particulars(payload: bytes) -> None:
    assert parse_event("SessionStart", payload) == Event("SessionStart")


@pytest.mark.parametrize("payload", [
    b"hello", b"[]", b"null", b"1", b"{}{}", b"{'a': 1}", b'{"a":', b"\xff", b"[" * 200_000, b'{"a": ' + b"1" * 5000 + b"}",
    b"{", b'"x', b'{"a" 1}', b'{"a": "\n"}',
])  # fmt: skip
def test_what_is_no_object_is_refused(payload: bytes) -> None:
    with pytest.raises(PayloadError, match="standard input is no JSON"):
        parse_event("SessionStart", payload)


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES))
def test_any_object_is_an_event_of_plain_text(fields: dict[str, object]) -> None:
    event = parse(**fields)
    assert event.source in SOURCES
    for text in (event.session, event.cwd, event.agent, event.parent):
        assert text.encode().decode() == text  # no lone surrogate: it can be written anywhere


def test_the_transcript_of_the_session_itself_is_no_parent() -> None:
    assert parse(session_id="s", transcript_path="/x/s.jsonl").parent == ""
    assert parse(session_id="s", transcript_path="").parent == ""


def test_the_folder_is_the_one_that_is_named_and_nothing_where_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "da \u0300 đó"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    assert folder_of(Event("e", cwd=str(there))) == str(there)
    assert folder_of(Event("e", cwd=str(there) + "/gone")) == ""
    assert folder_of(Event("e")) == str(here)
    assert folder_of(Event("e", cwd="/home/\ufffd\ufffd")) == str(here)
    here.rmdir()
    assert folder_of(Event("e")) == ""
    os.chdir(tmp_path)

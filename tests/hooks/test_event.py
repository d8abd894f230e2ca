"""What a host sends becomes an object, whatever is in it, and an event is about a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from brain_hooks.event import Event, PayloadError, folder_of, parse_payload


@pytest.mark.parametrize("payload", [b"", b" \n", b"\xef\xbb\xbf", b"{}", b"\xef\xbb\xbf{}\r\n"])
def test_nothing_said_is_an_object_without_particulars(payload: bytes) -> None:
    assert parse_payload(payload) == {}


@pytest.mark.parametrize("payload", [
    b"hello", b"[]", b"null", b"1", b"{}{}", b"{'a': 1}", b'{"a":', b"\xff", b"[" * 200_000, b'{"a": ' + b"1" * 5000 + b"}",
    b"{", b'"x', b'{"a" 1}', b'{"a": "\n"}',
])  # fmt: skip
def test_what_is_no_object_is_refused(payload: bytes) -> None:
    with pytest.raises(PayloadError, match="standard input is no JSON"):
        parse_payload(payload)


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

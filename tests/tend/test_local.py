"""Counting this workspace's telemetry: each line once, over rotation, torn lines, and a run that is killed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from brain import telemetry
from brain.telemetry import CITED, EVENTS, READ, record, telemetry_dir
from brain.tend.local import FILE, Origin, count_up, read_ledger

if TYPE_CHECKING:
    import pytest

ORIGIN = Origin("shop", 0.05)


def hits(state: Path) -> dict[str, int]:
    return {name: use.hits for name, use in count_up(str(state), ORIGIN).counts.uses.items()}


def use(state: Path, session: str, *ids: str, event: str = CITED) -> None:
    record(str(state), EVENTS, event, session=session, ids=list(ids), ticket="T-1")


def test_what_was_counted_is_not_counted_again(tmp_path: Path) -> None:
    use(tmp_path, "s1", "a", "b")
    assert hits(tmp_path) == {"a": 1, "b": 1}
    assert hits(tmp_path) == {"a": 1, "b": 1}
    use(tmp_path, "s1", "a", event=READ)
    use(tmp_path, "s2", "a")
    assert hits(tmp_path) == {"a": 2, "b": 1}


def test_nothing_is_lost_when_files_are_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry, "MAX_BYTES", 2000)
    for number in range(60):
        use(tmp_path, f"s{number}", "a")
        if number == 20:
            assert hits(tmp_path) == {"a": 21}
    assert hits(tmp_path) == {"a": 60}


def test_files_set_aside_are_bounded_and_go_once_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telemetry, "MAX_BYTES", 300)
    for number in range(60):
        use(tmp_path, f"s{number}", "a")
    folder = Path(telemetry_dir(str(tmp_path)))
    assert len(list(folder.glob(f"{EVENTS}*"))) <= telemetry.KEPT + 1
    assert sum(path.stat().st_size for path in folder.glob(f"{EVENTS}*")) < 500 * (telemetry.KEPT + 1)
    before = hits(tmp_path)
    for path in folder.glob(f"{EVENTS}.*"):
        os.utime(path, (time.time() - 9999,) * 2)
    assert hits(tmp_path) == before
    assert list(folder.glob(f"{EVENTS}.*")) == []


def test_a_line_that_is_not_whole_yet_waits_and_a_torn_one_is_passed_over(tmp_path: Path) -> None:
    use(tmp_path, "s1", "a")
    path = Path(telemetry_dir(str(tmp_path)), EVENTS)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(whole.replace(b"s1", b"s2")[:-5])
    assert hits(tmp_path) == {"a": 1}
    with path.open("ab") as file:
        file.write(whole[-5:] + b'{"time": 1, "ev\n\xff\xfe\n' + whole.replace(b"s1", b"s3"))
    assert hits(tmp_path) == {"a": 3}


def test_killed_before_it_was_kept_it_counts_from_the_same_place(tmp_path: Path) -> None:
    use(tmp_path, "s1", "a")
    count_up(str(tmp_path), ORIGIN)
    kept = Path(telemetry_dir(str(tmp_path)), FILE)
    before = kept.read_bytes()
    use(tmp_path, "s2", "a")
    count_up(str(tmp_path), ORIGIN)
    kept.write_bytes(before)  # as if the last run had died before its file was in place
    assert hits(tmp_path) == {"a": 2}


def test_no_text_of_a_memory_and_nobody_s_name_is_kept(tmp_path: Path) -> None:
    record(str(tmp_path), EVENTS, READ, ids=["a"], session="secret-session", ticket="T-1", text="Zebra")
    ledger = count_up(str(tmp_path), ORIGIN)
    kept = Path(telemetry_dir(str(tmp_path)), FILE).read_text()
    assert "Zebra" not in kept
    assert json.loads(kept)["machine"] == ledger.machine == read_ledger(str(tmp_path)).machine
    assert len(ledger.machine) == 16

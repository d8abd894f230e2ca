"""The logs below ``.aiflow``: lines of many processes, whole and apart; never larger than two files."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest

from brain import telemetry
from brain.telemetry import EVENTS, MAX_BYTES, record, telemetry_dir


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_is_json_in_ascii_with_the_time(tmp_path: Path) -> None:
    record(str(tmp_path), EVENTS, "injected", ids=["受注"])
    path = Path(telemetry_dir(str(tmp_path)), EVENTS)
    assert path.read_bytes().isascii()
    (row,) = rows(path)
    assert row.keys() == {"time", "event", "ids"}
    assert (row["event"], row["ids"]) == ("injected", ["受注"])
    assert path.stat().st_mode & 0o777 == 0o600
    assert (path.parent / ".gitignore").read_text() == "*\n"


def write_many(folder: str, writer: int, times: int, size: int) -> None:
    for number in range(times):
        record(folder, EVENTS, "injected", writer=writer, number=number, filler="x" * size)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_writers_at_once_do_not_mix_and_a_full_file_is_set_aside_once(tmp_path: Path) -> None:
    writers, times, size = 4, 200, 2000  # 1.6 MB: one turn
    running = [
        multiprocessing.get_context("fork").Process(target=write_many, args=(str(tmp_path), writer, times, size))
        for writer in range(writers)
    ]
    for process in running:
        process.start()
    for process in running:
        process.join()
        assert process.exitcode == 0
    folder = Path(telemetry_dir(str(tmp_path)))
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", EVENTS, f"{EVENTS}.1"]
    found = rows(folder / f"{EVENTS}.1") + rows(folder / EVENTS)
    assert sorted((row["writer"], row["number"]) for row in found) == [
        (writer, number) for writer in range(writers) for number in range(times)
    ]
    assert MAX_BYTES < (folder / f"{EVENTS}.1").stat().st_size < MAX_BYTES + writers * 2 * (size + 200)


def test_a_file_that_another_set_aside_is_not_set_aside_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between our writing and our looking at the size another process renames the file: the new one must stay."""
    monkeypatch.setattr(telemetry, "MAX_BYTES", 500)
    path = Path(telemetry_dir(str(tmp_path)), EVENTS)
    record(str(tmp_path), EVENTS, "old", filler="x" * 400)

    def slow_write(descriptor: int, line: bytes) -> int:
        written = real_write(descriptor, line)
        path.rename(f"{path}.1")
        path.write_text('{"time": 1, "event": "new"}\n')
        return written

    real_write = os.write
    monkeypatch.setattr(os, "write", slow_write)
    record(str(tmp_path), EVENTS, "late", filler="x" * 400)
    assert [row["event"] for row in rows(Path(f"{path}.1"))] == ["old", "late"]
    assert [row["event"] for row in rows(path)] == ["new"]


def test_what_cannot_be_written_is_lost_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    record(str(tmp_path / "file"), EVENTS, "x")
    Path(telemetry_dir(str(tmp_path)), EVENTS).mkdir(parents=True)
    record(str(tmp_path), EVENTS, "x")
    record("/proc/nowhere", EVENTS, "x")

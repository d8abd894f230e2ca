"""The journal on disk: whole lines or none, whoever writes and whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from brain.tend.counts import Counts, Use
from brain_api.deliveries import MOST_KEYS, Deliveries, Delivery
from brain_api.hits import Hits
from brain_api.journal import Journal
from tests.api.serving import wait_for
from tests.support.repos import SOURCE

if TYPE_CHECKING:
    from pathlib import Path

WRITER = """
import sys
from brain_api.journal import Journal
journal = Journal(sys.argv[1])
for number in range(int(sys.argv[3])):
    journal.append([{"by": sys.argv[2], "n": number, "text": "決済" * 50}])
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), str(SOURCE / "api")])}
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), name, str(count)], env=env)


def test_processes_that_write_side_by_side_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    writers = [writer(path, name, 60) for name in "abc"]
    assert [one.wait(60) for one in writers] == [0, 0, 0]
    _, rows = Journal(str(path)).read_on()
    for name in "abc":
        assert [row["n"] for row in rows if row["by"] == name] == list(range(60))
    assert len(rows) == 180


def test_a_writer_that_is_killed_leaves_whole_lines_and_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    killed = writer(path, "a", 100_000)
    wait_for(lambda: path.exists() and path.stat().st_size > 20_000, "some lines")
    killed.send_signal(signal.SIGKILL)
    killed.wait(20)
    journal = Journal(str(path))
    journal.append([{"by": "b", "n": 0}])
    _, rows = journal.read_on()
    assert [row["n"] for row in rows if row["by"] == "a"] == list(range(len(rows) - 1))
    assert rows[-1] == {"by": "b", "n": 0}


@pytest.mark.parametrize("torn", [b"x", b"00000000 {}", b'deadbeef {"key"', b"\x00\x00\n\x00", b"\n\n", b"zz zz\n{}\n"])
def test_what_is_no_line_of_ours_is_passed_over(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "rows.jsonl"
    journal = Journal(str(path))
    journal.append([{"n": 1}])
    with path.open("ab") as file:
        file.write(torn)
    journal.append([{"n": 2}])
    assert Journal(str(path)).read_on()[1] == [{"n": 1}, {"n": 2}]


def test_a_file_that_is_begun_anew_is_read_anew(tmp_path: Path) -> None:
    writing, reading = Journal(str(tmp_path / "rows.jsonl")), Journal(str(tmp_path / "rows.jsonl"))
    writing.append([{"n": 1}])
    assert reading.read_on() == (True, [{"n": 1}])
    assert reading.read_on() == (False, [])
    writing.rewrite([{"n": 2}])
    assert reading.read_on() == (True, [{"n": 2}])
    os.unlink(tmp_path / "rows.jsonl")
    assert reading.read_on() == (True, [])


def told(key: str) -> Delivery:
    return Delivery(key, 1.0, "merge_request", 7, "c" * 40, "approved", "opened", 5, "memory/T-1", ours=True)


def test_a_delivery_is_kept_once_until_it_is_done_and_known_ever_after(tmp_path: Path) -> None:
    path = str(tmp_path / "deliveries.jsonl")
    first, other = Deliveries(path), Deliveries(path)
    assert [first.accept(told("a")), other.accept(told("a")), other.accept(told("b"))] == [True, False, True]
    assert first.pending() == [told("a"), told("b")]
    other.done([told("a")])
    assert first.pending() == Deliveries(path).pending() == [told("b")]
    assert Deliveries(path).accept(told("a")) is False


def test_only_the_latest_keys_of_what_is_done_are_remembered(tmp_path: Path) -> None:
    deliveries = Deliveries(str(tmp_path / "deliveries.jsonl"))
    deliveries.accept(told("first"))
    deliveries.done([told(str(number)) for number in range(MOST_KEYS + 10)])
    assert deliveries.pending() == [told("first")]
    assert deliveries.accept(told("0")) is True
    assert deliveries.accept(told(str(MOST_KEYS))) is False


def test_counts_of_processes_come_together(tmp_path: Path) -> None:
    one, other = Hits(str(tmp_path / "hits.jsonl")), Hits(str(tmp_path / "hits.jsonl"))
    assert one.merge("ada", used({"mem-a": 3, "mem-b": 1})) == 2
    assert other.merge("ada", used({"mem-a": 2, "mem-b": 5})) == 1
    assert other.merge("ben", used({"mem-a": 1})) == 1
    assert one.totals() == other.totals() == {"mem-a": 4, "mem-b": 5}


def test_counts_of_an_earlier_version_are_read_and_kept_small(tmp_path: Path) -> None:
    path = tmp_path / "hits.jsonl"
    Journal(str(path)).append([{"machine": "ada", "id": "mem-a", "n": number} for number in range(200_000)])
    hits, large = Hits(str(path)), path.stat().st_size
    hits.add("ada", ["mem-a"], "2026-03-01")
    assert path.stat().st_size < large / 1000
    assert hits.machines() == Hits(str(path)).machines()
    assert hits.machines()["ada"].uses == {"mem-a": Use(200_000, last="2026-03-01")}


def used(hits: dict[str, int]) -> Counts:
    return Counts({name: Use(number) for name, number in hits.items()}, {})

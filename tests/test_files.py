"""Files are whole or not there, whoever else writes and whatever fails."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from brain.files import create_file, read_json, remove_file, write_file
from tests.support.repos import PROGRAM


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    write_file(str(tmp_path / "a/b/c.txt"), "在庫\n")
    write_file(str(tmp_path / "a/b/d"), b"\xff", durable=True)
    assert [(path.name, path.read_bytes()) for path in sorted((tmp_path / "a/b").iterdir())] == [
        ("c.txt", "在庫\n".encode()),
        ("d", b"\xff"),
    ]


def test_a_name_without_a_folder_is_one_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_file("x", "1")
    assert (tmp_path / "x").read_text() == "1"


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text("{}")
    path.chmod(0o600)
    write_file(str(path), "[]")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("[]", 0o600)


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_file(str(path), b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"x": "old"}


def test_a_folder_in_the_way_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "x/y").mkdir(parents=True)
    with pytest.raises(OSError, match="x"):
        write_file(str(tmp_path / "x"), "new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


def test_a_file_is_created_only_where_nothing_is(tmp_path: Path) -> None:
    path = tmp_path / "a/x"
    create_file(str(path), "one")
    for there in (path, path.parent / "dangling"):
        if not there.exists():
            there.symlink_to("nowhere")
        with pytest.raises(FileExistsError):
            create_file(str(there), "two")
    assert {
        entry.name: os.readlink(entry) if entry.is_symlink() else entry.read_text() for entry in path.parent.iterdir()
    } == {"x": "one", "dangling": "nowhere"}


def test_of_many_who_create_one_wins_and_is_whole(tmp_path: Path) -> None:
    path, won = str(tmp_path / "x"), []

    def create(number: int) -> None:
        try:
            create_file(path, f"{number} " * 10_000)
            won.append(number)
        except FileExistsError:
            pass

    threads = [threading.Thread(target=create, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"x": f"{won[0]} " * 10_000}
    assert len(won) == 1


def test_threads_that_write_one_file_leave_one_of_them_whole(tmp_path: Path) -> None:
    path, texts = str(tmp_path / "x"), [f"{number}" * 50_000 for number in range(8)]
    threads = [threading.Thread(target=lambda text=text: [write_file(path, text) for _ in range(20)]) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Path(path).read_text() in texts
    assert len(os.listdir(tmp_path)) == 1


def test_a_reader_never_sees_half_of_what_a_killed_writer_wrote(tmp_path: Path) -> None:
    path = tmp_path / "x"
    code = f"from brain.files import write_file\nprint(flush=True)\nwhile True:\n    for sign in 'ab': write_file({str(path)!r}, sign * 300_000)"
    for wait in (0.0, 0.01, 0.02):
        writer = subprocess.Popen([sys.executable, "-c", code], env=PROGRAM, stdout=subprocess.PIPE)
        assert writer.stdout
        writer.stdout.readline()
        try:
            writer.wait(wait)
        except subprocess.TimeoutExpired:
            pass
        writer.kill()
        writer.communicate()
        assert not path.exists() or path.read_text() in ("a" * 300_000, "b" * 300_000)


@pytest.mark.parametrize(
    ("content", "found"),
    [(b'{"a": 1}', {"a": 1}), (b"\xef\xbb\xbf[1]", [1]), (b"", None), (b"{", None), (b"\xff", None), (b"[" * 100_000, None), (b"null", None)],
)  # fmt: skip
def test_json_is_read_or_nothing(tmp_path: Path, content: bytes, found: object) -> None:
    (tmp_path / "x").write_bytes(content)
    assert read_json(str(tmp_path / "x")) == found


def test_what_is_no_file_holds_no_json(tmp_path: Path) -> None:
    assert (read_json(str(tmp_path)), read_json(str(tmp_path / "none")), read_json("a\0b")) == (None, None, None)
    remove_file(str(tmp_path / "none"))

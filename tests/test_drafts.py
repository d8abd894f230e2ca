"""Drafts on disk: seen as they are now, whatever else lies there, and whatever the cache is good for."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from brain.drafts import MAX_DRAFTS, Drafts, list_drafts, load_drafts, read_draft
from brain.errors import InvalidMemoryError
from brain.layout import AREA_TYPES
from brain.memory import Memory
from tests.support.repos import memory_text

PATH = "01.Lessons/dev/F-1/x.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a memory root with a ``_pending`` folder."""
    (tmp_path / "root/_pending").mkdir(parents=True)
    return tmp_path / "root"


def put(root: Path, path: str = PATH, text: str = "", **fields: object) -> Path:
    file = root / "_pending" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text or memory_text(path, **{"status": "pending", "reviewed_by": "", **fields}), encoding="utf-8")
    return file


def load(root: Path) -> Drafts | None:
    return load_drafts(str(root), str(root.parent / "cache"))


def memories(root: Path) -> list[Memory]:
    drafts = load(root)
    return [drafts.segment.memory(number) for number in range(drafts.segment.docs)] if drafts else []


def bodies(root: Path) -> list[str]:
    return sorted(memory.body.partition("\n")[0] for memory in memories(root))


def skipped(root: Path) -> tuple[str, ...]:
    drafts = load(root)
    return drafts.skipped if drafts else ()


def settle(root: Path) -> None:
    """Let the files be older than what could change unseen, and read them once more into the cache."""
    time.sleep(0.03)
    load(root)


def test_without_drafts_there_is_nothing(root: Path) -> None:
    assert load(root) is None
    (root / "_pending").rmdir()
    assert (load(root), list_drafts(str(root))) == (None, [])


def test_a_folder_that_cannot_be_read_is_no_empty_folder(root: Path) -> None:
    (root / "_pending").rmdir()
    (root / "_pending").write_text("a file where the folder should be")
    drafts = load(root)
    assert drafts
    assert drafts.skipped == ("_pending: cannot be read; the drafts in it are not seen (check its permissions)",)


def test_a_draft_is_pending_and_without_hits_whatever_it_says(root: Path) -> None:
    put(root, status="approved", reviewed_by="me", hits=9)
    for _ in range(2):
        assert [(memory.id, memory.status, memory.hits) for memory in memories(root)] == [("mem-F1-x", "pending", 0)]
        settle(root)


def test_the_cache_is_used_while_nothing_changes(root: Path) -> None:
    put(root)
    settle(root)
    cache = root.parent / "cache"
    before = cache.stat().st_ino
    assert bodies(root) == ["Retry a payment at most twice."]
    assert cache.stat().st_ino == before


def test_every_change_is_seen_at_once(root: Path) -> None:
    file = put(root, body="one")
    settle(root)
    for body in ("two", "six", "ten"):  # same size, within a millisecond
        file.write_text(memory_text(PATH, body=body))
        assert bodies(root) == [body]
    put(root, "01.Lessons/dev/F-1/y.md", body="new")
    assert bodies(root) == ["new", "ten"]
    file.rename(file.with_name("z.md"))
    assert skipped(root) == (
        "_pending/01.Lessons/dev/F-1/z.md:2: id is 'mem-F1-x', its place says 'mem-F1-z' (write id: mem-F1-z)",
    )
    shutil.rmtree(root / "_pending/01.Lessons")
    assert load(root) is None


def test_a_change_that_hides_its_time_is_seen(root: Path) -> None:
    file = put(root, body="one")
    settle(root)
    status = file.stat()
    file.write_text(memory_text(PATH, body="two"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert bodies(root) == ["two"]
    other = put(root, "01.Lessons/dev/F-1/y.md", memory_text(PATH, body="six"))
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(file)
    assert bodies(root) == ["six"]


def test_a_file_of_the_future_is_read_each_time(root: Path) -> None:
    file = put(root, body="one")
    os.utime(file, (2**31, 2**31))
    settle(root)
    file.write_text(memory_text(PATH, body="two"))
    os.utime(file, (2**31, 2**31))
    assert bodies(root) == ["two"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "1: the file is empty"), ("x", "1: no frontmatter"), ("---\nid: x\n---\n", "1: type is missing"), ("---\na: b\n\0\n---\n", "3: a NUL byte"),
        (memory_text(PATH) + "x" * 20_000, "1: the file is over 16384 bytes"), (memory_text(PATH).replace("0.8", "much"), "7: confidence: is no number"),
    ],
)  # fmt: skip
def test_an_unreadable_draft_is_one_warning_and_hides_no_other(root: Path, text: str, why: str) -> None:
    file = put(root, "01.Lessons/dev/F-1/a.md")
    file.write_bytes(text.encode())
    put(root, body="good")
    for _ in range(2):
        assert bodies(root) == ["good"]
        (warning,) = skipped(root)
        assert warning.startswith(f"_pending/01.Lessons/dev/F-1/a.md:{why}")
        assert warning.endswith(")")
        settle(root)


@pytest.mark.parametrize("name", ["fifo", "socket", "link", "dangling", "loop", "device"])
def test_what_is_no_file_is_not_read(root: Path, name: str) -> None:
    odd = put(root, body="good").with_name("odd.md")
    if name == "fifo":
        os.mkfifo(odd)
    elif name == "socket":
        import socket

        with socket.socket(socket.AF_UNIX) as listener:
            folder = os.open(odd.parent, os.O_RDONLY)
            listener.bind(f"/proc/self/fd/{folder}/odd.md")
            os.close(folder)
    else:
        odd.symlink_to(
            {"link": root / "_pending" / PATH, "dangling": "nowhere", "loop": "odd.md", "device": "/dev/zero"}[name]
        )
    start = time.monotonic()
    (warning,) = skipped(root)
    assert warning.startswith("_pending/01.Lessons/dev/F-1/odd.md:1: ")
    assert bodies(root) == ["good"]
    assert time.monotonic() - start < 1


def test_a_linked_folder_is_not_followed(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "else", body="secret")
    (root / "_pending/01.Lessons").symlink_to(tmp_path / "else/_pending/01.Lessons")
    (root / "_pending/02.Instincts").symlink_to(root / "_pending")
    assert load(root) is None


def test_files_that_no_one_meant_as_drafts_are_passed_over(root: Path) -> None:
    put(root, body="good")
    for name in (
        "README.md",
        "MEMORY.md",
        "01.Lessons/README.md",
        ".hidden.md",
        "01.Lessons/dev/F-1/x.md~",
        "01.Lessons/dev/F-1/.x.md.swp",
        "01.Lessons/dev/F-1/x.txt",
    ):
        put(root, name, "x")
    (root / "_pending/01.Lessons/dev/F-1/.#x.md").symlink_to("ada@host.123")  # an editor's lock
    (root / "_pending/01.Lessons/dev/F-1/dir.md").mkdir()
    assert (bodies(root), skipped(root), list_drafts(str(root))) == (["good"], (), [PATH])


def test_a_draft_outside_the_layout_says_so(root: Path) -> None:
    put(root, "note.md", "x")
    put(root, "01.Lessons/dev/F-1/受注.md", memory_text(PATH))
    put(root, "01.Lessons/dev/F-1/new\nline.md", memory_text(PATH))
    assert skipped(root) == (
        "_pending/01.Lessons/dev/F-1/new\\nline.md:1: not a plain name (use ASCII letters, digits, '-', '.' and '_' for it)",
        "_pending/01.Lessons/dev/F-1/受注.md:1: not a plain name (use ASCII letters, digits, '-', '.' and '_' for it)",
        f"_pending/note.md:1: no memory may lie here (move it to one of the areas: {', '.join(AREA_TYPES)})",
    )


def test_a_name_that_is_no_text_is_a_warning_too(root: Path) -> None:
    put(root, body="good")
    with open(os.fsencode(root / "_pending/01.Lessons/dev/F-1") + b"/\xff.md", "wb") as file:
        file.write(b"x")
    assert skipped(root) == (
        "_pending/01.Lessons/dev/F-1/\\udcff.md:1: not a plain name (use ASCII letters, digits, '-', '.' and '_' for it)",
    )
    settle(root)
    assert bodies(root) == ["good"]


def test_of_too_many_drafts_the_first_are_read_and_the_rest_is_said(root: Path) -> None:
    text = memory_text("01.Lessons/dev/F-1/n.md", body="many")
    for number in range(MAX_DRAFTS + 1000):
        put(
            root,
            f"01.Lessons/dev/F-{number % 7}/d{number}.md",
            text.replace("mem-F1-n", f"mem-F{number % 7}-d{number}").replace("scope: F-1", f"scope: F-{number % 7}"),
        )
    start = time.monotonic()
    drafts = load(root)
    assert drafts
    assert (drafts.segment.docs, drafts.skipped) == (
        MAX_DRAFTS,
        (f"_pending: over {MAX_DRAFTS} drafts; the others are not read (submit or drop some)",),
    )
    assert time.monotonic() - start < 5
    assert len(list_drafts(str(root))) == MAX_DRAFTS + 1000
    again = load(root)
    assert again
    assert [again.segment.record(number) for number in range(9)] == [
        drafts.segment.record(number) for number in range(9)
    ]


@pytest.mark.parametrize("damage", [b"", b"x", b"BRAINSG1" + bytes(100), None])
def test_a_damaged_cache_is_made_anew(root: Path, damage: bytes | None) -> None:
    put(root, body="good")
    settle(root)
    cache = root.parent / "cache"
    content = cache.read_bytes()
    cache.write_bytes(content[: len(content) // 2] if damage is None else damage)
    assert bodies(root) == ["good"]
    assert cache.stat().st_size == len(content)


@pytest.mark.parametrize("where", ["/proc/brain/cache", "/dev/full/cache"])
def test_without_a_place_for_the_cache_drafts_are_read_each_time(root: Path, where: str) -> None:
    put(root, body="good")
    for _ in range(2):
        drafts = load_drafts(str(root), where)
        assert drafts
        assert drafts.segment.memory(0).body == "good"


def test_a_draft_is_read_with_its_text(root: Path) -> None:
    file = put(root, body="good", status="approved")
    text, memory = read_draft(str(root / "_pending"), PATH)
    assert (text, memory.status, memory.body) == (file.read_text(), "pending", "good")
    file.unlink()
    with pytest.raises(InvalidMemoryError, match=r"x\.md:1: cannot be read: No such file or directory"):
        read_draft(str(root / "_pending"), PATH)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read as another user")
def test_a_draft_that_may_not_be_read_is_a_warning_until_it_may(root: Path) -> None:
    file = put(root, body="secret")
    root.parent.chmod(0o777)
    for parent in (root, *root.parents):
        if parent.stat().st_uid == 0 and parent != Path("/tmp"):
            parent.chmod(parent.stat().st_mode | 0o055)
        if parent == Path("/tmp"):
            break
    file.chmod(0)
    os.seteuid(65534)
    try:
        if os.geteuid() == 0 or os.access(file, os.R_OK, effective_ids=True):
            pytest.skip("this user may read everything")
        assert skipped(root) == (
            f"_pending/{PATH}:1: cannot be read: Permission denied (check its permissions; links are not followed)",
        )
    finally:
        os.seteuid(0)
    settle(root)
    file.chmod(0o644)
    assert bodies(root) == ["secret"]

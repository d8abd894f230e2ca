"""The files of a folder that was given by hand: only what truly lies in it, and never more than can be looked at."""

from __future__ import annotations

import os
import stat
import unicodedata

from brain.layout import printable
from brain.sources.text import decode
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_FILES = 5000
MOST_BYTES = 1 << 20
"""Of one file: a note that is larger is a log or a dump."""
DEEPEST = 12
PASSED_OVER = frozenset((".git", "node_modules", ".venv", "__pycache__", ".obsidian", ".trash", ".history"))


@value
class File:
    """A file: its path below the folder (NFC, ``/`` between parts), its bytes and its text in NFC with LF."""

    path: str
    content: bytes
    text: str


@value
class Listing:
    """The files of a folder, sorted by path, and a line for each that could not be read."""

    files: tuple[File, ...]
    warnings: tuple[str, ...]


def read_folder(top: str, wanted: Callable[[str], bool]) -> Listing:
    """Return the files below a folder whose path ``wanted`` says yes to; a file is a folder of one."""
    files: list[File] = []
    warnings: list[str] = []
    if os.path.isfile(top):
        top, name = os.path.split(os.path.abspath(top))
        paths: Iterator[str] = iter([name])
    else:
        paths = _walk(top, warnings)
    number = 0
    for path in paths:
        shown = unicodedata.normalize("NFC", path.replace(os.sep, "/"))
        if not wanted(shown):
            continue
        number += 1
        if number > MOST_FILES:
            warnings.append(f"over {MOST_FILES} files: the others are not read (name a folder further down)")
            break
        found = _read(os.path.join(top, path), shown)
        if isinstance(found, File):
            files.append(found)
        else:
            warnings.append(f"{printable(shown)}: {found}")
    return Listing(tuple(sorted(files, key=lambda file: file.path)), tuple(warnings))


def _walk(top: str, warnings: list[str]) -> Iterator[str]:
    """Yield the paths of what is no folder, relative to ``top``; links to folders are not followed."""
    folders = [""]
    while folders:
        below = folders.pop()
        try:
            entries = sorted(os.scandir(os.path.join(top, below)), key=lambda entry: entry.name)
        except OSError as error:
            warnings.append(f"{printable(below) or '.'}: cannot be read: {error.strerror}")
            continue
        deeper = []
        for entry in entries:
            path = os.path.join(below, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in PASSED_OVER and path.count(os.sep) < DEEPEST:
                    deeper.append(path)
            elif entry.is_symlink() and os.path.isdir(os.path.join(top, path)):
                warnings.append(f"{printable(path)}: a link to a folder; links are not followed")
            else:
                yield path
        folders += reversed(deeper)


def _read(file: str, path: str) -> File | str:
    """Return a file, or why it is not read."""
    try:
        path.encode()
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as opened:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return "not a regular file"
            if status.st_size > MOST_BYTES:
                return f"{status.st_size >> 10} KiB, {MOST_BYTES >> 10} at most; cut it, or leave it out"
            content = opened.read(MOST_BYTES + 1)
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    except OSError as error:
        return "a link; links are not followed" if os.path.islink(file) else f"cannot be read: {error.strerror}"
    text = decode(content)
    return "not text in UTF-8 or UTF-16; save it as UTF-8" if text is None else File(path, content, text)

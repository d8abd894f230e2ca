"""Answers kept on this machine: one file a head, a sorted line for each (commit, place) (SPEC §5.3).

Object ids are the same everywhere, so an answer holds in any clone, and a file that is damaged or gone costs
only asking again. That a commit is not here holds while the store it was sought in has not grown, which the
line's ``stamp`` says; other unknowns that may pass are not kept. Files are replaced whole: of two writers at
once the later wins, and what the other had added is asked again.
"""

from __future__ import annotations

import os

from brain.files import read_bytes, remove_file, write_file
from brain.stale.answers import COMMIT_MISSING, FRESH, LINES_BEYOND_END, STALE, UNKNOWN, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.git.refs import Repo

    Key = tuple[str, str]
    """Commit id and place (``Ref.place``)."""

SUFFIX = ".stale1"
"""Ends a file's name; the number goes up when a line's form or what the check says changes."""
KEEP_HEADS = 16
ABANDONED_S = 60
"""Seconds after which a file that was being written is nobody's."""
MAX_LINE, BLOCK = 1000, 4096
"""Bytes. A longer line is not kept, so that one always begins within a block."""
FEW = 500
"""Up to so many answers are sought in the file; for more it is read whole."""
STATES = {FRESH: b"F", STALE: b"S", UNKNOWN: b"U"}
STATE_OF = {letter: state for state, letter in STATES.items()}


def store_stamp(repo: Repo) -> str:
    """Return what changes when packs or history reach the repository (a loose object does not show)."""
    return ".".join(str(_mtime(repo.common_dir, *names)) for names in (("objects", "pack"), ("shallow",)))


def load_answers(folder: str, head: str, keys: Sequence[Key], stamp: str) -> dict[Key, Answer]:
    """Return the answers that are kept for ``head``; no file, or a damaged one, keeps none."""
    try:
        file = os.open(os.path.join(folder, head + SUFFIX), os.O_RDONLY)
    except OSError:
        return {}
    try:
        size = os.fstat(file).st_size
        names = {key: _name(key) for key in keys}
        if len(names) > FEW:
            lines = _by_name(os.pread(file, size, 0))
            found = {key: lines.get(name, b"") for key, name in names.items()}
        else:
            found = {key: _find_line(file, size, name) for key, name in names.items()}
    except OSError:
        return {}
    finally:
        os.close(file)
    answers = {key: _parse(line, stamp) for key, line in found.items()}
    return {key: answer for key, answer in answers.items() if answer}


def save_answers(folder: str, head: str, answers: Mapping[Key, Answer], stamp: str) -> None:
    """Add answers to those kept for ``head``, and forget the oldest heads; no room is no error."""
    path = os.path.join(folder, head + SUFFIX)
    lines = {_name(key): _render(key, answer, stamp) for key, answer in answers.items() if _is_kept(answer)}
    if not lines:
        return
    try:
        kept = {**_by_name(read_bytes(path)), **lines}
        write_file(path, b"".join(sorted(line for line in kept.values() if len(line) <= MAX_LINE)))
        _tidy(folder, path)
    except OSError:
        return


def _is_kept(answer: Answer) -> bool:
    return answer.state != UNKNOWN or answer.reason in (COMMIT_MISSING, LINES_BEYOND_END)


def _name(key: Key) -> bytes:
    commit, place = key
    return f"{commit} ".encode() + place.encode("unicode_escape") + b"\t"


def _render(key: Key, answer: Answer, stamp: str) -> bytes:
    return b"%s%s\t%s\t%s\n" % (_name(key), STATES[answer.state], answer.reason.encode(), stamp.encode())


def _parse(line: bytes, stamp: str) -> Answer | None:
    fields = line.split(b"\t")
    if len(fields) != 4 or fields[1] not in STATE_OF:
        return None
    reason = fields[2].decode("ascii", "replace")
    if reason == COMMIT_MISSING and fields[3] != stamp.encode() + b"\n":
        return None
    return Answer(STATE_OF[fields[1]], reason)


def _find_line(file: int, size: int, name: bytes) -> bytes:
    """Return the line that begins with ``name``, b"" if there is none, by halving the sorted file."""
    low, high = 0, size  # the first line not before ``name`` begins in between
    while high - low > BLOCK:
        middle = (low + high) // 2
        block = os.pread(file, MAX_LINE + len(name), middle)
        begin = block.find(b"\n") + 1
        if not begin or middle + begin >= high:
            return b""  # no line is that long: damaged
        if block[begin : begin + len(name)] < name:
            low = middle + begin
        else:
            high = middle + begin
    text = b"\n" + os.pread(file, high - low + MAX_LINE, low)
    begin = text.find(b"\n" + name) + 1
    return text[begin : text.find(b"\n", begin) + 1] if begin else b""


def _by_name(text: bytes) -> dict[bytes, bytes]:
    """Return whole lines by what they begin with, the place's tab included."""
    return {line[: line.find(b"\t") + 1]: line for line in text.splitlines(keepends=True) if _is_whole(line)}


def _is_whole(line: bytes) -> bool:
    return line.endswith(b"\n") and line.count(b"\t") == 3


def _tidy(folder: str, written: str) -> None:
    """Remove all but the last written heads, and what a killed writer left."""
    now = _mtime(written)
    ages = {name: now - _mtime(folder, name) for name in os.listdir(folder)}
    heads = sorted((age, name) for name, age in ages.items() if name.endswith(SUFFIX))
    for _, name in heads[KEEP_HEADS:]:
        remove_file(os.path.join(folder, name))
    for name, age in ages.items():
        if SUFFIX[:-1] in name and not name.endswith(SUFFIX) and age > ABANDONED_S * 10**9:
            remove_file(os.path.join(folder, name))


def _mtime(*names: str) -> int:
    """Return nanoseconds; 0 for what is not there."""
    try:
        return os.stat(os.path.join(*names)).st_mtime_ns
    except OSError:
        return 0

"""Read the new part of a transcript: whole lines, within a budget, from a file that the host's own folder holds.

A part begins where the last person spoke, so that what an earlier stop saw half of is seen whole at the next one.
"""

from __future__ import annotations

import os
import stat

from brain.capture.turns import PERSON, Turn
from brain.json_text import parse_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, BinaryIO

FOLDERS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "claude": (("CLAUDE_CONFIG_DIR", ".claude", "projects"),), "codex": (("CODEX_HOME", ".codex", "sessions"),),
    "gemini": (("", ".gemini", "tmp"),), "copilot": (("COPILOT_HOME", ".copilot", "session-state"),),
    "cursor": (("", ".cursor", "projects"),), "cline": (("", ".cline", "data/sessions"),),
    "vscode": tuple(
        (variable, name, f"{program}/User/workspaceStorage")
        for variable, name in (
            ("XDG_CONFIG_HOME", ".config"), ("APPDATA", "AppData/Roaming"), ("", "Library/Application Support"),
        )
        for program in ("Code", "Code - Insiders", "VSCodium")
    ) + tuple(("", name, "data/User/workspaceStorage") for name in (".vscode-server", ".vscode-server-insiders")),
}  # fmt: skip
"""Host → for each place its transcripts may lie in: the variable that names a folder, what that is called in the home,
and where they lie in it."""
READERS = {"vscode": "copilot"}
"""Whose format a host's transcripts have, where it is another's."""
HEARD = "heard"
"""Stands for the host of a transcript that we keep ourselves, of what a session's events told."""
BUDGET = 8 << 20
"""Bytes that are read at a stop; of more, the end."""
MOST_LINE = 2 << 20
"""Bytes of a line; a longer one holds an image or a file."""
CHUNK = 1 << 20
STRANGE = 20
"""Lines without one known turn, from which a transcript is called strange."""
STRANGE_BYTES = 4096
"""Bytes of one object without a known turn, from which it is."""


@value
class Part:
    """A transcript's new part: its turns, the byte where the next part begins, and what could not be read."""

    turns: tuple[Turn, ...]
    next: int
    warnings: tuple[str, ...] = ()


class _Lines:
    """The objects of a file's lines, and what was wrong with the others."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self.file, self.at = file, start
        self.good = self.broken = self.long = 0

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        while line := self.file.readline(MOST_LINE):
            at, whole = self.at, line.endswith(b"\n")
            if not whole and len(line) == MOST_LINE:
                if not self._skip(len(line)):
                    return
                continue
            found = _object(line)
            if whole:
                self.at += len(line)
                self.broken += found is None and line.strip() != b""
            if found is not None:  # a last line without its end is read, and read again at the next stop
                self.good += 1
                yield at, found

    def _skip(self, size: int) -> bool:
        """Go over the rest of a long line; say whether it has an end."""
        self.long += 1
        while chunk := self.file.readline(CHUNK):
            size += len(chunk)
            if chunk.endswith(b"\n"):
                self.at += size
                return True
        return False


def find_transcript(path: str, host: str, env: Mapping[str, str], own: str = "") -> tuple[str, str]:
    """Return the real path of a host's transcript, or "" and why it is not read ("" where it is just not there).

    ``own`` is the folder that those which we keep ourselves lie in. A path may begin in the home folder, as ``~/``.
    """
    path = _home(env) + path[1:] if path.startswith("~/") else path
    if host not in (*FOLDERS, HEARD) or not path or "\0" in path or not os.path.isabs(path):
        return "", ""
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
    except OSError:
        return "", ""
    folders = (os.path.realpath(own),) if host == HEARD else _folders(host, env)
    if not any(real.startswith(folder + os.sep) for folder in folders):
        where = "this workspace's own folder" if host == HEARD else "/".join(FOLDERS[host][0][1:])
        return "", f"the transcript lies outside {where}: it is not read"
    if not stat.S_ISREG(status.st_mode) or not real.endswith((".jsonl", ".json")):
        return "", "the transcript is no .jsonl or .json file: it is not read"
    return real, ""


def _folders(host: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield the real paths of the folders that a host's transcripts may lie in."""
    home = _home(env)
    for variable, name, inner in FOLDERS[host]:
        base = env.get(variable, "") or (os.path.join(home, name) if home else "")
        if base:
            yield os.path.realpath(os.path.join(base, inner))


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or env.get("USERPROFILE") or ""


def read_part(path: str, host: str, start: int) -> Part:
    """Return what is new in a transcript from the byte ``start`` on.

    Raises:
        OSError: It cannot be read.
    """
    reader = __import__(f"brain.capture.{READERS.get(host, host)}", fromlist=["turns"])
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = start if 0 <= start <= size and _begins_line(file, start) else 0  # else it was written anew
        if path.endswith(".json"):
            return _whole(file, size, reader)
        warnings = []
        if size - start > BUDGET:
            warnings.append(f"transcript: {size - start - BUDGET} bytes were passed over, to keep to a stop's time")
            start = size - BUDGET
            file.seek(start - 1)
            while (line := file.readline(CHUNK)) and not line.endswith(b"\n"):
                pass
            start = file.tell()
        file.seek(start)
        lines = _Lines(file, start)
        turns = tuple(reader.turns(lines))
    if lines.broken or lines.long:
        warnings.append(f"transcript: lines passed over: {lines.broken} not JSON, {lines.long} too long")
    if not turns and lines.good >= STRANGE:
        warnings.append(f"transcript: {lines.good} lines and no turn that is known: a newer format?")
    spoke = [turn.at for turn in turns if turn.kind == PERSON]
    return Part(turns, max(spoke) if spoke else lines.at, tuple(warnings))


def _begins_line(file: BinaryIO, at: int) -> bool:
    file.seek(max(0, at - 1))
    return at == 0 or file.read(1) == b"\n"


def _whole(file: BinaryIO, size: int, reader: Any) -> Part:
    """Return a transcript that is one object: the host writes it anew each time."""
    if size > BUDGET:
        return Part((), 0, (f"transcript: {size} bytes in one object: it is not read",))
    found = _object(file.read(BUDGET))
    if found is None:
        return Part((), 0, ("transcript: not a JSON object",))
    turns = tuple(reader.turns([(0, found)]))
    strange = not turns and size >= STRANGE_BYTES
    return Part(turns, 0, ("transcript: an object and no turn that is known: a newer format?",) if strange else ())


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = parse_json(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None

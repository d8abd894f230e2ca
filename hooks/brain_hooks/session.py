"""What a session was given, so that nothing is said twice in it (SPEC §4.5).

A claim file for each session and part: made by one process alone, so two configurations that fire the same hook at
once deliver once. It holds what was delivered; a resumed session gets only what is new.
"""

from __future__ import annotations

import os
import time
import zlib

from brain.files import read_json, write_file
from brain.json_text import render_json
from brain.recall.recall import checksum
from brain.telemetry import make_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SESSIONS = "sessions"
TWIN_SECONDS = 5.0
"""Two firings of one hook come within this time; a later one is the host's wish to hear it again."""
KEEP_SECONDS = 14 * 86400


class Session:
    """One session's memory of what it was told."""

    def __init__(self, folder: str, session: str) -> None:
        """``folder`` is this program's below ``.aiflow``; ``session`` the host's id, used only as a checksum."""
        self.name = f"{zlib.crc32(session.encode('utf-8', 'replace')):08x}{len(session):03x}"
        self.own = os.path.join(folder, SESSIONS, self.name)
        self.folder = folder
        self.known = bool(session)

    def claim(self, part: str, moment: str) -> bool:
        """Say whether this process is the one to deliver ``part`` at this ``moment`` (start, resume, …)."""
        if not self.known:
            return True
        path = os.path.join(self.own, f"{part}-{moment}.claim")
        try:
            make_dir(self.folder)
            os.makedirs(self.own, exist_ok=True)
            for _ in range(2):
                try:
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                    return True
                except FileExistsError:
                    if time.time() - os.stat(path).st_mtime < TWIN_SECONDS:
                        return False
                    os.rename(path, f"{path}.{os.getpid()}.old")  # one of two late twins gets it
        except OSError:
            return True  # no disk to remember on: better said twice than not at all
        return False

    def delivered(self, part: str) -> dict[str, int]:
        """Return what the session got of a part: name → checksum of its text."""
        found = read_json(os.path.join(self.own, f"{part}.json")) if self.known else None
        return found if isinstance(found, dict) else {}

    def remember(self, part: str, pieces: Mapping[str, str]) -> None:
        """Keep what was delivered of a part, beside what was before."""
        if not self.known:
            return
        told = {**self.delivered(part), **{name: checksum(text) for name, text in pieces.items()}}
        try:
            write_file(os.path.join(self.own, f"{part}.json"), render_json(told))
        except OSError:
            pass


def forget_old_sessions(folder: str) -> None:
    """Remove what was kept of sessions that nobody will resume."""
    try:
        sessions = list(os.scandir(os.path.join(folder, SESSIONS)))
        for session in sessions:
            if time.time() - session.stat().st_mtime > KEEP_SECONDS:
                for entry in os.scandir(session.path):
                    os.unlink(entry.path)
                os.rmdir(session.path)
    except OSError:
        pass

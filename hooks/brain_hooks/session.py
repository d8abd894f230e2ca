"""What a session was given, so that nothing is said twice in it (SPEC §4.5).

A claim file for each session, part and moment: made by one process alone, so two configurations that fire the same
hook at once deliver once. Beside it lies what was delivered; a resumed session gets only what is new. What is said
once in a session and never again has a file of its own, by which it is claimed.
"""

from __future__ import annotations

import os
import time
import zlib

from brain.files import read_json, remove_file, write_file
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
OFFER, NOTE, BEGUN = "offer", "note", "begun"
"""What is said once in a session: a memory offered, a sentence to the person, a start that rides on another event."""
HEARD, MOST_HEARD = "heard.jsonl", 4 << 20
"""The transcript that we keep, and the bytes after which it begins anew."""
SWEPT, SWEEP_SECONDS = ".swept", 86400
"""Touched when old sessions were last looked for, which is done once in so many seconds."""


class Session:
    """One session's memory of what it was told."""

    def __init__(self, folder: str, session: str, parent: str = "") -> None:
        """``folder`` is this program's below ``.aiflow``; ``session`` the host's id, used only as a checksum.

        What a ``parent`` was told, a session that has been told nothing knows.
        """
        self.name = _name(session)
        self.folder = folder
        self.own = os.path.join(folder, SESSIONS, self.name)
        self.parent = os.path.join(folder, SESSIONS, _name(parent)) if parent else ""
        self.known = bool(session)

    def claim(self, part: str, moment: str) -> bool:
        """Say whether this process is the one to deliver ``part`` at this ``moment`` (start, resume, …).

        Claims are numbered and never reused: however many processes find the last one old, one makes the next.
        """
        if not self.known:
            return True
        claim = f"{part}-{moment}."
        try:
            self._make()
            numbers = [int(name[len(claim) :]) for name in os.listdir(self.own) if name.startswith(claim)]
            last = max(numbers, default=0)
            if last and abs(time.time() - os.stat(os.path.join(self.own, f"{claim}{last}")).st_mtime) < TWIN_SECONDS:
                return False
            os.close(os.open(os.path.join(self.own, f"{claim}{last + 1}"), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            for number in numbers:
                if number < last:
                    remove_file(os.path.join(self.own, f"{claim}{number}"))
        except FileExistsError:
            return False
        except (OSError, ValueError):
            return True  # no disk to remember on: better said twice than not at all
        return True

    def first(self, kind: str, thing: str = "") -> bool:
        """Say whether this process is the first to say a thing in this session.

        None ever is in a session without a name, or where no disk remembers it: it would come again and again.
        """
        if not self.known:
            return False
        try:
            self._make()
            os.close(os.open(self._said(kind, thing), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError:  # it is there already, or cannot be made
            return False
        return True

    def was_said(self, kind: str, thing: str) -> bool:
        """Say whether a thing was said in this session."""
        return os.path.exists(self._said(kind, thing))

    def forget(self, kind: str) -> None:
        """Let all things of a kind be said again: the model has lost them."""
        try:
            names = os.listdir(self.own) if self.known else []
        except OSError:
            return
        for name in names:
            if name.startswith(f"{kind}="):
                remove_file(os.path.join(self.own, name))

    @property
    def heard(self) -> str:
        """The transcript of what this session's events told, where its host hands over none."""
        return os.path.join(self.own, HEARD)

    def hear(self, lines: str) -> None:
        """Add lines to that transcript, in one write; one that grew too long is begun anew.

        Raises:
            OSError: It cannot be written.
        """
        self._make()
        file = os.open(self.heard, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.fstat(file).st_size > MOST_HEARD:
                os.ftruncate(file, 0)
            os.write(file, lines.encode())
        finally:
            os.close(file)

    def _said(self, kind: str, thing: str) -> str:
        return os.path.join(self.own, f"{kind}={_name(thing)}")

    def delivered(self, part: str) -> dict[str, int]:
        """Return what the session got of a part: name → checksum of its text."""
        for folder in (self.own, self.parent):
            found = read_json(os.path.join(folder, f"{part}.json")) if self.known and folder else None
            if isinstance(found, dict):
                return found
        return {}

    def remember(self, part: str, pieces: Mapping[str, str], *, beside: Mapping[str, int]) -> None:
        """Keep what was delivered of a part, ``beside`` what the session still holds from before."""
        if not self.known:
            return
        told = {**beside, **{name: checksum(text) for name, text in pieces.items()}}
        try:
            write_file(os.path.join(self.own, f"{part}.json"), render_json(told))
        except OSError:
            pass

    def _make(self) -> None:
        make_dir(self.folder)
        try:
            os.mkdir(self.own)
        except FileNotFoundError:
            os.makedirs(self.own, exist_ok=True)
        except FileExistsError:
            return
        forget_old_sessions(self.folder)


def forget_old_sessions(folder: str) -> None:
    """Remove what was kept of sessions that nobody will resume, if that was not done today."""
    sessions = os.path.join(folder, SESSIONS)
    swept, now = os.path.join(sessions, SWEPT), time.time()
    try:
        if now - os.stat(swept).st_mtime < SWEEP_SECONDS:
            return
    except OSError:
        pass
    try:
        write_file(swept, "")
        entries = list(os.scandir(sessions))
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False) and now - entry.stat().st_mtime > KEEP_SECONDS:
                for name in os.listdir(entry.path):
                    os.unlink(os.path.join(entry.path, name))
                os.rmdir(entry.path)
        except OSError:
            continue


def _name(session: str) -> str:
    return f"{zlib.crc32(session.encode('utf-8', 'replace')):08x}{len(session):03x}"

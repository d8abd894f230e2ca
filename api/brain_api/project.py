"""A project that is served: its snapshot, swapped whole, and what is known of how fresh that is."""

from __future__ import annotations

import os
import secrets
from threading import RLock

from brain import clock
from brain.drafts import list_drafts
from brain.errors import BrainError
from brain.files import create_file, read_bytes, read_json, write_file
from brain.index.segment import SegmentError
from brain.json_text import render_json
from brain.pending import list_pending
from brain_api.deliveries import Deliveries
from brain_api.errors import NoProjectError, NotReadyError
from brain_api.hits import Hits
from brain_api.snapshot import Snapshot
from brain_api.source import Local, Mirrored, locate_project
from brain_api.webhook import paths_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeVar

    from brain.pending import Pending
    from brain_api.proposed import Proposed
    from brain_api.settings import ProjectSettings, Settings
    from brain_api.source import Source

    T = TypeVar("T")

READY, OLD, STARTING = "ready", "old", "starting"
"""It is served and as fresh as it can be; it is served, and cannot be brought up to date; there is nothing to serve."""
STATE_FILE = "state.json"
DRAFTS = "drafts"
"""The folder of a project in which drafts that were sent lie, as they do in a workspace."""


class Project:
    """One project. ``state`` is what whoever keeps it wrote down last: when it was refreshed, trouble, the queue."""

    def __init__(self, settings: ProjectSettings, folder: str, env: Mapping[str, str]) -> None:
        self.settings, self.folder, self.env = settings, folder, env
        self.source: Source = Local(settings.local, env) if settings.local else Mirrored(settings, folder, env)
        self.deliveries = Deliveries(os.path.join(folder, "deliveries.jsonl"))
        self.hits = Hits(os.path.join(folder, "hits.jsonl"))
        self.location = None if settings.local else locate_project(settings, folder)
        known = [settings.gitlab_project, *(path for _, path in (self.location.places if self.location else ()))]
        self.paths = paths_of([settings.memory, settings.code, *settings.repos.values()], *known)
        """What webhooks call the repos of this project."""
        self.snapshot: Snapshot | None = None
        self.unreadable = ""
        """Why the last look could not read what is there, "" where it could."""
        self.state: dict[str, Any] = {}
        self._state_seen = 0
        self._turn = RLock()
        self._proposed: Proposed | None = None

    @property
    def proposed(self) -> Proposed:
        """The drafts that were sent."""
        from brain_api.proposed import Proposed  # only here: the service starts without lint

        with self._turn:
            self._proposed = self._proposed or Proposed(self.folder)
            return self._proposed

    def waiting(self, now: float) -> list[Pending]:
        """Return the drafts that were sent and wait for a person to take them, as of seconds since 1970."""
        return list_pending(os.path.join(self.folder, DRAFTS), now)

    def count_waiting(self) -> int:
        """Return how many those are, without a look into them."""
        return len(list_drafts(os.path.join(self.folder, DRAFTS)))

    @property
    def name(self) -> str:
        """The project's name."""
        return self.settings.name

    def current(self) -> Snapshot:
        """Return the snapshot that is served now.

        Raises:
            NotReadyError: There is none yet.
        """
        if self.snapshot is None:
            raise NotReadyError(self.name)
        return self.snapshot

    def read(self, ask: Callable[[Snapshot], T]) -> T:
        """Return the answer of the snapshot; where its files turn out damaged, of one that is read anew."""
        try:
            return ask(self.current())
        except SegmentError:
            self.look(anew=True)
            return ask(self.current())

    def look(self, *, anew: bool = False) -> bool:
        """Swap the snapshot where there is something new, and say whether it was; what cannot be read is left."""
        with self._turn:
            self._read_state()
            stamp = self.source.stamp()
            old = self.snapshot
            if old and old.stamp == stamp and not anew:
                return False
            try:
                brain = self.source.open()
                new = Snapshot(brain, stamp, clock.now(), None if anew else old)
                if old and not anew:
                    new.warm(old)
            except BrainError as error:
                self.unreadable = str(error)
                self.source.doubt()
                return False
            self.snapshot, self.unreadable = new, ""
            return True

    def refresh(self) -> tuple[str, ...]:
        """Bring what is new from the remotes, swap it in, write down how that went; return what went wrong."""
        trouble = self.source.refresh()
        self.look()
        trouble = (*trouble, *([self.unreadable] if self.unreadable else []))
        before = self.state.get("refreshed", 0.0)
        self.note(trouble=list(trouble), refreshed=before if trouble else clock.now())
        return trouble

    def note(self, **facts: Any) -> None:
        """Write down facts for all processes that serve this project; a disk that takes none is no harm."""
        with self._turn:
            self.state = {**self.state, **facts}
            try:
                write_file(os.path.join(self.folder, STATE_FILE), render_json(self.state))
                self._state_seen = self._state_stamp()
            except OSError:
                pass

    def counter(self) -> str:
        """Return the machine under whose name reads that are served are counted: each folder of a service has one."""
        path = os.path.join(self.folder, "machine")
        name = read_bytes(path)
        if not name:
            try:
                create_file(path, f"served-{secrets.token_hex(8)}\n")
            except OSError:  # another process made it this moment; or the disk takes nothing, which is no harm
                pass
            name = read_bytes(path)
        return name.decode("ascii", "replace").strip() or "served"

    def status(self) -> str:
        """Return how it stands: ``READY``, ``OLD`` or ``STARTING``."""
        if self.snapshot is None:
            return STARTING
        return OLD if self.unreadable or self.state.get("trouble") else READY

    def _read_state(self) -> None:
        stamp = self._state_stamp()
        if stamp != self._state_seen:
            found = read_json(os.path.join(self.folder, STATE_FILE))
            self.state, self._state_seen = found if isinstance(found, dict) else {}, stamp

    def _state_stamp(self) -> int:
        try:
            return os.stat(os.path.join(self.folder, STATE_FILE)).st_mtime_ns
        except OSError:
            return 0


class Projects:
    """All projects, by name."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        self._projects = {
            name: Project(one, os.path.join(settings.data, name), env) for name, one in settings.projects.items()
        }

    def __iter__(self) -> Iterator[Project]:
        return iter(self._projects.values())

    def get(self, name: str) -> Project:
        """Return the project of that name.

        Raises:
            NoProjectError: There is none.
        """
        found = self._projects.get(name)
        if found is None:
            raise NoProjectError
        return found

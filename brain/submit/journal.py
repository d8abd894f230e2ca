"""The journal of what was submitted: one file a ticket in the memory repo's git directory, and the lock.

A draft that left ``_pending/`` lives on in the commit that its entry names, which a ref of our own keeps from being
collected. An entry is written before anything is done that it must be known for, whole and flushed to the disk.
"""

from __future__ import annotations

import json
import os

from brain.errors import BrainError
from brain.files import read_json, remove_file, write_file
from brain.git.run import try_git
from brain.index.cache import cache_dir
from brain.lock import alone
from brain.text import visible
from brain.value import fields_of, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from typing import Any

    from brain.git.refs import Repo

PLANNED, PUSHED, OPEN, PULLED, CLOSED = "planned", "pushed", "open", "pulled", "closed"
"""Nothing arrived yet; on the remote, its merge request not known; open; brought back for editing; turned down."""
STAGES = (PLANNED, PUSHED, OPEN, PULLED, CLOSED)
FORMAT = 1
REFS = "refs/brain/submitted/"
LOCK_SECONDS = 300.0
"""How long one run waits for another in the same repo."""


NOTHING: Mapping[str, str] = {}


@value
class Texts:
    """What a merge request is to say, and whom it is for (usernames).

    ``key`` stands for the content it was made of; ``consult`` is how reviewers are mentioned that GitLab does not take.
    """

    key: str
    title: str
    description: str
    assignee: str = ""
    reviewers: tuple[str, ...] = ()
    consult: str = ""


@value
class Flight:
    """A push on its way: the commit, what the remote branch is before it ("" none), and what leaves when it arrived.

    ``leaving`` is draft path → the blob of its file; ``withdrawn`` the paths it takes off the branch.
    """

    commit: str
    before: str
    leaving: Mapping[str, str]
    withdrawn: tuple[str, ...]
    texts: Texts


@value
class Entry:
    """What is known of one ticket's submission.

    ``commit`` is the last of ours that arrived, ``drafts`` the paths in it that left ``_pending/``, ``leaving`` those
    (path → blob) that may lie there still; ``flight`` is a push that is not known to have arrived; ``reason`` and
    ``by`` say why and by whom it was closed. ``refused`` is path → blob of the texts that were turned down: they are
    proposed again only where they are named, or say something else by now. ``about`` are the paths of the memories that
    a removal or a restore is about: none of them was a draft, and none comes back as one.
    """

    ticket: str
    branch: str
    target: str
    root: str
    stage: str
    commit: str = ""
    drafts: tuple[str, ...] = ()
    leaving: Mapping[str, str] = NOTHING
    iid: int = 0
    url: str = ""
    texts: Texts | None = None
    flight: Flight | None = None
    reason: str = ""
    by: str = ""
    refused: Mapping[str, str] = NOTHING
    about: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What there is to say of it, on one line: for status, and for a session's start."""
        where = f"!{self.iid} {self.url}" if self.iid else f"branch {self.branch}"
        number = len(self.drafts or self.about)
        count = f"{number} memories" if number != 1 else "1 memory"
        again = "run it again" if self.about else "submit again"
        by = f" by {self.by}" if self.by else ""
        state = {
            PLANNED: f"not known to have arrived: {again}", PUSHED: "pushed, without a merge request", OPEN: "open",
            PULLED: "taken back for editing: submit again when done",
            CLOSED: f"turned down{by}, the drafts are back: {self.reason or 'no reason given'}",
        }[self.stage]  # fmt: skip
        return visible(f"{self.ticket}: {count}, {where}: {state}").replace("\n", " ")


class Journal:
    """The entries of one memory repo."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.folder = os.path.join(cache_dir(repo), "submitted")

    def find(self, branch: str) -> Entry | None:
        """Return the entry of a branch."""
        path = self._path(branch)
        entry = _read(path)
        if entry is None and os.path.exists(path):
            hint = f"the texts are in the commit that {ref_of(branch)} names; move the file away"
            raise BrainError(f"{path}: it cannot be understood", hint)
        return entry

    def entries(self) -> list[Entry]:
        """Return all entries, in the order of their branches."""
        return list(filter(None, map(_read, self._files())))

    def strange(self) -> list[str]:
        """Return the paths of the files that hold no entry which is understood: damaged, or of another version."""
        return [path for path in self._files() if _read(path) is None]

    def save(self, entry: Entry) -> None:
        """Write an entry, and wait until the disk has it.

        Raises:
            BrainError: It cannot be written.
        """
        path = self._path(entry.branch)
        try:
            write_file(
                path, json.dumps({"format": FORMAT, **_plain(entry)}, ensure_ascii=False, indent=1) + "\n", durable=True
            )
        except OSError as error:
            raise BrainError(f"{error.filename or path}: {error.strerror}", "check room and permissions") from None

    def put_back(self, before: Entry | None, flying: Entry) -> None:
        """Make the entry what it was before a flight that did not arrive; none, if there was none."""
        if before:
            self.save(before)
        else:
            remove_file(self._path(flying.branch))

    def forget(self, entry: Entry) -> None:
        """Remove an entry, and the ref that kept its commit."""
        remove_file(self._path(entry.branch))
        try_git(self.repo.path, "update-ref", "-d", ref_of(entry.branch))

    def _files(self) -> list[str]:
        try:
            names = sorted(name for name in os.listdir(self.folder) if name.endswith(".json"))
        except OSError:
            return []
        return [os.path.join(self.folder, name) for name in names]

    def _path(self, branch: str) -> str:
        return os.path.join(self.folder, branch.rpartition("/")[2] + ".json")


def ref_of(branch: str) -> str:
    """Return the ref of ours that keeps a branch's last commit."""
    return REFS + branch.rpartition("/")[2]


def locked(
    repo: Repo, command: str, seconds: float = LOCK_SECONDS, say: Callable[[str], None] | None = None
) -> AbstractContextManager[None]:
    """Let one command at a time work on a repo's submissions; see ``alone``."""
    return alone(os.path.join(cache_dir(repo), "submit.lock"), command, seconds, say)


def _plain(record: Any) -> Any:
    """Return a value as JSON holds it."""
    if isinstance(record, (Entry, Flight, Texts)):
        return {name: _plain(item) for name, item in fields_of(record).items()}
    return record


def _read(path: str) -> Entry | None:
    """Return the entry that a file holds, None where it holds none that we understand."""
    found = read_json(path)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        return None
    fields = {**found}
    del fields["format"]
    try:
        flight = fields["flight"]
        if flight:
            fields["flight"] = Flight(
                **{**flight, "withdrawn": tuple(flight["withdrawn"]), "texts": _texts(flight["texts"])}
            )
        fields["texts"] = _texts(fields["texts"])
        if fields["stage"] not in STAGES:
            return None
        return Entry(**{**fields, "drafts": tuple(fields["drafts"]), "about": tuple(fields.get("about", ()))})
    except (KeyError, TypeError, AttributeError):
        return None


def _texts(found: Any) -> Any:
    return Texts(**{**found, "reviewers": tuple(found["reviewers"])}) if found else None

"""Who may approve: ``people.pm`` as the default branch has it, and only as far as a PM before approved of it.

A merge request that names its author as a PM gains nothing by it: its own branch is never read, and once it is merged
the new names count only where one of the old ones approved them.
"""

from __future__ import annotations

from brain.errors import ConfigError
from brain.finalize.evidence import Witnesses
from brain.finalize.history import changes_of
from brain.git.objects import read_blob
from brain.layout import SETTINGS_FILE
from brain.memory import MAX_FILE_BYTES
from brain.settings import load_config, parse_toml
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.finalize.evidence import Answer
    from brain.finalize.job import Job
    from brain.settings import Config

MAX_SETTINGS_BYTES = MAX_FILE_BYTES * 16


@value
class Approvers:
    """The PMs in force; ``doubt`` is why those that brain.toml names now are not, None where they are."""

    names: tuple[str, ...]
    doubt: Answer | None = None


def read_settings(job: Job, commit: str) -> Config:
    """Return the team's settings in a commit, the environment's above them.

    Raises:
        ConfigError: ``brain.toml`` is no TOML.
    """
    text = _text(job, f"{commit}:{job.root}/{SETTINGS_FILE}").decode("utf-8", "replace")
    return load_config(parse_toml(text), None, job.env)


def find_approvers(job: Job, target: str, base: str, trusted: str) -> Approvers:
    """Return the PMs in force on the default branch, ``trusted`` being the commit up to which all was looked at."""
    changes = changes_of(job.repo, base, trusted, job.root, [SETTINGS_FILE]).get(SETTINGS_FILE, [])
    names = _names(_text(job, f"{trusted}:{job.root}/{SETTINGS_FILE}")) if trusted else ()
    doubt = None
    for change in reversed(changes):
        content = _text(job, change.new)
        named = _names(content)
        if named is None or set(named) == set(names or ()):
            doubt = None if named is not None else doubt
        elif not names:  # the first to be named: there is nobody yet to approve it
            names = named
        else:
            answer = Witnesses(job, target, names).hear(SETTINGS_FILE, content, [change])
            names, doubt = (named, None) if answer.approver else (names, answer)
    return Approvers(names or (), doubt)


def _names(content: bytes) -> tuple[str, ...] | None:
    """Return the PMs that a text of settings names, None where it cannot be read."""
    try:
        return tuple(load_config(parse_toml(content.decode()), None, {})["people.pm"])
    except (ConfigError, UnicodeDecodeError):
        return None


def _text(job: Job, spec: str) -> bytes:
    return read_blob(job.repo, spec, MAX_SETTINGS_BYTES) or b""

"""GitLab's part of ``brain doctor``: the settings as checks, and what must hold before any can be seen."""

from __future__ import annotations

from brain.checkup import OK, UNSEEN, WRONG, Check
from brain.errors import BrainError, ForgeError, GitError
from brain.forge.connection import UntrustedError
from brain.forge.locate import locate, parse_address
from brain.git.fetch import without_userinfo
from brain.protect.gather import gather, want
from brain.protect.plan import plan
from brain.protect.probe import probe
from brain.submit.gather import open_doors
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.checkup import Subject
    from brain.forge.locate import Location
    from brain.protect.item import Item
    from brain.submit.gather import Doors
    from brain.workspace import Brain

SECONDS = 5.0
"""Longest that one request may take here."""
HOW_TO_ASK = "make a personal access token with the scope api (User settings → Access tokens), export it as {name}"


def check_gitlab(subject: Subject, *, probes: bool) -> list[Check]:
    """Return the checks of the project on GitLab: none where the remote is no server, one where nothing can be seen.

    ``probes`` tries what only trying tells, which pushes a ref and takes it away again.
    """
    brain = subject.brain
    if brain is None:
        return []
    try:
        doors = open_doors(brain, subject.env, SECONDS)
    except GitError:  # no remote: the check of that says so
        return []
    where = locate(doors.link.url, brain.config, subject.env)
    if where is None:
        return []
    server, path = where.places[0]
    if doors.gitlab is None:
        mend = HOW_TO_ASK.format(name=where.token_name)
        return [Check("gitlab", UNSEEN, f"{_line(path)} on {server}: there is no token to ask with", mend)]
    try:
        return [_address(doors, where), *_checks(brain, doors, subject, probes=probes)]
    except ForgeError as error:
        away = error.unclear or (error.status in {0, 429} and not isinstance(error, UntrustedError))
        return [Check("gitlab", UNSEEN if away else WRONG, _line(str(error)), error.hint)]
    except BrainError as error:
        return [Check("gitlab", WRONG, _line(str(error)), error.hint)]


def _checks(brain: Brain, doors: Doors, subject: Subject, *, probes: bool) -> list[Check]:
    assert doors.gitlab
    facts = gather(doors.gitlab, want(doors.gitlab, brain.config, subject.env))
    checks = [_check(item) for item in plan(facts)]
    return checks + (probe(doors.gitlab, doors.link, facts, brain.tree.commit) if probes else [])


def _address(doors: Doors, where: Location) -> Check:
    """Return how the remote is understood; that is asked for first, so that a wrong guess is told by its failure."""
    assert doors.gitlab
    url, server = without_userinfo(doors.link.url), doors.gitlab.connection.server
    path = next((path for place, path in where.places if place == server), "")
    address = parse_address(doors.link.url)
    note = ""
    if address and address.scheme == "ssh":
        note = "; its web address cannot be told from an SSH one: set gitlab.url if that is wrong"
    return Check("gitlab address", OK, f"{_line(url)} is {_line(path)} on {server}{note}")


def _check(item: Item) -> Check:
    name = f"gitlab {item.name}"
    if item.state != WRONG:
        return Check(_line(name), item.state, _line(item.found), _line(item.mend))
    mend = f"a Maintainer runs brain gitlab setup --apply, or {item.mend}" if item.changes else item.mend
    return Check(_line(name), WRONG, _line(f"{item.found}; it should be: {item.wanted}"), _line(mend))


def _line(text: str) -> str:
    """Return what a server says on one line, without what could act on a terminal."""
    return " ".join(visible(text).split())

"""Carry a plan out, one request after another; each is reported as it is done, and nothing is asked for twice."""

from __future__ import annotations

from brain.errors import ForgeError
from brain.protect.gather import STOPPING
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brain.forge.gitlab import GitLab
    from brain.protect.item import Change, Item


MOST_ROUNDS = 3
"""How often it is looked whether what was made asks for more."""


@value
class Failure:
    """A change that was not made, and why."""

    change: Change
    error: ForgeError


@value
class Outcome:
    """What was done, what failed, what was not tried; the settings as they are now, or before where GitLab is gone."""

    done: tuple[Change, ...]
    failed: tuple[Failure, ...]
    untried: tuple[Change, ...]
    items: tuple[Item, ...]


def changes_of(items: Sequence[Item]) -> list[Change]:
    """Return what is to be done, in order; a change that mends several settings is done once."""
    found: list[Change] = []
    for item in items:
        found += [change for change in item.changes if change not in found]
    return found


def apply(
    gitlab: GitLab, items: Sequence[Item], look: Callable[[], tuple[Item, ...]], say: Callable[[Change], None]
) -> Outcome:
    """Make the changes; one that is refused stops those of the same setting, a server that is gone stops all.

    What only shows once others are made (a new schedule needs its variable) is made next.

    ``look`` returns the settings as they are; ``say`` is told each change that is done.
    """
    queue = changes_of(items)
    done: list[Change] = []
    failed: list[Failure] = []
    rounds = MOST_ROUNDS
    while queue:
        change = queue.pop(0)
        error = _make(gitlab, change, look)
        if error is None:
            done.append(change)
            say(change)
            if not (queue or failed) and rounds:
                rounds, items = rounds - 1, look()
                queue = [more for more in changes_of(items) if more not in done]
            continue
        failed.append(Failure(change, error))
        if error.status in STOPPING or error.unclear:
            return Outcome(tuple(done), tuple(failed), tuple(queue), tuple(items))
        same = [item for item in items if change in item.changes]
        queue = [other for other in queue if not any(other in item.changes for item in same)]
    return Outcome(tuple(done), tuple(failed), (), tuple(_undone(item, done) for item in look()))


def _undone(item: Item, done: Sequence[Change]) -> Item:
    """Return a setting; where it is as it was though GitLab took the change, with what that means."""
    if not item.changes or any(change not in done for change in item.changes):
        return item
    mend = f"GitLab took the change, and shows the setting as it was: the group or the instance fixes it. {item.mend}"
    return replace(item, mend=mend, changes=())


def _make(gitlab: GitLab, change: Change, look: Callable[[], tuple[Item, ...]]) -> ForgeError | None:
    """Make a change; where the answer was lost, look whether it took effect, and else try once more."""
    error = _send(gitlab, change)
    if error is None or not error.unclear:
        return error
    try:
        if change not in changes_of(look()):
            return None
    except ForgeError:
        return error
    return _send(gitlab, change)


def _send(gitlab: GitLab, change: Change) -> ForgeError | None:
    try:
        gitlab.connection.call(change.verb, gitlab.at + change.path, body=change.body)
    except ForgeError as error:
        return None if change.verb == "delete" and error.status == 404 else error
    return None

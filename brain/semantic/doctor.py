"""What ``brain doctor`` says of the semantic index, where there is one."""

from __future__ import annotations

from brain.checkup import OK, UNSEEN, WRONG, Check
from brain.errors import BrainError
from brain.semantic.status import status_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.checkup import Subject

NAME = "semantic index"
LITTLE = 50
"""One memory in so many may be missing: what came since the last build is found by words all the same."""


def check_semantic(subject: Subject) -> Check:
    """Look whether the index knows the memories as they are now, and whether the team's database answers."""
    brain = subject.brain
    if brain is None:
        return Check(NAME, UNSEEN, "there is no memory repo to look at")
    state = status_of(brain)
    detail = f"{state.count} memories, {state.fingerprint}"
    if state.missing * LITTLE > state.count:
        return Check(NAME, WRONG, f"{detail}; {state.missing} are not in it", "brain semantic build")
    if brain.config["semantic.store"] == "postgres":
        from brain.semantic.team import open_team

        try:
            team = open_team(brain, state.fingerprint)
            detail += f"; {team.store.count(team.space, team.project)} in the team's database"
        except BrainError as error:
            return Check(NAME, WRONG, str(error), error.hint or "brain semantic serve, or set semantic.dsn")
    return Check(NAME, OK, detail)

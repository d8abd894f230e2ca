"""What each tool may do, when, and who must agree: one table, asked when tools are listed and when one is called.

It fails closed: a tool that is not in it is not served, and in a phase that it does not know only reading is.
"""

from __future__ import annotations

from shlex import join

from brain.recall.render import clean_line
from brain.settings import WORKFLOWS
from brain.ticket import CODING_GATES
from brain.value import value
from brain_api.errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.ticket import Ticket

READ, DRAFT, PROPOSE = "read", "draft", "propose"
"""Operations: it changes nothing; it writes drafts of this machine's user; others see what it does."""
NONE, ADDS, TAKES = "none", "adds", "takes"
"""Risk, what a mistake does: nothing, add what can be dropped again, or take something away."""
SERVED, DRAFTING, WORKSPACE = PLACES = ("served", "drafting", "workspace")
"""Where a tool works: at any served project, at one where the token may draft, in a workspace. Each has what the one
before it has, and more."""
UNKNOWN = "unknown"
"""The phase where no workflow is named."""
CODING = "coding"
LAST_GATE = "coding 5"
"""Where drafts are decided on (SPEC §9)."""
WORKING = frozenset((UNKNOWN, *WORKFLOWS, *(f"{CODING} {gate}" for gate in CODING_GATES)))
"""Phases in which something is learned."""
DECIDING = WORKING - {f"{CODING} {gate}" for gate in CODING_GATES} | {LAST_GATE}
"""Phases in which it is proposed: not in the middle of coding."""


@value
class Policy:
    """What rules a tool: ``phases`` None is every one, ``where`` the least place, ``confirm`` that a person agrees."""

    operation: str
    risk: str
    phases: frozenset[str] | None
    where: str
    confirm: bool


POLICIES: Mapping[str, Policy] = {
    "recall": Policy(READ, NONE, None, SERVED, confirm=False),
    "search": Policy(READ, NONE, None, SERVED, confirm=False),
    "read": Policy(READ, NONE, None, SERVED, confirm=False),
    "pending": Policy(READ, NONE, None, WORKSPACE, confirm=False),
    "remember": Policy(DRAFT, ADDS, WORKING, DRAFTING, confirm=False),
    "verify": Policy(DRAFT, ADDS, WORKING, WORKSPACE, confirm=False),
    "submit": Policy(PROPOSE, ADDS, DECIDING, WORKSPACE, confirm=True),
    "propose_removal": Policy(PROPOSE, TAKES, DECIDING, WORKSPACE, confirm=True),
}  # fmt: skip


class RefusedError(RequestError):
    """The tool may not do this: not now, not here, or not without a person."""

    status = 403


def phase_of(ticket: Ticket) -> str:
    """Return the phase a ticket is in: its workflow, in coding with the gate.

    >>> from brain.ticket import Ticket
    >>> phase_of(Ticket(workflow="coding", gate="3"))
    'coding 3'
    """
    if ticket.workflow == CODING and ticket.gate:
        return f"{CODING} {ticket.gate}"
    return ticket.workflow or UNKNOWN


def is_served(name: str, phase: str, where: str) -> bool:
    """Say whether a tool is served in a phase, at a place."""
    policy = POLICIES.get(name)
    return policy is not None and _in_phase(policy, phase) and _is_at(policy, where)


def check_served(name: str, given: Mapping[str, Any], phase: str, where: str) -> Policy:
    """Return the policy of a tool that may be called.

    Raises:
        RefusedError: It may not, by the table.
    """
    policy = POLICIES.get(name)
    if policy is None:
        raise RefusedError(f"no tool {clean_line(name)[:60]!r}", f"there are {', '.join(POLICIES)}")
    command = f"a person can run, in their workspace: {command_of(name, given)}"
    if not _is_at(policy, where):
        lack = "the token has not the scope 'draft'" if policy.where == DRAFTING else "it needs a workspace"
        raise RefusedError(f"{name} is not for you at this served memory: {lack}", command)
    if not _in_phase(policy, phase):
        raise RefusedError(f"{name} is not for the phase {clean_line(phase)[:60]!r}", command)
    return policy


def _is_at(policy: Policy, where: str) -> bool:
    return PLACES.index(policy.where) <= PLACES.index(where)


def _in_phase(policy: Policy, phase: str) -> bool:
    return policy.phases is None or phase in policy.phases


def command_of(name: str, given: Mapping[str, Any]) -> str:
    """Return the command by which a person does what a tool was asked to do, quoted for a shell.

    What was asked is never read as an option of the command.
    """
    options = {
        "remember": [word for key in WRITTEN for word in _option(f"--{key}", given.get(key))],
        "verify": ["--ok" if given["holds"] else "--wrong"] if "holds" in given else [],
        "submit": _option("--ticket", given.get("ticket")), "propose_removal": _option("--reason", given.get("reason")),
    }.get(name, [])  # fmt: skip
    rest = [clean_line(given[key]) for key in ("id", "text") if given.get(key)] or list(
        map(clean_line, given.get("ids", ()))
    )
    end = ["--"] if any(word.startswith("-") for word in rest) else []
    return join(["brain", COMMANDS.get(name, name), *options, *end, *rest])


WRITTEN = ("apply", "type", "scope", "refs", "update")
"""Arguments of ``remember`` that the command has as options of the same name."""
COMMANDS = {"propose_removal": "remove"}
"""Tool → command, where that is called otherwise."""


def _option(name: str, given: str | None) -> list[str]:
    if not given:
        return []
    text = clean_line(given)
    return [f"{name}={text}"] if text.startswith("-") else [name, text]

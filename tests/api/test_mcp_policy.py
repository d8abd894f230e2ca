"""MCP's policy table: what is served when, that nothing is served without it, and what its listing costs."""

from __future__ import annotations

import json
import shlex

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from brain.ticket import Ticket, parse_ticket
from brain.tokens import estimate
from brain_api.errors import InvalidRequestError
from brain_api.mcp.policy import (
    DRAFT,
    DRAFTING,
    NONE,
    POLICIES,
    PROPOSE,
    READ,
    SERVED,
    TAKES,
    WORKSPACE,
    RefusedError,
    check_served,
    command_of,
    is_served,
    phase_of,
)
from brain_api.mcp.server import describe, served_names
from brain_api.mcp.tools import LONGEST, TOOLS, check_arguments, hints

READING = ("recall", "search", "read", "pending")
WORKING = (*READING, "remember", "verify")
ALL = (*WORKING, "submit", "propose_removal")
BUDGET = 1200


def test_every_tool_has_a_policy_and_every_policy_a_tool() -> None:
    assert set(TOOLS) == set(POLICIES)


def test_a_tool_without_a_policy_is_neither_listed_nor_let_through() -> None:
    assert not is_served("drop_database", "coding", WORKSPACE)
    with pytest.raises(RefusedError, match="no tool"):
        check_served("drop_database", {}, "coding", WORKSPACE)


@pytest.mark.parametrize(("ticket", "served"), [
    ({}, ALL), ({"taskId": "T-1", "gate": "1"}, WORKING), ({"workflow": "coding", "gate": "Gate 4"}, WORKING),
    ({"workflow": "coding", "gate": "5"}, ALL), ({"workflow": "coding"}, ALL), ({"workflow": "review"}, ALL),
    ({"workflow": "create-spec"}, ALL), ({"workflow": "deploy"}, READING), ({"workflow": "coding", "gate": "9"}, READING),
    ({"workflow": "レビュー"}, READING),
])  # fmt: skip
def test_the_phase_decides_what_is_served_and_an_unknown_one_only_reads(
    ticket: dict[str, str], served: tuple[str, ...]
) -> None:
    phase = phase_of(parse_ticket(ticket)[0])
    assert served_names(phase, WORKSPACE) == served
    for name in TOOLS:
        if name in served:
            assert check_served(name, {}, phase, WORKSPACE) is POLICIES[name]
        else:
            with pytest.raises(RefusedError, match="is not for the phase"):
                check_served(name, {}, phase, WORKSPACE)


def test_a_served_project_is_read_and_drafted_at_by_who_may() -> None:
    phase = phase_of(Ticket())
    assert served_names(phase, SERVED) == ("recall", "search", "read")
    assert served_names(phase, DRAFTING) == ("recall", "search", "read", "remember")
    with pytest.raises(RefusedError, match="the token has not the scope 'draft'"):
        check_served("remember", {"text": "x"}, phase, SERVED)
    for name in ("pending", "verify", "submit", "propose_removal"):
        with pytest.raises(RefusedError, match="it needs a workspace"):
            check_served(name, {}, phase, DRAFTING)


def test_what_changes_something_is_in_phases_and_what_others_see_is_confirmed() -> None:
    for name, policy in POLICIES.items():
        assert policy.confirm == (policy.operation == PROPOSE), name
        assert (policy.phases is None) == (policy.operation == READ), name
        assert hints(name).read_only == (policy.operation == READ), name
        assert policy.operation in (READ, DRAFT, PROPOSE), name
        assert (policy.risk == NONE) == (policy.operation == READ), name
        assert bool(hints(name).destructive) == (policy.risk == TAKES), name


@pytest.mark.parametrize(("name", "given", "words"), [
    ("submit", {"ids": ["mem-a", "mem-b"], "ticket": "T-1"}, ["brain", "submit", "--ticket", "T-1", "mem-a", "mem-b"]),
    ("submit", {}, ["brain", "submit"]), ("verify", {"id": "mem-a", "holds": False}, ["brain", "verify", "--wrong", "mem-a"]),
    ("propose_removal", {"ids": ["x; rm -rf ~"], "reason": "it's\n`old`"}, ["brain", "remove", "--reason", "it's `old`", "x; rm -rf ~"]),
    ("submit", {"ids": ["--force", "mem-a"]}, ["brain", "submit", "--", "--force", "mem-a"]),
    ("propose_removal", {"ids": ["--hard"], "reason": "-x"}, ["brain", "remove", "--reason=-x", "--", "--hard"]),
    ("remember", {"text": "Đừng ghi $HOME"}, ["brain", "remember", "Đừng ghi $HOME"]),
    ("remember", {"text": "t", "refs": "a.py", "apply": "-x", "type": "lesson"}, ["brain", "remember", "--apply=-x", "--type", "lesson", "--refs", "a.py", "t"]),
])  # fmt: skip
def test_the_command_for_a_person_is_one_line_that_a_shell_reads_as_it_is_meant(
    name: str, given: dict[str, object], words: list[str]
) -> None:
    command = command_of(name, given)
    assert "\n" not in command
    assert shlex.split(command) == words


def test_the_tools_cost_a_model_little() -> None:
    listed = [describe(name).model_dump(by_alias=True, exclude_none=True, mode="json") for name in TOOLS]
    shown = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in listed]
    assert estimate(json.dumps(shown, separators=(",", ":"), ensure_ascii=False)) <= BUDGET
    bpe = pytest.importorskip("bpe_openai")
    whole = json.dumps(listed, separators=(",", ":"), ensure_ascii=False)
    assert len(bpe.get_encoding("o200k_base").encode(whole)) <= BUDGET, "with what only the host reads"


@pytest.mark.parametrize(("name", "given", "said"), [
    ("read", {}, "ids is missing"), ("read", {"ids": []}, "ids is missing"), ("read", {"ids": "mem-a"}, "no list of texts"),
    ("read", {"ids": ["a"] * 201}, "over 200"), ("read", {"ids": ["a", 1]}, "no list of texts"),
    ("search", {"words": "x", "SECRET\n": 1}, r"no argument 'SECRET\\n'"), ("recall", {"full": "yes"}, "neither true nor false"),
    ("remember", {"text": "x", "type": "opinion"}, "is not one of lesson"), ("remember", {"text": "x" * (LONGEST + 1)}, "over 20000"),
    ("verify", {"id": ["a"]}, "is no text"),
])  # fmt: skip
def test_arguments_outside_the_schema_are_refused_without_their_values(
    name: str, given: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidRequestError, match=said) as error:
        check_arguments(name, given)
    assert "opinion" not in str(error.value)
    assert "\n" not in str(error.value)

"""Proposing through MCP on the stand-in for GitLab: only what a person confirmed, in both of the protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from tests.api.assistant import MODES, facts_of, talk, text_of
from tests.submit.team import NOON, RETRY, SETTINGS, STOCK, Machine
from tests.submit.test_loop import machine
from tests.support.repos import ROOT, memory_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp import Client

    from tests.gitlab.fixture import Team

ID = "mem-F003-retry"


@pytest.fixture
def dev(team: Team, tmp_path: Path) -> Machine:
    """Return a developer's clone of a project with one approved memory."""
    settings = SETTINGS.replace("pam", team.pm.username).replace("tom", team.tl.username)
    files = {f"{ROOT}/brain.toml": settings, f"{ROOT}/.gitignore": "_pending/\n", f"{ROOT}/{RETRY}": memory_text(RETRY)}
    team.commit("start", files)
    iid = team.open("start")["iid"]
    team.ready(iid)
    team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")
    return machine(team, "dev", tmp_path)


class Person:
    """Who is asked by the client: notes the questions, and answers as told."""

    def __init__(
        self, action: str = "accept", *, confirm: bool = True, before: Callable[[], object] | None = None
    ) -> None:
        self.action, self.confirm, self.before = action, confirm, before
        self.asked: list[str] = []

    async def __call__(self, _context: object, params: Any) -> Any:
        import mcp_types as types

        self.asked.append(params.message)
        if self.before and len(self.asked) == 1:
            self.before()
        content = {"confirm": self.confirm} if self.action == "accept" else None
        return types.ElicitResult(action=self.action, content=content)


def ask(dev: Machine, mode: str, person: Person | None, name: str, **given: Any) -> Any:
    async def say(client: Client) -> Any:
        return await client.call_tool(name, given)

    return talk(dev.folder, say, mode, dev.env, **({"elicitation_callback": person} if person else {}))


def opened(team: Team) -> list[str]:
    return [row["source_branch"] for row in team.dev.ask("GET", f"{team.api}/merge_requests?state=opened")]


def branches(team: Team) -> set[str]:
    return {row["name"] for row in team.dev.ask("GET", f"{team.api}/repository/branches")}


@pytest.mark.parametrize("mode", MODES)
def test_without_anybody_to_ask_it_is_refused_with_the_command(team: Team, dev: Machine, mode: str) -> None:
    dev.draft(NOON)
    before = branches(team)
    submit = ask(dev, mode, None, "submit", ticket="T-1", ids=["mem-F003-noon"])
    remove = ask(dev, mode, None, "propose_removal", ids=[ID], reason="it's old")
    for result, command in ((submit, "brain submit --ticket T-1 mem-F003-noon"),
                            (remove, f"brain remove --reason 'it'\"'\"'s old' {ID}")):  # fmt: skip
        assert result.is_error
        assert text_of(result).splitlines() == [
            "a person has to confirm this, and this client cannot ask one",
            f"have them run, in their workspace: {command}",
        ]
    assert (opened(team), branches(team), list(dev.drafts())) == ([], before, [NOON])


@pytest.mark.parametrize("mode", MODES)
def test_what_a_person_does_not_confirm_is_not_proposed(team: Team, dev: Machine, mode: str) -> None:
    dev.draft(NOON)
    before, answers = branches(team), [("decline", True), ("cancel", True), ("accept", False)]
    person = Person()

    async def say(client: Client) -> list[Any]:
        results = []
        for person.action, person.confirm in answers:
            results.append(await client.call_tool("submit", {"ticket": "T-1"}))
        return results

    results = talk(dev.folder, say, mode, dev.env, elicitation_callback=person)
    assert ["the person did not agree: nothing was proposed" in text_of(result) for result in results] == [True] * 3
    assert all(result.is_error for result in results)
    assert len(person.asked) == 3
    assert (opened(team), branches(team), list(dev.drafts())) == ([], before, [NOON])


@pytest.mark.parametrize("mode", MODES)
def test_what_a_person_confirms_is_proposed_once(team: Team, dev: Machine, mode: str) -> None:
    dev.draft(NOON)
    person = Person()
    done = facts_of(ask(dev, mode, person, "submit", ticket="T-1"))
    (question,) = person.asked
    assert "Propose to the team: memory(T-1): +1 lesson/dev" in question
    assert "- mem-F003-noon: Orders close at noon on Fridays" in question
    assert team.pm.username in question
    assert (done["title"], done["branch"]) == ("memory(T-1): +1 lesson/dev", "memory/T-1")
    assert done["mergeRequest"] > 0
    assert (opened(team), dev.drafts()) == (["memory/T-1"], {})
    removal = facts_of(ask(dev, mode, person, "propose_removal", ids=[ID], reason="Cổng cũ đã tắt 廃止"))
    assert "reason: Cổng cũ đã tắt 廃止" in person.asked[1]
    assert removal["branch"] == f"memory/remove-{ID}"
    assert sorted(opened(team)) == ["memory/T-1", f"memory/remove-{ID}"]
    nothing = ask(dev, mode, Person(), "submit", ticket="T-2")
    assert text_of(nothing).splitlines()[0] == "Nothing to submit."


def test_drafts_that_change_after_the_question_are_not_proposed_unseen(team: Team, dev: Machine) -> None:
    dev.draft(NOON)
    hasty = Person(before=lambda: dev.draft(STOCK))
    refused = ask(dev, "legacy", hasty, "submit", ticket="T-1")
    assert refused.is_error
    assert "it is not what was confirmed any more" in text_of(refused)
    assert (opened(team), len(hasty.asked)) == ([], 1)


def test_the_present_protocol_asks_once_more_for_drafts_that_changed(team: Team, dev: Machine) -> None:
    dev.draft(NOON)
    person = Person(before=lambda: dev.draft(STOCK))
    done = facts_of(ask(dev, "auto", person, "submit", ticket="T-1"))
    assert len(person.asked) == 2
    assert "mem-F004-stock" not in person.asked[0]
    assert "mem-F004-stock" in person.asked[1]
    assert "+1 fact/domain" in done["title"]


def test_an_answer_without_our_question_confirms_nothing(team: Team, dev: Machine) -> None:
    import mcp_types as types

    dev.draft(NOON)
    yes = {"confirm": types.ElicitResult(action="accept", content={"confirm": True})}

    async def say(client: Client) -> Any:
        from mcp.shared.exceptions import MCPError

        with pytest.raises(MCPError, match="requestState"):
            await client.session.call_tool(
                "submit", {"ticket": "T-1"}, input_responses=yes, request_state="0" * 64, allow_input_required=True
            )
        return await client.session.call_tool(
            "submit", {"ticket": "T-1"}, input_responses=yes, allow_input_required=True
        )

    again = talk(dev.folder, say, "auto", dev.env, elicitation_callback=Person())
    assert again.result_type == "input_required"
    assert opened(team) == []


def test_a_forge_that_is_down_is_an_error_and_the_drafts_stay(team: Team, dev: Machine) -> None:
    dev.draft(NOON)
    result = ask(dev, "auto", Person(), "submit", ticket="T-1", ids=["mem-F003-nope"])
    assert result.is_error
    assert "no memory 'mem-F003-nope'" in text_of(result)
    env = {**dev.env, "BRAIN_GITLAB_TOKEN": "glpat-not-a-token"}
    refused = ask(Machine(dev.folder, env), "auto", Person(), "submit", ticket="T-1")
    assert refused.is_error
    assert "glpat-not-a-token" not in text_of(refused) + (dev.folder / ".mcp-log").read_text()
    assert (opened(team), list(dev.drafts())) == ([], [NOON])

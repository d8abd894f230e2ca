"""Approval cannot be tricked: each way to get a text recalled that no PM approved, and the sentence that stops it.

A row is a name, what is done, and what the job says then. ``{at}`` is where, ``{dev}`` and the like are usernames. A
machine of somebody else's never recalls the text, and recalls on what it recalled before where a removal was tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.finalize.project import Project, draft
from tests.finalize.test_on_main import accepted
from tests.finalize.test_removal import proposed
from tests.gitlab.fixture import forge, free_forge, paid, premium, premium_forge, team
from tests.loop.world import Machine
from tests.support.repos import ROOT, memory_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "team"]
CLAIM = "memory: finalize !1\n\nBrain-Finalize: 1\nApproved-by: pm (!1)\n"


class Case:
    """One try: the project, the path of the text that nobody approved, and the text."""

    def __init__(self, project: Project, number: int) -> None:
        self.project, self.number, self.iid = project, number, 0
        self.path = f"01.Lessons/dev/F-003_Payment/trick-{number}.md"
        self.name = f"mem-F003-trick-{number}"
        self.good = f"Payment {number} is sent once, as the PM read it."
        self.bad = f"Payment {number} is sent for ever, as no PM ever read it."

    def memory(self, text: str, **fields: Any) -> str:
        return draft(self.path, f"{text}\n\n**Apply:** do so.", **fields)

    def propose(self, text: str = "", *, who: str = "dev", **files: str) -> None:
        self.iid = self.project.propose({self.path: text or self.memory(self.bad), **files}, who=who)

    @property
    def branch(self) -> str:
        return f"memory/T-{self.project.count}"

    def approved(self) -> str:
        """Make the good text official and return its file."""
        accepted(self.project, {self.path: self.memory(self.good)})
        self.project.run()
        assert self.project.state(self.path)[0] == "approved"
        return self.project.file(self.path)

    def settings(self, *names: str) -> str:
        people = ", ".join(f'"{self.project.team.people[name].username}"' for name in names)
        return f"[people]\npm = [{people}]\n"


def author_approves_own(case: Case) -> None:
    case.project.team.root.post(f"{case.project.team.api}/approvals", json={"merge_requests_author_approval": True})
    case.propose(who="pm")
    case.project.approve(case.iid)
    case.project.merge(case.iid)


def developer_pushes_before_the_merge(case: Case) -> None:
    case.propose(case.memory(case.good))
    case.project.approve(case.iid)
    case.project.commit(case.branch, {case.path: case.memory(case.bad)})
    case.project.merge(case.iid, who="tl")


def developer_pushes_after_the_merge(case: Case) -> None:
    case.propose(case.memory(case.good))
    case.project.approve(case.iid)
    case.project.merge(case.iid)
    case.project.commit(case.branch, {case.path: case.memory(case.bad)})


def pushed_straight_to_main(case: Case) -> None:
    project = case.project
    project.ask("PATCH", "protected_branches/main", allowed_to_push=[{"access_level": 40}])
    project.commit("main", {case.path: case.memory(case.bad, status="approved", reviewed_by="pm")}, who="tl")
    rule = project.ask("GET", "protected_branches/main")
    rows = [{"id": row["id"], "_destroy": True} for row in rule["push_access_levels"] if row["access_level"] == 40]
    project.ask("PATCH", "protected_branches/main", allowed_to_push=rows)


def approved_by_no_pm(case: Case) -> None:
    case.propose()
    case.project.approve(case.iid, who="tl")
    case.project.merge(case.iid, who="tl")


def approved_by_nobody(case: Case) -> None:
    case.propose()
    case.project.merge(case.iid, who="tl")


def the_pm_left(case: Case) -> None:
    case.propose()
    case.project.approve(case.iid)
    case.project.merge(case.iid, who="tl")
    case.project.team.root.delete(f"{case.project.team.api}/members/{case.project.team.pm.id}")


def the_pm_is_back(case: Case) -> None:
    team = case.project.team
    team.root.ask("POST", f"{team.api}/members", user_id=team.pm.id, access_level=40)


def approved_by_a_bot(case: Case) -> None:
    accepted(case.project, {"brain.toml": case.settings("pm", "bot")})
    case.propose()
    case.project.approve(case.iid, who="bot")
    case.project.merge(case.iid, who="bot")


def the_bot_is_no_pm_any_more(case: Case) -> None:
    accepted(case.project, {"brain.toml": case.settings("pm")})


def from_a_fork(case: Case) -> None:
    team = case.project.team
    fork = team.dev.ask("POST", f"{team.api}/fork", path="fork", namespace_path=team.dev.username)
    team.forge.settle()
    actions = [{"action": "create", "file_path": f"{ROOT}/{case.path}", "content": case.memory(case.bad)}]
    where = f"/projects/{fork['id']}"
    team.dev.ask("POST", f"{where}/repository/commits", branch="memory/fork", start_branch="main", commit_message="Work", actions=actions)  # fmt: skip
    made = team.dev.ask(
        "POST", f"{where}/merge_requests", source_branch="memory/fork", target_branch="main", target_project_id=team.id,
        title="From outside",
    )  # fmt: skip
    case.iid = int(made["iid"])
    case.project.approve(case.iid)
    case.project.merge(case.iid)


def the_author_names_a_friend_as_pm(case: Case) -> None:
    case.propose(**{"brain.toml": case.settings("dev", "tl")})
    case.project.approve(case.iid, who="tl")
    case.project.merge(case.iid, who="tl")


def the_settings_are_put_back(case: Case) -> None:
    accepted(case.project, {"brain.toml": case.settings("pm") + "# as before\n"})


def status_written_by_hand(case: Case) -> None:
    case.propose(case.memory(case.bad, status="approved", reviewed_by=case.project.team.pm.username))
    case.project.merge(case.iid, who="tl")


def edit_that_keeps_its_status(case: Case) -> None:
    case.propose(case.approved().replace(case.good, case.bad))
    case.project.merge(case.iid, who="tl")


def removal_that_nobody_approved(case: Case) -> None:
    case.propose(proposed(case.approved()))
    case.project.merge(case.iid, who="tl")


def edit_inside_a_removal(case: Case) -> None:
    case.propose(proposed(case.approved()).replace(case.good, case.bad))
    case.project.merge(case.iid, who="tl")


def forged_finalize_commit(case: Case) -> None:
    project, team = case.project, case.project.team
    bot = {"author_name": "BOT", "author_email": f"{team.bot.username}@example.com"}
    text = case.memory(case.bad, status="approved", reviewed_by=team.pm.username)
    actions = [{"action": "create", "file_path": f"{ROOT}/{case.path}", "content": text}]
    branch = f"memory/finalize-{case.number:012}"
    team.dev.ask(
        "POST", f"{team.api}/repository/commits", branch=branch, start_branch="main", actions=actions, commit_message=CLAIM, **bot,
    )  # fmt: skip
    case.iid = int(team.open(branch, "memory: finalize !1")["iid"])
    project.ask("PUT", "", merge_method="ff")
    project.merge(case.iid, who="tl")
    project.ask("PUT", "", merge_method="merge")


def squash_message_with_trailers(case: Case) -> None:
    case.propose(case.memory(case.bad, status="approved", reviewed_by=case.project.team.pm.username))
    case.project.merge(case.iid, who="tl", squash=True, squash_commit_message=CLAIM)


def message_that_names_an_approved_merge_request(case: Case) -> None:
    other = accepted(case.project, {"03.Retro/T-9.md": "nothing\n"})
    case.propose()
    words = f"memory(T-9)\n\nSee merge request {case.project.team.path}!{other}\n"
    case.project.merge(case.iid, who="tl", squash=True, squash_commit_message=words)


def nothing(case: Case) -> None:
    """Leave the project as it is."""


STAYS, BACK = "{at} stays pending: ", "{at} is put back to pending: "
GOOD, BAD, NONE = "the approved text", "the text of the trick", "nothing"
ROWS: dict[str, tuple[Callable[[Case], None], Callable[[Case], None], str, str]] = {
    "the author approves their own": (author_approves_own, nothing, STAYS + "its author approved it: {pm}", NONE),
    "a developer pushes after the approval": (developer_pushes_before_the_merge, nothing, STAYS + "changed after the approval: {path}", NONE),
    "a developer pushes after the merge": (developer_pushes_after_the_merge, nothing, "", GOOD),
    "a Maintainer pushes straight to main": (pushed_straight_to_main, nothing, "{path} is put back to pending: it came without a merge request, by commit ", NONE),
    "somebody approves who is no PM": (approved_by_no_pm, nothing, STAYS + "approved by {tl}, who is not in people.pm", NONE),
    "nobody approves": (approved_by_nobody, nothing, STAYS + "no PM approved it", NONE),
    "the PM who approved has left": (the_pm_left, the_pm_is_back, STAYS + "the PM who approved it is no member of the project any more: {pm}", NONE),
    "a bot approves": (approved_by_a_bot, the_bot_is_no_pm_any_more, STAYS + "approved by a bot: {bot}", NONE),
    "it comes from a fork": (from_a_fork, nothing, STAYS + "the merge request comes from a fork", NONE),
    "brain.toml names a friend as PM in the same merge request": (the_author_names_a_friend_as_pm, the_settings_are_put_back, STAYS + "approved by {tl}, who is not in people.pm", NONE),
    "status: approved is written by hand": (status_written_by_hand, nothing, BACK + "no PM approved it", NONE),
    "an approved memory is edited and keeps its status": (edit_that_keeps_its_status, nothing, BACK + "no PM approved it", NONE),
    "a removal is merged without approval": (removal_that_nobody_approved, nothing, "{at} is put back as it was approved before: no PM approved it", GOOD),
    "a removal hides an edit": (edit_inside_a_removal, nothing, BACK + "no PM approved it", NONE),
    "a commit forges finalize's trailer, name and mail": (forged_finalize_commit, nothing, BACK + "no PM approved it", NONE),
    "a squash message forges the trailers": (squash_message_with_trailers, nothing, BACK + "no PM approved it", NONE),
    "a message names another, approved merge request": (message_that_names_an_approved_merge_request, nothing, STAYS + "no PM approved it", NONE),
}  # fmt: skip
MADE: dict[str, tuple[Project, Machine]] = {}
"""Tier → project and machine, made once and used by every row: a try touches its own path alone."""


@pytest.fixture(params=["free", "premium"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Machine]:
    """Return a project on one tier, where a push leaves approvals as they are, and somebody else's machine."""
    tier = request.param
    request.getfixturevalue("forge" if tier == "free" else "premium")
    if tier not in MADE:
        team = request.getfixturevalue("team" if tier == "free" else "paid")
        if tier == "premium":
            team.root.ask("POST", f"{team.api}/approvals", reset_approvals_on_push=False)
        folder = tmp_path_factory.mktemp(f"tricks-{tier}")
        project = Project(team, folder)
        machine = Machine(folder / "bea", team.tl, f"{team.forge.url}/{team.path}.git").connect()
        MADE[tier] = project, machine
    return MADE[tier]


@pytest.mark.parametrize("name", ROWS)
def test_a_trick_gets_nothing_recalled(place: tuple[Project, Machine], name: str) -> None:
    project, machine = place
    do, undo, words, recalled = ROWS[name]
    case = Case(project, [*ROWS].index(name))
    do(case)
    status, out, err = project.run()
    undo(case)
    text = machine.fetch().session()
    found = BAD if case.bad in text else GOOD if case.good in text else NONE
    names = {name: person.username for name, person in project.team.people.items()}
    line = "not final: " + words.format(at=f"!{case.iid} {case.path}", path=case.path, **names)
    said = [row for row in out.splitlines() if row.startswith("not final: ") and case.path in row]
    assert (found, [row[: len(line)] for row in said]) == (recalled, [line] if words else []), (out, err)
    assert status in ({1} if words else {0, 1})


def test_a_job_that_a_branch_rewrote_has_a_token_that_can_do_nothing(place: tuple[Project, Machine]) -> None:
    """A merge request's pipeline has no protected variable, so what a branch makes of the job has the job token alone."""
    project, machine = place
    case = Case(project, len(ROWS))
    case.propose()
    project.approve(case.iid, who="tl")
    team = project.team
    job = team.forge.inner.post("/job-tokens", json={"project": team.path, "user": team.dev.username}).json()["token"]
    where = {"CI_MERGE_REQUEST_IID": str(case.iid), "CI_COMMIT_REF_NAME": case.branch}
    before = project.main()
    status, out, err = project.run(BRAIN_GITLAB_TOKEN="", CI_JOB_TOKEN=job, **where)
    assert (status, out, err.splitlines()[0]) == (
        3, "", "brain-ci: there is only CI_JOB_TOKEN: it cannot read approvals, and a push with it starts no pipeline",
    )  # fmt: skip
    status, _, err = project.run(BRAIN_GITLAB_TOKEN=job, **where)
    assert (status, err.splitlines()[0].startswith("brain-ci: GitLab: ")) == (5, True), err
    assert (project.main(), case.bad in machine.fetch().session()) == (before, False)


def test_an_approved_text_is_recalled_there(place: tuple[Project, Machine]) -> None:
    """What the table calls nothing is not an empty answer for all."""
    project, machine = place
    case = Case(project, len(ROWS) + 1)
    case.approved()
    assert case.good in machine.fetch().session()
    assert memory_text(
        case.path, f"{case.good}\n\n**Apply:** do so.", reviewed_by=project.team.pm.username
    ) == project.file(case.path)

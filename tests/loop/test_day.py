"""A day: a session teaches something, its drafts are decided on and reviewed, and another machine's session knows it.

Nothing but the public programs, and the hooks called as Claude Code calls them.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.loop.world import World, run
from tests.support.session import CLAUDE, TRANSCRIPTS

if TYPE_CHECKING:
    from tests.gitlab.fixture import Team
    from tests.loop.world import Machine

ROUNDING = "mem-F003-note-fbfc3f06"
SAID = "消費税の端数は明細行ごとに切り捨て"
DECIDED = "mem-global-let-s-keep-decimal-everywhere-and-not-switch-to"
DRAFT_FIRST = "mem-F003-khong-push-thang"


class Session:
    """An assistant's session on a machine, told by a transcript that grows."""

    def __init__(self, machine: Machine, name: str) -> None:
        self.machine, self.name = machine, name
        self.path = Path(machine.env["HOME"], ".claude/projects/shop", f"{name}.jsonl")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        told = TRANSCRIPTS.joinpath(CLAUDE).read_bytes()
        self.lines = told.replace(b"/home/mai/work/shop api", os.fsencode(machine.work)).splitlines(keepends=True)

    def fire(self, event: str, lines: int | None = None, **fields: Any) -> dict[str, Any]:
        """Let so many lines be written, the last of them half, then fire an event."""
        self.path.write_bytes(b"".join(self.lines[:lines]) + b"".join(self.lines[lines : (lines or 0) + 1])[:40])
        payload = {
            "session_id": self.name, "cwd": str(self.machine.work), "transcript_path": str(self.path),
            "hook_event_name": event, **fields,
        }  # fmt: skip
        done = run(self.machine.work, "brain_hooks", "claude", event, env=self.machine.env, stdin=json.dumps(payload))
        assert (done.status, done.err) == (0, ""), done
        found: dict[str, Any] = json.loads(done.out)
        return found


def listed(answer: dict[str, Any]) -> list[str]:
    """Return the drafts that a checkpoint asks about."""
    return [line[2:].partition(":")[0] for line in answer["reason"].splitlines() if line.startswith("- mem-")]


def side_branch(team: Team) -> str:
    """Wait for the developer's side branch, and return it."""
    branch = f"memory-retro/{team.dev.username}"
    deadline = time.monotonic() + 30
    while team.pm.get(f"{team.api}/repository/branches/{branch.replace('/', '%2F')}").status_code != 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return branch


@pytest.fixture
def free(team: Team, tmp_path: Path) -> World:
    return World(team, tmp_path, "free")


def test_what_a_session_taught_is_decided_on_reviewed_and_known_on_another_machine(free: World) -> None:
    ada, bea = free.machine("dev", "ada", gate="4"), free.machine("tl", "bea", taskId="PAY-9")
    session = Session(ada, "monday")
    assert "Team memory" not in ada.session(), "nothing is known yet"

    # at work: each stop reads on, and the first one at which something happened asks
    assert session.fire("Stop", 12, stop_hook_active=False) == {}
    asked = session.fire("Stop", 24, stop_hook_active=False)
    assert (asked["decision"], ROUNDING in listed(asked)) == ("block", True)
    assert session.fire("Stop", 39, stop_hook_active=True) == {}
    assert "not approved yet (your draft)" in ada.session()
    assert bea.recalled() == set()

    # the last gate: a decision for each draft
    ticket = ada.work / ".aiflow/context/current.json"
    ticket.write_text(ticket.read_text("utf-8").replace('"gate": "4"', '"gate": "Gate 5"'), "utf-8")
    asked = session.fire("Stop", stop_hook_active=False)
    assert {ROUNDING, DECIDED, DRAFT_FIRST} <= set(listed(asked))
    others = [name for name in listed(asked) if name not in (ROUNDING, DECIDED, DRAFT_FIRST)]
    assert ada.brain("pending", "keep", DECIDED).status == 0
    assert ada.brain("pending", "drop", DRAFT_FIRST, *others).status == 0
    assert session.fire("Stop", stop_hook_active=False) == {}
    iid = ada.submit(ROUNDING)
    assert [path.rpartition("/")[2] for path in ada.drafts()] == [f"{DECIDED.removeprefix('mem-global-')}.md"]

    # review: the merge request carries the retrospect of the ticket
    assert SAID in free.file("03.Retro/PAY-7.md", "memory/PAY-7")
    free.accept(iid)
    done = free.finalize()
    assert done.status == 0, done
    assert "approve: 01.Lessons/dev/F-003_Payment/" in done.out
    assert bea.recalled() == {ROUNDING}
    assert SAID in bea.session()
    assert f"!{iid} is merged" in ada.brain("status").err

    # the end, and the next day: what was kept is not asked about again, what was dropped can be had back
    session.fire("SessionEnd", reason="other")
    assert listed_or_none(Session(ada, "tuesday").fire("Stop", stop_hook_active=False)) == []
    assert ada.brain("pending", "restore", DRAFT_FIRST).status == 0
    assert listed_or_none(Session(ada, "wednesday").fire("Stop", stop_hook_active=False)) == [DRAFT_FIRST]


def listed_or_none(answer: dict[str, Any]) -> list[str]:
    return listed(answer) if answer else []


def test_what_nobody_submitted_is_harvested_from_the_side_branch(free: World) -> None:
    ada = free.machine("dev", "ada", taskId="PAY-8")
    ada.env["GIT_AUTHOR_EMAIL"] = f"{ada.person.username}@example.com"
    session = Session(ada, "monday")
    session.fire("SessionEnd", reason="other")
    branch = side_branch(free.team)
    assert SAID in free.file("03.Retro/PAY-8.md", branch)
    assert free.file("03.Retro/PAY-8.md") == ""
    bea = free.machine("tl", "bea")
    iid = bea.propose("consolidate")
    assert free.request(iid)["title"] == "memory(consolidate): 1 retro"
    assert f"`PAY-8` (`{free.team.dev.username}`)" in free.request(iid)["description"]
    free.accept(iid)
    assert SAID in free.file("03.Retro/PAY-8.md")

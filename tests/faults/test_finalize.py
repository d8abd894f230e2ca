"""Finalize: killed at every step, every request failing, a full disk. One commit, and nothing unapproved gets through.

Killed in the mode ``on-main``: ``tests/finalize/test_killed.py``. Here each request fails in one of four ways, its
neighbours in the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.faults.bench import count_requests, requests_made
from tests.faults.rounds import ON_BRANCH, ON_MAIN, Rounds
from tests.faults.sample import WHOLE, sampled, told
from tests.faults.test_disk import SIZES, limit
from tests.finalize.test_killed import Killer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FEW = 41
WAYS = [("free", ON_MAIN), ("premium", ON_BRANCH)]
KINDS = ("bad_gateway_after_effect", "lost_request", "too_many_requests", "token_expired")


@pytest.fixture
def killer() -> Iterator[Killer]:
    killer = Killer()
    with killer.process:
        yield killer


@pytest.fixture
def rounds(request: pytest.FixtureRequest, tmp_path: Path, tier: str, mode: str) -> Rounds:
    """Return a project on a tier, in a mode; a push leaves approvals as they are."""
    team = request.getfixturevalue("team" if tier == "free" else "paid")
    if tier == "premium":
        team.root.ask("POST", f"{team.api}/approvals", reset_approvals_on_push=False)
    return Rounds(team, tmp_path, mode)


@pytest.mark.parametrize(("tier", "mode"), [("free", ON_BRANCH), ("premium", ON_BRANCH)] if WHOLE else WAYS[1:])
def test_killed_at_every_step(rounds: Rounds, killer: Killer, tier: str, mode: str) -> None:
    whole = rounds.round()
    steps = killer(rounds)["steps"]
    assert whole.faults() == []
    whole.end()
    fell: list[Any] = []
    tried = 0
    for number in sampled(range(1, steps + 1), FEW):  # after a step is before the next
        one = rounds.round()
        killed = killer(rounds, number, "after")["status"]
        recalled = one.recalls_the_bad()
        again = killer(rounds)["status"]
        found = one.faults()
        fell += [(number, again, recalled, found)] if found or recalled or again != 1 else []
        tried += killed == -9
        one.end()
    print(*fell, sep="\n")
    told(f"kill -9, finalize {mode}, {tier}, {steps} steps", tried, tried - len(fell))


@pytest.mark.parametrize(("tier", "mode"), WAYS)
def test_each_request_fails_once(rounds: Rounds, killer: Killer, tier: str, mode: str) -> None:
    forge = rounds.team.forge
    whole = rounds.round()
    count_requests(rounds.team, "bad_gateway")
    killer(rounds)
    made = requests_made(rounds.team, "bad_gateway")
    assert whole.faults() == []
    whole.end()
    tries = [(KINDS[number % len(KINDS)], number) for number in range(made)]
    fell: list[Any] = []
    tried = 0
    for fault, number in sampled(tries, FEW):
        one = rounds.round()
        forge.fault(fault, skip=number)
        first = killer(rounds)["status"]
        forge.calm()
        recalled = one.recalls_the_bad()
        again = killer(rounds)["status"]
        found = one.faults()
        fell += [(fault, number, first, again, recalled, found)] if found or recalled or again != 1 else []
        tried += 1
        one.end()
    print(*fell, sep="\n")
    told(f"finalize {mode}, {tier}, {made} requests", tried, tried - len(fell))


@pytest.mark.parametrize(("tier", "mode"), WAYS)
def test_a_full_disk(rounds: Rounds, killer: Killer, tier: str, mode: str) -> None:
    fell, tried = [], 0
    for size in sampled(SIZES, FEW):
        one = rounds.round()
        run = rounds.start_limited(limit(size))
        _, err = run.communicate()
        recalled = one.recalls_the_bad()
        again = killer(rounds)["status"]
        found = one.faults()
        said = "Traceback" not in err and run.returncode in {1, 3, 4, 5, 6}
        fell += (
            [(size, run.returncode, err, again, recalled, found)] if found or recalled or again != 1 or not said else []
        )
        tried += 1
        one.end()
    print(*fell, sep="\n")
    told(f"full disk, finalize {mode}, {tier}", tried, tried - len(fell))

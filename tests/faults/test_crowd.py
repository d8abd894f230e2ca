"""Many at once: twenty submits of one ticket from ten machines, and twenty tickets from one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.faults.sample import WHOLE, told
from tests.faults.test_requests import bench, of_ticket, submit
from tests.support.program import program

if TYPE_CHECKING:
    from tests.faults.bench import Bench, Trial

__all__ = ["bench"]
MACHINES, EACH = (10, 2) if WHOLE else (3, 2)
TICKETS = 20 if WHOLE else 4
ROUNDS = 10
LOST_THE_RACE = 6


def at_once(orders: list[tuple[Trial, tuple[str, ...]]]) -> list[int]:
    """Run commands at the same time and return how each ended."""
    with ThreadPoolExecutor(len(orders)) as pool:
        runs = [pool.submit(program, *args, folder=one.machine.folder, env=one.machine.env) for one, args in orders]
    return [run.result().returncode for run in runs]


def test_many_machines_submit_one_ticket(bench: Bench) -> None:
    trials = [bench.trial() for _ in range(MACHINES)]
    for one in trials[1:]:
        one.ticket = trials[0].ticket
    texts = {one.draft("crowd") for one in trials}
    branch = of_ticket(trials[0])
    rounds = 0
    while rounds < ROUNDS and any(one.machine.drafts() for one in trials):
        ends = at_once([(one, submit(one)) for one in trials for _ in range(EACH)])
        assert set(ends) <= {0, LOST_THE_RACE}, ends
        rounds += 1
        here = {text for one in trials for text in one.machine.drafts().values()}
        assert texts <= here | trials[0].on_branch(branch)
        assert len(trials[0].requests(branch)) <= 1
    print(f"{rounds} rounds")
    ended = texts == trials[0].on_branch(branch) and len(trials[0].requests(branch)) == 1
    told(
        f"{MACHINES * EACH} submits of one ticket at once, {MACHINES} machines",
        MACHINES * EACH,
        MACHINES * EACH * ended,
    )


def test_one_machine_submits_many_tickets(bench: Bench) -> None:
    trial = bench.trial()
    texts = {}
    for number in range(TICKETS):
        trial.draft(f"ticket{number}")
        name = f"mem-F003-ticket{number}-{trial.number}"
        texts[name] = ("submit", name, "--ticket", f"{trial.ticket}-{number}")
    ends = at_once([(trial, args) for args in texts.values()])
    assert ends == [0] * TICKETS
    made = [len(trial.requests(f"memory/{trial.ticket}-{number}")) for number in range(TICKETS)]
    assert trial.machine.drafts() == {}
    told(f"{TICKETS} tickets at once, one machine", TICKETS, made.count(1))

"""Every request of every command fails once, in every way: the next run completes, nothing is lost, nothing doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.faults.bench import FAULTS, Bench, Trial, count_requests, requests_made
from tests.faults.sample import sampled, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gitlab.fixture import Forge
    from tests.submit.test_killed import Killer

FEW = 23


class Story:
    """What is done before, which command is hit, and what must hold when it has been run again."""

    def __init__(
        self, before: Callable[[Trial, Run], set[str]], command: Callable[[Trial], tuple[str, ...]],
        branch: Callable[[Trial], str], ended: Callable[[Trial, set[str]], bool],
    ) -> None:  # fmt: skip
        self.before, self.command, self.branch, self.ended = before, command, branch, ended


class Run:
    """Runs commands on a try's machine."""

    def __init__(self, killer: Killer) -> None:
        self.killer = killer

    def __call__(self, trial: Trial, *args: str) -> int:
        return int(self.killer(trial.machine, *args)["status"])


def of_ticket(trial: Trial) -> str:
    return f"memory/{trial.ticket}"


def removing(trial: Trial) -> str:
    return f"memory/remove-{trial.removes}"


def restoring(trial: Trial) -> str:
    return f"memory/restore-{trial.restores}"


def submit(trial: Trial) -> tuple[str, ...]:
    return ("submit", "--ticket", trial.ticket)


def drafted(trial: Trial, run: Run) -> set[str]:
    return {trial.draft("a"), trial.draft("b")}


def submitted(trial: Trial, run: Run) -> set[str]:
    texts = drafted(trial, run)
    assert run(trial, *submit(trial)) == 0
    return texts


def changed(trial: Trial, run: Run) -> set[str]:
    submitted(trial, run)
    return {trial.draft("a", "is another thing"), trial.draft("c")}


def closed(trial: Trial, run: Run) -> set[str]:
    texts = submitted(trial, run)
    (row,) = trial.requests(of_ticket(trial))
    where = f"{trial.team.api}/merge_requests/{row['iid']}"
    trial.team.pm.ask("POST", f"{where}/notes", body="We know it.")
    trial.team.pm.ask("PUT", where, state_event="close")
    return texts


def nothing(trial: Trial, run: Run) -> set[str]:
    return set()


def is_proposed(trial: Trial, texts: set[str]) -> bool:
    stage = trial.machine.journal()[trial.ticket]["stage"]
    is_open = trial.request(of_ticket(trial)).get("draft") is False
    return is_open and texts <= trial.on_branch(of_ticket(trial)) and (trial.machine.drafts(), stage) == ({}, "open")


def is_back(trial: Trial, texts: set[str]) -> bool:
    return set(trial.machine.drafts().values()) == texts and trial.request(of_ticket(trial)).get("draft") is True


def is_turned_down(trial: Trial, texts: set[str]) -> bool:
    found = trial.machine.journal()[trial.ticket]
    return set(trial.machine.drafts().values()) == texts and found["reason"] == "We know it."


def is_to_be_removed(trial: Trial, texts: set[str]) -> bool:
    return trial.request(removing(trial)) != {}


def is_to_be_restored(trial: Trial, texts: set[str]) -> bool:
    return trial.request(restoring(trial)) != {}


STORIES = {
    "submit": Story(drafted, submit, of_ticket, is_proposed),
    "submit again with more": Story(changed, submit, of_ticket, is_proposed),
    "pull-back": Story(submitted, lambda trial: ("pull-back", trial.ticket), of_ticket, is_back),
    "status after it was closed": Story(closed, lambda _: ("status",), of_ticket, is_turned_down),
    "remove": Story(nothing, lambda trial: ("remove", trial.removes, "--reason", "no longer so"), removing, is_to_be_removed),
    "restore": Story(nothing, lambda trial: ("restore", trial.restores), restoring, is_to_be_restored),
}  # fmt: skip


MADE: dict[str, Bench] = {}
"""The address of a stand-in → the project on it, made once: a try touches its own branches alone."""


@pytest.fixture
def bench(forge: Forge, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    if forge.url not in MADE:
        MADE[forge.url] = Bench(forge.team(), tmp_path_factory.mktemp("bench"))
    return MADE[forge.url]


@pytest.mark.parametrize("name", STORIES)
def test_each_request_fails_once(bench: Bench, killer: Killer, name: str) -> None:
    story, run, forge = STORIES[name], Run(killer), bench.team.forge
    made = {}
    for when in ("bad_gateway", "lost_answer"):
        trial = bench.trial()
        texts = story.before(trial, run)
        count_requests(bench.team, when)
        assert run(trial, *story.command(trial)) == 0
        made[when] = requests_made(bench.team, when)
        assert story.ended(trial, texts), name
        trial.end()
    tries = [(fault, number) for number in range(min(made.values())) for fault in FAULTS]
    fell: list[Any] = []
    tried = 0
    for fault, number in sampled(tries, FEW):
        trial = bench.trial()
        texts = story.before(trial, run)
        forge.fault(fault, skip=number)
        first = run(trial, *story.command(trial))
        forge.calm()
        kept = trial.kept(texts, story.branch(trial))
        again = run(trial, *story.command(trial))
        one = len(trial.requests(story.branch(trial))) <= 1
        ended = again == 0 and story.ended(trial, texts)
        fell += [] if kept and one and ended else [(fault, number, first, again, kept, one, ended)]
        tried += 1
        trial.end()
    print(*fell, sep="\n")
    told(f"{name}, {min(made.values())} requests", tried, tried - len(fell))

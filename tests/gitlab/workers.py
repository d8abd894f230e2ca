"""The threads beside the server: one delivers webhooks, one runs jobs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tests.gitlab import ci_runner, webhooks
from tests.gitlab.state import World

PAUSE = 0.02


class Worker(threading.Thread):
    """Does one piece of work after another; knows whether it is idle."""

    def __init__(self, world: World, work: Callable[[World], bool]) -> None:
        super().__init__(daemon=True)
        self.world, self.work = world, work
        self.idle_since = 0.0

    def run(self) -> None:
        """Work for ever; an error of one piece is kept and told, and the next goes on."""
        while True:
            try:
                worked = self.work(self.world)
            except Exception as error:  # noqa: BLE001 - a thread's one boundary: what failed is shown by /_stand_in/state
                self.world.meta.setdefault("worker_errors", []).append(repr(error))
                worked = False
            if worked:
                self.idle_since = 0.0
            else:
                self.idle_since = time.monotonic()
                time.sleep(PAUSE)


def start(world: World) -> list[Worker]:
    """Start the threads."""
    workers = [Worker(world, webhooks.deliver_next), Worker(world, _run_jobs)]
    for worker in workers:
        worker.start()
    return workers


def _run_jobs(world: World) -> bool:
    return world.settings["runner"] == "local" and ci_runner.known(world) and ci_runner.run_next(world)


def settle(workers: list[Worker], seconds: float) -> bool:
    """Wait until every thread found nothing to do after now; return whether they did in time."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if all(worker.idle_since > began for worker in workers):
            return True
        time.sleep(PAUSE / 2)
    return False

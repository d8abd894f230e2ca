"""Keeping projects up to date: a thread a project, in every process; of several, one does the work and all look.

Who works is who holds the project's lock file; the system gives it back when that process dies, and another goes on.
"""

from __future__ import annotations

import os
from threading import Event, Thread

from brain import clock
from brain.errors import BrainError
from brain.files import try_lock
from brain.forge.gitlab import GitLab
from brain.workspace import has_meaning
from brain_api.pilot import read_requests
from brain_api.queue import read_queue
from brain_api.settings import HERE, OFF
from brain_api.starts import is_final, plan_starts, start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain_api.deliveries import Delivery
    from brain_api.log import Log
    from brain_api.metrics import Metrics
    from brain_api.project import Project
    from brain_api.starts import Start

TICK = 0.25
"""Seconds between two looks at what other processes did."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 120.0
"""Seconds before what failed is tried again: doubled each time, up to the longest."""
MOST_AGE = 86_400.0
"""Seconds after which a delivery is given up: the scheduled sweep repairs what it would have started."""
QUEUE_SECONDS, PILOT_SECONDS, MEANING_SECONDS = 60.0, 600.0, 60.0


class Patience:
    """When something is to be tried again: at once, and after failures in a row ever later."""

    def __init__(self) -> None:
        self.failures, self.due = 0, 0.0

    def succeeded(self, due: float) -> None:
        """Forget the failures; it is due next at that time."""
        self.failures, self.due = 0, due

    def failed(self, now: float) -> None:
        """Wait, twice as long as last time."""
        self.due = now + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self.failures, 10))
        self.failures += 1


class Keeper:
    """Keeps one project."""

    def __init__(self, project: Project, metrics: Metrics, log: Log) -> None:
        self.project, self.metrics, self.log = project, metrics, log
        self._stop, self._wake = Event(), Event()
        self._thread = Thread(target=self._run, name=f"keeper {project.name}", daemon=True)
        self._lock: int | None = None
        self._fetching, self._starting, self._queue_due = Patience(), Patience(), 0.0
        self._pilot_due, self._meaning_due = 0.0, 0.0

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Have it look at once."""
        self._wake.set()

    def end(self, seconds: float) -> None:
        """Stop after what it is at; a fetch that goes on longer is left alone."""
        self._stop.set()
        self._wake.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._turn()
            except Exception as error:  # noqa: BLE001 - the boundary of a thread that must go on
                self.log.bug("keeper", error, project=self.project.name)
                self._fetching.failed(clock.now())
            self._wake.wait(TICK)
            self._wake.clear()
        if self._lock is not None:
            os.close(self._lock)

    def _turn(self) -> None:
        project = self.project
        if project.look():
            self._tell_swap()
        now = clock.now()
        if now >= self._meaning_due:
            self._warm_meaning()
        if not self._works():
            return
        deliveries = project.deliveries.pending() if now >= self._starting.due else []
        if deliveries or now >= self._fetching.due:
            self._refresh()
        if deliveries:
            self._carry_out(deliveries)
        if deliveries or now >= self._queue_due:
            self._look_at_queue()
        if not deliveries and now >= self._pilot_due:
            self._look_at_pilot()

    def _works(self) -> bool:
        """Say whether this process is the one that works; take the lock where nobody has it."""
        if self._lock is not None:
            return True
        try:
            os.makedirs(self.project.folder, exist_ok=True)
            descriptor = os.open(os.path.join(self.project.folder, "keeper.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            self.log.write("no folder", project=self.project.name, cause=error.strerror)
            return False
        if not try_lock(descriptor):
            os.close(descriptor)
            return False
        self._lock = descriptor
        return True

    def _refresh(self) -> None:
        project = self.project
        before = project.snapshot
        trouble = project.refresh()
        self.metrics.refreshes.labels(project.name, "failed" if trouble else "done").inc()
        if trouble:
            self._fetching.failed(clock.now())
            tries = self._fetching.failures
            self.log.write("refresh failed", project=project.name, cause="; ".join(trouble), tries=tries)
        else:
            self._fetching.succeeded(clock.now() + project.settings.poll)
        if project.snapshot is not before:
            self._tell_swap()
            self._keep_vectors()

    def _tell_swap(self) -> None:
        snapshot = self.project.snapshot
        self.metrics.swaps.labels(self.project.name).inc()
        if snapshot:
            self.log.write(
                "snapshot", project=self.project.name, commit=snapshot.commit[:12], memories=snapshot.brain.tree.size
            )

    def _carry_out(self, deliveries: Sequence[Delivery]) -> None:
        """Do what follows from deliveries and note what is done; where trying again may help, they stay for a day."""
        project, how, now = self.project, self.project.settings.finalize, clock.now()
        mode = str(project.snapshot.brain.config["review.finalize"]) if project.snapshot else ""
        runs = plan_starts(deliveries, mode) if how != OFF else []
        over = [self._start(run) for run in runs]
        for told in deliveries:
            if told.ours and told.action == "close":
                self.log.write("merge request closed", project=project.name, iid=told.iid, branch=told.branch)
        done = [told for told in deliveries if all(over) or now - told.at > MOST_AGE]
        try:
            if done:
                project.deliveries.done(done)
        except OSError as error:
            self.log.write("not noted as done", project=project.name, cause=error.strerror)
            over.append(False)
        if all(over):
            self._starting.succeeded(0.0)
        else:
            self._starting.failed(now)
        if runs and how == HERE:
            self._refresh()  # what finalize made of it

    def _start(self, run: Start) -> bool:
        """Start finalize; say whether that is over, for good or bad."""
        project = self.project
        mirror = os.path.join(project.folder, "memory.git")
        try:
            outcome = start(project.settings.finalize, run, self._gitlab(), mirror, project.env)
        except BrainError as error:
            final = is_final(error)
            self.metrics.finalize.labels(project.name, "refused" if final else "failed").inc()
            self.log.write("finalize not started", project=project.name, iid=run.iid, cause=str(error), again=not final)
            return final
        self.metrics.finalize.labels(project.name, outcome).inc()
        self.log.write("finalize", project=project.name, iid=run.iid, outcome=outcome)
        return True

    def _gitlab(self) -> GitLab | None:
        where = self.project.location
        if where is None or not where.token:
            return None
        return GitLab(where, os.path.join(self.project.folder, "forge.json"))

    def _warm_meaning(self) -> None:
        """Have the model loaded, and the team's database connected, in every process: no request has time for it.

        What the vectors say changes without the memory's changing, so answers by them are not kept for longer.
        """
        snapshot = self.project.snapshot
        if snapshot and has_meaning(snapshot.brain):
            from brain.semantic.ask import PATIENCE, Question  # loaded in the semantic phase alone

            snapshot.answers.forget()
            Question(snapshot.brain, "memory", PATIENCE)  # it works in a thread of its own, and nobody waits for it
        self._meaning_due = clock.now() + (MEANING_SECONDS if snapshot else TICK)

    def _keep_vectors(self) -> None:
        """Embed what is new where this machine has an index."""
        snapshot = self.project.snapshot
        if snapshot and has_meaning(snapshot.brain):
            from brain.semantic.refresh import refresh_vectors

            if refresh_vectors(snapshot.brain, self.project.env):
                snapshot.answers.forget()

    def _look_at_queue(self) -> None:
        self._queue_due = clock.now() + QUEUE_SECONDS
        gitlab = self._gitlab()
        if gitlab is None:
            return
        before = self.project.state.get("queue") or {}
        try:
            self.project.note(queue={**read_queue(gitlab, clock.now()), "problem": ""})
        except BrainError as error:
            self.project.note(queue={**before, "problem": str(error)})

    def _look_at_pilot(self) -> None:
        """Bring what the pilot's figures are made from, beside the memory: counts, both ways, and requests."""
        self._pilot_due, gitlab = clock.now() + PILOT_SECONDS, self._gitlab()
        try:
            self.project.source.bring_counts()
            for cause in self.project.source.publish_counts(self.project.hits.machines()):
                self.log.write("counts not published", project=self.project.name, cause=cause)
            requests = read_requests(gitlab) if gitlab else None
        except BrainError as error:
            self.log.write("pilot not looked at", project=self.project.name, cause=str(error))
        else:
            self.project.note(requests=requests)

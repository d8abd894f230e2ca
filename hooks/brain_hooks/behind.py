"""What a hook leaves to a process of its own, so that no session waits for a remote or a model (SPEC §9).

A stop starts it where there is something to do; ``brain-hook behind FOLDER HOST TRANSCRIPT SESSION`` is that process.
One at a time works on a workspace; what fails is noted, and done the next time.
"""

from __future__ import annotations

import os
import sys

from brain import clock
from brain.errors import BrainError
from brain.files import FileLock, write_file
from brain.git.fetch import NO_QUESTIONS
from brain.git.refs import has_remote
from brain.index.cache import cache_dir
from brain.layout import RETRO
from brain.telemetry import FAILURES, make_dir, record, telemetry_dir
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brain.workspace import Brain

BEHIND = "behind"
LOCK, PUBLISHED, ASKED = "behind.lock", "retros.stamp", "model.stamp"
REMOTE_SECONDS = 60.0
"""Longest that the remote may take for one thing."""
REST_SECONDS = 600.0
"""How long the model rests within a session; at its checkpoint and its end it is asked in any case."""


@value
class Task:
    """What to work on: the workspace's folder, and the session that stopped there (its host, transcript, our name)."""

    folder: str
    host: str = ""
    transcript: str = ""
    session: str = ""


def start_behind(task: Task, env: Mapping[str, str]) -> None:
    """Start the work in a session of its own, which outlives this process and whoever ends that.

    Raises:
        OSError: It cannot be started.
    """
    own = len(sys.argv) - 1  # our arguments are the last of all
    words = (BEHIND, task.folder, task.host, task.transcript, task.session)
    argv = [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - own], *words]
    if not hasattr(os, "posix_spawn"):
        from subprocess import DEVNULL, Popen  # noqa: TID251 - Windows; it is one of the few that start a program

        detached = 0x8 | 0x200  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
        Popen(argv, env=env, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, creationflags=detached)  # noqa: S603
        return
    actions = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_RDWR, 0) for end in range(3)]
    os.posix_spawn(sys.executable, argv, env, setsid=True, file_actions=actions)


def has_work(brain: Brain, task: Task, *, happened: bool, ends: bool) -> bool:
    """Say whether there is something to do; ``ends`` says that the session ends, or may."""
    rests = clock.now() - _stamp(os.path.join(telemetry_dir(brain.workspace.state_dir), ASKED)) / 1e9 < REST_SECONDS
    asks = _has_model(brain) and happened and bool(task.transcript) and (ends or not rests)
    return asks or (ends and _retros_wait(brain))


def work(folder: str, session: tuple[str, ...], env: Mapping[str, str]) -> None:
    """Do what waits in the workspace of ``folder``; ``session`` is the rest of a task's fields.

    Raises:
        OSError: Its lock cannot be made.
        BrainError: Its memory cannot be opened.
    """
    from brain.workspace import open_brain

    task = Task(folder, *session[:3]) if len(session) >= 3 else Task(folder)
    brain = open_brain(folder, env)
    state_dir = brain.workspace.state_dir
    make_dir(telemetry_dir(state_dir))
    with FileLock(os.path.join(telemetry_dir(state_dir), LOCK)) as mine:
        if mine and task.transcript and _has_model(brain):
            _try(brain, "the model was not asked", _ask, task, env)
        if mine and _retros_wait(brain):
            _try(brain, "retrospects are not published", _publish, task, {**env, **NO_QUESTIONS})


def _try(brain: Brain, failed: str, do: Callable[..., tuple[str, ...]], task: Task, env: Mapping[str, str]) -> None:
    """Do one thing, and note what goes wrong."""
    try:
        causes = do(brain, task, env)
    except (BrainError, OSError) as error:
        hint = f" ({error.hint})" if isinstance(error, BrainError) and error.hint else ""
        causes = (f"{failed}: {error}{hint}",)
    for cause in causes:
        record(brain.workspace.state_dir, FAILURES, BEHIND, cause=cause)


def _ask(brain: Brain, task: Task, env: Mapping[str, str]) -> tuple[str, ...]:
    """Have a model read what is new of a session."""
    from brain.capture.keep import Source, keep_asked
    from brain.capture.transcript import find_transcript
    from brain.model.model import find_model
    from brain.ticket import read_ticket

    model = find_model(brain.config, env, brain.workspace)
    path, why = find_transcript(task.transcript, task.host, env, brain.workspace.state_dir)
    if not model or not path:
        return (why,) if why else ()
    write_file(os.path.join(telemetry_dir(brain.workspace.state_dir), ASKED), "")
    ticket, _ = read_ticket({}, env, brain.workspace.ticket_dirs)
    source = Source(path, task.host, task.session)
    return keep_asked(brain, source, ticket, clock.today(env), env, model.answer)


def _publish(brain: Brain, _task: Task, env: Mapping[str, str]) -> tuple[str, ...]:
    """Bring retrospects to the person's side branch."""
    from brain.submit.gather import open_doors
    from brain.tend.side import publish_retros

    stamp = os.path.join(cache_dir(brain.repo), PUBLISHED)
    write_file(f"{stamp}.new", "")  # what is written from now on is published the next time
    done = publish_retros(brain, open_doors(brain, env, REMOTE_SECONDS).link)
    os.replace(f"{stamp}.new", stamp)
    held = "holds a secret or personal data: it is not published"
    return tuple(f"{RETRO}/{ticket}.md {held}" for ticket in done.private)


def _has_model(brain: Brain) -> bool:
    return bool(brain.config["model.command"] or brain.config["model.endpoint"])


def _retros_wait(brain: Brain) -> bool:
    """Say whether a retrospect changed since all were published."""
    if not brain.memory_root or not brain.config["capture.sideBranch"]:
        return False
    try:
        files = [entry for entry in os.scandir(os.path.join(brain.memory_root, RETRO)) if entry.name.endswith(".md")]
        last = max((entry.stat().st_mtime_ns for entry in files), default=0)
    except OSError:  # there is no such folder
        return False
    is_new = last > _stamp(os.path.join(cache_dir(brain.repo), PUBLISHED))
    return is_new and has_remote(brain.repo, brain.config["memory.remote"])


def _stamp(path: str) -> int:
    """Return when a stamp was set, in nanoseconds; 0 for never."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0

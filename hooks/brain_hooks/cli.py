"""``brain-hook HOST EVENT [PART]``: what an assistant runs. It fails open: status 0 and a valid answer, always.

``brain-hook install|uninstall HOST`` are for people and loaded only then.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the module `signal` makes enums of it all, for 5 ms
import gc
import os
import select
import sys

from brain.environment import read_environment
from brain.errors import BrainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain_hooks.event import Event
    from brain_hooks.hosts.host import Host, Reply

FOR_PEOPLE = ("install", "uninstall", "doctor", "-h", "--help", "--version")
PLAIN = ("text", "git", "kiro", "windsurf", "behind")
"""Who is answered in plain text: no braces where there is nothing to say."""
MAX_PAYLOAD = 32 << 20
"""Bytes of standard input that are looked at."""
QUIET_SECONDS = 2.0
"""A host that has said nothing for so long has said all, though it left its end open."""


def entry() -> None:
    """Run ``main`` as the console script: no collector, no clean-up, which are 3 ms of a short life."""
    gc.disable()
    if hasattr(_signal, "SIGCHLD"):  # where the host ignores its children, so would we, and never hear from git
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        # again, so that the paths which hosts and settings name can be opened
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606
    status = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # closed, full, or never there
            pass
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Answer one hook call, or run a command for people."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    by_a_person = not arguments and sys.stdin is not None and sys.stdin.isatty()
    if by_a_person or (arguments[:1] and arguments[0] in FOR_PEOPLE):
        from brain_hooks.people import run

        return run(arguments or ["--help"])
    host, event, *parts = [*arguments, "", ""]
    try:
        answer = _answer(host, event, tuple(filter(None, parts)), read_environment())
    except Exception:  # noqa: BLE001 - the program's one boundary: a session must not break
        answer = "" if host in PLAIN else "{}"
    try:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):  # the host has gone, or listens to nothing
        pass
    return 0


def _answer(host_name: str, event_name: str, parts: tuple[str, ...], env: Mapping[str, str]) -> str:
    """Return the answer to a call; whatever goes wrong is noted, and said in one line."""
    from brain_hooks.event import Event, PayloadError, parse_payload

    event = Event(event_name)
    try:
        if host_name == "git":
            from brain_hooks.githook_run import refresh

            refresh(os.getcwd(), env)
            return ""
        if host_name == "behind":
            from brain_hooks.behind import work

            work(event_name, parts, env)
            return ""
        from brain_hooks.hosts import get_host
        from brain_hooks.hosts.host import Reply

        host = get_host(host_name)
        payload = _read_payload()
        if event_name not in host.moments or (host.has_payload and not payload.strip()):
            return host.encode(event_name, Reply())
        found = parse_payload(payload)
        host_name = (host.speaker and host.speaker(found)) or host_name
        host = get_host(host_name)
        event = host.read(event_name, found)
        return host.encode(event_name, _reply(event, parts, host, env))
    except PayloadError as error:
        return _failure(host_name, event, str(error), env, quiet=True)
    except BrainError as error:
        return _failure(host_name, event, f"{error}" + (f" ({error.hint})" if error.hint else ""), env)
    except Exception as error:  # noqa: BLE001 - noted for `brain status`, which the boundary above could not
        return _failure(host_name, event, f"{type(error).__name__}: {error}", env)


def _reply(event: Event, parts: tuple[str, ...], host: Host, env: Mapping[str, str]) -> Reply:
    """Return what there is to say at each of the moments that an event is."""
    from brain_hooks.event import FILE, KEEP, PROMPT, START, STOP
    from brain_hooks.hosts.host import Reply

    if event.heard:
        from brain_hooks.hear import hear

        hear(event, env)
    said = Reply()
    moments = host.moments.get(event.name, ())
    if START in moments:
        from brain_hooks.start import PARTS, start_session

        wanted = parts if parts and set(parts) <= set(PARTS) else PARTS
        said = start_session(event, wanted, host, env, rides=len(moments) > 1)
    if PROMPT in moments or FILE in moments:
        from brain_hooks.offer import offer_memories

        said = Reply(said.text + offer_memories(event, host, env), said.remarks)
    if STOP in moments or KEEP in moments:
        from brain_hooks.capture import capture_work

        said = capture_work(event, host, env, asks=STOP in moments)
    return said


def _read_payload() -> bytes:
    """Return what the host sends; one that leaves its end of the pipe open is not waited for."""
    try:
        if sys.stdin is None or sys.stdin.isatty():
            return b""
        if not hasattr(select, "poll"):
            return sys.stdin.buffer.read(MAX_PAYLOAD)
        return _read_until_quiet(sys.stdin.fileno())
    except (OSError, ValueError):  # a folder, or closed
        return b""


def _read_until_quiet(file: int) -> bytes:
    poll, chunks, size = select.poll(), [b"-"], 0
    poll.register(file, select.POLLIN)
    while chunks[-1] and size < MAX_PAYLOAD and poll.poll(QUIET_SECONDS * 1000):
        chunks.append(os.read(file, MAX_PAYLOAD))
        size += len(chunks[-1])
    return b"".join(chunks[1:])


def _failure(host_name: str, event: Event, cause: str, env: Mapping[str, str], *, quiet: bool = False) -> str:
    """Note a failure, and return an answer that says it to the person; ``quiet``: noting is enough."""
    from brain_hooks.hosts import NAMES, get_host
    from brain_hooks.hosts.host import Reply
    from brain_hooks.start import report_failure

    told = report_failure(event, f"no memory this time: {cause}", env)
    if host_name not in NAMES:
        return "" if host_name in PLAIN else "{}"
    host = get_host(host_name)
    starts = host.moments.get(event.name) == ("start",)
    return host.encode(event.name, Reply(remarks=told) if starts and not quiet else Reply())

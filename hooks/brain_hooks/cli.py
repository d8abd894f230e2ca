"""``brain-hook HOST EVENT [PART]``: what an assistant runs. It fails open: status 0 and a valid answer, always.

``brain-hook install|uninstall HOST`` are for people and loaded only then.
"""

from __future__ import annotations

import gc
import os
import sys

from brain.environment import read_environment
from brain.errors import BrainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


FOR_PEOPLE = ("install", "uninstall", "-h", "--help", "--version")
MAX_PAYLOAD = 32 << 20
"""Bytes of standard input that are looked at."""


def entry() -> None:
    """Run ``main`` as the console script: no collector, no clean-up, which are 3 ms of a short life."""
    gc.disable()
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Answer one hook call, or run a command for people."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in FOR_PEOPLE:
        from brain_hooks.people import run

        return run(arguments)
    answer = _answer(arguments, read_environment())
    try:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.flush()
    except (OSError, ValueError):  # the host has gone
        pass
    return 0


def _answer(arguments: list[str], env: Mapping[str, str]) -> str:
    """Return the answer to a host's call; whatever goes wrong is noted and said in one line."""
    host, event, *parts = [*arguments, ""]
    try:
        if host == "git":
            from brain_hooks.githook_run import refresh

            return refresh(os.getcwd(), env)
        return _ask(host, event, tuple(part for part in parts if part), env)
    except BrainError as error:
        return _failure(host, event, f"{error}" + (f" ({error.hint})" if error.hint else ""))
    except Exception as error:  # noqa: BLE001 - the program's one boundary: a session must not break
        return _failure(host, event, f"{type(error).__name__}: {error}")


def _ask(host_name: str, event_name: str, parts: tuple[str, ...], env: Mapping[str, str]) -> str:
    from brain_hooks.event import PayloadError, parse_event
    from brain_hooks.hosts import HOSTS, Reply
    from brain_hooks.start import PARTS, start_session

    host = HOSTS.get(host_name)
    if host is None:
        raise BrainError(f"unknown host {host_name!r}", f"hosts: {', '.join(HOSTS)}")
    payload = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read(MAX_PAYLOAD)
    if event_name not in host.events:
        return host.encode(event_name, Reply())
    try:
        event = parse_event(event_name, payload)
    except PayloadError as error:
        _log(event_name, str(error))
        return host.encode(event_name, Reply())
    wanted = parts if parts and set(parts) <= set(PARTS) else PARTS
    return host.encode(event_name, start_session(event, wanted, host, env))


def _failure(host_name: str, event: str, cause: str) -> str:
    """Note a failure, and return an answer that says it to the person."""
    from brain_hooks.hosts import HOSTS, Reply

    cause = " ".join(cause.split())[:500]
    _log(event, cause)
    host = HOSTS.get(host_name)
    return host.encode(event, Reply(remarks=(f"no memory this time: {cause}",))) if host else "{}"


def _log(event: str, cause: str) -> None:
    """Put a failure where ``brain status`` shows it; a place that cannot be written loses it."""
    from brain.telemetry import FAILURES, record
    from brain.workspace import find_workspace

    try:
        workspace = find_workspace(os.getcwd())
        if os.path.isdir(workspace.state_dir):
            record(workspace.state_dir, FAILURES, event, cause=cause)
    except (OSError, ValueError, BrainError):
        pass

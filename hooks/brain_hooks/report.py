"""What ``brain-hook doctor`` says of each assistant: where our hooks stand, their trust, when it last got memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from brain.errors import BrainError
from brain.overview import age, read_log
from brain.telemetry import EVENTS, telemetry_dir
from brain.value import value
from brain.workspace import find_workspace
from brain_hooks import trust
from brain_hooks.install import installed, settings_path
from brain_hooks.places import PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain_hooks.places import Scope

SCOPES: tuple[Scope, ...] = ("project", "local", "user")
NOWHERE = "not installed"
NO_CAPTURE = {
    "cline": "its hooks name no transcript", "opencode": "its client alone has the transcript",
    "kiro": "its hooks name no transcript", "windsurf": "what its transcript looks like is not known",
}  # fmt: skip
"""Hosts whose sessions nothing is learned from, and why (hosts/contracts.md §1)."""


@value
class Seen:
    """One host: where its files have our hooks (scope → answer, those with none left out), trust, last time seen."""

    host: str
    places: Mapping[str, str]
    trusted: str
    last: float


def look(cwd: str, env: Mapping[str, str]) -> list[Seen]:
    """Return what there is to say of each host in the workspace at ``cwd``."""
    workspace = find_workspace(cwd)
    last = last_times(os.path.join(telemetry_dir(workspace.state_dir), EVENTS))
    found = []
    for host in PLACES:
        places: dict[str, str] = {}
        trusted = ""
        for scope in SCOPES:
            try:
                path = settings_path(host, scope, Path(workspace.root), env)
            except BrainError:  # it has no such file, or there is no home
                continue
            answer = installed(path, host)
            if answer != "no":
                places[scope] = answer
                if host == "codex":
                    trusted = trust.of_codex(path, env)
        found.append(Seen(host, places, trusted, last.get(host, 0.0)))
    return found


def last_times(log: str) -> dict[str, float]:
    """Return host → when it was last given something."""
    last: dict[str, float] = {}
    for row in read_log(log):
        host, time = row.get("host"), row.get("time")
        if isinstance(host, str) and isinstance(time, (int, float)):
            last[host] = max(last.get(host, 0.0), time)
    return last


def as_lines(seen: Sequence[Seen], now: float) -> list[str]:
    """Return a line for each host that has hooks or got memory, then one with the names of the others."""
    lines = [_line(row, now) for row in seen if row.places or row.last]
    others = [row.host for row in seen if not row.places and not row.last]
    return [*lines, f"{NOWHERE}: {', '.join(others)}"] if others else lines


def needs_mending(seen: Sequence[Seen]) -> bool:
    """Say whether a file holds old hooks of ours, or cannot be read."""
    return any(answer != "yes" for row in seen for answer in row.places.values())


def _line(row: Seen, now: float) -> str:
    said = [f"{scope} {answer}" if answer != "yes" else scope for scope, answer in row.places.items()]
    where = f"installed ({', '.join(said)})" if said else NOWHERE
    trusted = f"; {row.trusted}" if row.trusted else ""
    last = f"memory {age(now - row.last)} ago" if row.last else "no session got memory here yet"
    capture = f"; no capture: {NO_CAPTURE[row.host]}" if row.host in NO_CAPTURE else ""
    return f"{row.host}: {where}{trusted}; {last}{capture}"

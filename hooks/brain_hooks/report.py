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
from brain_hooks import beside, trust
from brain_hooks.install import installed, settings_path
from brain_hooks.places import PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain_hooks.places import Scope

SCOPES: tuple[Scope, ...] = ("project", "local", "user")
NOWHERE = "not installed"
NOT_ON_PATH = "which is not on the PATH here"


@value
class Seen:
    """One host: where its files have our hooks (scope → answer, those with none left out), trust, last time seen.

    ``servers`` is the same of our entry for the MCP server, where the host has files for that.
    """

    host: str
    places: Mapping[str, str]
    trusted: str
    last: float
    servers: Mapping[str, str] | None = None


def look(cwd: str, env: Mapping[str, str]) -> list[Seen]:
    """Return what there is to say of each host in the workspace at ``cwd``."""
    workspace = find_workspace(cwd)
    last = last_times(os.path.join(telemetry_dir(workspace.state_dir), EVENTS))
    found = []
    for host in PLACES:
        places: dict[str, str] = {}
        servers: dict[str, str] = {}
        trusted = ""
        for scope in SCOPES:
            try:
                path = settings_path(host, scope, Path(workspace.root), env)
                entry = beside.entry_in(host, scope, Path(workspace.root), env)
            except BrainError:  # it has no such file, or there is no home
                continue
            servers |= {scope: entry} if entry not in ("", "no") else {}
            answer = installed(path, host)
            if answer != "no":
                places[scope] = answer
                if host == "codex":
                    trusted = trust.of_codex(path, env)
        known = servers if host in beside.FILES else None
        found.append(Seen(host, places, trusted, last.get(host, 0.0), known))
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
    lines = [_line(row, now) for row in seen if row.places or row.servers or row.last]
    others = [row.host for row in seen if not (row.places or row.servers or row.last)]
    return [*lines, f"{NOWHERE}: {', '.join(others)}"] if others else lines


def needs_mending(seen: Sequence[Seen]) -> bool:
    """Say whether a file holds old hooks of ours, or cannot be read."""
    return any(answer != "yes" for row in seen for answer in row.places.values())


def _line(row: Seen, now: float) -> str:
    where = f"installed ({_scopes(row.places)})" if row.places else NOWHERE
    server = ""
    if row.servers is not None:
        server = f"; MCP entry ({_scopes(row.servers)})" if row.servers else "; no MCP entry"
        server += f", {NOT_ON_PATH}" if "yes" in row.servers.values() and not beside.has_server() else ""
    trusted = f"; {row.trusted}" if row.trusted else ""
    last = f"memory {age(now - row.last)} ago" if row.last else "no session got memory here yet"
    return f"{row.host}: {where}{server}{trusted}; {last}"


def _scopes(answers: Mapping[str, str]) -> str:
    return ", ".join(scope if answer == "yes" else f"{scope} {answer}" for scope, answer in answers.items())

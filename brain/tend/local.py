"""This workspace's counts, made from its telemetry: each line is counted once, whatever happens in between.

How far each file was read, which sessions used what, and the counts are one file that is replaced whole: killed at any
point, the next run counts on from the same place.
"""

from __future__ import annotations

import os
import re
import secrets
from hashlib import sha256

from brain import clock
from brain.files import read_bytes, read_json, remove_file, write_file
from brain.json_text import parse_json, render_json
from brain.telemetry import CITED, EVENTS, READ, list_logs, telemetry_dir
from brain.tend.counts import FORMAT, MOST_TICKETS, Counts, Use, Week, date_of, monday, names, plain, read_counts
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

FILE = "counts.json"
NAME = re.compile(rb'"machine":"([0-9a-f]{16})"')
"""The machine's name as a ledger holds it: near its beginning, so that one which was cut short has it too."""
MOST_SESSIONS = 500
"""Sessions that are remembered, so that their uses are counted once."""
AT_REST = 3600.0
"""Seconds after which nobody writes to a file that was set aside."""


@value
class Seen:
    """What a session is known to have used and cited (ids), its share of the window, and whether it got memories."""

    used: frozenset[str] = frozenset()
    cited: frozenset[str] = frozenset()
    share: float = 0.0
    injected: bool = False


@value
class Ledger:
    """What this workspace counted: under which machine's name, how far each log was read, and the counts.

    ``cursors`` is a mark of a file's first line → bytes read of it; ``sessions`` is name → seen, the latest last.
    """

    machine: str
    cursors: Mapping[str, int]
    sessions: Mapping[str, Seen]
    counts: Counts


@value
class Origin:
    """What the events of a workspace are counted by: its project's name, and the share that is too much."""

    project: str
    share: float


def read_ledger(state_dir: str) -> Ledger:
    """Return what was counted so far; a new machine's where nothing was.

    A ledger that is damaged, or of another version, counts anew under the same name: what was published joins with it,
    and is not counted twice.
    """
    path = os.path.join(telemetry_dir(state_dir), FILE)
    found = read_json(path)
    try:
        if found["format"] == FORMAT and NAME.fullmatch(f'"machine":"{found["machine"]}"'.encode()):
            sessions = {
                name: Seen(frozenset(row[0]), frozenset(row[1]), row[2], row[3]) for name, row in found["sessions"]
            }
            return Ledger(found["machine"], {**found["cursors"]}, sessions, read_counts(found["counts"]))
    except (KeyError, TypeError, ValueError, IndexError):
        pass
    name = NAME.search(read_bytes(path).replace(b'": "', b'":"'))
    return Ledger(name[1].decode() if name else secrets.token_hex(8), {}, {}, Counts({}, {}))


def write_ledger(state_dir: str, ledger: Ledger) -> None:
    """Keep what was counted, on the disk."""
    sessions = [
        [name, [sorted(seen.used), sorted(seen.cited), seen.share, seen.injected]]
        for name, seen in list(ledger.sessions.items())[-MOST_SESSIONS:]
    ]
    text = render_json({
        "format": FORMAT, "machine": ledger.machine, "cursors": ledger.cursors, "sessions": sessions,
        "counts": plain(ledger.counts),
    })  # fmt: skip
    write_file(os.path.join(telemetry_dir(state_dir), FILE), text + "\n", durable=True)


def count_up(state_dir: str, origin: Origin) -> Ledger:
    """Return the counts with what the telemetry has by now; one run at a time.

    Raises:
        OSError: They cannot be kept.
    """
    before = read_ledger(state_dir)
    cursors: dict[str, int] = {}
    ledger = before
    for path in list_logs(state_dir, EVENTS):
        mark, end, events = read_on(path, before.cursors)
        if mark:
            cursors[mark] = max(end, cursors.get(mark, 0))
            ledger = count_events(ledger, events, origin)
    ledger = replace(ledger, cursors=cursors)
    if ledger != before:
        write_ledger(state_dir, ledger)
    for path in list_logs(state_dir, EVENTS)[:-1]:
        _drop_read(path, cursors)
    return ledger


def read_on(path: str, cursors: Mapping[str, int]) -> tuple[str, int, list[dict[str, Any]]]:
    """Return the mark of a log file, how far its whole lines go, and the events behind its cursor; "" for no file."""
    try:
        with open(path, "rb") as file:
            first = file.readline()
            mark = sha256(first).hexdigest()[:16] if first.endswith(b"\n") else ""
            start = cursors.get(mark, 0)
            file.seek(start)
            lines, ended, _ = file.read().rpartition(b"\n")
    except OSError:
        return "", 0, []
    end = start + len(lines) + len(ended)
    return mark, end, [event for line in lines.split(b"\n") if (event := _event(line))] if ended else []


def _event(line: bytes) -> dict[str, Any] | None:
    """Return the event of a line, None for one that a crash tore."""
    try:
        found = parse_json(line.decode())
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(found, dict) and isinstance(found.get("time"), (int, float)) and found["time"] >= 0
    return found if is_event else None


def _drop_read(path: str, cursors: Mapping[str, int]) -> None:
    """Remove a file that was set aside, once it is read to its end and at rest."""
    mark, end, events = read_on(path, cursors)
    try:
        status = os.stat(path)
    except OSError:
        return
    if mark and not events and end == status.st_size and status.st_mtime < clock.now() - AT_REST:
        remove_file(path)


def count_events(ledger: Ledger, events: Iterable[Mapping[str, Any]], origin: Origin) -> Ledger:
    """Return a ledger with these events counted."""
    uses, weeks, sessions = dict(ledger.counts.uses), dict(ledger.counts.weeks), dict(ledger.sessions)
    for event in events:
        date = date_of(event["time"])
        key, ticket = _session_of(event, date), _text(event, "ticket")
        seen = sessions.pop(key, Seen())
        week = weeks.get(monday(date), Week())
        week = replace(week, tickets=names({*week.tickets, ticket}, MOST_TICKETS))
        if event.get("event") in (READ, CITED):
            seen, week = _count_uses(uses, week, seen, event, Use(0, 0, date, names([ticket]), names([origin.project])))
        elif event.get("event") == "injected":
            seen, week = _count_injected(week, seen, event, origin)
        else:
            week = weeks.get(monday(date), Week())
        if week != Week():
            weeks[monday(date)] = week
        if seen != Seen():
            sessions[key] = seen
    kept = dict(list(sessions.items())[-MOST_SESSIONS:])
    return replace(ledger, sessions=kept, counts=Counts(dict(sorted(uses.items())), dict(sorted(weeks.items()))))


def _count_uses(
    uses: dict[str, Use], week: Week, seen: Seen, event: Mapping[str, Any], where: Use
) -> tuple[Seen, Week]:
    """Count what one event used, each memory once a session; ``where`` is the day, the ticket and the project."""
    ids = event.get("ids")
    for name in dict.fromkeys(name for name in ids if isinstance(name, str)) if isinstance(ids, list) else ():
        hit, cited = name not in seen.used, event["event"] == CITED and name not in seen.cited
        old = uses.get(name, Use())
        uses[name] = Use(
            old.hits + hit, old.cited + cited, max(old.last, where.last), names({*old.tickets, *where.tickets}),
            names({*old.projects, *where.projects}),
        )  # fmt: skip
        week = replace(week, hits=week.hits + hit, cited=week.cited + cited)
        seen = replace(seen, used=seen.used | {name}, cited=seen.cited | ({name} if cited else set()))
    return seen, week


def _count_injected(week: Week, seen: Seen, event: Mapping[str, Any], origin: Origin) -> tuple[Seen, Week]:
    tokens, share = event.get("tokens"), event.get("share")
    before, after = seen.share, seen.share + (share if isinstance(share, (int, float)) else 0.0)
    week = replace(
        week, tokens=week.tokens + (tokens if isinstance(tokens, int) else 0),
        sessions=week.sessions + (not seen.injected), over=week.over + (before <= origin.share < after),
    )  # fmt: skip
    return replace(seen, share=after, injected=True), week


def _session_of(event: Mapping[str, Any], date: str) -> str:
    """Return the session of an event; where none is known, the work of one day on one ticket counts as one."""
    return _text(event, "session") or f"{_text(event, 'ticket')}@{date}"


def _text(event: Mapping[str, Any], key: str) -> str:
    found = event.get(key)
    return found if isinstance(found, str) else ""

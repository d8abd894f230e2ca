"""The drawing of the house, from the imports that are really there."""

from __future__ import annotations

import ast
from functools import cache

from tests.docs.markdown import code, sentence, table
from tests.test_architecture import ORDER, ROOMS, ROOT, imports, module_of, name_of, sources

PROGRAMS = tuple(name for name in ROOMS if name != "brain")


def room_of(module: str) -> str:
    """Return the room that a module lies in: a program, a room of the core, or "" for a single module beside those."""
    program, _, rest = module.partition(".")
    if program != "brain":
        return program
    first = rest.partition(".")[0]
    return first if first in ORDER else ""


@cache
def arrows() -> dict[str, frozenset[str]]:
    """Return which rooms each room imports by itself."""
    modules = {module_of(path): path for path in sources()}
    graph = {name: {other for other in imports(path) if other in modules} for name, path in modules.items()}
    found: dict[str, set[str]] = {room: set() for room in (*ORDER, *PROGRAMS)}
    for name in modules:
        room = room_of(name)
        if room:
            found[room] |= {other for other in map(room_of, graph[name]) if other and other != room}
    return {room: frozenset(others) for room, others in found.items()}


def nearest() -> list[tuple[str, str]]:
    """Return the arrows without those that a longer way says already."""
    found = arrows()

    def reach(room: str) -> set[str]:
        return set().union(*({other} | reach(other) for other in found[room]))

    return [
        (room, other) for room in (*PROGRAMS, *reversed(ORDER)) for other in sorted(found[room])
        if not any(other in reach(between) for between in found[room] - {other})
    ]  # fmt: skip


def drawing() -> str:
    """Return the drawing as mermaid."""
    boxes = "".join(f"    {room}\n" for room in reversed(ORDER))
    programs = "".join(f'  {room}(["{room}"])\n' for room in PROGRAMS)
    lines = "".join(f"  {room} --> {other}\n" for room, other in nearest())
    return f"```mermaid\nflowchart TD\n{programs}  subgraph brain\n{boxes}  end\n{lines}```\n"


def table_rows() -> list[tuple[str, str, str]]:
    """Return room, sentence, and the rooms it imports."""
    rows = [(room, f"{ROOMS['brain']}/{room}") for room in ORDER] + [(room, ROOMS[room]) for room in PROGRAMS]
    order = {room: number for number, room in enumerate(ORDER)}
    return [
        (f"`{folder}/`", docstring(f"{folder}/__init__.py"), ", ".join(sorted(arrows()[room], key=order.__getitem__)))
        for room, folder in rows
    ]


def rooms() -> str:
    """Return the table of rooms."""
    return table(("room", "what it is", "imports"), table_rows())


def modules() -> str:
    """Return the table of the core's single modules."""
    single = [path for path in sources() if path.parent == ROOT / "brain" and not path.name.startswith("__")]
    return table(("module", "what it is"), ((code(path.name), docstring(name_of(path))) for path in single))


def docstring(name: str) -> str:
    """Return what a module says of itself."""
    return sentence(ast.get_docstring(ast.parse((ROOT / name).read_text("utf-8"))))

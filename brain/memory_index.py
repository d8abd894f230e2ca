"""``MEMORY.md``: one line an approved memory, a pure function of the tree (SPEC §1.3)."""

from __future__ import annotations

from brain.layout import AREA_TYPES
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from brain.memory import Memory

TITLE = "# Memory index"
_MARKUP = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "`": "'", "\n": " ", "\t": " "})


def index_line(memory: Memory) -> str:
    """Return the memory's line of the index, without a newline."""
    kind = ", ".join((memory.type, memory.scope, "/".join(memory.workflows)))
    return f"- [{memory.id}]({memory.path}) — {_plain(memory.sentence)} ({_plain(kind)})"


def _plain(text: str) -> str:
    return visible(text).translate(_MARKUP)


def render_index(memories: Iterable[Memory]) -> str:
    """Return the whole of ``MEMORY.md``: the approved memories by area, sorted, the same bytes everywhere."""
    lines: dict[str, list[str]] = {area: [] for area in sorted(AREA_TYPES)}
    for memory in memories:
        if memory.status == "approved":
            lines[memory.place.area].append(index_line(memory))
    sections = [f"## {area}\n\n" + "\n".join(sorted(rows)) + "\n" for area, rows in lines.items() if rows]
    return "\n".join([TITLE + "\n", *sections])

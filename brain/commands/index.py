"""``brain index``: the index of memories, whole, of a function, or written to MEMORY.md."""

from __future__ import annotations

import os
import sys

from brain.commands import Context, remark
from brain.errors import BrainError
from brain.files import write_file
from brain.layout import INDEX_FILE, printable, short_code
from brain.memory_index import index_line, render_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.memory import Memory
    from brain.workspace import Brain

HELP = "print the index of approved memories"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="only those of these functions, or folders")
    parser.add_argument("--write", action="store_true", help="write MEMORY.md in the work tree")
    parser.add_argument("--check", action="store_true", help="exit 1 if MEMORY.md in the work tree differs")


def run(args: Namespace, context: Context) -> int:
    """Print, write or check the index."""
    brain = context.open_brain()
    memories = [memory for part in brain.tree.parts for memory in part.memories()]
    if args.functions:
        return _print_functions(memories, args.functions)
    text = render_index(memories)
    if not (args.write or args.check):
        print(text, end="")
        return 0
    path = _index_path(brain)
    if _read(path) == text:
        return 0
    if args.check:
        remark(f"{path} is not what the tree says; run brain index --write")
        return 1
    write_file(path, text)
    remark(f"wrote {path}")
    return 0


def _print_functions(memories: list[Memory], names: list[str]) -> int:
    """Print the lines of these functions or folders; exit 1, and say so, where one of them has none."""
    lines = sorted(index_line(memory) for memory in memories if any(_is_of(memory, name) for name in names))
    print("".join(line + "\n" for line in lines), end="")
    unknown = [name for name in names if not any(_is_of(memory, name) for memory in memories)]
    for name in unknown:
        remark(f"no approved memory is of the function or in the folder {printable(name)!r}")
    if unknown:
        scopes = ", ".join(sorted({memory.scope for memory in memories}))
        print(f"hint: there are: {printable(scopes)}" if scopes else "hint: nothing is approved yet", file=sys.stderr)
    return 1 if unknown else 0


def _is_of(memory: Memory, name: str) -> bool:
    """Say whether a memory is of a function (its code or its folder's name), or lies in a folder the index names."""
    code = short_code(name.removeprefix("_")).lower()
    return short_code(memory.scope).lower() == code or memory.path.startswith(name.rstrip("/") + "/")


def _index_path(brain: Brain) -> str:
    if not brain.memory_root:
        raise BrainError("the memory repo is bare: there is no MEMORY.md to write", "run it in a clone")
    return os.path.join(brain.memory_root, INDEX_FILE)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""

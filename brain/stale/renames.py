"""Where did a path go? By git's rename detection, else by content, else by the name in other case."""

from __future__ import annotations

from brain.errors import GitError
from brain.git.objects import list_tree
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from brain.stale.objects import Objects

Renames = dict[str, str]
"""Old path → new path."""
EMPTY_FILES = frozenset((
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
))  # fmt: skip
"""Ids of the file without content: that two of them are the same means nothing."""


@value
class Gone:
    """A clean path of the root tree ``old`` that the root tree ``new`` lacks, and its object there."""

    old: str
    new: str
    path: str
    oid: str


def find_new_paths(objects: Objects, gone: Collection[Gone]) -> dict[Gone, str]:
    """Return the new path of each that has one; a folder keeps its closing slash."""
    renames = _find_renames(objects, sorted({(item.old, item.new) for item in gone}))
    found = {item: _follow(renames.get((item.old, item.new), {}), item.path) for item in gone}
    left = [item for item in gone if not found[item]]
    for tree in {item.new for item in left}:
        found.update(_find_in_tree(objects, tree, [item for item in left if item.new == tree]))
    return {item: path for item, path in found.items() if path}


def _find_renames(objects: Objects, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], Renames]:
    """Return what git takes for renamed between each pair of trees; {} if it cannot say."""
    likeness = "-M100%" if objects.is_partial else "-M"  # to compare texts git would fetch them
    try:
        out = objects.run(
            *("diff-tree", "--stdin", "-r", "-z", "--raw", likeness, "--no-rename-empty", "--diff-filter=R"),
            stdin="".join(f"{old} {new}\n" for old, new in pairs).encode(),
        )
    except GitError:
        return {}
    return {pair: dict(rows) for pair, rows in _read_renames(out)}


def _read_renames(out: bytes) -> Iterator[tuple[tuple[str, str], list[tuple[str, str]]]]:
    """Read ``OLD NEW LF`` of a pair and its rows ``:modes ids R100 NUL old NUL new NUL``."""
    at = 0
    while at < len(out):
        line_end = out.index(b"\n", at)
        old, new = out[at:line_end].decode().split(" ")
        at, rows = line_end + 1, []
        while out[at : at + 1] == b":":
            row_end = out.index(b"\0", at)
            old_end = out.index(b"\0", row_end + 1)
            new_end = out.index(b"\0", old_end + 1)
            rows.append((_decode(out[row_end + 1 : old_end]), _decode(out[old_end + 1 : new_end])))
            at = new_end + 1
        yield (old, new), rows


def _follow(renames: Renames, path: str) -> str:
    """Return where a file went, or where most files of a folder went; "" if nowhere."""
    if path in renames:
        return renames[path]
    folder = path.rstrip("/") + "/"
    counts: dict[str, int] = {}
    for old, new in renames.items():
        tail = old[len(folder) :]
        if old.startswith(folder) and new.endswith("/" + tail):
            target = new[: -len(tail)]
            counts[target] = counts.get(target, 0) + 1
    best = max(sorted(counts), key=counts.__getitem__, default="/")
    return best if path.endswith("/") else best.rstrip("/")


def _find_in_tree(objects: Objects, tree: str, gone: list[Gone]) -> dict[Gone, str]:
    """Return where the same content, or else the same name in other case, stands in ``tree``."""
    wanted = {item.oid for item in gone} - EMPTY_FILES
    same_content: dict[str, list[str]] = {}
    same_name: dict[str, str] = {}
    for entry in list_tree(objects.repo.path, tree):
        same_name.setdefault(entry.path.casefold(), entry.path)
        if entry.oid in wanted:
            same_content.setdefault(entry.oid, []).append(entry.path)
    found = {}
    for item in gone:
        paths = same_content.get(item.oid, ())
        found[item] = _nearest(paths, item.path) if paths else same_name.get(item.path.casefold(), "")
    return found


def _nearest(paths: Sequence[str], path: str) -> str:
    """Return the first that has the same last name, or else the first."""
    name = path.rpartition("/")[2]
    return next((other for other in paths if other.rpartition("/")[2] == name), paths[0])


def _decode(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")

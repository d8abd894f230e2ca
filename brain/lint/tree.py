"""What only the whole tree shows: names that collide, ids and short codes that are taken twice."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict

from brain.layout import GLOBAL, find_place, short_code
from brain.lint.finding import ERROR, Rule
from brain.lint.place import split_layer
from brain.text import visible
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CASE_COLLISION = Rule(
    "M083", "path-case-collision", ERROR, "another path differs from this one in case alone",
    "On macOS and Windows one of the two vanishes.", "rename one of them",
)  # fmt: skip
NORMAL_COLLISION = Rule(
    "M084", "path-normalisation-collision", ERROR, "another path looks the same",
    "On macOS one of the two vanishes.", "rename one of them",
)  # fmt: skip
ID_DUPLICATE = Rule(
    "M085", "id-duplicate", ERROR, "another memory has this id",
    "An id names one memory for ever, also one that lies in _deprecated.", "choose another file name",
)  # fmt: skip
CODE_COLLISION = Rule(
    "M086", "short-code-collision", ERROR, "another folder has the same short code",
    "Ids and tickets name functions by that code.", "use the folder that is there",
)  # fmt: skip


@value
class Note:
    """A finding to be: rule, path below the root, message."""

    rule: Rule
    path: str
    message: str


def check_tree(paths: Iterable[str], before: Iterable[str] = ()) -> list[Note]:
    """Return what is wrong among all paths below the memory root.

    Args:
        paths: Every file there will be.
        before: Those that were there already; what is new then is to blame.
    """
    every, old = sorted(set(paths)), set(before)
    return [*_collisions(every), *_ids(every, old), *_codes(every, old)]


def _collisions(paths: list[str]) -> list[Note]:
    """Return the paths of which a disk would hold only one, folders included."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        prefix = path
        while prefix and prefix not in names[on_disk(prefix)]:
            names[on_disk(prefix)].add(prefix)
            prefix = prefix.rpartition("/")[0]
    found = []
    clashing = {name: group for group in names.values() if len(group) > 1 for name in group}
    for path in paths if clashing else ():
        name = path
        while name and name not in clashing:
            name = name.rpartition("/")[0]
        if name:
            other = min(clashing[name] - {name})
            same = unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", other)
            found.append(
                Note(NORMAL_COLLISION if same else CASE_COLLISION, path, f"collides with {ascii(other)[1:-1]}")
            )
    return found


def on_disk(path: str) -> str:
    """Return what a disk that folds case and compares normal forms takes a path for."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", visible(path).casefold())


def _ids(paths: list[str], before: set[str]) -> list[Note]:
    owners: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in paths:
        layer, bare = split_layer(path)
        place = find_place(bare)
        if place:
            owners[place.id].append((layer, path))
    found = []
    for memory_id, group in owners.items():
        live = [path for layer, path in group if not layer]
        kept = [path for layer, path in group if layer == "_deprecated"]
        pending = [(path, split_layer(path)[1]) for layer, path in group if layer == "_pending"]
        guilty = live if len(live) > 1 else _new_owner(live, kept, before)
        guilty += [path for path, bare in pending if any(other != bare for other in live)]
        for path in guilty:
            other = next(other for _, other in group if other != path)
            found.append(Note(ID_DUPLICATE, path, f"{memory_id} is the id of {other} too"))
    return found


def _new_owner(live: list[str], kept: list[str], before: set[str]) -> list[str]:
    """Return which of a living and the removed memories of one id is to go: what came last, else the removed."""
    if not live or not kept:
        return []
    return live if before and live[0] not in before and set(kept) <= before else kept


def _codes(paths: list[str], before: set[str]) -> list[Note]:
    folders: defaultdict[str, Counter[str]] = defaultdict(Counter)
    placed = []
    for path in paths:
        place = find_place(split_layer(path)[1])
        if place and place.folder not in ("", GLOBAL):
            folders[_code(place.folder)][place.folder] += 1
            placed.append((path, place.folder))
    twice = {code: names for code, names in folders.items() if len(names) > 1}
    if not twice:
        return []
    old = {place.folder for place in map(find_place, before) if place}
    owners = {code: _owner(names, old) for code, names in twice.items()}
    return [
        Note(
            CODE_COLLISION,
            path,
            f"the short code {short_code(folder)} is {' and '.join(sorted(twice[_code(folder)]))}",
        )
        for path, folder in placed
        if _code(folder) in twice and folder != owners[_code(folder)]
    ]


def _code(folder: str) -> str:
    """Return what a folder is called by, whatever the case: ids and tickets that differ in case alone are mixed up."""
    return short_code(folder).lower()


def _owner(names: Counter[str], old: set[str]) -> str:
    """Return the folder that has the better right to a short code: the one that was there, or holds the most."""
    were = [name for name in names if name in old]
    if len(were) == 1:
        return were[0]
    (first, most), (_, next_most) = names.most_common(2)
    return first if most > next_most else ""

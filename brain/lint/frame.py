"""The memory folder itself, what a disk would take for it, and what a change brings in beside memories."""

from __future__ import annotations

from brain.git.objects import LINK, SUBMODULE
from brain.layout import SETTINGS_FILE, find_place
from brain.lint.finding import ERROR, Rule, Sheet
from brain.lint.place import split_layer
from brain.lint.tree import CASE_COLLISION, on_disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from brain.git.objects import Entry
    from brain.lint.finding import Finding
    from brain.lint.sources import Change

ROOT_MISSING = Rule(
    "M327", "root-missing", ERROR, "the memory folder is no folder with files",
    "Then nothing is judged, and nothing is recalled.", "put it back, or set memory.root to the right folder",
)  # fmt: skip
NOT_A_MEMORY = Rule(
    "M323", "not-a-memory", ERROR, "a change of memories that changes something else too",
    "Whoever approves memories looks at memories; jobs, code owners and settings must not slip in beside them.",
    "take it off this branch, and propose it on one that changes no memory",
)  # fmt: skip
NOT_MEMORIES = (SETTINGS_FILE, ".gitignore", ".gitattributes")
"""Files below the memory root that decide about memories."""
NO_FOLDER = {LINK: "a symbolic link", SUBMODULE: "a submodule"}


def check_root(files: Sequence[Entry], root: str, new: Collection[str] | None = None) -> list[Finding]:
    """Return what is wrong with the memory folder of a tree: it is none, or a disk takes another for it.

    Of folders that a disk takes for it, those in ``new`` are to blame; None blames all.
    """
    sheet = Sheet(root)
    own = next((file for file in files if file.path == root), None)
    if own:
        sheet.add(ROOT_MISSING, message=f"{root} is {NO_FOLDER.get(own.mode, 'a file')}, no folder")
    elif not any(file.path.startswith(root + "/") for file in files):
        sheet.add(ROOT_MISSING, message=f"nothing lies below {root}")
    twins = _twins((file.path for file in files if new is None or file.path in new), root)
    return [*sheet.findings(), *twins]


def _twins(paths: Iterable[str], root: str) -> list[Finding]:
    depth, own, first = root.count("/") + 1, on_disk(root), root[:1].casefold()
    found = []
    for path in paths:
        if path.startswith(root + "/") or (path[:1].isascii() and path[:1].casefold() != first):
            continue
        head = "/".join(path.split("/", depth)[:depth])
        if head != root and on_disk(head) == own:
            sheet = Sheet(path)
            sheet.add(CASE_COLLISION, message=f"on a disk it lies in {root}")
            found += sheet.findings()
    return found


def check_beside(change: Change, root: str) -> list[Finding]:
    """Return a finding for each path that is no memory, where a change touches memories too."""
    paths = change.added | change.changed | change.removed
    return strangers(paths, root) if any(_is_place(path, root) for path in paths) else []


def strangers(paths: Iterable[str], root: str) -> list[Finding]:
    """Return a finding for each path that is neither a memory nor what goes with them."""
    found = []
    for path in sorted(paths):
        if not path.startswith(root + "/") or path[len(root) + 1 :] in NOT_MEMORIES:
            sheet = Sheet(path)
            sheet.add(NOT_A_MEMORY)
            found += sheet.findings()
    return found


def _is_place(path: str, root: str) -> bool:
    return path.startswith(root + "/") and find_place(split_layer(path[len(root) + 1 :])[1]) is not None

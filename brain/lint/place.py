"""Where a file lies and what it is called: layout, names, file modes (SPEC §1.1)."""

from __future__ import annotations

from brain.git.objects import LINK, SUBMODULE
from brain.layout import (
    DEPRECATED,
    FLAT_AREAS,
    GLOBAL,
    INDEX_FILE,
    PENDING,
    RETRO,
    SCOPED_AREAS,
    SETTINGS_FILE,
    Place,
    find_place,
)  # fmt: skip
from brain.lint.finding import ERROR, WARNING, Rule
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet

MAX_NAME = 100
EXECUTABLE = "100755"
SPECIAL = "special"
"""The mode we give to what is on a disk and is no file, link or folder of files."""
SLUG_START = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
SLUG = SLUG_START | set(".-_")
FOLDER_START = SLUG_START | set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
FOLDER = FOLDER_START | set(".-_")
RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
MEMORY, INDEX, SETTINGS, RETROSPECT, OTHER = "memory", "index", "settings", "retro", "other"

NAME_RESERVED = Rule(
    "M070", "name-reserved", ERROR, "a name that Windows keeps for a device",
    "Such a file cannot be checked out there.", "rename it",
)  # fmt: skip
NAME_CHARACTERS = Rule(
    "M071", "name-characters", ERROR, "a file name that is not [a-z0-9][a-z0-9._-]*.md",
    "Names of other characters break on some disk, in some shell, or look like what they are not.",
    "use lower-case ASCII letters, digits, '.', '-' and '_'",
)  # fmt: skip
NAME_LONG = Rule(
    "M072", "name-too-long", ERROR, f"a name of over {MAX_NAME} characters",
    "Long paths fail on Windows and in archives.", "shorten it",
)  # fmt: skip
NAME_EXTENSION = Rule(
    "M073", "name-extension", ERROR, "no .md file",
    "Areas hold memories and nothing else.", "name it .md, or keep it elsewhere and point to it with refs",
)  # fmt: skip
NAME_NOT_UTF8 = Rule(
    "M074", "name-not-utf8", ERROR, "a name that is not UTF-8", "Half of the systems cannot hold it.", "rename it",
)  # fmt: skip
FOLDER_NAME = Rule(
    "M075", "folder-name", ERROR, "a folder that is not named <CODE> or <CODE>_<Name>",
    "The folder's name is the function's id.", "use ASCII letters, digits, '-', '.' and '_'",
)  # fmt: skip
OUTSIDE_LAYOUT = Rule(
    "M076", "path-outside-layout", ERROR, "no memory may lie here",
    "What is outside the layout is never recalled and never reviewed.",
    "move it to an area, or out of the memory folder",
)  # fmt: skip
FOREIGN_FILE = Rule(
    "M077", "foreign-file", ERROR, "a file that steers other programs",
    "It could switch off a scanner or hide a diff from reviewers.", "take it out of the memory folder",
)  # fmt: skip
PENDING_COMMITTED = Rule(
    "M078", "pending-committed", ERROR, "a draft that is committed",
    "Drafts are one machine's own; only brain submit moves them.", "git rm --cached it, and submit it",
)  # fmt: skip
SYMLINK = Rule(
    "M079", "symlink", ERROR, "a symbolic link",
    "It reads what it points to, on this machine: keys, other repos.", "write the text itself",
)  # fmt: skip
SUBMODULE_ENTRY = Rule(
    "M080", "submodule-entry", ERROR, "a submodule",
    "What it holds is not in this repo and not reviewed here.", "take it out",
)  # fmt: skip
NOT_REGULAR = Rule(
    "M081", "not-a-regular-file", ERROR, "no regular file",
    "Opening a pipe or device hangs; a folder is no memory.", "write a file",
)  # fmt: skip
EXECUTABLE_BIT = Rule(
    "M082", "executable-bit", WARNING, "the file may be executed",
    "A memory is read, never run.", "git update-index --chmod=-x it",
)  # fmt: skip


@value
class Spot:
    """What a path below the memory root stands for; ``layer`` is "", ``_pending`` or ``_deprecated``."""

    kind: str
    place: Place | None = None
    layer: str = ""


def split_layer(path: str) -> tuple[str, str]:
    """Return the layer of a path below the root ("", ``_pending``, ``_deprecated``), and the path without it."""
    head, slash, rest = path.partition("/")
    return (head, rest) if slash and head in (PENDING, DEPRECATED) else ("", path)


def find_spot(path: str) -> Spot:
    """Return what a path below the memory root stands for."""
    layer, bare = split_layer(path)
    if not layer and bare in (INDEX_FILE, SETTINGS_FILE):
        return Spot(INDEX if bare == INDEX_FILE else SETTINGS)
    place = find_place(bare)
    if place:
        return Spot(MEMORY, place, layer)
    folder, _, name = bare.rpartition("/")
    return Spot(RETROSPECT if folder == RETRO and name.endswith(".md") else OTHER, None, layer)


def check_path(path: str, spot: Spot, sheet: Sheet) -> None:
    """Report a path below the root that is outside the layout or badly named."""
    _, bare = split_layer(path)
    folder, _, name = bare.rpartition("/")
    if any("\ud800" <= character <= "\udfff" for character in path):
        sheet.add(NAME_NOT_UTF8)
    if spot.place:
        _check_folder(spot.place.folder, sheet)
        _check_name(name, SLUG_START, SLUG, sheet)
    elif spot.kind == RETROSPECT:
        _check_name(name, FOLDER_START, FOLDER, sheet)
    elif spot.kind == OTHER and not _is_known(bare):
        _check_stray(folder, name, sheet)


def _is_known(path: str) -> bool:
    return path == ".gitignore" or path.rpartition("/")[2] == ".gitkeep"


def _check_stray(folder: str, name: str, sheet: Sheet) -> None:
    area, _, function = folder.rpartition("/")
    if name.startswith("."):
        sheet.add(FOREIGN_FILE, message=f"{name[:40]} steers other programs")
    elif (area in SCOPED_AREAS and function) or folder in FLAT_AREAS:
        sheet.add(NAME_EXTENSION)
    else:
        sheet.add(OUTSIDE_LAYOUT)


def _check_name(name: str, start: frozenset[str], rest: frozenset[str], sheet: Sheet) -> None:
    stem = name.removesuffix(".md")
    if len(name) > MAX_NAME:
        sheet.add(NAME_LONG, message=f"a name of {len(name)} characters, {MAX_NAME} at most")
    if stem[:1] not in start or not rest.issuperset(stem) or stem[-1:] in (".", "-") or ".." in stem:
        sheet.add(NAME_CHARACTERS)
    elif is_reserved(stem):
        sheet.add(NAME_RESERVED)
    if is_reserved(stem):
        sheet.add(NAME_RESERVED)


def _check_folder(folder: str, sheet: Sheet) -> None:
    if folder in ("", GLOBAL):
        return
    fine = folder[0] in FOLDER_START and FOLDER.issuperset(folder) and folder[-1] != "." and len(folder) <= MAX_NAME
    if not fine or is_reserved(folder):
        sheet.add(FOLDER_NAME, message=f"the folder {ascii(folder)[:80]} is not named <CODE> or <CODE>_<Name>")


def is_reserved(stem: str) -> bool:
    """Say whether Windows takes a name, its suffix aside, for a device."""
    return stem.partition(".")[0].lower() in RESERVED


def check_mode(mode: str, sheet: Sheet) -> bool:
    """Report a mode that no memory has; say whether there is a text to read."""
    if mode == LINK:
        sheet.add(SYMLINK)
    elif mode == SUBMODULE:
        sheet.add(SUBMODULE_ENTRY)
    elif not mode.startswith("100"):
        sheet.add(NOT_REGULAR)
    elif mode == EXECUTABLE:
        sheet.add(EXECUTABLE_BIT)
    return mode.startswith("100")


def leaves_repo(path: str, target: str) -> bool:
    """Say whether a link at ``path`` (below the repo) with that target leads out of the repo, or to git's own files."""
    if ".git" in target.lower().split("/") or target.startswith(("/", "\\")) or target[1:2] == ":":
        return True
    depth = path.count("/")
    for part in target.split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return False

"""Files that steer how memories are shown, reviewed and judged, though they are none themselves."""

from __future__ import annotations

from brain.layout import AREA_TYPES, DEPRECATED, GLOBAL, INDEX_FILE, PENDING, SETTINGS_FILE
from brain.lint.finding import ERROR, WARNING, Rule, Sheet
from brain.lint.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.lint.finding import Finding

STEERING_FILE = Rule(
    "M329", "steering-file", WARNING, "a change of what shows, judges or assigns memories",
    "Settings name the PM, attributes hide diffs, jobs and owners decide who looks; no memory need change for that.",
    "nothing, if it is meant; let somebody look who knows the jobs",
)  # fmt: skip
DIFF_HIDDEN = Rule(
    "M330", "diff-hidden", ERROR, "attributes that hide the diff of memories, or change what is checked out",
    "Reviewers then approve what they were not shown.", "take the line out, or let it name other files",
)  # fmt: skip

ATTRIBUTES = ".gitattributes"
NAMES = frozenset(
    (ATTRIBUTES, ".gitmodules", ".mailmap", ".lfsconfig", ".gitlab-ci.yml", "CODEOWNERS", ".gitleaks.toml",
     ".gitleaksignore", ".gitignore")
)  # fmt: skip
DOES = {
    SETTINGS_FILE: "who approves memories, and how they are judged and recalled",
    ATTRIBUTES: "what a diff shows", ".gitignore": "what git leaves out of the memory folder",
    ".gitmodules": "what is checked out beside them", ".lfsconfig": "where large files come from",
    ".mailmap": "whose name a commit shows", ".gitleaks.toml": "what the scanner looks for",
    ".gitleaksignore": "what the scanner lets through", "CODEOWNERS": "who is asked to look at them",
}  # fmt: skip
"""File → what it decides; all others decide about the jobs that judge memories."""
FOLDERS = (".gitlab/", ".ci/", ".githooks/")
HIDES = Pattern(
    r"(?<!\S)(?:-diff|binary|diff=(?!markdown(?!\S))\S+|filter=\S+|working-tree-encoding=\S+"
    r"|(?:linguist|gitlab)-generated(?:=(?!false(?!\S)|0(?!\S))\S+)?)(?!\S)"
)
ROW = Pattern(r"[ \t]*(\"(?:[^\"\\]|\\.){1,400}\"|[^ \t\r]{1,400})[ \t]+(.*)")
ESCAPE = Pattern(r"\\(.)", "\\")
"""Git takes what stands behind a backslash as it is; a sign that is none is taken for a wild one here, to be safe."""
WILD = Pattern(r"[*?\]]")
NAMED = (INDEX_FILE, SETTINGS_FILE, "x.md")
LAYOUT = frozenset((DEPRECATED, PENDING, GLOBAL, *(part for area in AREA_TYPES for part in area.split("/"))))
"""Folders below the memory root; those of functions have a digit in their name."""


def check_steering(paths: Iterable[str], root: str) -> list[Finding]:
    """Return a finding for each changed path that steers what happens to memories: settings, and what lies outside."""
    found = []
    for path in sorted(paths):
        name = path.rpartition("/")[2]
        steers = name in NAMES or path.startswith(FOLDERS)
        if path != f"{root}/{SETTINGS_FILE}" and (path.startswith(root + "/") or not steers):
            continue
        if name == ".gitignore" and not f"{root}/".startswith(path[: -len(name)]):
            continue
        sheet = Sheet(path)
        sheet.add(STEERING_FILE, message=f"it decides {DOES.get(name, 'what the jobs do that judge them')}")
        found += sheet.findings()
    return found


def is_attributes(path: str, root: str) -> bool:
    """Say whether a path is a file of attributes above the memory folder; below it none may lie at all."""
    folder, _, name = path.rpartition("/")
    return name == ATTRIBUTES and (not folder or root.startswith(folder + "/"))


def check_attributes(contents: Mapping[str, bytes | None], root: str) -> list[Finding]:
    """Return a finding for each line of files of attributes (path → content) that hides memories."""
    found = []
    for path, content in contents.items():
        sheet, folder = Sheet(path), path[: -len(ATTRIBUTES)]
        for number, line in enumerate((content or b"").decode("utf-8", "replace").split("\n"), 1):
            row = ROW.match(line)
            pattern, attributes = (row[1], row[2]) if row else ("", "")
            hides = HIDES.search(attributes) if attributes and not pattern.startswith("#") else None
            if hides and _reaches(pattern.strip('"'), folder, root):
                sheet.add(DIFF_HIDDEN, number, 1, f"{hides[0][:40]} for {ascii(pattern)[1:-1][:60]}")
        found += sheet.findings()
    return found


def _reaches(pattern: str, folder: str, root: str) -> bool:
    """Say whether a pattern of attributes in ``folder`` ("" or with a slash at its end) may name memories."""
    if pattern.startswith("[attr]"):
        return True
    pattern = ESCAPE.sub(r"\1", pattern)
    *folders, name = pattern.removeprefix("/").split("/")
    if "/" not in pattern:
        return _may_name(name)
    from fnmatch import fnmatchcase  # few repos have such a line

    below = root[len(folder) :].split("/")
    known, anywhere = {*LAYOUT, *below}, False
    for number, part in enumerate(folders):
        anywhere = anywhere or part == "**"
        if not anywhere and number < len(below) and not fnmatchcase(below[number], part):
            return False
        if not (part in known or WILD.search(part) or any(map(str.isdigit, part))):
            return False
    return (anywhere or len(folders) >= len(below) or name == "**") and _may_name(name)


def _may_name(pattern: str) -> bool:
    """Say whether the last part of a pattern can match the name of a memory, of the index or of the settings."""
    from fnmatch import fnmatchcase

    plain = pattern.replace("[.]", ".")
    if any(fnmatchcase(name, plain) for name in NAMED):
        return True
    tail = WILD.compiled.split(plain)[-1]
    if tail or not WILD.search(plain):
        return ".md".endswith(tail) or tail.endswith(".md")
    return "." not in plain or fnmatchcase("md", plain.rpartition(".")[2])

"""Files that steer how memories are shown, reviewed and judged, though they are none themselves."""

from __future__ import annotations

from brain.lint.finding import ERROR, WARNING, Rule, Sheet
from brain.lint.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brain.lint.finding import Finding

STEERING_FILE = Rule(
    "M329", "steering-file", WARNING, "a change of what shows, judges or assigns memories",
    "Attributes hide diffs, jobs and owners decide who looks; no memory need change for that.",
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
FOLDERS = (".gitlab/", ".ci/", ".githooks/")
HIDES = Pattern(
    r"(?<!\S)(?:-diff|binary|diff=(?!markdown(?!\S))\S+|filter=\S+|working-tree-encoding=\S+"
    r"|(?:linguist|gitlab)-generated(?:=true|=1)?)(?!\S)"
)
SAMPLES = (
    "MEMORY.md",
    "brain.toml",
    "00.Shared/glossary/x.md",
    "01.Lessons/dev/F-1/x.md",
    "_deprecated/00.Shared/glossary/x.md",
)


def check_steering(paths: Iterable[str], root: str) -> list[Finding]:
    """Return a finding for each changed path outside of the memory folder that steers what happens to memories."""
    found = []
    for path in sorted(paths):
        name = path.rpartition("/")[2]
        if path.startswith(root + "/") or not (name in NAMES or path.startswith(FOLDERS)):
            continue
        if name == ".gitignore" and not f"{root}/".startswith(path[: -len(name)]):
            continue
        sheet = Sheet(path)
        sheet.add(STEERING_FILE)
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
            pattern, _, attributes = line.strip().partition(" ")
            hides = HIDES.search(attributes) if attributes and not pattern.startswith("#") else None
            if hides and _reaches(pattern.strip('"'), folder, root):
                sheet.add(DIFF_HIDDEN, number, 1, f"{hides[0][:40]} for {ascii(pattern)[1:-1][:60]}")
        found += sheet.findings()
    return found


def _reaches(pattern: str, folder: str, root: str) -> bool:
    """Say whether a pattern of attributes in ``folder`` ("" or with a slash at its end) names memories."""
    if pattern.startswith("[attr]"):
        return True
    from fnmatch import fnmatchcase  # few repos have such a line

    samples = [f"{root}/{sample}"[len(folder) :] for sample in SAMPLES]
    if "/" not in pattern:
        samples = [sample.rpartition("/")[2] for sample in samples]
    plain = pattern.removeprefix("/").replace("**/", "*").replace("**", "*")
    return any(fnmatchcase(sample, plain) or fnmatchcase("/" + sample, plain) for sample in samples)

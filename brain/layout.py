"""Where memories live: path ↔ id, type, scope and area (SPEC §1.1)."""

from __future__ import annotations

from brain.value import value

TYPES = ("lesson", "fact", "decision", "glossary", "instinct")
STATUSES = ("pending", "approved", "deprecated")
SOFT, HARD = "soft", "hard"
REMOVALS = (SOFT, HARD)
"""How a memory is taken out: moved to ``_deprecated/``, or its file removed."""
ROLES = ("dev", "qa", "ba", "pm")
GLOBAL = "_global"
PENDING = "_pending"
DEPRECATED = "_deprecated"
RETRO = "03.Retro"
INDEX_FILE = "MEMORY.md"
SETTINGS_FILE = "brain.toml"

SCOPED_AREAS = {
    "00.Shared/architecture": "fact",
    "00.Shared/domain": "fact",
    **{f"01.Lessons/{role}": "lesson" for role in ROLES},
    "02.Instincts/approved": "instinct",
}
"""Areas with a folder for each function: area → type."""
FLAT_AREAS = {"00.Shared/glossary": "glossary", "00.Shared/decisions": "decision"}
"""Areas without: area → type."""
AREA_TYPES = {**SCOPED_AREAS, **FLAT_AREAS}
AREAS = ("00.Shared/", "01.Lessons/", "02.Instincts/", RETRO + "/")
"""What a path below the memory root begins with, if anything of ours may lie there."""

FOLDER_PATTERN = r"[A-Za-z0-9][A-Za-z0-9._-]*"
SLUG_PATTERN = r"[a-z0-9][a-z0-9._-]*"
_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"


@value
class Place:
    """Where in the tree a memory lies. ``folder`` is "" in a flat area."""

    area: str
    folder: str
    slug: str

    @property
    def path(self) -> str:
        """The file's path below the memory root."""
        return "/".join(part for part in (self.area, self.folder, self.slug + ".md") if part)

    @property
    def type(self) -> str:
        """The one type this area holds."""
        return AREA_TYPES[self.area]

    @property
    def scope(self) -> str:
        """The functionId folder's name, or ``global``."""
        return "global" if self.folder in ("", GLOBAL) else self.folder

    @property
    def id(self) -> str:
        """``mem-<short code>-<slug>``, or ``mem-global-<slug>``."""
        code = "global" if self.scope == "global" else short_code(self.folder)
        return f"mem-{code}-{self.slug}"


def short_code(folder: str) -> str:
    """Drop what follows the first underscore, and all punctuation.

    >>> short_code("F-003_Payment")
    'F003'
    """
    code = _codes.get(folder)
    if code is None:
        code = _codes[folder] = "".join(filter(str.isalnum, folder.partition("_")[0]))
    return code


_codes: dict[str, str] = {}  # there are few folders, and each is asked about often


def find_place(path: str) -> Place | None:
    """Return the place of a memory path (below the root, ``/`` between parts), or None if no memory lies there."""
    if not path.endswith(".md"):
        return None
    parts = path[:-3].split("/")
    area = "/".join(parts[:2])
    rest = parts[2:]
    if area in FLAT_AREAS and len(rest) == 1 and rest[0]:
        return Place(area, "", rest[0])
    if area in SCOPED_AREAS and len(rest) == 2 and all(rest):
        return Place(area, rest[0], rest[1])
    return None


def has_plain_name(place: Place) -> bool:
    """Say whether folder and slug are made of what a path, an id and a link can hold everywhere."""
    folder = "" if place.folder == GLOBAL else place.folder
    return not (folder + place.slug).strip(_NAME) and (folder + "x")[0] not in ".-" and place.slug[0] not in "._-"


def printable(path: str) -> str:
    """Return a path for a message: on one line, and nothing hidden in it."""
    return path if path.isprintable() else path.encode("unicode_escape", "surrogatepass").decode()


def slugify(text: str) -> str:
    """Return lower-case ASCII words of ``text`` joined by hyphens, at most 48 characters; may be empty."""
    import re

    from brain.text import fold

    words = re.findall(r"[a-z0-9]+", fold(text))
    slug = ""
    for word in words:
        if slug and len(slug) + len(word) + 1 > 48:
            break
        slug = f"{slug}-{word}" if slug else word[:48]
    return slug

"""A ref: the file, folder, glob or lines that a memory rests on (SPEC §5.1)."""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

WORKSPACE = ""
"""The alias of the workspace's code repo; written ``code:`` where a path needs one (``code:odd:name``)."""
MEMORY = "docs"
"""The alias of the memory repo."""
WORKSPACE_KEYS = ("code", ".", "")
"""What stands for the workspace's repo in a ``verified_commit`` map; the first is what we write."""
GLOB_SIGNS = "*?[\\"
"""What git takes for a sign of a glob (``is_glob_special`` in its git-compat-util.h)."""
MAX_PATH = 4096
"""Characters of a path; a longer one is no path on any system, and no argument for git."""


@value
class Ref:
    """A place in a repo.

    ``path`` is clean: relative to the repo's root, no ``.``, ``..`` or ``//``; ``.`` for the root itself, a
    ``/`` at the end as written (only a folder may match then), "" where it can name nothing in a repo.
    ``first`` and ``last`` count lines from 1; 0 means the whole file. ``text`` is the ref as written.
    """

    alias: str
    path: str
    first: int
    last: int
    text: str

    @property
    def is_glob(self) -> bool:
        """Whether git reads the path as a pattern too."""
        return any(sign in self.path for sign in GLOB_SIGNS)

    @property
    def place(self) -> str:
        """The path with its lines: what an answer hangs on, whatever the repo is called."""
        return f"{self.path}#L{self.first}-L{self.last}" if self.first else self.path


def parse_ref(text: str) -> Ref:
    """Return the ref that ``text`` says.

    A short ASCII word before the first colon is an alias; any other colon belongs to the path.

    >>> parse_ref("docs:01.Spec/./F-003.md#L10-L40")
    Ref(alias='docs', path='01.Spec/F-003.md', first=10, last=40, text='docs:01.Spec/./F-003.md#L10-L40')
    """
    alias, path = _split_alias(text)
    path, first, last = _split_lines(path)
    return Ref(WORKSPACE if alias in WORKSPACE_KEYS else alias, _clean(path), first, last, text)


def find_verified(verified: str | Mapping[str, str], alias: str) -> str:
    """Return the commit at which a repo's refs were verified, "" if none is named.

    One id is meant for every ref; in a map the workspace's repo goes by any of ``WORKSPACE_KEYS``.
    """
    if isinstance(verified, str):
        return verified
    keys = WORKSPACE_KEYS if alias == WORKSPACE else (alias,)
    return next((verified[key] for key in keys if verified.get(key)), "")


def is_encodable(text: str) -> bool:
    """Say whether ``text`` can be bytes of git's: half of a surrogate pair, as JSON may hold, cannot."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _split_alias(text: str) -> tuple[str, str]:
    word, colon, rest = text.partition(":")
    if colon and word[:1].isalpha() and word.isascii() and word.replace("-", "").replace("_", "").isalnum():
        return word, rest
    return WORKSPACE, text


def _split_lines(path: str) -> tuple[str, int, int]:
    """Take ``#L10``, ``#L10-L40`` or ``#L10-40`` off the end; what counts no lines stays in the path."""
    name, sign, lines = path.rpartition("#L")
    start, dash, end = lines.partition("-")
    first, last = _line(start), _line(end.removeprefix("L")) if dash else _line(start)
    return (name, min(first, last), max(first, last)) if sign and first and last else (path, 0, 0)


def _line(digits: str) -> int:
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0


def _clean(path: str) -> str:
    """Return ``path`` as git's ``normalize_path_copy`` has it; "" if empty, absolute, or above the root."""
    if not path or path[0] == "/" or "\0" in path or len(path) > MAX_PATH or not is_encodable(path):
        return ""
    kept: list[str] = []
    part = ""
    for part in path.split("/"):
        if part == "..":
            if not kept:
                return ""
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    if not kept:
        return "."
    return "/".join(kept) + ("/" if part in ("", ".", "..") else "")

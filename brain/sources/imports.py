"""What other tools remember, by kind: how each is recognised, and who reads it (SPEC §3, import)."""

from __future__ import annotations

import os
import re
import unicodedata

from brain.errors import BrainError
from brain.git.objects import blob_id, list_tree
from brain.git.refs import find_commit, find_repo
from brain.git.run import try_git
from brain.layout import SETTINGS_FILE
from brain.sources import aiflow, basic_memory, claude_memory, cursor_rules, memory_bank, records
from brain.sources.folder import read_folder
from brain.sources.text import decode
from brain.text import visible
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from brain.git.refs import Repo
    from brain.sources.folder import File
    from brain.sources.piece import Left, Piece, Reading
    from brain.workspace import Brain

RECORD = re.compile(r"(?:adr[-_ ]?)?\d{3,5}[-_ ].+\.(?:md|markdown|adoc|rst|txt)$", re.IGNORECASE)
RECORDS = re.compile(r"(^|/)(adrs?|decisions?|architecture[-_]decisions?)$", re.IGNORECASE)
NOTE = (".md", ".markdown")
GENERIC = frozenset(
    """memory memory-bank memory_bank memorybank rules .cursor .aiflow .claude .agents docs doc adr adrs decisions
    notes""".split()  # noqa: SIM905
)
"""Folders whose name says nothing of whose they are."""


@value
class Kind:
    """A tool's memory: what it is called, the files it has, who reads one, and whether files are surely its own.

    ``is_sure`` is asked with the folder's absolute path and the files it has of this kind.
    """

    title: str
    wanted: Callable[[str], bool]
    read: Callable[[str, str], Reading]
    is_sure: Callable[[str, Sequence[File]], bool]


def _is_note(path: str) -> bool:
    return path.lower().endswith(NOTE)


def _is_store(top: str, files: Sequence[File]) -> bool:
    return bool(files) and ".aiflow/memory" in f"{top}/".replace(os.sep, "/")


def _is_claude(top: str, files: Sequence[File]) -> bool:
    names = [file for file in files if claude_memory.is_memory(file.path, file.text)]
    own = re.search(r"\.claude/(?:.+/)?memory/?$", top.replace(os.sep, "/"))
    return not any(basic_memory.is_note(file.text) for file in files) and bool(names or (own and files))


def _is_bank(_top: str, files: Sequence[File]) -> bool:
    return len({memory_bank.kind_of(file.path) for file in files if memory_bank.is_memory(file.path)}) > 1


def _is_records(top: str, files: Sequence[File]) -> bool:
    named = [file for file in files if RECORD.match(file.path.rpartition("/")[2])]
    return bool(named) and (bool(RECORDS.search(top.replace(os.sep, "/"))) or 2 * len(named) > len(files))


def _is_basic(_top: str, files: Sequence[File]) -> bool:
    return any(basic_memory.is_note(file.text) for file in files)


KINDS: dict[str, Kind] = {
    "aiflow": Kind("the old .aiflow store", lambda path: path.lower().endswith(".json"), aiflow.read, _is_store),
    "claude": Kind("Claude Code's auto memory", _is_note, claude_memory.read, _is_claude),
    "cline": Kind("a Cline memory bank", _is_note, memory_bank.read, _is_bank),
    "cursor": Kind("Cursor rules", cursor_rules.is_rule, cursor_rules.read, lambda _top, files: bool(files)),
    "adr": Kind("decision records", lambda path: path.lower().endswith((*NOTE, ".adoc", ".rst", ".txt")),
                records.read, _is_records),
    "basic-memory": Kind("Basic Memory notes", _is_note, basic_memory.read, _is_basic),
}  # fmt: skip


@value
class Gathered:
    """What was read in one folder of another tool.

    ``repo`` is what its repo is called, or the folder where it lies in none. ``work_tree`` and ``commit`` are of that
    repo, "" where there is none. ``committed`` are the documents that are as that commit has them; a piece's ``source``
    is its document's path from the repo's top.
    """

    kind: str
    repo: str
    pieces: tuple[Piece, ...]
    left: tuple[Left, ...]
    warnings: tuple[str, ...]
    work_tree: str = ""
    commit: str = ""
    committed: Collection[str] = ()

    def earlier(self, path: str, commit: str) -> Reading | None:
        """Return what a document said at a commit, None where that is not here."""
        content = try_git(self.work_tree, "cat-file", "blob", f"{commit}:{path}") if self.work_tree and commit else None
        text = decode(content.out) if content and content.status == 0 else None
        return None if text is None else KINDS[self.kind].read(path, text)


def gather(brain: Brain, path: str, kind: str = "") -> Gathered:
    """Return what a folder, or one file, of another tool's memory holds; ``kind`` is recognised where it is "".

    Raises:
        BrainError: There is no such folder, it is the memory itself, or nobody can tell its kind.
        GitError: The repo that it lies in cannot be read.
    """
    top = os.path.abspath(path)
    if not os.path.exists(top):
        raise BrainError(f"{path}: there is no such file or folder", "name the folder that the other tool writes to")
    if _is_own(brain, top):
        raise BrainError(f"{path} is the team's memory itself", "name the folder of another tool")
    kind = kind or recognise(top)
    listing = read_folder(top, KINDS[kind].wanted)
    folder = os.path.realpath(top if os.path.isdir(top) else os.path.dirname(top))
    repo = find_repo(folder)
    work_tree = os.path.realpath(repo.work_tree) if repo and repo.work_tree else ""
    below = os.path.relpath(folder, work_tree).replace(os.sep, "/") if work_tree else "."
    below = "" if below == "." else unicodedata.normalize("NFC", below) + "/"
    readings = [KINDS[kind].read(below + file.path, file.text) for file in listing.files]
    found = (tuple(p for r in readings for p in r.pieces), tuple(n for r in readings for n in r.left), listing.warnings)
    if not repo or not work_tree:
        return Gathered(kind, f"{kind}-{_folder_name(folder)}", *found)
    commit = find_commit(repo, "HEAD") or ""
    committed = _committed(repo, commit, {below + file.path: file for file in listing.files})
    return Gathered(kind, repo_name(repo), *found, work_tree, commit, committed)


def _is_own(brain: Brain, top: str) -> bool:
    root = os.path.realpath(brain.memory_root) if brain.memory_root else ""
    inside = bool(root) and f"{os.path.realpath(top)}{os.sep}".startswith(f"{root}{os.sep}")
    return inside or os.path.exists(os.path.join(top, SETTINGS_FILE))


def recognise(top: str) -> str:
    """Return the one kind that a folder is surely of.

    Raises:
        BrainError: It is of none, or of several.
    """
    listing = read_folder(top, lambda path: any(kind.wanted(path) for kind in KINDS.values()))
    found = [
        name
        for name, kind in KINDS.items()
        if kind.is_sure(top, [file for file in listing.files if kind.wanted(file.path)])
    ]
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(KINDS[name].title for name in found)
        raise BrainError(f"{top} looks like {names}", f"say which: --from {' or --from '.join(found)}")
    raise BrainError(f"{top}: nobody can tell whose memory this is", f"say it: --from one of {', '.join(KINDS)}")


def _committed(repo: Repo, commit: str, files: dict[str, File]) -> frozenset[str]:
    """Return the paths of files that are, byte for byte, as a commit has them."""
    blobs = {entry.path: entry.oid for entry in list_tree(repo.path, commit)} if commit else {}
    return frozenset(path for path, file in files.items() if blobs.get(path) == blob_id(file.content, commit))


def repo_name(repo: Repo) -> str:
    """Return what a repo is called in a source: by its remote, else by its folder."""
    url = try_git(repo.path, "config", "--get", "remote.origin.url").out.decode("utf-8", "replace").strip()
    last = re.split(r"[/\\:]", url.removesuffix("/").removesuffix(".git"))[-1]
    return _plain(last or os.path.basename(repo.path))


def _folder_name(folder: str) -> str:
    """Return what a folder outside of git is called: the first name on the way up that says whose it is.

    Claude Code names a project's folder by its whole path (``-home-ada-shop``); of that the last part is enough, and
    no path of a person's machine gets into a memory.
    """
    while os.path.basename(folder).lower() in GENERIC:
        folder = os.path.dirname(folder)
    name = os.path.basename(folder)
    return _plain(name.rpartition("-")[2] if name.startswith("-") else name)


def _plain(name: str) -> str:
    """Return a name made of what the beginning of a source may hold."""
    return re.sub(r"[^\w.-]+", "-", visible(name)).strip("-.") or "notes"

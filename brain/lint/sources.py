"""Where the files to judge come from: a commit, what it changed, or the disk. Nothing is judged here."""

from __future__ import annotations

import os
import stat

from brain.errors import BrainError, GitError
from brain.git.objects import EMPTY_TREES, LINK, SUBMODULE, Entry, read_blobs
from brain.git.run import git, try_git
from brain.layout import INDEX_FILE
from brain.lint.judge import MAX_OTHER_BYTES, SourceFile
from brain.lint.place import EXECUTABLE, SPECIAL
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

REGULAR = "100644"
MAX_INDEX_BYTES = 16 << 20
MAX_ON_DISK = 100_000
"""Files looked at below the folders named: a wrong folder must not take all day."""


@value
class Sized:
    """An entry of a tree, and how many bytes it has (0 for a submodule)."""

    entry: Entry
    size: int


def tree_files(repo: str, commit: str) -> list[Sized]:
    """Return every entry of a commit's whole tree, with sizes."""
    found = []
    for row in git(repo, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).split(b"\0"):
        if row:
            head, _, path = row.partition(b"\t")
            mode, _, oid, size = head.split()
            entry = Entry(mode.decode(), oid.decode(), os.fsdecode(path))
            found.append(Sized(entry, int(size) if size.isdigit() else 0))
    return found


def sized(repo: str, entries: Sequence[Entry]) -> list[Sized]:
    """Return entries with their sizes; asked for those alone, since git has to look into each object."""
    asked = "".join(f"{entry.oid}\n" for entry in entries if entry.mode != SUBMODULE).encode()
    rows = git(repo, "cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer", stdin=asked) if asked else b""
    sizes = dict(row.split(" ") for row in rows.decode().splitlines())
    return [Sized(entry, int(size) if (size := sizes.get(entry.oid, "0")).isdigit() else 0) for entry in entries]


@value
class Change:
    """What a commit changes against another: paths it adds, paths that stay and differ, paths it removes."""

    added: frozenset[str]
    changed: frozenset[str]
    removed: frozenset[str]


@value
class Committed:
    """A commit of a change: its id, what it changes (status letter, entry), its message, people and ref names.

    ``people`` are author and committer as ``Name <mail>``; ``names`` is what git calls its decoration.
    """

    oid: str
    rows: Sequence[tuple[str, Entry]]
    message: str
    people: tuple[str, ...]
    names: str


def changes_between(repo: str, base: str, commit: str, commits: Sequence[Committed] = ()) -> Change:
    """Return what ``commit`` changes against ``base``, modes included; ``commits`` is the history between, if known."""
    if len(commits) == 1:  # its own change is the whole of it: git need not be asked again
        rows = commits[0].rows
        paths = {letter: {entry.path for status, entry in rows if status == letter} for letter in "AD"}
        rest = {entry.path for status, entry in rows if status not in "AD"}
        return Change(frozenset(paths["A"]), frozenset(rest), frozenset(paths["D"]))
    raw = git(repo, "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", base, commit).split(b"\0")
    found: dict[str, set[str]] = {"A": set(), "D": set(), "M": set()}
    for head, path in zip(raw[::2], raw[1::2], strict=False):
        status = head[-1:].decode()
        found[status if status in "AD" else "M"].add(os.fsdecode(path))
    return Change(*(frozenset(found[status]) for status in "AMD"))


def history(repo: str, base: str, commit: str) -> list[Committed]:
    """Return each commit since ``base``, latest first; merges once a parent."""
    if is_empty_tree(base):
        return []
    shape = "--format=%x01%H%x02%D%x02%an <%ae>%x02%cn <%ce>%x02%B"
    command = ("log", "-m", "-z", "--raw", "--no-renames", "--no-abbrev", shape, f"{base}..{commit}", "--")
    found: list[Committed] = []
    rows: list[tuple[str, Entry]] = []
    parts = iter(git(repo, *command).split(b"\0"))
    for part in parts:
        row = part.lstrip(b"\n")
        if row.startswith(b"\1"):
            oid, names, author, committer, message = row[1:].decode("utf-8", "replace").split("\2", 4)
            rows = []
            found.append(Committed(oid, rows, message, (author, committer), names))
        elif row.startswith(b":"):
            _, mode, _, oid, status = row.decode().split(" ")
            rows.append((status[0], Entry(mode, oid, os.fsdecode(next(parts)))))
    return found


def is_empty_tree(base: str) -> bool:
    """Say whether ``merge_base`` found no common commit: all there is then counts as new, and no commit leads to it."""
    return base in EMPTY_TREES.values()


def merge_base(repo: str, base: str, commit: str) -> str:
    """Return the commit at which ``commit`` left the revision ``base``; an empty tree where the histories are apart.

    Raises:
        GitError: There is no such revision, or a shallow clone hides where they parted.
    """
    result = try_git(repo, "merge-base", "--end-of-options", base, commit)
    if result.status == 0:
        return result.out.decode().strip()
    if result.status == 1:
        if try_git(repo, "rev-parse", "--is-shallow-repository").out.strip() == b"true":
            hint = "fetch more of the history: GIT_DEPTH: 0 in GitLab CI"
            raise GitError(["merge-base", base, commit], 1, "this shallow clone does not show where they parted", hint)
        return EMPTY_TREES[len(commit)]
    resolve(repo, base)  # says which revision is not there
    raise GitError(
        ["merge-base", base, commit], result.status, result.err.decode("utf-8", "replace"), "git fetch first"
    )


def resolve(repo: str, rev: str) -> str:
    """Return the commit id that ``rev`` names.

    Raises:
        GitError: There is none.
    """
    result = try_git(repo, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
    if result.status:
        raise GitError(["rev-parse", rev], 128, f"no commit {rev!r}", "name a branch, tag or commit that is here")
    return result.out.decode().strip()


def read_files(repo: str, files: Sequence[Sized], root: str) -> Iterator[SourceFile]:
    """Yield the files with their content, as far as it is not too big to be read; links with their target."""
    return iter(read_beside(repo, "", files, root)[1])


def read_beside(repo: str, spec: str, files: Sequence[Sized], root: str) -> tuple[bytes | None, list[SourceFile]]:
    """Return what ``spec`` ("" for nothing) names, and the files with their content, in one question to git."""
    wanted = [file for file in files if file.entry.mode != SUBMODULE and file.size <= _limit(file.entry.path, root)]
    oids = [file.entry.oid for file in wanted]
    answers = list(read_blobs(repo, [spec, *oids] if spec else oids, MAX_INDEX_BYTES))
    first = answers.pop(0) if spec and answers else None
    contents = dict(zip(oids, answers, strict=True))
    return first, [SourceFile(one.entry.path, one.entry.mode, one.size, contents.get(one.entry.oid)) for one in files]


def _limit(path: str, root: str) -> int:
    return MAX_INDEX_BYTES if path == f"{root}/{INDEX_FILE}" else MAX_OTHER_BYTES


def disk_files(top: str, paths: Iterable[str]) -> Iterator[SourceFile]:
    """Yield files and the content of folders below the repo's folder ``top``; links and pipes are not opened.

    Raises:
        BrainError: A path is not there, or not below ``top``.
    """
    count = 0
    for given in paths:
        relative = _relative(top, given)
        for path in _walk(top, relative):
            count += 1
            if count > MAX_ON_DISK:
                raise BrainError(f"over {MAX_ON_DISK} files below {given}", "name the memory folder")
            yield _disk_file(top, path)


def _relative(top: str, given: str) -> str:
    full = os.path.abspath(given)
    parent = os.path.realpath(os.path.dirname(full))
    relative = os.path.relpath(os.path.join(parent, os.path.basename(full)), os.path.realpath(top))
    if relative.startswith("..") or os.path.isabs(relative):
        raise BrainError(f"{given} is not in the memory repo {top}", "name a path in it")
    if not os.path.lexists(full):
        raise BrainError(f"{given}: no such file or folder", "name a file or folder of the memory repo")
    return relative.replace(os.sep, "/")


def _walk(top: str, relative: str) -> Iterator[str]:
    """Yield the paths below a folder, or the path itself; a folder named like a memory is a path too."""
    folders = [relative]
    while folders:
        path = folders.pop()
        full = os.path.join(top, path)
        if path != "." and not (os.path.isdir(full) and not os.path.islink(full)):
            yield path
            continue
        if path.endswith(".md"):
            yield path
        names = sorted(os.listdir(full), reverse=True)
        folders += [name if path == "." else f"{path}/{name}" for name in names if name != ".git"]


def _disk_file(top: str, path: str) -> SourceFile:
    full = os.path.join(top, path)
    try:
        status = os.lstat(full)
        if stat.S_ISLNK(status.st_mode):
            return SourceFile(path, LINK, 0, os.fsencode(os.readlink(full)))
        if not stat.S_ISREG(status.st_mode):
            return SourceFile(path, SPECIAL, 0, None)
        mode = EXECUTABLE if status.st_mode & stat.S_IXUSR else REGULAR
        limit = MAX_INDEX_BYTES if path.endswith(INDEX_FILE) else MAX_OTHER_BYTES
        if status.st_size > limit:
            return SourceFile(path, mode, status.st_size, None)
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(full, flags), "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise BrainError(f"{path}: {error.strerror}", "check its permissions") from None
    return SourceFile(path, mode, len(content), content)

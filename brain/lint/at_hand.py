"""Whether refs are there: one question to git for all refs of a repo, none where the repo is not at hand."""

from __future__ import annotations

import os

from brain.git.objects import EMPTY_TREES, LINK, SUBMODULE
from brain.git.refs import find_commit, find_repo
from brain.git.run import git, try_git
from brain.lint.refs import NOT_FOUND, REF_SYMLINK, VERIFIED_UNKNOWN
from brain.stale.refs import MEMORY, WORKSPACE
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brain.git.objects import Entry
    from brain.git.refs import Repo
    from brain.lint.finding import Sheet
    from brain.lint.refs import Asked
    from brain.settings import Config
    from brain.stale.refs import Ref
    from brain.workspace import Workspace

FOLDER = "040000"
MAX_NAMES = 500
"""Paths in one command line."""
MAX_GLOBS = 50
"""Globs looked up in one run: each is a question of its own."""


@value
class RepoAtHand:
    """A repo on this machine, and the commit its refs are looked up in.

    ``shared`` is true where the memories lie in the same repo: a path whose first folder is not there may then be
    meant for a code repo that is not at hand. ``files`` is what the commit holds, if that is known.
    """

    folder: str
    commit: str
    shared: bool = False
    files: Sequence[Entry] = ()


def repos_at_hand(
    memory_repo: Repo,
    commit: str,
    workspace: Workspace | None,
    config: Config,
    aliases: set[str],
    files: Sequence[Entry] = (),
) -> dict[str, RepoAtHand]:
    """Return alias → repo for those of ``aliases`` that are on this machine.

    Args:
        memory_repo: Where the memories lie.
        commit: The commit of it that is judged; "" where nothing is committed.
        workspace: Where lint was started; None (a pipeline) knows no code repo but the memory repo itself.
        config: The team's settings.
        aliases: The repos that refs ask for.
        files: What that commit holds, where it was listed already.
    """
    folders = _folders(memory_repo, workspace, config, aliases)
    found = {}
    for alias in aliases:
        repo = find_repo(folders.get(alias) or "") if folders.get(alias) else None
        if repo is None:
            continue
        same = repo.common_dir == memory_repo.common_dir
        head = commit if same else find_commit(repo, "HEAD")
        if head:
            found[alias] = RepoAtHand(repo.path, head, same and alias == WORKSPACE, files if same else ())
    return found


def _folders(
    memory_repo: Repo, workspace: Workspace | None, config: Config, aliases: set[str]
) -> dict[str, str | None]:
    """Return alias → the folder it is looked for in; brain.toml's repos are only asked about where a ref names one."""
    own = workspace.code_repo if workspace else memory_repo
    folders: dict[str, str | None] = {MEMORY: memory_repo.path, WORKSPACE: own.path if own else None}
    if workspace and aliases - folders.keys():
        from brain.index.cache import Tree
        from brain.recall.doubts import repo_folders
        from brain.workspace import Brain

        folders = repo_folders(Brain(workspace, memory_repo, "", Tree(config["memory.root"]), None, config))
    return folders


def check_exist(asked: Sequence[tuple[Sheet, Asked]], repos: Mapping[str, RepoAtHand]) -> None:
    """Report refs that name nothing, or pass through a link, in the repos at hand (by alias; "" the workspace's)."""
    for alias, repo in repos.items():
        rows = [(sheet, ask) for sheet, ask in asked if ask.ref.alias == alias]
        if not repo.shared:
            _check_verified(repo, rows)
        plain = [(sheet, ask) for sheet, ask in rows if not ask.ref.is_glob]
        modes = _modes(repo, {ask.ref.path.rstrip("/") for _, ask in plain})
        for sheet, ask in plain:
            _judge(repo, ask, modes, sheet)
        for sheet, ask in [row for row in rows if row[1].ref.is_glob][:MAX_GLOBS]:
            if not _matches(repo, ask.ref.path):
                _say_missing(repo, ask, sheet)


def _check_verified(repo: RepoAtHand, rows: Sequence[tuple[Sheet, Asked]]) -> None:
    """Report commits that are not in a repo; a shallow clone does not know."""
    commits = sorted({ask.verified for _, ask in rows if ask.verified})
    if not commits:
        return
    answer = git(repo.folder, "cat-file", "--batch-check=%(objecttype)", stdin="\n".join(commits).encode() + b"\n")
    kinds = dict(zip(commits, answer.decode().splitlines(), strict=False))
    lost = {commit for commit, kind in kinds.items() if kind != "commit"}
    if not lost or try_git(repo.folder, "rev-parse", "--is-shallow-repository").out.strip() == b"true":
        return
    for sheet, ask in rows:
        if ask.verified in lost:
            sheet.add(VERIFIED_UNKNOWN, ask.verified_line, 1, f"{repo_name(ask.ref)} has no commit {ask.verified[:12]}")


def repo_name(ref: Ref) -> str:
    """Return what people call the repo that a ref is in."""
    return f"the repo {ref.alias}" if ref.alias else "the code repo"


def _modes(repo: RepoAtHand, paths: Iterable[str]) -> dict[str, str]:
    """Return path → mode of these paths, and of the folders above those that are not plainly there."""
    wanted = set(paths)
    if repo.files:
        every = {prefix for path in wanted for prefix in _prefixes(path)}
        found = {file.path: file.mode for file in repo.files if file.path in every}
        folders = {file.path.rpartition("/")[0] for file in repo.files}
        for folder in {prefix for path in folders if path for prefix in _prefixes(path)} & every:
            found[folder] = FOLDER
        return found
    found = _list(repo, wanted)
    unclear = {prefix for path in wanted if path not in found for prefix in _prefixes(path)}
    if unclear:  # a folder and a path in it, asked for together, hide the folder
        found.update(_list(repo, unclear, "-d", "-t"))
        found.update(_list(repo, unclear))
    return found


def _list(repo: RepoAtHand, paths: set[str], *options: str) -> dict[str, str]:
    names, found = sorted(paths), {}
    for start in range(0, len(names), MAX_NAMES):
        command = ("--literal-pathspecs", "ls-tree", "-z", "--full-tree", *options, repo.commit, "--")
        for row in git(repo.folder, *command, *names[start : start + MAX_NAMES]).split(b"\0"):
            head, _, path = row.partition(b"\t")
            if path:
                found[os.fsdecode(path)] = head.partition(b" ")[0].decode()
    return found


def _prefixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


def _judge(repo: RepoAtHand, ask: Asked, modes: Mapping[str, str], sheet: Sheet) -> None:
    path = ask.ref.path.rstrip("/")
    above = [modes.get(prefix, "") for prefix in _prefixes(path)]
    if path in (".", ""):
        return
    if LINK in above:
        sheet.add(REF_SYMLINK, ask.line, ask.column, f"ref {ascii(ask.ref.text)[:80]} leads through a symbolic link")
    elif SUBMODULE not in above and not above[-1] and (not repo.shared or above[0]):
        _say_missing(repo, ask, sheet)


def _say_missing(repo: RepoAtHand, ask: Asked, sheet: Sheet) -> None:
    message = f"ref {ascii(ask.ref.text)[:80]}: commit {repo.commit[:12]} has no such path"
    sheet.add(NOT_FOUND, ask.line, ask.column, message, subject=ask.ref.text)


def _matches(repo: RepoAtHand, path: str) -> bool:
    if repo.shared and not _modes(repo, [path.partition("/")[0]]):
        return True
    empty = EMPTY_TREES[len(repo.commit)]
    specs = (f"./{path}", f":(glob){path}")  # `src/**/x` is src/x too only in the second reading
    return try_git(repo.folder, "diff-tree", "--quiet", "-r", empty, repo.commit, "--", *specs).status != 0

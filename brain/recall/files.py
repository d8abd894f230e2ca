"""The files a ticket is about that names none: what this branch changed; and how refs name this repo (SPEC §4.2)."""

from __future__ import annotations

import os
import zlib

from brain.errors import GitError
from brain.files import read_json, write_file
from brain.git.refs import find_commit, find_repo, find_upstream
from brain.git.run import try_git
from brain.index.cache import cache_dir
from brain.json_text import render_json
from brain.recall.doubts import has_remote_at, repo_folders
from brain.stale.refs import WORKSPACE, WORKSPACE_KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.git.refs import Repo
    from brain.workspace import Brain

MOST_FILES = 200
"""Of a branch that changed more, each file says little; the first in git's order are taken."""
SECONDS = 2.0
"""What git gets to say what a branch changed; a session start does not wait longer."""
OWN = (WORKSPACE, f"{WORKSPACE_KEYS[0]}:")
"""What a ref into the workspace's repo begins with, whatever brain.toml calls that repo."""


def changed_files(repo: Repo, cache: str) -> tuple[str, ...]:
    """Return the paths that the branch checked out in ``repo`` changed since it left the default branch.

    What is not committed does not count: looking for it costs a process and a walk over the work tree each time. Git
    is asked once for a pair of commits, and ``cache`` is the folder its answer is kept in; no answer is no files.
    """
    upstream, head = find_upstream(repo), find_commit(repo, "HEAD")
    if not head or upstream is None or upstream[1] == head:
        return ()
    commits = [upstream[1], head]
    path = os.path.join(cache, f"changed-{zlib.crc32(os.fsencode(repo.git_dir)):08x}.json")
    known = read_json(path)
    if isinstance(known, dict) and known.get("commits") == commits and isinstance(known.get("files"), list):
        return tuple(file for file in known["files"] if isinstance(file, str))
    files = _ask_git(repo, commits)
    if files is None:
        return ()
    try:
        write_file(path, render_json({"commits": commits, "files": files}))
    except OSError:  # a read-only disk: asked again each time
        pass
    return tuple(files)


def _ask_git(repo: Repo, commits: list[str]) -> list[str] | None:
    """Return the paths, of a renamed file both, since a ref may name the old one; None where git has no answer."""
    options = ("--name-only", "-z", "--no-renames", "--no-ext-diff")
    try:
        result = try_git(repo.path, "diff", *options, "...".join(commits), "--", timeout=SECONDS)
    except GitError:
        return None
    return list(map(os.fsdecode, result.out.split(b"\0")[:-1]))[:MOST_FILES] if result.status == 0 else None


def files_of_branch(brain: Brain) -> tuple[str, ...]:
    """Return the files a ticket is about that names none: those this branch of the workspace's repo changed."""
    repo = brain.workspace.code_repo
    return changed_files(repo, cache_dir(brain.repo)) if repo else ()


def own_prefixes(brain: Brain) -> tuple[str, ...]:
    """Return what a ref may begin with that leads into the workspace's own repo: nothing, or a name of it."""
    own = brain.workspace.code_repo
    if own is None:
        return OWN
    urls = brain.config["repos"]
    aliases = [
        alias for alias, folder in repo_folders(brain).items()
        if alias and (_is_at(own, folder) or has_remote_at(own, urls.get(alias, "")))
    ]  # fmt: skip
    return (*OWN, *(f"{alias}:" for alias in aliases))


def _is_at(own: Repo, folder: str | None) -> bool:
    repo = find_repo(folder) if folder else None
    return repo is not None and os.path.realpath(repo.common_dir) == os.path.realpath(own.common_dir)

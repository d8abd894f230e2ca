"""A copy of somebody's file before it is changed for the first time: ``<file>.brain-backup``.

Settings may hold tokens. Inside a git work tree a copy beside the file would be one ``git add`` away from everybody, so
there it lies in the git directory instead, as ``brain/backup/<path>``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from brain.errors import BrainError
from brain.git.refs import find_repo
from brain.index.cache import cache_dir

if TYPE_CHECKING:
    from brain_hooks.change import Plan

SUFFIX = ".brain-backup"


def backup_path(target: Path) -> Path:
    """Return where the copy of a file lies."""
    repo = find_repo(os.fspath(target.parent))
    if repo is None or not repo.work_tree:
        return target.with_name(target.name + SUFFIX)
    below = os.path.relpath(os.path.realpath(target), os.path.realpath(repo.work_tree))
    return Path(cache_dir(repo), "backup", below)


def keep_backup(plan: Plan) -> None:
    """Copy a file that is there and is to change, once; its mode stays.

    Raises:
        BrainError: It cannot be copied; the file is as it was.
    """
    target = Path(os.path.realpath(plan.path))
    copy = backup_path(target)
    if not plan.changed or plan.before is None or copy.exists():
        return
    beside = copy.with_name(f"{copy.name}.{os.getpid()}")
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(plan.before)
        beside.replace(copy)
    except OSError as error:
        beside.unlink(missing_ok=True)
        hint = "make its folder writable, or choose another scope; nothing was changed"
        raise BrainError(f"{copy}: cannot be written: {error.strerror}", hint) from error


def drop_backup(plan: Plan) -> None:
    """Remove the copy of a file that is again what it was; one that cannot be removed is no harm."""
    copy = backup_path(Path(os.path.realpath(plan.path)))
    try:
        if plan.changed and plan.after == copy.read_bytes():
            copy.unlink()
    except OSError:
        pass

"""Bare clones of other repos, kept below the memory repo's git directory; they can be deleted at any time."""

from __future__ import annotations

import os
import shutil

from brain.git.fetch import HANGING, cause_of
from brain.git.run import try_git

SECONDS = 600.0
"""Longest that a repo may take to be brought here."""
QUIET = ("--quiet", "--no-tags")


def mirror(near: str, url: str, folder: str) -> str:
    """Make the bare repo at ``folder`` what the one at ``url`` is now; return why it could not be, "" where it could.

    ``near`` is a repo's folder that a relative ``url`` starts from.
    """
    if os.path.isdir(folder):
        # "--": an address that a team's settings name is never an option, which could be a program to run
        fetch = ("fetch", *QUIET, "--prune", "--", url, "+refs/heads/*:refs/heads/*")
        done = try_git(folder, *HANGING, *fetch, timeout=SECONDS)
    else:
        beside = f"{folder}.{os.getpid()}.new"
        clone = ("clone", *QUIET, "--bare", "--filter=blob:none", "--", url, beside)
        done = try_git(near, *HANGING, *clone, timeout=SECONDS)
        if done.status == 0:
            os.rename(beside, folder)
        else:
            shutil.rmtree(beside, ignore_errors=True)
    return (cause_of(done.err.decode("utf-8", "replace")) or "no answer") if done.status else ""

"""The one reader of the process environment; everything else is handed a mapping."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GIT_LOCATION = (
    # What a surrounding git hook exports and what changes which repository, or which paths, git means:
    # `git rev-parse --local-env-vars`, less its configuration variables, and the pathspec switches.
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE",
    "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
)  # fmt: skip
NO_INDEX = "/nonexistent/index"
"""A path at which nothing is, so that git reads no index; what only compares trees needs none."""


def read_environment() -> dict[str, str]:
    """Return a copy of the process environment."""
    return dict(os.environ)


def git_environment(env: Mapping[str, str] | None = None, *, index: bool = True) -> dict[str, str]:
    """Return the environment git runs in: our repository and not a surrounding hook's, and no prompts.

    Not ``index``: git reads none.
    """
    clean = {name: text for name, text in (os.environ if env is None else env).items() if name not in GIT_LOCATION}
    clean["GIT_TERMINAL_PROMPT"] = "0"
    clean["GIT_OPTIONAL_LOCKS"] = "0"
    clean["LANGUAGE"] = "en"  # our hints are read from git's English
    if not index:
        clean["GIT_INDEX_FILE"] = NO_INDEX
    return clean


def guest_environment(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for somebody else's program: without our settings and tokens, and a hook's repository."""
    ours = ("BRAIN_", "GITLAB_", "CI_")
    return {name: text for name, text in env.items() if not name.startswith(ours) and name not in GIT_LOCATION}

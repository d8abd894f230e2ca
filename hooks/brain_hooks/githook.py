"""Put our lines into a repository's git hook ``post-merge``, and take them out again.

The hook refreshes overlay and index after a merge or pull. It cannot fail the merge, reads nothing, prints
nothing on stdout, and passes silently where our program is not installed. The user's script keeps every byte.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from brain.errors import ConfigError
from brain.git.refs import get_repo
from brain.git.run import git
from brain_hooks.change import Plan, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping

HOOK = "post-merge"
BEGIN = b"# >>> project brain >>> (brain-hook uninstall takes these lines out)"
COMMAND = (
    b"command -v brain-hook >/dev/null 2>&1 && "
    b"env -u PYTHONPATH brain-hook git post-merge </dev/null >/dev/null || true"
)
END = b"# <<< project brain <<<"
BLOCK = b"\n".join((BEGIN, COMMAND, END))
NEW_SCRIPT = b"#!/bin/sh\n# made by brain-hook install\n"
SHELLS = frozenset(("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"))
FOUND = re.compile(rb"^# >>> project brain >>>.*\n(?:.*\n)*?# <<< project brain <<<(?:\n|\Z)", re.MULTILINE)
MAY_END_EARLY = re.compile(rb"^(?:exit|exec|source|\.)(?:\s|$)", re.MULTILINE)


def hook_path(repo: str, env: Mapping[str, str] | None = None) -> Path:
    """Return where git looks for the hook: ``core.hooksPath`` counts, and linked worktrees share theirs.

    Raises:
        GitError: ``repo`` is in no repository.
    """
    top = get_repo(repo).path  # where git runs the hook: a relative core.hooksPath counts from there
    folder = os.fsdecode(git(top, "rev-parse", "--git-path", "hooks", env=env)).removesuffix("\n")
    return Path(top, folder, HOOK)


def plan_hook(repo: str, env: Mapping[str, str] | None = None) -> Plan:
    """Return the plan after which the repository's ``post-merge`` refreshes our overlay and index.

    Raises:
        GitError: ``repo`` is in no repository.
        ConfigError: There is a hook that cannot take our lines; the error says what to do.
        BrainError: It cannot be read.
    """
    path = hook_path(repo, env)
    before = read_file(path)
    if before is None:
        return Plan(path, None, NEW_SCRIPT + BLOCK + b"\n", f"installed in {path}", new_mode=0o777)
    _require_shell(before, path)
    after = with_block(before)
    word = "already installed" if after == before else "updated" if FOUND.search(before) else "installed"
    return Plan(path, before, after, f"{word} in {path}", new_mode=0o777)


def plan_unhook(repo: str, env: Mapping[str, str] | None = None) -> Plan:
    """Return the plan after which ``post-merge`` is as it was; a script that we made goes.

    Raises:
        GitError: ``repo`` is in no repository.
        BrainError: The hook cannot be read.
    """
    path = hook_path(repo, env)
    before = read_file(path)
    after = None if before is None else without_block(before)
    if after == before:
        return Plan(path, before, before, f"not installed in {path}")
    return Plan(path, before, None if after == NEW_SCRIPT else after, f"removed from {path}")


def with_block(script: bytes) -> bytes:
    """Return the script with our lines: at its end, or behind its first line if it may stop before that."""
    found = FOUND.search(script)
    if found:
        end = b"\n" if found.group().endswith(b"\n") else b""
        return script[: found.start()] + BLOCK + end + script[found.end() :]
    if MAY_END_EARLY.search(script):
        first = script.index(b"\n") + 1 if script.startswith(b"#!") else 0
        return script[:first] + BLOCK + b"\n" + script[first:]
    return script + BLOCK + b"\n" if script.endswith(b"\n") or not script else script + b"\n" + BLOCK


def without_block(script: bytes) -> bytes:
    """Return the script without our lines."""
    found = FOUND.search(script)
    if not found:
        return script
    start = found.start() if found.group().endswith(b"\n") else max(0, found.start() - 1)
    return script[:start] + script[found.end() :]


def _require_shell(script: bytes, path: Path) -> None:
    shell = _shell(script)
    if shell not in SHELLS:
        hint = f"call `env -u PYTHONPATH brain-hook git {HOOK}` from it, or wrap it in a shell script"
        raise ConfigError(f"{path}:1", "", f"runs by {shell!r}, and our lines are for a shell", hint)
    if not os.access(path, os.X_OK):
        hint = f"run chmod +x {path} if it may run, or move it away"
        raise ConfigError(str(path), "", "is not executable, so git passes it over", hint)


def _shell(script: bytes) -> str:
    """Return the name of the program that runs the script; git gives one without ``#!`` to ``sh``."""
    if b"\0" in script:
        return "binary"
    if not script.startswith(b"#!"):
        return "sh"
    words = os.fsdecode(script.splitlines()[0][2:]).split()
    names = [os.path.basename(word) for word in words if word != "-S" and "=" not in word]
    return (*names[names[:1] == ["env"] :], "")[0]

"""Errors compose their own sentence and know their exit status (SPEC §13)."""

from __future__ import annotations

import pytest

from brain.errors import BrainError, ConfigError, ConflictError, GitError, InvalidMemoryError, MemoryNotFoundError


@pytest.mark.parametrize(
    ("error", "status", "text", "hint"),
    [
        (BrainError("no", "try"), 3, "no", "try"),
        (InvalidMemoryError("a.md", 3, "id is empty", "give it one"), 3, "a.md:3: id is empty", "give it one"),
        (MemoryNotFoundError("mem-a", "mem-b"), 1, "no memory 'mem-a'", "did you mean mem-b?"),
        (MemoryNotFoundError("mem-a"), 1, "no memory 'mem-a'", ""),
        (
            ConfigError("brain.toml", "memory.topN", "-1 is no whole number from 0"),
            3,
            "brain.toml: memory.topN: -1 is no whole number from 0",
            "",
        ),
        (ConfigError("brain.toml", "", "not TOML", "mend it"), 3, "brain.toml: not TOML", "mend it"),
        (GitError(["fetch", "origin"], 128, "fatal: no\nmore\n"), 4, "git fetch origin: fatal: no", ""),
        (GitError(["fetch"], 128, "warning: x\nfatal: no\n"), 4, "git fetch: fatal: no", ""),
        (GitError(["fetch"], 128, " \n"), 4, "git fetch: exit status 128", ""),
        (ConflictError("it moved on"), 6, "it moved on", ""),
    ],
)
def test_an_error_says_what_it_knows(error: BrainError, status: int, text: str, hint: str) -> None:
    assert (error.exit_code, str(error), error.hint) == (status, text, hint)

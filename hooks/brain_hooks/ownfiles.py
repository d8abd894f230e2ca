"""Files in a host's folder that are ours alone: made, renewed, taken away; another's of the same name is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.errors import ConfigError
from brain_hooks.change import Plan, read_file

if TYPE_CHECKING:
    from pathlib import Path

MARKS = (
    b"made by brain-hook install",
    b'brain-hook copilot SessionStart index"',
    b'brain-hook kiro SessionStart index"',
)
"""What a file of ours holds; JSON has no comment to say so in."""


def is_ours(content: bytes) -> bool:
    """Say whether a file was made by us, by whatever release."""
    return any(mark in content for mark in MARKS)


def plan_own(path: Path, text: str, mode: int = 0o666) -> Plan:
    """Return the plan after which a file of ours has this text.

    Raises:
        ConfigError: Another's file is there.
        BrainError: It cannot be read.
    """
    before, after = read_file(path), text.encode()
    if before is None:
        return Plan(path, None, after, f"installed in {path}", mode)
    if before == after:
        return Plan(path, before, after, f"already installed in {path}", mode)
    if not is_ours(before):
        hint = "call our command from it, or move it away; it was left as it is"
        raise ConfigError(str(path), "", "there is a file that is not ours", hint)
    return Plan(path, before, after, f"updated in {path}", mode)


def plan_own_removal(path: Path) -> Plan:
    """Return the plan after which no file of ours is there; another's stays.

    Raises:
        BrainError: It cannot be read.
    """
    before = read_file(path)
    if before is None or not is_ours(before):
        return Plan(path, before, before, f"not installed in {path}")
    return Plan(path, before, None, f"removed from {path}")

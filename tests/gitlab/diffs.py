"""Diffs as the API gives them: one row a file."""

from __future__ import annotations

from tests.gitlab.git import Repo
from tests.gitlab.state import Row


def diffs_of(repo: Repo, old: str, new: str) -> list[Row]:
    """Return one row for each file that differs, by path; renames are found."""
    raw = repo.run("diff", "--raw", "-z", "-M", "--abbrev=40", old, new).decode(errors="replace").split("\0")
    rows, index = [], 0
    while index < len(raw) and raw[index]:
        old_mode, new_mode, _, _, status = raw[index].lstrip(":").split(" ")
        renamed = status[0] in "RC"
        old_path, new_path = raw[index + 1], raw[index + 2] if renamed else raw[index + 1]
        index += 3 if renamed else 2
        rows.append(_row(repo, (old, new), (old_path, new_path), (old_mode, new_mode), status[0]))
    return rows


def _row(repo: Repo, span: tuple[str, str], paths: tuple[str, str], modes: tuple[str, str], status: str) -> Row:
    return {
        "diff": _hunks(repo, span, paths),
        "collapsed": False,
        "too_large": False,
        "new_path": paths[1],
        "old_path": paths[0],
        "a_mode": modes[0].zfill(1) if modes[0] != "000000" else "0",
        "b_mode": modes[1] if modes[1] != "000000" else "0",
        "new_file": status == "A",
        "renamed_file": status == "R",
        "deleted_file": status == "D",
        "generated_file": False,
    }


def _hunks(repo: Repo, span: tuple[str, str], paths: tuple[str, str]) -> str:
    names = [f":(literal){path}" for path in dict.fromkeys(paths)]
    text = repo.run("diff", "-M", "--no-color", *span, "--", *names).decode(errors="replace")
    start = text.find("@@")
    return text[start:] if start >= 0 else ""


def added_lines(diff: str) -> dict[int, str]:
    """Return new line numbers of a diff's hunks to `new` (added) or `old` (context)."""
    lines: dict[int, str] = {}
    number = 0
    for line in diff.splitlines():
        if line.startswith("@@"):
            number = int(line.split("+")[1].split(" ")[0].split(",")[0])
        elif line.startswith("+"):
            lines[number] = "new"
            number += 1
        elif not line.startswith(("-", "\\")):
            lines[number] = "old"
            number += 1
    return lines


def removed_lines(diff: str) -> dict[int, str]:
    """Return old line numbers of a diff's hunks to `gone` (removed) or `old` (context)."""
    lines: dict[int, str] = {}
    number = 0
    for line in diff.splitlines():
        if line.startswith("@@"):
            number = int(line.split("-")[1].split(" ")[0].split(",")[0])
        elif line.startswith("-"):
            lines[number] = "gone"
            number += 1
        elif not line.startswith(("+", "\\")):
            lines[number] = "old"
            number += 1
    return lines

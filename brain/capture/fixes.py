"""A command that failed, and the one that worked: told only where the way of calling was the mend. Pure.

What a changed file mended says nothing beyond the change itself, and a narrower test no more.
"""

from __future__ import annotations

from brain.capture.turns import CALL, ERROR, RESULT
from brain.lint.pattern import Pattern
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.capture.turns import Turn

REACH = 8
"""Calls after a failure in which its mend is looked for."""
MOST_COMMAND, MOST_ERROR = 160, 200
ERROR_LINE = Pattern(
    r"^\W*(?:E\s+)?((?:\w+\.)*\w*(?:Error|Exception)\b.*|(?:error|fatal|ERR!?|npm ERR!|panic)\b.*"
    r"|.*(?:command not found|[Pp]ermission denied|is not recognized|No module named|not installed|unsupported"
    r"|[Cc]annot find module|[Uu]nable to (?:locate|resolve|find)|[Cc]onnection refused|is required|not set|EACCES).*)$"
)
OF_THE_CODE = Pattern(
    r"AssertionError|assert |SyntaxError|IndentationError|TypeError|NameError|AttributeError|KeyError|ValueError|FAILED"
    r"|expected|No such file or directory|nothing to commit|test(?:s)? failed|error TS\d|error\[E\d|ReferenceError"
    r"|IndexError|ZeroDivisionError|did not match any file|pathspec"
)
"""The code was wrong, or a path, and not the way of calling."""
GUARDS = (
    "<tool_use_error>", "The user doesn't want", "File has not been read", "[Request interrupted", "Command timed out",
    "User rejected", "Exit code 137", "cancelled", "Hook ", "PreToolUse:",
)  # fmt: skip
"""The host's or the person's own no."""
VERBOSITY = Pattern(
    r"^-{1,2}(?:v{1,3}|q{1,2}|x|s|h|help|version|verbose|quiet|lf|ff|tb(?:=\w+)?|no-header|trace|debug|dry-run|n\d*|k|m"
    r"|(?:max|fail)[\w-]*(?:=\d+)?|\d+)$"
)
ASSIGNMENT = Pattern(r"^[A-Za-z_]\w*=\S*$")
JOINERS = frozenset(("&&", "||", ";", "|", "2>&1", "cd"))
PLAIN = frozenset(
    ("cat", "ls", "grep", "rg", "find", "sed", "head", "tail", "cd", "echo", "pwd", "which", "wc", "awk", "test", "rm")
)
"""Programs by which one looks around: their failures are no lesson."""


@value
class Fix:
    """An error's line, the command line that failed with it, and the one that worked."""

    error: str
    failed: str
    worked: str


def find_fixes(turns: Sequence[Turn]) -> dict[int, Fix]:
    """Return the place of each turn at which a command worked that had failed before → what mended it."""
    commands = {turn.call: turn.text for turn in turns if turn.kind == CALL and turn.call}
    edits = {turn.call for turn in turns if turn.kind == CALL and turn.files}
    found: dict[int, Fix] = {}
    for at, turn in enumerate(turns):
        failed = commands.get(turn.call, "")
        error = _error(turn.text) if turn.kind == ERROR and failed else ""
        calls = 0
        for later in range(at + 1, len(turns)) if error else ():
            other = turns[later]
            calls += other.kind == CALL
            if calls > REACH or (other.kind == RESULT and other.call in edits):
                break
            worked = commands.get(other.call, "") if other.kind == RESULT else ""
            if worked and _mends(failed, worked) and not _error(other.text):
                found[later] = Fix(error, failed.strip(), worked.strip())
                break
    return found


def _error(text: str) -> str:
    """Return the last line that says what went wrong in the way of calling, "" where none does."""
    if text.startswith(GUARDS):
        return ""
    lines = [match[1] for line in text.splitlines() if (match := ERROR_LINE.match(line.removeprefix("Output: ")))]
    lines = [line.strip() for line in lines if not OF_THE_CODE.search(line)]
    return lines[-1][:MOST_ERROR] if lines and not OF_THE_CODE.search(lines[-1]) else ""


def _mends(failed: str, worked: str) -> bool:
    """Say whether one command is the other, called in another way: with a variable, an option, or through a program."""
    if max(len(failed), len(worked)) > MOST_COMMAND or "\n" in failed + worked:
        return False
    before, after = failed.split(), worked.split()
    program = _program(before)
    if not program or program in PLAIN or _bare(program) not in map(_bare, after):
        return False
    new = [word for word in after if word not in before]
    common = [word for word in before if word in after]
    telling = [word for word in new if not VERBOSITY.search(word)]
    way = [word for word in telling if ASSIGNMENT.search(word) or word.startswith("-")]
    through = _program(after) != program and bool(telling)
    return (bool(way) or through) and 2 * len(common) >= len([word for word in before if word not in JOINERS])


def _program(words: list[str]) -> str:
    """Return the program that a command line starts: its first word that sets no variable and goes nowhere."""
    if words[:1] == ["cd"] and "&&" in words:
        words = words[words.index("&&") + 1 :]
    return next((word for word in words if not ASSIGNMENT.search(word)), "")


def _bare(word: str) -> str:
    return word.rpartition("/")[2]

"""Have a person write a text in their own editor."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile

from brain.errors import BrainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def edit_text(template: str, env: Mapping[str, str]) -> str:
    """Return what a person makes of ``template`` in ``$VISUAL`` or ``$EDITOR``, without its comments.

    Raises:
        BrainError: There is no editor, or it failed.
    """
    argv = editor_command(env)
    with tempfile.TemporaryDirectory(prefix="brain-") as folder:
        path = os.path.join(folder, "memory.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(template)
        status = os.spawnve(os.P_WAIT, argv[0], [*argv, path], dict(env))  # noqa: S606 - no shell is meant
        if status:
            reason = f"{argv[0]} ended with status {status}: nothing was written"
            raise BrainError(reason, "set EDITOR, or give the text")
        try:
            with open(path, encoding="utf-8-sig") as file:
                return _COMMENT.sub("", file.read()).strip()
        except (OSError, ValueError):
            raise BrainError("the edited text is gone, or not UTF-8", "save it as UTF-8") from None


def editor_command(env: Mapping[str, str]) -> list[str]:
    """Return the editor and its arguments, the program as a path.

    Raises:
        BrainError: None is set, or it is not there.
    """
    name = env.get("VISUAL") or env.get("EDITOR") or "vi"
    try:
        argv = shlex.split(name)
    except ValueError as error:
        raise BrainError(f"EDITOR={name!r}: {error}", "close the quotes") from None
    program = shutil.which(argv[0], path=env.get("PATH")) if argv else None
    if program is None:
        raise BrainError(f"there is no editor {name!r}", "set EDITOR, or give the text as an argument")
    return [program, *argv[1:]]

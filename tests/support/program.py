"""Commands as a person or a script runs them: in this process for what they print, as a program for the rest."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from brain.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CODE = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONDONTWRITEBYTECODE": "1"}

C_LOCALE = {"LC_ALL": "C", **({"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"} if "".join(sys.path).isascii() else {})}
"""A locale that knows ASCII alone. Python loads no compiled module out of a folder called é there; then in UTF-8 mode."""

SHEBANG = f"""#!/bin/sh
'''exec' "{sys.executable}" "$0" "$@"
' '''
"""
"""First lines of a Python file that is a program: the shell starts this Python, whose folder may hold a space."""


class Run:
    """Run commands in a folder; each gives status, stdout and stderr."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.capsys, self.monkeypatch = folder, capsys, monkeypatch

    def __call__(self, *args: str, stdin: str | None = None) -> tuple[int, str, str]:
        import io

        if stdin is not None:
            self.monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        try:
            status = main(["-C", str(self.folder), *args])
        except SystemExit as error:  # argparse's own
            status = int(str(error.code))
        out, err = self.capsys.readouterr()
        return status, out, err


def program(*args: str | bytes, folder: Path | None = None, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run ``brain`` as a process of its own; ``env`` adds to the environment."""
    env = {**os.environ, **CODE, **options.pop("env", {})}
    where = ["-C", str(folder)] if folder else []
    options = {"stdin": subprocess.DEVNULL} | options if "input" not in options else options
    return subprocess.run(
        [sys.executable, "-m", "brain", *where, *args], env=env, capture_output=True, check=False, **options
    )

"""Real repositories for tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.layout import find_place
from brain.memory import Memory, render_memory
from brain.value import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = "99.Memory"
SOURCE = Path(__file__).parents[2]
PROGRAM = {
    "PYTHONPATH": os.pathsep.join(str(SOURCE / room) for room in ("", "hooks", "ci", "api")),
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""Environment in which ``python -m brain`` is this source, whatever the folder."""
COMMIT = "1234567890abcdef1234567890abcdef12345678"


def git(repo: Path | str, *args: str, stdin: str = "") -> str:
    """Return what git prints, without the last newline."""
    done = subprocess.run(
        ["git", "-C", str(repo), *args], input=stdin, capture_output=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, f"git {args}: {done.stderr}"
    return done.stdout.removesuffix("\n")


def make_repo(path: Path, files: Mapping[str, str | bytes] | None = None) -> Path:
    """Make a repository on branch ``main`` with these files in its first commit; none: no commit yet."""
    path.mkdir(parents=True, exist_ok=True)
    git(path, "init", "-q", "-b", "main")
    return commit(path, files, "first") if files else path


def commit(repo: Path, files: Mapping[str, str | bytes | None], message: str = "change") -> Path:
    """Write (None: remove) these files and commit everything."""
    for name, content in files.items():
        file = repo / name
        if content is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)
    return repo


def memory_text(
    path: str, body: str = "Retry a payment at most twice.\n\n**Apply:** count the tries.", **fields: Any
) -> str:
    """Return the file of a memory that lies at ``path`` (below the root); an approved one unless said otherwise."""
    place = find_place(path)
    assert place, path
    memory = Memory(
        place, workflows=("coding",), tags=("payment",), confidence=0.8, source="TICKET-1", status="approved", hits=0,
        created="2026-01-01", body=body, reviewed_by="pm", verified_commit=COMMIT,
    )  # fmt: skip
    return render_memory(replace(memory, **fields))


def make_memory_repo(path: Path, memories: Mapping[str, str] | None = None, settings: str = "") -> Path:
    """Make a memory repo; ``memories`` are texts by path below the root ("" for an ordinary one)."""
    files = {f"{ROOT}/{name}": text or memory_text(name) for name, text in (memories or {}).items()}
    return make_repo(path, {f"{ROOT}/brain.toml": settings, **files})


def clone(origin: Path, path: Path) -> Path:
    """Clone a repository."""
    git(origin, "clone", "-q", os.fspath(origin), os.fspath(path))
    return path


def pending(repo: Path, path: str, text: str = "", **fields: Any) -> Path:
    """Put a draft into a memory repo's ``_pending/``."""
    file = repo / ROOT / "_pending" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text or memory_text(path, status="pending", reviewed_by="", **fields), encoding="utf-8")
    return file

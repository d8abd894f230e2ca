"""What the demo is told with: its folder, its people, programs run as a person would, and the lines of the story."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / ".demo"
BIN = Path(sys.executable).parent
PEOPLE = {
    "GIT_AUTHOR_NAME": "Mai", "GIT_AUTHOR_EMAIL": "mai@example.invalid", "GIT_COMMITTER_NAME": "Mai",
    "GIT_COMMITTER_EMAIL": "mai@example.invalid", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
}  # fmt: skip


def commit(repo: Path, files: dict[str, str], message: str) -> None:
    """Write files and commit everything."""
    if not (repo / ".git").exists():
        subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True, env=environment())
    for name, text in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text, "utf-8")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)


def git(repo: Path, *args: str, env: Mapping[str, str] | None = None) -> str:
    """Return what git prints; ``env`` is added to the environment."""
    environ = environment() | dict(env or {})
    done = subprocess.run(["git", *args], cwd=repo, check=True, env=environ, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def environment() -> dict[str, str]:
    """Return this process's environment, with the demo's people and without a user's settings."""
    return {name: text for name, text in os.environ.items() if not name.startswith("BRAIN_")} | PEOPLE


def tell(text: str) -> None:
    """Print a line of the story."""
    print(f"\n# {text}", flush=True)


def show(text: str) -> None:
    """Print what somebody reads, set off from the story."""
    print("\n" + "\n".join(f"  │ {line}".rstrip() for line in text.splitlines()), flush=True)


def run(
    folder: Path, program: str, *args: str, stdin: str = "", env: Mapping[str, str] | None = None, quiet: bool = False
) -> None:
    """Run one of our programs as a person would, showing the command and what it prints."""
    if not quiet:
        shown = " ".join(f"'{arg}'" if " " in arg else arg for arg in args)
        print(f"\n$ {program} {shown}", flush=True)
    subprocess.run(
        [str(BIN / program), *args], cwd=folder, env=environment() | dict(env or {}), input=stdin.encode(), check=False,
        stdout=subprocess.DEVNULL if quiet else None, stderr=subprocess.STDOUT if not quiet else subprocess.DEVNULL,
    )  # fmt: skip

"""README's commands are run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def block(name: str) -> list[str]:
    """Return the commands of the console block that a comment names."""
    found = re.search(rf"<!-- tested: {name} -->\n```console\n(.*?)```", README, re.DOTALL)
    assert found, name
    return [line[2:] for line in found[1].splitlines() if line.startswith("$ ")]


def test_five_minutes_lead_to_a_recalled_memory(tmp_path: Path) -> None:
    launchers = tmp_path / "bin"
    launchers.mkdir()
    brain = launchers / "brain"
    brain.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}:{ROOT}/ci' exec '{sys.executable}' -m brain \"$@\"\n", "utf-8")
    brain.chmod(0o755)
    commands = [
        line.replace("/tmp/my-team", str(tmp_path / "my team").replace(" ", "\\ ")) for line in block("five-minutes")
    ]
    assert commands[0].startswith("export PATH=")
    script = "\n".join(["set -e", *commands[1:]])
    env = {**os.environ, "PATH": f"{launchers}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "⚠ not approved yet (your draft)" in done.stdout
    assert "The nightly export locks the orders table until 06:00" in done.stdout

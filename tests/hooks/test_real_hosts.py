"""The real programs, offline: our text reaches the model's request.

Two are installed where node and the npm registry are there, the others where ``make hosts`` was run.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.hooks.real_hosts import cache, expected, find_program, install_program, play

PLUGIN = Path(__file__).parents[2] / "hooks" / "claude"
INSTALLED = ("claude", "codex")
SECONDS = 90
"""Longest that npm may take for one."""
CACHE = str(cache())


@pytest.fixture(autouse=True)
def the_persons_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for the programs where the person says, whose settings the sealed environment has not."""
    monkeypatch.setenv("BRAIN_HOSTS", CACHE)


def need(host: str) -> Path:
    """Return a host's program; skip where there is none, with the reason."""
    why = install_program(host, SECONDS) if host in INSTALLED else "make hosts installs it"
    program = find_program(host)
    if not program:
        pytest.skip(f"{host}: {why}")
    done = subprocess.run([program, "--version"], capture_output=True, check=False, timeout=60)
    if done.returncode:  # it wants a newer node
        pytest.skip(f"{host} does not run here: {done.stderr.decode('utf-8', 'replace').strip()[:200]}")
    return program


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "copilot"])
def test_a_session_gets_index_memories_and_offers(host: str, tmp_path: Path) -> None:
    need(host)
    reached, printed = play(host, tmp_path)
    assert reached == expected(host), printed[-2000:]


def test_claude_codes_own_validator_accepts_the_plugin(tmp_path: Path) -> None:
    program = need("claude")
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "DISABLE_AUTOUPDATER": "1"}
    done = subprocess.run(
        [program, "plugin", "validate", PLUGIN], env=env, capture_output=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout
    assert "Validation passed" in done.stdout
    assert done.stdout.count("❯ hooks: ") == sum(
        len(group["hooks"])
        for groups in json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"].values()
        for group in groups
    )


def test_plugin_and_settings_together_deliver_each_text_once(tmp_path: Path) -> None:
    need("claude")
    reached, printed = play("claude", tmp_path, "--plugin-dir", str(PLUGIN))
    assert reached == expected("claude"), printed[-2000:]

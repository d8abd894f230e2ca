"""The real programs, where they are installed (``make hosts`` installs them): our text reaches the model's request."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.hooks.real_hosts import expected, find_program, play

CACHE = os.environ.get("BRAIN_HOSTS") or str(Path.home() / ".cache" / "project-brain" / "hosts")
PLUGIN = Path(__file__).parents[2] / "hooks" / "claude"


@pytest.fixture(autouse=True)
def installed_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for the programs where the person has them, not in the sealed home."""
    monkeypatch.setenv("BRAIN_HOSTS", CACHE)


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "copilot"])
def test_a_session_gets_index_memories_and_offers(host: str, tmp_path: Path) -> None:
    if not find_program(host):
        pytest.skip(f"{host} is not installed below {CACHE}: make hosts installs it")
    reached, printed = play(host, tmp_path)
    assert reached == expected(host), printed[-2000:]


def test_claude_codes_own_validator_accepts_the_plugin(tmp_path: Path) -> None:
    program = find_program("claude")
    if not program:
        pytest.skip(f"claude is not installed below {CACHE}: make hosts installs it")
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
    if not find_program("claude"):
        pytest.skip(f"claude is not installed below {CACHE}: make hosts installs it")
    reached, printed = play("claude", tmp_path, "--plugin-dir", str(PLUGIN))
    assert reached == expected("claude"), printed[-2000:]

"""README's commands are run as they stand, and its sample of what an assistant receives is what comes out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo.__main__ import build_code, text_of
from tests.demo.memories import NOTES, TICKET
from tests.support.hook_process import run_hook
from tests.support.program import program
from tests.support.repos import commit, make_repo

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def block(name: str, text: str) -> list[str]:
    """Return the commands of the console block that a comment names."""
    found = re.search(rf"<!-- tested: {name} -->\n```console\n(.*?)```", text, re.DOTALL)
    assert found, name
    return [line[2:] for line in found[1].splitlines() if line.startswith("$ ")]


def test_five_minutes_lead_to_a_recalled_memory(tmp_path: Path) -> None:
    launchers = tmp_path / "bin"
    launchers.mkdir()
    brain = launchers / "brain"
    brain.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}:{ROOT}/ci' exec '{sys.executable}' -m brain \"$@\"\n", "utf-8")
    brain.chmod(0o755)
    commands = [
        line.replace("/tmp/my-team", str(tmp_path / "my team").replace(" ", "\\ "))
        for line in block("five-minutes", README)
    ]
    assert commands[0].startswith("export PATH=")
    script = "\n".join(["set -e", *commands[1:]])
    env = {**os.environ, "PATH": f"{launchers}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "⚠ not approved yet (your draft)" in done.stdout
    assert "The nightly export locks the orders table until 06:00" in done.stdout


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return the demo's workspace, with its ticket and Mai's draft."""
    memory, shop = make_repo(tmp_path / "memory"), tmp_path / "shop"
    verified = build_code(shop)
    assert program("init", folder=memory).returncode == 0
    commit(memory, {f"99.Memory/{note.path}": text_of(note, verified) for note in NOTES})
    assert program("init", "--repo", "../memory", folder=shop).returncode == 0
    (shop / ".aiflow/context").mkdir(parents=True)
    (shop / ".aiflow/context/current.json").write_text(json.dumps(TICKET), "utf-8")
    done = program(
        "remember", "Bảng phí của cổng thanh toán tính mỗi lần gửi lại như một giao dịch mới.",
        "--apply", "đếm số lần gửi lại khi ước lượng chi phí.", "--type", "lesson", "--role", "dev",
        "--tags", "payment,retry,fees", "--source", "SHOP-131 / Gate 3", "--slug", "retries-cost-fees", folder=shop,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return shop


def test_the_sample_is_what_an_assistant_receives(shop: Path) -> None:
    sample = README[README.index("<!-- demo -->") : README.index("And why, with")]
    shown = [line for line in sample.splitlines()[2:-2] if line and line != "```"]
    assert len(shown) > 8
    text = run_hook("text", "SessionStart", payload={"cwd": str(shop), "source": "startup"}, cwd=shop).out.decode()
    rows = iter([re.sub(r"since [0-9a-f]{7}", "since #", line) for line in text.splitlines()])
    for line in shown:  # in this order, with what is left out between them
        wanted = re.sub(r"since [0-9a-f]{7}", "since #", line)
        assert wanted in rows, line


def test_the_scores_are_those_that_explain_prints(shop: Path) -> None:
    table = README[README.index("\nid     ") :].partition("\n```")[0].split("\n")[1:]
    printed = program("recall", "--explain", folder=shop).stdout.decode().splitlines()
    start = next(number for number, line in enumerate(printed) if line.startswith("id  "))
    assert [line.split() for line in table] == [line.split() for line in printed[start : start + len(table)]]

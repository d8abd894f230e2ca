"""A newcomer's one command: the memory of the folder at hand, on this machine alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.api.serving import wait_for
from tests.support.program import CODE
from tests.support.repos import SOURCE, clone, commit, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.api.conftest import World


def environment() -> dict[str, str]:
    path = os.pathsep.join([CODE["PYTHONPATH"], str(SOURCE), str(SOURCE / "api")])
    return {**os.environ, **CODE, "PYTHONPATH": path}


def test_one_command_serves_the_folder_at_hand(world: World) -> None:
    clone(world.memory, world.folder / "docs")
    workspace = clone(world.code, world.folder / "Đơn hàng 決済")
    (workspace / ".aiflow").mkdir()
    (workspace / ".aiflow" / "state.json").write_text(json.dumps({"memory": {"repo": "../docs"}}))
    log = world.folder / "log"
    with log.open("wb") as file:
        command = [sys.executable, "-m", "brain_api", "serve", "--port", "0"]
        served = subprocess.Popen(command, cwd=workspace, env=environment(), stderr=file)
    try:
        line = wait_for(
            lambda: next((line for line in log.read_text().splitlines() if "http://127" in line), ""), "the address"
        )
        with httpx.Client(base_url=line.split()[1].rstrip("/"), trust_env=False) as http:
            wait_for(lambda: _ready(http), "the memory")
            (row,) = http.get("/readyz").json()["projects"]
            assert (row["memories"], row["status"]) == (3, "ready")
            base = f"/v1/projects/{row['project']}"
            found = http.post(
                f"{base}/recall", json={"ticket": {"title": "retry a payment", "keywords": ["payment"]}}
            ).json()
            assert found["memories"][0]["id"] == "mem-F003-retry"
            assert git(workspace, "status", "--porcelain", "--ignored=no", "--", ".aiflow/brain") == ""
            assert http.get(f"{base}/index", headers={"host": "evil.example"}).status_code == 421
            commit(
                world.folder / "docs",
                {"99.Memory/00.Shared/glossary/bill.md": memory_text("00.Shared/glossary/bill.md")},
            )
            assert http.get(f"{base}/memories").json()["total"] == 3, "what no remote has is not approved"
    finally:
        served.terminate()
        assert served.wait(30) == 0


def _ready(http: httpx.Client) -> bool:
    try:
        return http.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize(("args", "said"), [
    (("serve", "nowhere"), "is no folder"), (("serve", ".", "--settings", "x"), "not both"), (("serve", "--settings", "x"), "x: No such file"),
    (("token", "list", "--settings", "x"), "x: No such file"),
])  # fmt: skip
def test_what_cannot_be_served_is_said_in_one_line(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "brain_api", *args],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_a_memory_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "brain_api", "serve", "--port", "0"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode != 0
    assert f"no memory repo: {tmp_path} holds no 99.Memory and names none" in done.stderr
    assert "run brain init" in done.stderr
    assert not list(tmp_path.iterdir())

"""``brain-hook doctor``: installed, trusted, seen; and what ``install`` says beside."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from brain_hooks import trust
from brain_hooks.places import PLACES
from brain_hooks.report import Seen, as_lines, look, needs_mending
from tests.support.hook_process import LAUNCHER, World
from tests.support.program import SHEBANG

NEVER = "no session got memory here yet"


@pytest.fixture(autouse=True)
def bin_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put ``brain-hook`` on the PATH, as an installation does."""
    program = tmp_path / "bin" / "brain-hook"
    program.parent.mkdir()
    program.write_text(f"{SHEBANG}{LAUNCHER}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def run(world: World, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["brain-hook", *arguments], cwd=world.workspace, capture_output=True, check=False, encoding="utf-8"
    )
    return done.returncode, done.stdout, done.stderr


def test_where_nothing_is_installed_the_hosts_are_named(world: World) -> None:
    assert run(world, "doctor") == (0, f"not installed: {', '.join(PLACES)}\n", "")


def test_each_host_says_where_its_hooks_stand_and_when_it_got_memory(world: World) -> None:
    run(world, "install", "gemini")
    run(world, "install", "gemini", "--user")
    world.start("startup", "s")
    status, out, err = run(world, "doctor")
    assert (status, err) == (0, "")
    claude, gemini, others = out.splitlines()
    assert gemini == f"gemini: installed (project, user); no MCP entry; {NEVER}"
    assert claude.startswith("claude: not installed; no MCP entry; memory ")
    assert claude.endswith(" s ago")
    assert others.startswith("not installed: codex, copilot")


def test_the_mcp_entry_is_told_of_and_one_that_starts_something_else_is_shown(
    world: World, bin_: Path, sealed: Path
) -> None:
    for host in ("claude", "gemini", "vscode"):
        run(world, "install", host)
    lines = run(world, "doctor")[1].splitlines()
    assert f"claude: installed (project); no MCP entry; {NEVER}" in lines
    assert f"vscode: installed (project); {NEVER}" in lines, "of it no file of servers is known"
    server = bin_.with_name("brain-api")
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    (sealed / ".codex").mkdir()
    old = '[mcp_servers.project-brain]\ncommand = "/opt/old/brain-api"\nargs = ["mcp", "--stdio"]\n'
    (sealed / ".codex" / "config.toml").write_text(old)
    (world.workspace / ".mcp.json").write_text('{"mcpServers": {"project-brain": 7}}')
    run(world, "install", "gemini")
    lines = run(world, "doctor")[1].splitlines()
    assert f"claude: installed (project); MCP entry (project 7); {NEVER}" in lines
    assert f"codex: not installed; MCP entry (user /opt/old/brain-api mcp --stdio); {NEVER}" in lines
    assert f"gemini: installed (project); MCP entry (project); {NEVER}" in lines
    server.unlink()
    (world.workspace / ".mcp.json").write_text("{,}")
    _, out, _ = run(world, "doctor")
    assert f"gemini: installed (project); MCP entry (project), which is not on the PATH here; {NEVER}" in out
    assert f"claude: installed (project); MCP entry (project {world.workspace}/.mcp.json:1: " in out


def test_hooks_that_are_old_or_cannot_be_read_are_a_finding(world: World) -> None:
    run(world, "install", "cursor")
    path = world.workspace / ".cursor" / "hooks.json"
    path.write_text(path.read_text().replace('"timeout": 5', '"timeout": 600'))
    (world.workspace / ".gemini").mkdir()
    (world.workspace / ".gemini" / "settings.json").write_text("{,}")
    status, out, err = run(world, "doctor")
    assert (status, err) == (1, "hint: brain-hook install HOST renews what is old, and says what cannot be read\n")
    assert f"cursor: installed (project old); no MCP entry; {NEVER}" in out
    assert f"gemini: installed (project {world.workspace}/.gemini/settings.json:1: " in out
    assert run(world, "install", "cursor")[1] == f"updated in {path}\n"


def test_codex_says_whether_its_hooks_were_accepted(world: World, sealed: Path) -> None:
    status, out, err = run(world, "install", "codex", "--user", "--hooks-only")
    path = sealed / ".codex" / "hooks.json"
    assert (status, out) == (0, f"installed in {path}\n")
    assert err == "brain-hook: Codex asks for trust first: start codex and accept the hooks (/hooks shows them)\n"
    assert run(world, "install", "codex", "--user") == (0, f"already installed in {path}\n", "")
    assert f"codex: installed (user); no MCP entry; {trust.ACCEPT}; {NEVER}" in run(world, "doctor")[1]
    states = "".join(f'[hooks.state."{path}:session_start:0:{n}"]\ntrusted_hash = "sha256:{n}"\n' for n in range(2))
    (sealed / ".codex" / "config.toml").write_text(states + '[hooks.state."/other:stop:0:0"]\ntrusted_hash = "x"\n')
    assert (
        f"codex: installed (user); no MCP entry; 2 hooks of that file were accepted; {NEVER}" in run(world, "doctor")[1]
    )


@pytest.mark.parametrize("text", [
    "", "broken =", "hooks = 7", "[hooks]\nstate = 7", '[hooks.state."/x:stop:0:0"]\nenabled = true', '[hooks.state]\n"/x:stop:0:0" = 7',
    '[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:1"\nenabled = false', '[hooks.state."/xy:stop:0:0"]\ntrusted_hash = "sha256:1"',
])  # fmt: skip
def test_what_does_not_say_that_a_hook_is_trusted(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(text)
    assert trust.of_codex(Path("/x"), {"CODEX_HOME": str(tmp_path)}) == trust.ACCEPT
    assert trust.of_codex(Path("/x"), {"HOME": str(tmp_path)}) == trust.ACCEPT


def test_without_a_home_what_can_be_seen_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    run(world, "install", "claude")
    found = {row.host: dict(row.places) for row in look(str(world.workspace), {})}
    assert found["claude"] == {"project": "yes"}
    assert found["codex"] == {}


def test_lines_are_made_of_facts_alone() -> None:
    now = time.time()
    seen = [Seen("codex", {"user": "yes"}, "t", now - 7200), Seen("kiro", {}, "", 0.0)]
    assert as_lines(seen, now) == ["codex: installed (user); t; memory 2 h ago", "not installed: kiro"]
    assert not needs_mending(seen)
    assert needs_mending([Seen("codex", {"user": "old"}, "", 0.0)])


@pytest.mark.parametrize("host", [host for host in PLACES if host != "windsurf"])
def test_every_host_is_installed_as_a_person_types_it(host: str, world: World, sealed: Path) -> None:
    before = {path for path in world.workspace.rglob("*") if ".git/" not in str(path)}
    for flags, place in (((), world.workspace), (("--user",), sealed)):
        status, out, _ = run(world, "install", host, *flags)
        assert (status, out.count("installed in")) == (0, out.count("\n"))
        assert str(place) in out
        assert run(world, "install", host, *flags)[1].startswith("already installed in ")
    assert run(world, "uninstall", host, "--dry-run")[1].startswith("--- ")
    for flags in ((), ("--user",)):
        assert run(world, "uninstall", host, *flags)[0] == 0
    after = {path for path in world.workspace.rglob("*") if ".git/" not in str(path) and path.is_file()}
    assert after - before == set()


@pytest.mark.parametrize(("host", "flag"), [("windsurf", "--user"), ("codex", "--local")])
def test_a_host_without_such_a_file_says_which_it_has(host: str, flag: str, world: World) -> None:
    status, out, err = run(world, "install", host, flag)
    assert (status, out) == (3, "")
    assert err.startswith(f"brain-hook: {host}: {flag}: it has no such file\nhint: use --project")


def test_what_cannot_be_installed_is_printed_for_the_hand(world: World) -> None:
    path = world.workspace / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text("hooks = {Stop = []}\n")
    status, out, err = run(world, "install", "codex")
    assert (status, path.read_text()) == (3, "hooks = {Stop = []}\n")
    assert err.endswith("or put this in by hand:\n")
    assert '[[hooks.SessionStart.hooks]]\ntype = "command"\n' in out
    script = world.workspace / ".clinerules" / "hooks" / "PreToolUse"
    script.parent.mkdir(parents=True)
    script.write_text("#!/bin/sh\n")
    status, out, err = run(world, "install", "cline")
    assert (status, "there is a file that is not ours" in err) == (3, True)
    assert f"{script}:\n#!/bin/sh\n" in out
    assert not (script.parent / "UserPromptSubmit").exists()  # all or nothing


def test_an_installed_hook_runs_as_its_host_would_start_it(world: World) -> None:
    run(world, "install", "codex")
    found = json.loads((world.workspace / ".codex" / "hooks.json").read_text())["hooks"]["SessionStart"][0]["hooks"]
    payload = json.dumps({"session_id": "s", "cwd": str(world.workspace), "source": "startup"})
    for entry, part in zip(found, ("index", "memories"), strict=True):
        done = subprocess.run(
            ["sh", "-c", entry["command"]], input=payload, capture_output=True, check=True, encoding="utf-8", cwd="/"
        )
        assert f'<project-brain part=\\"{part}\\">' in done.stdout

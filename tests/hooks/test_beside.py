"""What is installed beside the hooks: the MCP entry, the instruction, and the copy of what was there before."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest

from brain_hooks.beside import ENTRY, FILES, NO_SERVER, TEXTS, TOML, instructions
from tests.support.hook_process import LAUNCHER
from tests.support.program import SHEBANG
from tests.support.repos import make_repo

CONFIGS = Path(__file__).parents[1] / "data" / "configs"
OWN = "project-brain"
CLAUDE_MD = "# Shop\r\n\r\nAlways run `make check`.\r\n"


@pytest.fixture
def bin_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put ``brain-hook`` and ``brain-api`` on the PATH, as an installation does."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("brain-hook", "brain-api"):
        (folder / name).write_text(f"{SHEBANG}{LAUNCHER}")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.fixture
def project(tmp_path: Path, bin_: Path) -> Path:
    return make_repo(tmp_path / "dự án 案件", {"src/a.py": "x"})


def run(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    done = subprocess.run(["brain-hook", *arguments], cwd=cwd, capture_output=True, check=False, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder but git's own."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def put(path: Path, content: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("host", sorted({*FILES, *TEXTS}))
def test_where_nothing_was_all_of_it_comes_and_goes(host: str, project: Path) -> None:
    before = tree(project)
    status, out, _ = run("install", host, cwd=project)
    after = tree(project)
    assert status == 0
    assert ("project" in FILES.get(host, {})) == any(b"brain-api" in content for content in after.values())
    assert (host in TEXTS) == (TEXTS.get(host) in after)
    assert sorted(line.removeprefix("installed in ") for line in out.splitlines()) == sorted(
        str(project / name) for name in after.keys() - before.keys()
    )
    assert run("install", host, cwd=project)[0] == 0
    assert tree(project) == after
    assert run("uninstall", host, cwd=project)[0] == 0
    assert tree(project) == before


@pytest.mark.parametrize(
    ("host", "name", "config"),
    [("claude", ".mcp.json", "mcp.json"), ("cursor", ".cursor/mcp.json", "mcp.json"),
     ("gemini", ".gemini/settings.json", "gemini.settings.comments.jsonc"),
     ("codex", ".codex/config.toml", "codex.config.toml")],
)  # fmt: skip
def test_an_entry_stands_beside_those_of_others(host: str, name: str, config: str, project: Path) -> None:
    file = put(project / name, (CONFIGS / config).read_bytes())
    before = file.read_bytes()
    assert run("install", host, cwd=project)[0] == 0
    text = file.read_text("utf-8")
    assert "db-mcp" in text
    if file.suffix == ".toml":
        assert tomllib.loads(text)["mcp_servers"] == {"db": {"command": "db-mcp"}, OWN: ENTRY}
        assert "# my codex" in text
    elif host != "gemini":
        assert json.loads(text)["mcpServers"][OWN] == ENTRY
    else:
        assert '"project-brain"' in text
        assert "/* lint after edits */" in text
    assert run("install", host, cwd=project)[0] == 0
    assert file.read_text("utf-8") == text
    assert run("uninstall", host, cwd=project)[0] == 0
    assert file.read_bytes() == before


def test_an_entry_that_somebody_changed_is_theirs(project: Path) -> None:
    changed = '{"mcpServers": {"project-brain": {"command": "/opt/brain-api", "args": ["mcp", "--debug"]}}}'
    file = put(project / ".mcp.json", changed)
    run("install", "claude", cwd=project)
    assert file.read_text() == changed
    run("uninstall", "claude", cwd=project)
    assert file.read_text() == changed


@pytest.mark.parametrize(
    "text", [CLAUDE_MD, CLAUDE_MD.replace("\r", ""), "no end of line", "\ufeff# 案件\n", "# Đơn hàng\n\n\n", "\n"]
)
def test_the_instruction_is_one_block_and_all_else_keeps_its_bytes(text: str, project: Path) -> None:
    file = put(project / "CLAUDE.md", text)
    run("install", "claude", cwd=project)
    found = file.read_bytes().decode()
    assert found.startswith(text)
    assert found.replace("\r\n", "\n").count(instructions().text) == 1
    assert ("\r\n" in text) == ("\r\n" in found)
    assert found.count("\n") == found.count("\r\n") or "\r\n" not in found
    file.write_bytes(found.replace("## Team memory", "## Older words").encode() + b"More of theirs.\n")
    run("install", "claude", cwd=project)
    assert "Older words" not in file.read_text("utf-8")
    assert file.read_bytes().endswith(b"More of theirs.\n")
    file.write_bytes(found.encode())
    run("uninstall", "claude", cwd=project)
    assert file.read_bytes() == text.encode()


def test_an_instruction_stays_while_another_host_needs_it(project: Path) -> None:
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    put(project / "AGENTS.md", "# Ours\n")
    run("install", "claude", cwd=project)
    run("install", "codex", cwd=project)
    assert (project / "AGENTS.md").read_text().count("## Team memory") == 1
    run("uninstall", "codex", cwd=project)
    assert "## Team memory" in (project / "AGENTS.md").read_text()
    run("uninstall", "claude", cwd=project)
    assert (project / "AGENTS.md").read_text() == "# Ours\n"
    assert (project / "CLAUDE.md").is_symlink()


def test_without_the_server_no_entry_is_written_and_it_is_said(project: Path, bin_: Path) -> None:
    (bin_ / "brain-api").unlink()
    status, _, err = run("install", "claude", cwd=project)
    assert (status, (project / ".mcp.json").exists()) == (0, False)
    assert err == f"brain-hook: {NO_SERVER}\n"


def test_hooks_alone_where_only_they_are_wanted(project: Path) -> None:
    run("install", "claude", "--hooks-only", cwd=project)
    assert [name for name in tree(project) if name != "src/a.py"] == [".claude/settings.json"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [(".mcp.json", '{"mcpServers": {},}', ".mcp.json:1: a comma"), (".mcp.json", '{"mcpServers": []}', "mcpServers"),
     ("CLAUDE.md", b"caf\xe9\n", "CLAUDE.md:1: is not UTF-8")],
)  # fmt: skip
def test_what_cannot_be_read_is_left_with_all_the_rest(
    name: str, content: bytes | str, said: str, project: Path
) -> None:
    put(project / name, content)
    before = tree(project)
    status, _, err = run("install", "claude", cwd=project)
    assert (status, tree(project)) == (3, before)
    assert said in err


@pytest.mark.parametrize("text", ['mcp_servers = {db = {command = "x"}}\n', "[mcp_servers\n", "mcp_servers = 3\n"])
def test_a_toml_that_cannot_take_the_entry_is_left(text: str, project: Path) -> None:
    file = put(project / ".codex/config.toml", text)
    status, _, err = run("install", "codex", cwd=project)
    assert (status, file.read_text()) == (3, text)
    assert "hint: " in err
    assert TOML.put_into("") == TOML.text + "\n"


def test_a_copy_in_a_repo_lies_where_git_never_takes_it_along(project: Path) -> None:
    secret = '{"env": {"SOME_TOKEN": "only-here"}}\n'
    file = put(project / ".claude/settings.local.json", secret)
    file.chmod(0o600)
    run("install", "claude", "--local", cwd=project)
    copy = project / ".git/brain/backup/.claude/settings.local.json"
    assert copy.read_text() == secret
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not list(project.rglob("*.brain-backup"))
    file.write_text(file.read_text().replace("only-here", "newer"))
    run("uninstall", "claude", "--local", cwd=project)
    assert copy.read_text() == secret


def test_a_copy_elsewhere_lies_beside_and_goes_when_all_is_as_it_was(project: Path, sealed: Path) -> None:
    file = put(sealed / ".gemini/settings.json", (CONFIGS / "gemini.settings.comments.jsonc").read_bytes())
    before = file.read_bytes()
    run("install", "gemini", "--user", cwd=project)
    copy = file.with_name("settings.json.brain-backup")
    assert copy.read_bytes() == before
    run("install", "gemini", "--user", cwd=project)
    assert copy.read_bytes() == before
    run("uninstall", "gemini", "--user", cwd=project)
    assert (file.read_bytes(), copy.exists()) == (before, False)


def test_a_dry_run_shows_all_and_copies_nothing(project: Path) -> None:
    put(project / "CLAUDE.md", CLAUDE_MD)
    before = tree(project)
    status, out, _ = run("install", "claude", "--dry-run", cwd=project)
    assert status == 0
    assert [line for line in out.splitlines() if line.startswith("+++ ")] == [
        f"+++ {project / name}" for name in (".claude/settings.json", ".mcp.json", "CLAUDE.md")
    ]
    assert tree(project) == before
    assert not (project / ".git/brain/backup").exists()

"""``brain-hook install`` and ``uninstall`` as a person types them, and what they installed as the host runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from brain import __version__
from brain_hooks.githook import BLOCK
from tests.support.hook_process import LAUNCHER, World, ids, lines
from tests.support.program import SHEBANG
from tests.support.repos import make_repo

CONFIGS = Path(__file__).parents[1] / "data" / "configs"
SCOPES = {"": ".claude/settings.json", "--project": ".claude/settings.json", "--local": ".claude/settings.local.json"}
BROKEN = [
    "claude.settings.trailing-comma.json.txt",
    "claude.settings.duplicate-keys.json.txt",
    "claude.settings.hooks-wrong-type.json",
    "gemini.settings.comments.jsonc",
]


@pytest.fixture
def bin_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put ``brain-hook`` on the PATH, as an installation does."""
    program = tmp_path / "bin" / "brain-hook"
    program.parent.mkdir()
    program.write_text(f"{SHEBANG}{LAUNCHER}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def run(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    environment = {name: text for name, text in {**os.environ, **(env or {})}.items() if text != ""}
    done = subprocess.run(["brain-hook", *arguments], cwd=cwd, env=environment, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def project(tmp_path: Path, bin_: Path) -> Path:
    return make_repo(tmp_path / "dự án 案件", {"src/a.py": "x"})


@pytest.mark.parametrize("flag", SCOPES)
def test_install_twice_and_uninstall_in_each_scope(flag: str, project: Path) -> None:
    path, flags = project / SCOPES[flag], [flag] if flag else []
    only = [*flags, "--hooks-only"]
    assert run("install", "claude", *only, cwd=project / "src") == (0, f"installed in {path}\n", "")
    content = path.read_bytes()
    assert run("install", "claude", *only, cwd=project) == (0, f"already installed in {path}\n", "")
    assert path.read_bytes() == content
    status, out, err = run("uninstall", "claude", *flags, cwd=project)
    assert (status, err) == (0, "")
    assert str(path) in out
    assert not path.exists() or "brain-hook" not in path.read_text()
    assert run("uninstall", "claude", *flags, cwd=project) == (0, f"not installed in {path}\n", "")


def test_the_users_own_scope(project: Path, sealed: Path, tmp_path: Path) -> None:
    path = sealed / ".claude" / "settings.json"
    assert run("install", "claude", "--user", cwd=project) == (0, f"installed in {path}\n", "")
    assert not (project / ".claude").exists()
    other = tmp_path / "elsewhere"
    assert run("install", "claude", "--user", cwd=project, env={"CLAUDE_CONFIG_DIR": str(other)})[0] == 0
    assert (other / "settings.json").read_bytes() == path.read_bytes()
    status, out, err = run("install", "claude", "--user", cwd=project, env={"HOME": ""})
    assert (status, "HOME: is not set" in err, json.loads(out)["hooks"].keys()) == (
        3,
        True,
        {"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "SessionEnd"},
    )


def test_dry_run_shows_and_does_nothing(project: Path) -> None:
    path = project / ".claude" / "settings.json"
    status, out, err = run("install", "claude", "--dry-run", "--hooks-only", cwd=project)
    assert (status, err, path.exists()) == (0, "", False)
    assert out.startswith(f"--- /dev/null\n+++ {path}\n")
    assert "brain-hook claude SessionStart index" in out
    run("install", "claude", cwd=project)
    before = path.read_bytes()
    assert run("install", "claude", "--dry-run", cwd=project) == (0, f"already installed in {path}\n", "")
    assert run("uninstall", "claude", "--dry-run", cwd=project)[1].startswith(f"--- {path}\n")
    assert path.read_bytes() == before
    assert run("install", "git", "--dry-run", cwd=project)[1].startswith("--- /dev/null\n")
    assert not (project / ".git" / "hooks" / "post-merge").exists()


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_claude_would_not_read_is_left_and_the_snippet_printed(name: str, project: Path) -> None:
    path = project / ".claude" / "settings.json"
    path.parent.mkdir()
    shutil.copy(CONFIGS / name, path)
    before = path.read_bytes()
    status, out, err = run("install", "claude", cwd=project)
    assert path.read_bytes() == before
    assert status == 3
    assert err.startswith(f"brain-hook: {path}:")
    assert "\nhint: " in err
    assert err.endswith("or put this in by hand:\n")
    path.unlink()
    run("install", "claude", cwd=project)
    assert json.loads(out) == json.loads(path.read_bytes())


def test_uninstall_prints_no_snippet(project: Path) -> None:
    path = project / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{,}")
    status, out, err = run("uninstall", "claude", cwd=project)
    assert (status, out, "by hand" in err) == (3, "", False)


def test_a_hook_that_is_no_shell_script_gets_the_lines_to_paste(project: Path) -> None:
    hook = project / ".git" / "hooks" / "post-merge"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/usr/bin/env node\n")
    hook.chmod(0o755)
    status, out, err = run("install", "git", cwd=project)
    assert (status, out) == (3, BLOCK.decode() + "\n")
    assert "runs by 'node'" in err
    assert hook.read_text() == "#!/usr/bin/env node\n"


def test_git_and_back(project: Path) -> None:
    hook = project / ".git" / "hooks" / "post-merge"
    assert run("install", "git", cwd=project / "src") == (0, f"installed in {hook}\n", "")
    assert run("install", "git", cwd=project) == (0, f"already installed in {hook}\n", "")
    assert run("uninstall", "git", cwd=project) == (0, f"removed from {hook}\n", "")
    assert not hook.exists()


def test_git_outside_a_repository(tmp_path: Path, bin_: Path) -> None:
    status, out, err = run("install", "git", cwd=tmp_path)
    assert (status, out) == (4, BLOCK.decode() + "\n")
    assert "is not in a git repository" in err


@pytest.mark.parametrize(("arguments", "status", "out", "err"), [
    (("--version",), 0, f"brain-hook {__version__}\n", ""), (("install",), 2, "", "required: host"), (("install", "nobody"), 2, "", "invalid choice"),
    (("install", "claude", "--user", "--local"), 2, "", "not allowed with"), (("-h",), 0, "usage: brain-hook", ""), (("uninstall", "-h"), 0, "usage: ", ""),
])  # fmt: skip
def test_usage(arguments: tuple[str, ...], status: int, out: str, err: str, project: Path) -> None:
    found = run(*arguments, cwd=project)
    assert found[0] == status
    assert out in found[1]
    assert err in found[2]


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp932"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_any_locale_prints_any_path(env: dict[str, str], project: Path) -> None:
    said = f"installed in {project}/.claude/settings.json\n"
    assert run("install", "claude", "--hooks-only", cwd=project, env=env) == (0, said, "")


def test_a_folder_that_is_gone_or_read_only_is_said(project: Path, bin_: Path, tmp_path: Path) -> None:
    script = "mkdir gone && cd gone && rmdir ../gone && brain-hook install claude"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith(b"brain-hook: ")  # the shell speaks first
    assert b"Traceback" not in done.stderr
    (project / ".claude").write_text("a file where the folder belongs")
    status, _, err = run("install", "claude", cwd=project)
    assert (status, "cannot be " in err) == (3, True)


def test_a_pipe_that_closes_is_no_traceback(project: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", "brain-hook install claude --dry-run >&-; brain-hook install claude --dry-run > /dev/full"],
        cwd=project,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr


# what was installed, as the host runs it


def installed(path: Path) -> list[list[str]]:
    """Return the commands in a settings file."""
    groups = json.loads(path.read_bytes())["hooks"]["SessionStart"]
    return [entry["command"].split() for group in groups for entry in group["hooks"]]


@pytest.mark.parametrize("flag", ["--project", "--local", "--user"])
def test_the_very_command_that_was_installed_delivers(flag: str, world: World, bin_: Path, sealed: Path) -> None:
    assert run("install", "claude", flag, cwd=world.workspace)[0] == 0
    path = sealed / ".claude" / "settings.json" if flag == "--user" else world.workspace / SCOPES[flag]
    for name in ("brain", "brain_hooks", "hooks", "json", "typing", "zlib", "re", "os", "site", "encodings"):
        (world.workspace / name).mkdir()
        (world.workspace / name / "__init__.py").write_text("raise SystemExit('of the user')")
    commands = installed(path)
    assert [command[-3:] for command in commands] == [
        ["claude", "SessionStart", part] for part in ("index", "memories")
    ]
    payload = json.dumps(
        {"session_id": "s", "cwd": str(world.workspace), "source": "startup", "hook_event_name": "SessionStart"}
    ).encode()
    texts = []
    for command in commands:
        done = subprocess.run(
            command,
            input=payload,
            cwd=world.workspace,
            env={**os.environ, "PYTHONPATH": f"{world.workspace}:."},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        texts.append(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])
    assert "mem-F001-retry" in lines(texts[0])
    assert "mem-F001-retry" in ids(texts[1])


def test_two_scopes_at_once_deliver_once(world: World, bin_: Path, sealed: Path) -> None:
    """Claude runs one command once; a host that runs both gets one text each all the same."""
    for flag in ("--user", "--project"):
        run("install", "claude", flag, cwd=world.workspace)
    paths = [sealed / ".claude" / "settings.json", world.workspace / ".claude" / "settings.json"]
    assert installed(paths[0]) == installed(paths[1])
    payload = json.dumps({"session_id": "s", "cwd": str(world.workspace), "source": "startup"}).encode()
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=world.workspace)
        for path in paths for command in installed(path)
    ]  # fmt: skip
    answers = [process.communicate(payload)[0] for process in running]
    assert sum(answer != b"{}" for answer in answers) == 2

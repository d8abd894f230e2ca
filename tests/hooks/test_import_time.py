"""The warm path stays light: a list of what it may load, and no process at all."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.hook_process import CODE, World, ids, run_hook
from tests.support.repos import commit, git, memory_text, pending

STANDARD = {
    # of Python's own; each is built in, in C, or a few lines
    "__future__", "_bisect", "_json", "bisect", "encodings.utf_16_le", "encodings.utf_8_sig", "gc", "itertools", "math", "mmap", "select",
    "unicodedata", "zlib", "array", "_signal", "encodings.unicode_escape",
}  # fmt: skip
OURS = {
    "brain", "brain.clock", "brain.decisions", "brain.drafts", "brain.environment", "brain.errors", "brain.files", "brain.frontmatter", "brain.git",
    "brain.git.fetch", "brain.git.objects", "brain.git.refs", "brain.git.run", "brain.index", "brain.index.cache", "brain.index.segment",
    "brain.json_text", "brain.layout", "brain.memory", "brain.memory_index", "brain.recall", "brain.recall.choose", "brain.recall.cover",
    "brain.recall.doubts", "brain.recall.files", "brain.recall.profile", "brain.recall.query", "brain.recall.rank", "brain.recall.recall",
    "brain.recall.render", "brain.recall.score", "brain.recall.text", "brain.settings", "brain.stale", "brain.stale.answers",
    "brain.stale.check", "brain.stale.lines", "brain.stale.memories", "brain.stale.objects", "brain.stale.overlay", "brain.stale.refs",
    "brain.stale.renames", "brain.tags", "brain.telemetry", "brain.terms", "brain.text", "brain.ticket", "brain.tokens", "brain.value",
    "brain.workspace", "brain_hooks", "brain_hooks.cli", "brain_hooks.event", "brain_hooks.hosts", "brain_hooks.hosts.host",
    "brain_hooks.place", "brain_hooks.reading", "brain_hooks.session", "brain_hooks.start",
}  # fmt: skip
LAYER_3 = {"brain.recall.offer", "brain_hooks.offer"}
"""What a prompt or a file loads beside."""
TOO_HEAVY = {
    "re", "json", "dataclasses", "typing", "subprocess", "datetime", "enum", "collections", "functools", "contextlib", "pathlib", "yaml",
    "tomllib", "sqlite3", "logging", "argparse", "inspect", "shutil", "tempfile", "threading", "signal", "traceback", "ast", "pygit2",
    "brain.index.build", "brain.compose", "brain.cli", "brain_hooks.people", "brain_hooks.install",
}  # fmt: skip
"""Said by name, though the list above leaves them out: who adds one of these there should read this first."""
LISTING = f"""
import os, sys
before = set(sys.modules)
sys.path[1:1] = [{str(CODE)!r}, {str(CODE / "hooks")!r}]
leave = os._exit
def list_modules(status):
    with open(os.environ["MODULES"], "w") as file:
        file.write("\\n".join(sorted(set(sys.modules) - before)))
    leave(status)
os._exit = list_modules
from brain_hooks.cli import entry
entry()
"""
SETTINGS = {
    "rule": {}, "hybrid": {"BRAIN_RECALL_SCORER": "hybrid"},
    "no fetch": {"BRAIN_RECALL_FETCH_SECONDS": "0"}, "every setting": {"BRAIN_MEMORY_TOP_N": "3", "BRAIN_REVIEW_LANGUAGE": "vi"},
}  # fmt: skip


def modules_of(
    world: World, tmp_path: Path, source: str = "startup", env: dict[str, str] | None = None, session: str = ""
) -> set[str]:
    """Return the modules that a session start loads beyond those of Python's own start."""
    launcher, listing = tmp_path / "hook", tmp_path / "modules"
    launcher.write_text(LISTING)
    answer = world.start(
        source, session, launcher=launcher, flags=("-I", "-S"), env={"MODULES": str(listing), **(env or {})}
    )
    assert answer.remark == ""
    assert source == "resume" or ids(answer.text)
    return set(listing.read_text().split())


def make_warm(world: World, env: dict[str, str] | None = None) -> None:
    """Let there be a ticket with files, a stale ref, a draft, team settings, and one session before ours."""
    pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md")
    draft = next((world.memory / "99.Memory" / "_pending").rglob("*.md"))
    os.utime(draft, (1_700_000_000,) * 2)
    context = world.workspace / ".aiflow" / "context" / "current.json"
    context.write_text(
        json.dumps(
            {**json.loads(context.read_text()), "files": ["src/pay.py"], "description": "受注の再試行 Thanh toán lỗi"}
        )
    )
    world.share({"brain.toml": '[memory]\ntopN = 8\n[repos]\nweb = "../web"\n'})
    commit(world.workspace, {"src/pay.py": "tries = 3\n"})
    world.start(env=env)


def test_the_lists_agree() -> None:
    assert not TOO_HEAVY & (STANDARD | OURS)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_warm_start_loads_what_the_list_allows(setting: str, world: World, tmp_path: Path) -> None:
    make_warm(world, SETTINGS[setting])
    for source in ("startup", "compact", "resume"):
        loaded = modules_of(world, tmp_path, source, SETTINGS[setting], "s")
        assert sorted(loaded & TOO_HEAVY) == []
        assert sorted(loaded - STANDARD - OURS) == ["brain_hooks.hosts.claude"]


def test_a_warm_start_that_fetches_loads_no_more(world: World, tmp_path: Path) -> None:
    make_warm(world)
    world.settle()
    assert sorted(modules_of(world, tmp_path) - STANDARD - OURS) == ["brain_hooks.hosts.claude"]


def test_a_sub_agent_loads_no_more(world: World, tmp_path: Path) -> None:
    launcher, listing = tmp_path / "hook", tmp_path / "modules"
    launcher.write_text(LISTING)
    world.start(launcher=launcher, flags=("-I", "-S"), env={"MODULES": str(listing)}, fields={"agent_id": "a"})
    assert sorted(set(listing.read_text().split()) - STANDARD - OURS) == ["brain_hooks.hosts.claude"]


@pytest.mark.parametrize(("host", "event", "fields"), [
    ("claude", "UserPromptSubmit", {"prompt": "受注 を直して ok"}),
    ("codex", "PreToolUse", {"tool_input": {"command": "cat 'src/pay.py'"}}),
    ("gemini", "AfterTool", {"tool_input": {"file_path": "src/pay.py"}}),
])  # fmt: skip
def test_a_prompt_and_a_file_load_little_more_and_no_other_host(
    host: str, event: str, fields: dict[str, object], world: World, tmp_path: Path
) -> None:
    make_warm(world)
    launcher, listing = tmp_path / "hook", tmp_path / "modules"
    launcher.write_text(LISTING)
    payload = {"session_id": "new", "cwd": str(world.workspace), **fields}
    env = {"MODULES": str(listing), "PATH": str(tmp_path)}  # no git there, so none is started
    answer = run_hook(host, event, payload=payload, cwd="/", launcher=launcher, flags=("-I", "-S"), env=env)
    assert 'part=\\"offer\\"' in answer.out.decode()
    loaded = set(listing.read_text().split())
    assert sorted(loaded & TOO_HEAVY) == []
    assert sorted(loaded - STANDARD - OURS - LAYER_3) == [f"brain_hooks.hosts.{host}"]


STUB = '#!/bin/sh\necho "$@" >> "{log}"\nexec "{git}" "$@"\n'


@pytest.mark.parametrize("setting", ["rule", "hybrid"])
def test_where_nothing_moved_no_process_is_started(setting: str, world: World, tmp_path: Path) -> None:
    make_warm(world, SETTINGS[setting])
    log, program = tmp_path / "calls", tmp_path / "bin" / "git"
    program.parent.mkdir()
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    program.write_text(STUB.format(log=log, git=real))
    program.chmod(0o755)
    env = {**SETTINGS[setting], "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    for source in ("startup", "compact", "resume"):  # within the seconds a fetch serves
        assert world.start(source, "s", env=env).remark == ""
    world.settle()
    assert world.start(env={**env, "BRAIN_RECALL_FETCH_SECONDS": "0"}).remark == ""
    assert not log.exists()
    world.start(env=env)
    assert [line.split(" fetch ")[0][:3] for line in log.read_text().splitlines()] == [
        "-C "
    ]  # one: the remote is asked


def test_packed_refs_are_read_without_git(world: World, tmp_path: Path) -> None:
    git(world.memory, "pack-refs", "--all")
    world.start()
    (tmp_path / "git").write_text("#!/bin/sh\nexit 9\n")
    (tmp_path / "git").chmod(0o755)
    answer = world.start(env={"PATH": str(tmp_path), "BRAIN_RECALL_FETCH_SECONDS": "0"})
    assert (answer.remark, ids(answer.text) != []) == ("", True)


def test_after_a_pull_of_little_yaml_and_toml_are_not_loaded(world: World, tmp_path: Path) -> None:
    make_warm(world)
    world.share({"01.Lessons/dev/F-001_Pay/new.md": memory_text("01.Lessons/dev/F-001_Pay/new.md")})
    git(world.memory, "fetch", "-q")
    assert (
        sorted(
            modules_of(world, tmp_path)
            & {"yaml", "tomllib", "json", "re", "subprocess", "dataclasses", "typing", "datetime"}
        )
        == []
    )

"""Installing in real settings files: whole bytes, before and after."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brain.errors import BrainError, ConfigError, ConflictError
from brain_hooks.change import Plan, apply_plan
from brain_hooks.install import default_command, installed, plan_install, plan_uninstall, settings_path
from brain_hooks.places import Scope, line
from tests.support.program import SHEBANG

CONFIGS = Path(__file__).parent.parent / "data" / "configs"
COMMAND = default_command("linux")
BARE = ("brain-hook",)
MATCHER = "startup|resume|clear|compact|fork"
REVERSIBLE = [
    "claude.settings.crlf-bom.json", "claude.settings.empty.json", "claude.settings.hooks-null.json",
    "claude.settings.no-hooks.json", "claude.settings.other-tools.json", "codex.hooks.json", "cursor.hooks.json",
    "mcp.json", "windsurf.hooks.json",
]  # fmt: skip
TEXTS = [
    "{}", "{ }\n", "{\n}", "\n", '{"hooks": {"SessionStart": []}}', '{"hooks": {"SessionStart": null}}',
    '{"hooks":{"SessionStart":[{"hooks":[]}]}}', '{\r\n  "hooks": {\r\n  }\r\n}\r\n', '{"hooks": { "Stop": [] }}',
    '{\n  "hooks": {\n    "SessionStart": [\n    ]\n  }\n}', '{"hooks":{"SessionStart":[7,"brain-hook claude"]}}',
]  # fmt: skip
REFUSED = [
    ("claude.settings.duplicate-keys.json.txt", 1, "the key 'hooks' stands twice in one object"),
    ("claude.settings.hooks-wrong-type.json", 1, "hooks.SessionStart is an object, where a list belongs"),
    ("claude.settings.trailing-comma.json.txt", 2, "a comment, where JSON allows none"),
]
EVENTS = {
    "SessionStart": (MATCHER, ("index", "memories"), 10),
    "UserPromptSubmit": ("", ("",), 5),
    "PreToolUse": ("Read|Edit|MultiEdit|Write|NotebookEdit", ("",), 5),
    "Stop": ("", ("",), 10),
    "PreCompact": ("", ("",), 10),
    "SessionEnd": ("", ("",), 10),
}


def install_claude(path: Path, command: tuple[str, ...]) -> Plan:
    return apply_plan(plan_install("claude", path, command))


def uninstall_claude(path: Path) -> Plan:
    return apply_plan(plan_uninstall("claude", path))


def group(command: tuple[str, ...] = COMMAND, event: str = "SessionStart") -> dict[str, Any]:
    matcher, parts, timeout = EVENTS[event]
    entries = [
        {"type": "command", "command": line([*command, "claude", event, *filter(None, [part])]), "timeout": timeout}
        for part in parts
    ]  # fmt: skip
    return {**({"matcher": matcher} if matcher else {}), "hooks": entries}


def groups(command: tuple[str, ...] = COMMAND) -> dict[str, Any]:
    """Return the members of ``hooks`` that we add to a file without any."""
    return {event: [group(command, event)] for event in EVENTS}


def block(indent: str, unit: str, newline: str = "\n", event: str = "SessionStart") -> str:
    """Return a group of ours as it looks in a file laid out over many lines."""
    return indent + json.dumps(group(event=event), indent=unit).replace("\n", newline + indent)


def rest(indent: str, unit: str, newline: str = "\n") -> str:
    """Return the members behind the first one."""
    return "".join(
        f",{newline}{indent}{json.dumps(event)}: "
        + json.dumps([group(event=event)], indent=unit).replace("\n", newline + indent)
        for event in list(EVENTS)[1:]
    )


def one_line() -> str:
    return ", ".join(f"{json.dumps(event)}: {json.dumps([group(event=event)])}" for event in EVENTS)


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "project ü" / ".claude" / "settings.json"


def put(path: Path, content: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fixture(name: str) -> bytes:
    return (CONFIGS / name).read_bytes()


def beside(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


def test_a_missing_file_is_made_with_its_folder_and_goes_again(settings: Path) -> None:
    plan = install_claude(settings, COMMAND)
    assert settings.read_text() == json.dumps({"hooks": groups()}, indent=2) + "\n"
    assert plan.summary == f"installed in {settings}"
    assert uninstall_claude(settings).summary == f"removed from {settings}"
    assert beside(settings) == []


def put_in(text: str, member: str, new: str) -> str:
    """Return a text with new lines behind a place that it has once."""
    assert text.count(member) == 1
    return text.replace(member, member + new)


OTHERS = fixture("claude.settings.other-tools.json").decode()
INSTALLED = {
    "claude.settings.hooks-null.json": f'{{"hooks": {{{one_line()}   }}}}\n',
    "claude.settings.no-hooks.json": '{\n\t"model": "opus",\n\t"hooks": '
    + json.dumps(groups(), indent="\t").replace("\n", "\n\t")
    + "\n}",
    "claude.settings.old-brain.json": '{\n  "hooks": {\n    "SessionStart": [\n'
    + block("      ", "  ")
    + ',\n      { "matcher": "startup", "hooks": [\n          { "type": "command", "command": "echo mine" } ] }\n    ]'
    + rest("    ", "  ")
    + "\n  }\n}\n",
    "claude.settings.other-tools.json": put_in(
        put_in(OTHERS, '"timeout": 5 } ] }', ",\n" + block("            ", "    ")),
        '"url": "http://127.0.0.1:9/x" } ] }\n        ]',
        rest("        ", "    "),
    ),
}


@pytest.mark.parametrize("name", INSTALLED)
def test_a_users_file_gets_our_group_and_keeps_every_other_byte(settings: Path, name: str) -> None:
    install_claude(put(settings, fixture(name)), COMMAND)
    assert settings.read_bytes().decode() == INSTALLED[name]
    assert beside(settings) == ["settings.json"]


@pytest.mark.parametrize("command", [COMMAND, BARE])
@pytest.mark.parametrize("content", [*map(fixture, REVERSIBLE), *(text.encode() for text in TEXTS)])
def test_uninstall_gives_the_users_bytes_back(settings: Path, content: bytes, command: tuple[str, ...]) -> None:
    put(settings, content)
    assert installed(settings) == "no"
    assert install_claude(settings, command).summary == f"installed in {settings}"
    assert installed(settings) == "yes"
    hooks = json.loads(settings.read_bytes().decode("utf-8-sig"))["hooks"]
    assert {event: hooks[event][-1] for event in EVENTS} == {event: group(command, event) for event in EVENTS}
    once = settings.read_bytes()
    again = install_claude(settings, command)
    assert (again.summary, again.changed, again.diff) == (f"already installed in {settings}", False, "")
    assert settings.read_bytes() == once
    uninstall_claude(settings)
    assert settings.read_bytes() == content
    assert uninstall_claude(settings).summary == f"not installed in {settings}"


@pytest.mark.parametrize(("name", "line", "reason"), REFUSED)
def test_a_file_that_the_host_would_not_read_is_left_as_it_is(
    settings: Path, name: str, line: int, reason: str
) -> None:
    put(settings, fixture(name))
    with pytest.raises(ConfigError) as caught:
        install_claude(settings, COMMAND)
    assert (str(caught.value), bool(caught.value.hint)) == (f"{settings}:{line}: {reason}", True)
    assert installed(settings) == f"{settings}:{line}: {reason}"
    assert (settings.read_bytes(), beside(settings)) == (fixture(name), ["settings.json"])


def test_text_that_is_not_utf8_is_refused_by_its_line(settings: Path) -> None:
    put(settings, b'{\n"model": "\xff"}')
    with pytest.raises(ConfigError) as caught:
        plan_install("claude", settings, COMMAND)
    assert (str(caught.value), caught.value.hint) == (f"{settings}:2: is not UTF-8", "save the file as UTF-8")


OURS = [
    {"command": "brain-hook claude SessionStart"},
    {"type": "command", "command": '"/old place/brain-hook" claude SessionStart', "timeout": 10},
    {"command": "'/old/brain-hook' claude SessionStart index"},
    {"command": '"C:\\Program Files\\brain\\Brain-Hook.EXE" claude SessionStart'},
    {"command": "env -u PYTHONPATH brain-hook claude SessionStart"},
    {"command": "env", "args": ["-u", "PYTHONPATH", "brain-hook", "claude", "SessionStart", "index"]},
    {"command": "/usr/bin/env brain-hook claude SessionStart"},
    {"command": "/venv/bin/python -I -m brain_hooks claude SessionStart"},
    {"command": "C:/py/python.exe", "args": ["-E", "-P", "-m", "brain_hooks", "claude", "SessionStart"]},
    {"command": "/x y/brain-hook", "args": ["claude", "Stop"]},
]
NOT_OURS: list[Any] = [
    {"command": "echo brain-hook claude SessionStart"},
    {"command": "my-brain-hook claude SessionStart"},
    {"command": "brain-hook codex SessionStart"},
    {"command": "/opt/brain-hook/run claude"},
    {"command": "python -m brain_hooks_extra claude"},
    {"command": "brain-hook", "args": ["codex"]},
    {"command": ["brain-hook", "claude"]},
    {"type": "http", "url": "http://127.0.0.1:9/brain-hook claude"},
    {"command": ""},
    {"command": "env"},
    None,
    "brain-hook claude SessionStart",
]


@pytest.mark.parametrize("hook", OURS)
def test_an_older_entry_of_ours_is_replaced_and_can_be_taken_out(settings: Path, hook: dict[str, Any]) -> None:
    put(
        settings,
        json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}, {"hooks": [{"command": "x"}, hook]}]}}),
    )
    assert installed(settings) == "old"
    taken = plan_uninstall("claude", settings).after
    assert json.loads(taken or b"") == {"hooks": {"SessionStart": [{"hooks": [{"command": "x"}]}]}}
    assert install_claude(settings, COMMAND).summary == f"updated in {settings}"
    wanted = {**groups(), "SessionStart": [group(), {"hooks": [{"command": "x"}]}]}
    assert json.loads(settings.read_text()) == {"hooks": wanted}
    assert installed(settings) == "yes"


@pytest.mark.parametrize("hook", NOT_OURS)
def test_an_entry_that_only_looks_like_ours_stays(settings: Path, hook: object) -> None:
    content = json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})
    put(settings, content)
    assert (installed(settings), plan_uninstall("claude", settings).changed) == ("no", False)
    install_claude(settings, COMMAND)
    assert json.loads(settings.read_text())["hooks"]["SessionStart"] == [{"hooks": [hook]}, group()]
    uninstall_claude(settings)
    assert settings.read_text() == content


def test_uninstall_takes_ours_out_of_every_event_and_leaves_no_container_behind(settings: Path) -> None:
    hooks = {event: [{"hooks": [OURS[0]]}, {"hooks": [OURS[1]]}] for event in ("Stop", "SessionStart", "PreCompact")}
    put(settings, json.dumps({"model": "x", "hooks": hooks}, indent=2))
    uninstall_claude(settings)
    assert settings.read_text() == json.dumps({"model": "x"}, indent=2)


def test_a_formatter_in_between_costs_the_empty_containers_only(settings: Path) -> None:
    put(settings, '{"model": "x", "hooks": {}}')
    install_claude(settings, COMMAND)
    put(settings, json.dumps(json.loads(settings.read_text()), indent=4))
    uninstall_claude(settings)
    assert settings.read_text() == json.dumps({"model": "x"}, indent=4)


def test_what_others_added_after_us_stays(settings: Path) -> None:
    install_claude(settings, COMMAND)
    value = json.loads(settings.read_text())
    value["hooks"]["SessionStart"].append({"hooks": [{"command": "later"}]})
    value["model"] = "x"
    put(settings, json.dumps(value, indent=2))
    uninstall_claude(settings)
    assert json.loads(settings.read_text()) == {
        "hooks": {"SessionStart": [{"hooks": [{"command": "later"}]}]},
        "model": "x",
    }


def test_the_old_installation_leaves_nothing_behind(settings: Path) -> None:
    put(settings, fixture("claude.settings.old-brain.json"))
    install_claude(settings, COMMAND)
    uninstall_claude(settings)
    assert settings.read_text() == (
        '{\n  "hooks": {\n    "SessionStart": [\n      { "matcher": "startup", "hooks": [\n'
        '          { "type": "command", "command": "echo mine" } ] }\n    ]\n  }\n}\n'
    )


@pytest.mark.parametrize("change", ["timeout", "matcher", "missing", "twice"])
def test_anything_else_than_what_this_release_writes_is_old(settings: Path, change: str) -> None:
    value = group()
    listed = [value, value] if change == "twice" else [value]
    if change == "timeout":
        value["hooks"][0]["timeout"] = 600
    elif change == "matcher":
        value["matcher"] = "startup"
    elif change == "missing":
        del value["hooks"][1]
    put(settings, json.dumps({"hooks": {**groups(), "SessionStart": listed}}))
    assert installed(settings) == "old"
    install_claude(settings, COMMAND)
    assert json.loads(settings.read_text()) == {"hooks": groups()}


PATHS = [
    ("user", {"HOME": "/home/ü"}, "/home/ü/.claude/settings.json"),
    ("user", {"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c d"}, "/c d/settings.json"),
    ("user", {"HOME": "/h", "CLAUDE_CONFIG_DIR": ""}, "/h/.claude/settings.json"),
    ("user", {"USERPROFILE": "/u"}, "/u/.claude/settings.json"),
    ("project", {}, "/w/.claude/settings.json"),
    ("local", {"CLAUDE_CONFIG_DIR": "/c"}, "/w/.claude/settings.local.json"),
]


@pytest.mark.parametrize(("scope", "env", "wanted"), PATHS)
def test_each_scope_has_its_file(scope: Scope, env: dict[str, str], wanted: str) -> None:
    assert settings_path("claude", scope, Path("/w"), env) == Path(wanted)


def test_without_a_home_the_user_file_cannot_be_told() -> None:
    with pytest.raises(ConfigError, match="HOME: is not set"):
        settings_path("claude", "user", Path("/w"), {})


def test_a_file_names_no_path_of_this_machine() -> None:
    for platform in ("linux", "darwin", "win32"):
        assert not any(os.sep in word or "\\" in word for word in default_command(platform))
    assert (default_command("darwin"), default_command("win32")) == (COMMAND, BARE)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Make a folder whose modules raise, under names that we and the standard library have."""
    for name in (
        "brain/__init__.py",
        "hooks/__init__.py",
        "brain_hooks/__init__.py",
        "json.py",
        "re.py",
        "os.py",
    ):
        put(tmp_path / "hostile" / name, "raise SystemExit('the wrong module')")
    return tmp_path / "hostile"


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """Make a program ``brain-hook`` that prints how it was called."""
    program = put(
        tmp_path / "bin" / "brain-hook",
        f"{SHEBANG}import json, os, re, sys\nprint(json.dumps([sys.argv[1:], 'PYTHONPATH' in os.environ]))\n",
    )
    program.chmod(0o755)
    return program.parent


def run_hooks(settings: Path, path: Path, hostile: Path) -> list[subprocess.CompletedProcess[str]]:
    """Run every installed command as Claude Code does: by a shell, in the workspace, with the user's environment."""
    env = {"PATH": f"{path}:/usr/bin:/bin", "PYTHONPATH": str(hostile)}
    hooks = json.loads(settings.read_text())["hooks"]["SessionStart"][0]["hooks"]
    return [
        subprocess.run(["sh", "-c", hook["command"]], env=env, cwd=hostile, capture_output=True, text=True, check=False)
        for hook in hooks
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX form")
def test_the_installed_command_runs_whatever_pythonpath_holds(settings: Path, stand_in: Path, hostile: Path) -> None:
    install_claude(settings, COMMAND)
    done = run_hooks(settings, stand_in, hostile)
    assert [(run.returncode, json.loads(run.stdout), run.stderr) for run in done] == [
        (0, [["claude", "SessionStart", "index"], False], ""),
        (0, [["claude", "SessionStart", "memories"], False], ""),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX form")
def test_the_bare_program_would_be_misled_so_the_test_above_means_something(
    settings: Path, stand_in: Path, hostile: Path
) -> None:
    install_claude(settings, BARE)
    assert [run.returncode for run in run_hooks(settings, stand_in, hostile)] != [0, 0]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX form")
@pytest.mark.parametrize("folder", ["our place", "Ada's", 'a "b" c', "$HOME `x` 'y'", "日本 (1)", "a!b&c;d"])
def test_a_program_in_any_folder_is_started_and_known_again(
    settings: Path, tmp_path: Path, stand_in: Path, hostile: Path, folder: str
) -> None:
    program = tmp_path / folder / "brain-hook"
    program.parent.mkdir()
    shutil.copy(stand_in / "brain-hook", program)
    install_claude(settings, ("env", "-u", "PYTHONPATH", str(program)))
    assert [json.loads(run.stdout)[0][-1] for run in run_hooks(settings, tmp_path, hostile)] == ["index", "memories"]
    assert installed(settings) == "yes"
    uninstall_claude(settings)
    assert not settings.exists()


@pytest.mark.parametrize("entry", [entry for event in EVENTS for entry in group(event=event)["hooks"]])
def test_no_entry_is_the_bare_env_to_a_release_that_knows_no_args(entry: dict[str, Any]) -> None:
    assert set(entry) == {"type", "command", "timeout"}
    assert entry["command"].startswith("env -u PYTHONPATH brain-hook claude ")


def test_what_is_installed_with_args_becomes_lines(settings: Path) -> None:
    with_args = {
        event: [{**group(event=event), "hooks": [
            {"type": "command", "command": "env", "args": entry["command"].split()[1:], "timeout": entry["timeout"]}
            for entry in group(event=event)["hooks"]
        ]}]
        for event in EVENTS
    }  # fmt: skip
    put(settings, json.dumps({"model": "x", "hooks": with_args}, indent=2))
    assert installed(settings) == "old"
    assert install_claude(settings, COMMAND).summary == f"updated in {settings}"
    assert settings.read_text() == json.dumps({"model": "x", "hooks": groups()}, indent=2)
    assert installed(settings) == "yes"


def test_the_files_mode_is_kept(settings: Path) -> None:
    put(settings, "{}").chmod(0o640)
    install_claude(settings, COMMAND)
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640


def test_a_linked_file_is_changed_where_it_lies(settings: Path, tmp_path: Path) -> None:
    target = put(tmp_path / "dotfiles" / "claude.json", '{"model": "x"}')
    settings.parent.mkdir(parents=True)
    settings.symlink_to(os.path.relpath(target, settings.parent))
    install_claude(settings, COMMAND)
    assert (settings.is_symlink(), json.loads(target.read_text())["hooks"]) == (
        True,
        groups(),
    )
    uninstall_claude(settings)
    assert (settings.is_symlink(), target.read_text(), beside(target)) == (
        True,
        '{"model": "x"}',
        ["claude.json"],
    )


def test_a_link_to_nothing_gets_its_target_and_keeps_it(settings: Path, tmp_path: Path) -> None:
    settings.parent.mkdir(parents=True)
    settings.symlink_to(tmp_path / "dotfiles" / "claude.json")
    install_claude(settings, COMMAND)
    uninstall_claude(settings)
    assert (settings.is_symlink(), settings.read_text()) == (True, "{}\n")


def test_a_dry_run_shows_the_difference_and_writes_nothing(settings: Path) -> None:
    put(settings, '{\n  "model": "x"\n}')
    diff = plan_install("claude", settings, COMMAND).diff
    lines = diff.splitlines()
    assert lines[:7] == [
        f"--- {settings}",
        f"+++ {settings}",
        "@@ -1,3 +1,78 @@",
        " {",
        '-  "model": "x"',
        '+  "model": "x",',
        '+  "hooks": {',
    ]
    assert lines[-2:] == [" }", "\\ No newline at end of file"]
    assert settings.read_text() == '{\n  "model": "x"\n}'
    assert plan_install("claude", settings.parent / "new.json", COMMAND).diff.startswith("--- /dev/null\n")


def test_a_file_that_moved_on_is_not_overwritten(settings: Path) -> None:
    plan = plan_install("claude", put(settings, "{}"), COMMAND)
    put(settings, '{"model": "x"}')
    with pytest.raises(ConflictError, match="changed since it was read"):
        apply_plan(plan)
    assert (settings.read_text(), beside(settings)) == ('{"model": "x"}', ["settings.json"])


def test_a_second_installer_is_turned_away_and_its_file_left(settings: Path) -> None:
    lock = put(settings.with_name("settings.json.brain-new"), "")
    with pytest.raises(ConflictError) as caught:
        install_claude(settings, COMMAND)
    assert (str(caught.value), caught.value.hint) == (
        f"{lock}: another installer is at work",
        f"remove {lock} if none runs",
    )
    assert beside(settings) == [lock.name]


def test_a_read_only_file_is_refused(settings: Path) -> None:
    put(settings, "{}").chmod(0o444)
    with pytest.raises(BrainError) as caught:
        install_claude(settings, COMMAND)
    assert str(caught.value) == f"{settings}: cannot be written: it is read-only"
    assert (settings.read_text(), beside(settings)) == ("{}", ["settings.json"])


@pytest.fixture
def foreign_folder() -> Iterator[Path]:
    """Make a folder that this process may read and not write, though root runs the tests."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    as_root = os.geteuid() == 0
    if as_root:
        os.seteuid(65534)
    yield folder
    if as_root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
@pytest.mark.parametrize("name", ["settings.json", ".claude/settings.json"])
def test_a_folder_that_cannot_be_written_is_told(foreign_folder: Path, name: str) -> None:
    with pytest.raises(BrainError) as caught:
        install_claude(foreign_folder / name, COMMAND)
    assert str(caught.value) == f"{foreign_folder / name}: cannot be written: Permission denied"
    assert caught.value.hint == "make it writable, or choose another scope; nothing was changed"
    assert os.listdir(foreign_folder) == []


@pytest.mark.parametrize(("name", "reason"), [(".", "Is a directory"), ("file/settings.json", "Not a directory")])
def test_a_place_that_holds_no_file_is_told(tmp_path: Path, name: str, reason: str) -> None:
    put(tmp_path / "file", "")
    with pytest.raises(BrainError, match=f"cannot be read: {reason}"):
        plan_install("claude", tmp_path / name, COMMAND)
    assert installed(tmp_path / name) == f"{tmp_path / name}: cannot be read: {reason}"


def test_uninstalling_where_nothing_is_does_nothing(settings: Path) -> None:
    plan = uninstall_claude(settings)
    assert (plan.summary, plan.changed, settings.parent.exists()) == (
        f"not installed in {settings}",
        False,
        False,
    )
    assert installed(settings) == "no"

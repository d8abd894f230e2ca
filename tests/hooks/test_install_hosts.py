"""Every host's own files: what goes in, what stays, what is refused, and that all of it comes out again."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from brain import __version__, jsonedit
from brain.errors import ConfigError
from brain_hooks.change import apply_plan
from brain_hooks.hosts import get_host
from brain_hooks.install import (
    by_hand,
    default_command,
    installed,
    plan_install,
    plans_to_install,
    plans_to_uninstall,
    settings_path,
)
from brain_hooks.places import PLACES, Beside, Own, is_command_of, line, words_of
from brain_hooks.places import Scope as ScopeName

ROOT = Path(__file__).parents[2]
CONFIGS = Path(__file__).parents[1] / "data" / "configs"
COMMAND = default_command("linux")
BARE = default_command("win32")
FILES = {
    "claude": (".claude/settings.json", ".claude/settings.json"), "codex": (".codex/hooks.json", ".codex/hooks.json"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json"),
    "copilot": (".github/hooks/project-brain.json", ".copilot/hooks/project-brain.json"),
    "vscode": (".github/hooks/project-brain.json", ".copilot/hooks/project-brain.json"),
    "cursor": (".cursor/hooks.json", ".cursor/hooks.json"), "cline": (".clinerules/hooks", ".cline/hooks"),
    "opencode": (".opencode/plugin/project-brain.js", ".config/opencode/plugin/project-brain.js"),
    "kiro": (".kiro/hooks/project-brain.json", ".kiro/hooks/project-brain.json"),
    "windsurf": (".windsurf/hooks.json", ""),
}  # fmt: skip
BESIDE = [host for host, place in PLACES.items() if isinstance(place, Beside)]
OWN = [host for host, place in PLACES.items() if isinstance(place, Own)]
SECONDS = {"gemini": 1000}
"""Units of a host's timeout in a second, where that is not 1."""


def install(host: str, path: Path, command: tuple[str, ...] = COMMAND) -> list[str]:
    return [apply_plan(plan).summary for plan in plans_to_install(host, path, command)]


def uninstall(host: str, path: Path) -> list[str]:
    return [apply_plan(plan).summary for plan in plans_to_uninstall(host, path)]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def put(path: Path, content: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def entries(found: Any) -> list[dict[str, Any]]:
    """Return all hook entries in a host's file."""
    if isinstance(found, dict):
        own = [found] if "command" in found and "hooks" not in found else []
        return own + [entry for item in found.values() for entry in entries(item)]
    return [entry for item in found for entry in entries(item)] if isinstance(found, list) else []


@pytest.mark.parametrize("scope", ["project", "user", "local"])
@pytest.mark.parametrize("host", PLACES)
def test_each_scope_has_its_file(host: str, scope: ScopeName, tmp_path: Path) -> None:
    root, home = tmp_path / "w", tmp_path / "h"
    project, user = FILES[host]
    wanted = {"project": project, "user": user, "local": ".claude/settings.local.json" if host == "claude" else ""}[
        scope
    ]
    if not wanted:
        with pytest.raises(ConfigError) as caught:
            settings_path(host, scope, root, {"HOME": str(home)})
        assert str(caught.value) == f"{host}: --{scope}: it has no such file"
        assert "--project" in caught.value.hint
        return
    assert settings_path(host, scope, root, {"HOME": str(home)}) == (home if scope == "user" else root) / wanted


@pytest.mark.parametrize(("host", "variable", "wanted"), [
    ("claude", "CLAUDE_CONFIG_DIR", "settings.json"), ("codex", "CODEX_HOME", "hooks.json"),
    ("opencode", "XDG_CONFIG_HOME", "opencode/plugin/project-brain.js"),
])  # fmt: skip
def test_a_hosts_own_variable_moves_the_users_file(host: str, variable: str, wanted: str) -> None:
    assert settings_path(host, "user", Path("/w"), {"HOME": "/h", variable: "/c d"}) == Path("/c d", wanted)


@pytest.mark.parametrize("command", [COMMAND, BARE])
@pytest.mark.parametrize("host", PLACES)
def test_install_twice_then_uninstall(host: str, command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "dự án 案件" / FILES[host][0]
    assert installed(path, host) == "no"
    assert {words.partition(" ")[0] for words in install(host, path, command)} == {"installed"}
    assert installed(path, host) == "yes"
    once = files(tmp_path)
    assert {words.partition(" in ")[0] for words in install(host, path, command)} == {"already installed"}
    assert files(tmp_path) == once
    assert {words.partition(" ")[0] for words in uninstall(host, path)} == {"removed"}
    assert files(tmp_path) == {}
    assert {words.partition(" in ")[0] for words in uninstall(host, path)} == {"not installed"}
    assert installed(path, host) == "no"


@pytest.mark.parametrize("host", PLACES)
def test_every_hook_calls_an_event_that_its_host_is_heard_on_and_is_limited_in_time(host: str, tmp_path: Path) -> None:
    path = tmp_path / FILES[host][0]
    install(host, path)
    if host in ("cline", "opencode"):
        text = b"\n".join(files(tmp_path).values()).decode()
        called = re.findall(r"exec .* cline (\w+)", text) if host == "cline" else re.findall(r'ask\("([\w.]+)"', text)
        assert set(called) == set(get_host(host).moments)
        return
    found = entries(json.loads(path.read_text()))
    holders = json.loads(path.read_text())["hooks"] if host == "kiro" else found
    timeouts = [hook["timeout"] for hook in holders if host != "windsurf"]  # which knows none
    assert all(1 <= timeout / SECONDS.get(host, 1) <= 10 for timeout in timeouts)
    caller = "copilot" if host == "vscode" else host
    assert all(is_command_of(hook, caller) for hook in found)
    calls = [words_of(hook)[words_of(hook).index(caller) + 1 :] for hook in found]
    assert {call[0] for call in calls} <= set(get_host(caller).moments)
    starts = [call for call in calls if call[0].lower() == "sessionstart"]
    assert sorted(call[1] for call in starts) == ["index", "memories"] * (
        host != "windsurf"
    )  # two texts, each with the host's whole room
    if len(calls) > 2:
        assert {moment for call in calls for moment in get_host(caller).moments[call[0]]} == {
            moment for moments in get_host(caller).moments.values() for moment in moments
        }


CONFIG_OF = {
    "claude": ["claude.settings.other-tools.json", "mcp.json"], "codex": ["codex.hooks.json", "mcp.json"],
    "gemini": ["gemini.settings.comments.jsonc", "opencode.jsonc", "mcp.json"], "cursor": ["cursor.hooks.json", "windsurf.hooks.json"],
}  # fmt: skip


@pytest.mark.parametrize(("host", "name"), [(host, name) for host, names in CONFIG_OF.items() for name in names])
def test_a_users_file_keeps_every_byte_that_is_not_ours(host: str, name: str, tmp_path: Path) -> None:
    before = (CONFIGS / name).read_bytes()
    path = put(tmp_path / FILES[host][0], before)
    install(host, path)
    after = path.read_text()
    assert _inserted_only(before.decode(), after)
    doc = jsonedit.parse(after, "x", comments=True)
    assert doc.root
    found = jsonedit.value_of(doc, doc.root)
    was = jsonedit.value_of(was_doc := jsonedit.parse(before.decode(), "x", comments=True), was_doc.root or doc.root)
    for key, item in was.items():
        if key != "hooks":
            assert found[key] == item
    for event, listed in was.get("hooks", {}).items():
        assert found["hooks"][event][: len(listed)] == listed
    assert installed(path, host) == "yes"
    uninstall(host, path)
    assert path.read_bytes() == before


def _inserted_only(old: str, new: str) -> bool:
    """Say whether the old text is all there, in order, with something between."""
    rest = iter(new)
    return all(sign in rest for sign in old)


REFUSED = [
    ("codex", "gemini.settings.comments.jsonc", 2, "a comment, where JSON allows none"),
    ("codex", "claude.settings.duplicate-keys.json.txt", 1, "the key 'hooks' stands twice in one object"),
    ("cursor", "claude.settings.trailing-comma.json.txt", 2, "a comment, where JSON allows none"),
    ("gemini", "claude.settings.hooks-wrong-type.json", 1, "hooks.SessionStart is an object, where a list belongs"),
    ("gemini", "claude.settings.duplicate-keys.json.txt", 1, "the key 'hooks' stands twice in one object"),
]


@pytest.mark.parametrize(("host", "name", "line_", "reason"), REFUSED)
def test_a_file_that_the_host_would_not_read_is_left_as_it_is(
    host: str, name: str, line_: int, reason: str, tmp_path: Path
) -> None:
    path = put(tmp_path / FILES[host][0], (CONFIGS / name).read_bytes())
    with pytest.raises(ConfigError) as caught:
        install(host, path)
    assert (str(caught.value), bool(caught.value.hint)) == (f"{path}:{line_}: {reason}", True)
    assert files(tmp_path) == {FILES[host][0]: (CONFIGS / name).read_bytes()}
    assert installed(path, host) == f"{path}:{line_}: {reason}"


@pytest.mark.parametrize("host", ["codex", "gemini", "cursor"])
def test_an_older_entry_of_ours_is_renewed_and_one_that_only_looks_like_ours_stays(host: str, tmp_path: Path) -> None:
    nested = PLACES[host].nested  # type: ignore[union-attr]
    event = "sessionStart" if host == "cursor" else "SessionStart"
    old, theirs = {"command": f'"/old place/brain-hook" {host} {event}'}, {"command": f"my-brain-hook {host} {event}"}
    listed = [{"hooks": [old, theirs]}] if nested else [old, theirs]
    path = put(tmp_path / FILES[host][0], json.dumps({"hooks": {event: listed, "Other": []}}))
    assert installed(path, host) == "old"
    assert install(host, path) == [f"updated in {path}"]
    assert installed(path, host) == "yes"
    found = json.loads(path.read_text())
    assert theirs in entries(found)
    assert old not in entries(found)
    uninstall(host, path)
    assert json.loads(path.read_text()) == {
        "hooks": {event: [{"hooks": [theirs]}] if nested else [theirs], "Other": []}
    }


def test_a_cursor_file_that_we_began_has_its_version_and_goes_again_but_never_the_users(tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "hooks.json"
    install("cursor", path)
    assert json.loads(path.read_text())["version"] == 1
    uninstall("cursor", path)
    assert not path.exists()


@pytest.mark.parametrize("host", [host for host in OWN if host != "vscode"])
def test_another_file_in_our_place_is_left(host: str, tmp_path: Path) -> None:
    place = PLACES[host]
    assert isinstance(place, Own)
    path = tmp_path / FILES[host][0]
    first = next(iter(place.files(path, COMMAND)))
    put(first, "#!/bin/sh\necho mine\n")
    with pytest.raises(ConfigError) as caught:
        install(host, path)
    assert str(caught.value) == f"{first}: there is a file that is not ours"
    assert "left as it is" in caught.value.hint
    assert uninstall(host, path)[0] == f"not installed in {first}"
    assert files(tmp_path) == {str(first.relative_to(tmp_path)): b"#!/bin/sh\necho mine\n"}


@pytest.mark.parametrize("host", OWN)
def test_a_file_of_ours_from_before_is_renewed(host: str, tmp_path: Path) -> None:
    path = tmp_path / FILES[host][0]
    install(host, path)
    for name, content in files(tmp_path).items():
        put(tmp_path / name, content + b"\n")
    assert installed(path, host) == "old"
    assert {words.partition(" ")[0] for words in install(host, path)} == {"updated"}
    assert installed(path, host) == "yes"


def test_cline_gets_programs_that_it_can_start(tmp_path: Path) -> None:
    install("cline", tmp_path / "hooks")
    for name in ("UserPromptSubmit", "PreToolUse"):
        path = tmp_path / "hooks" / name
        assert path.read_text().startswith("#!/bin/sh\n")
        assert stat.S_IMODE(path.stat().st_mode) & 0o111 == 0o111 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


CODEX = (CONFIGS / "codex.config.toml").read_text()
TOML = [
    CODEX,
    CODEX.rstrip("\n"),
    CODEX.replace("\n", "\r\n"),
    '[hooks]\n[[hooks.SessionStart]]\n[[hooks.SessionStart.hooks]]\ncommand = "x"\n',
]


@pytest.mark.parametrize("text", TOML)
def test_codex_hooks_go_where_its_others_are(text: str, tmp_path: Path) -> None:
    toml = put(tmp_path / ".codex" / "config.toml", text)
    path = settings_path("codex", "project", tmp_path, {})
    assert path == toml
    assert installed(path, "codex") == "no"
    assert install("codex", path) == [f"installed in {toml}"]
    after = toml.read_bytes().decode()
    assert after.startswith(text)
    was, found = tomllib.loads(text), tomllib.loads(after)
    assert {key: found[key] for key in was if key != "hooks"} == {key: was[key] for key in was if key != "hooks"}
    fresh = json.loads(by_hand("codex", tmp_path / "hooks.json", COMMAND))["hooks"]
    for event in {**was["hooks"], **fresh}:
        assert found["hooks"][event] == was["hooks"].get(event, []) + fresh.get(event, [])
    assert installed(path, "codex") == "yes"
    assert install("codex", path) == [f"already installed in {toml}"]
    put(toml, after.replace("timeout = 5", "timeout = 500"))
    assert installed(path, "codex") == "old"
    assert install("codex", path) == [f"updated in {toml}"]
    assert toml.read_bytes().decode() == after
    assert uninstall("codex", path) == [f"removed from {toml}"]
    assert toml.read_bytes().decode() == text


@pytest.mark.parametrize(("text", "reason"), [
    ('hooks = {SessionStart = [{hooks = []}]}\n', "hooks: they are spelled inline, so no more can be added behind them"),
    ('[hooks]\nStop = []\nSessionStart = "x"\n', "hooks.SessionStart: is no list of tables"),
    ('hooks = 7\n', "hooks.SessionStart: is no list of tables"),
    ('[hooks]\nSessionStart = []\n', "hooks: they are spelled inline, so no more can be added behind them"),
])  # fmt: skip
def test_toml_that_ours_cannot_stand_beside_is_left(text: str, reason: str, tmp_path: Path) -> None:
    toml = put(tmp_path / "config.toml", text)
    with pytest.raises(ConfigError) as caught:
        install("codex", toml)
    assert str(caught.value) == f"{toml}: {reason}"
    assert toml.read_text() == text


def test_broken_toml_is_refused_by_its_line(tmp_path: Path) -> None:
    toml = put(tmp_path / "config.toml", "a = 1\nb = \n")
    with pytest.raises(ConfigError, match=re.escape(f"{toml}:2: is no TOML: ")):
        install("codex", toml)
    put(toml, b"a = 1\n# \xff\n")
    with pytest.raises(ConfigError, match=re.escape(f"{toml}:2: is not UTF-8")):
        install("codex", toml)


def test_codex_keeps_to_hooks_json_where_config_toml_only_says_what_is_trusted(tmp_path: Path) -> None:
    put(tmp_path / ".codex" / "config.toml", '[hooks.state."/x/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n')
    assert settings_path("codex", "project", tmp_path, {}) == tmp_path / ".codex" / "hooks.json"
    put(tmp_path / ".codex" / "config.toml", "a = \n")
    assert settings_path("codex", "project", tmp_path, {}) == tmp_path / ".codex" / "hooks.json"


def test_uninstall_looks_into_both_files_of_codex(tmp_path: Path) -> None:
    toml = put(tmp_path / ".codex" / "config.toml", CODEX)
    install("codex", toml)
    both = tmp_path / ".codex" / "hooks.json"
    apply_plan(plan_install("codex", both, COMMAND))
    assert uninstall("codex", both) == [f"removed from {both}", f"removed from {toml}"]
    assert files(tmp_path) == {".codex/config.toml": CODEX.encode()}


def test_the_command_is_the_same_in_every_release_since_codex_trusts_each_once() -> None:
    text = by_hand("codex", Path("hooks.json"), COMMAND)
    assert __version__ not in text
    found = entries(json.loads(text))
    assert [entry["command"] for entry in found] == [
        "env -u PYTHONPATH brain-hook codex SessionStart index", "env -u PYTHONPATH brain-hook codex SessionStart memories",
        "env -u PYTHONPATH brain-hook codex UserPromptSubmit", "env -u PYTHONPATH brain-hook codex PreToolUse",
        "env -u PYTHONPATH brain-hook codex Stop", "env -u PYTHONPATH brain-hook codex PreCompact",
        "env -u PYTHONPATH brain-hook codex SessionEnd",
    ]  # fmt: skip
    assert [entry["commandWindows"] for entry in found] == [
        entry["command"].removeprefix("env -u PYTHONPATH ") for entry in found
    ]


def test_geminis_life_cycle_hooks_have_no_matcher_since_it_would_be_compared_letter_by_letter() -> None:
    hooks = json.loads(by_hand("gemini", Path("settings.json"), COMMAND))["hooks"]
    assert {event: [group.get("matcher") for group in listed] for event, listed in hooks.items()} == {
        "SessionStart": [None], "BeforeAgent": [None], "AfterTool": ["read_file|write_file|replace"],
        "AfterAgent": [None], "SessionEnd": [None],
    }  # fmt: skip


def test_a_line_quotes_what_has_a_space_and_needs_no_shell() -> None:
    assert line(["C:/Program Files/py.exe", "-m", "x"]) == '"C:/Program Files/py.exe" -m x'
    for host in ("codex", "gemini", "cursor"):
        for entry in entries(json.loads(by_hand(host, Path("hooks.json"), COMMAND))):
            assert not set("$&|<>;`'\\") & set(entry["command"])


def test_the_plugin_for_claude_code_has_the_hooks_that_install_writes() -> None:
    folder = ROOT / "hooks" / "claude"
    manifest = json.loads((folder / ".claude-plugin" / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("project-brain", __version__)
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())["hooks"]
    assert hooks == json.loads(by_hand("claude", Path("settings.json"), COMMAND))["hooks"]

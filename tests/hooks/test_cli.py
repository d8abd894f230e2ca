"""The program as hosts and shells start it: closed streams, odd locales, folders that would mislead Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hook_process import CODE, LAUNCHER, World, ids, lines, run_hook
from tests.support.repos import ROOT, memory_text

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="file descriptors")
TRAPS = (
    "json",
    "re",
    "typing",
    "zlib",
    "os",
    "enum",
    "time",
    "site_packages",
    "unicodedata",
    "mmap",
    "_json",
    "select",
    "itertools",
    "math",
)
PACKAGES = ("brain", "hooks", "api", "ci", "brain_hooks", "tests")
WHOLE = (
    ["mem-F001-log", "mem-F001-retry", "mem-global-naming", "mem-global-order"],
    ["mem-F001-log", "mem-F001-retry", "mem-global-naming"],
)


def whole(text: str) -> bool:
    return (sorted(lines(text)), sorted(ids(text))) == WHOLE


def shell(world: World, script: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell line with the hook as ``hook`` and a payload in ``payload``."""
    launcher = world.folder / "brain-hook"
    launcher.write_text(LAUNCHER)
    (world.folder / "payload").write_text(
        json.dumps({"session_id": "s", "cwd": str(world.workspace), "source": "startup"})
    )
    line = f'hook() {{ "{sys.executable}" "{launcher}" "$@"; }}\n{script}'
    return subprocess.run(
        ["sh", "-c", line],
        cwd=world.folder,
        env={**os.environ, **env},
        capture_output=True,
        check=False,
    )


@POSIX
@pytest.mark.parametrize("script", [
    "hook claude SessionStart < payload >&-", "hook claude SessionStart < payload >&- 2>&-", "hook claude SessionStart < payload > /dev/full",
    "hook claude SessionStart <&- >&- 2>&-", "hook claude SessionStart < payload | true",
    "hook text SessionStart < payload > /dev/full", "hook git post-merge >&- 2>&- <&-", "hook <&-",
])  # fmt: skip
def test_streams_that_are_closed_or_full_are_no_failure(script: str, world: World) -> None:
    done = shell(world, script)
    assert (done.returncode, done.stderr) == (0, b"")


@POSIX
def test_without_standard_input_a_person_still_gets_text(world: World) -> None:
    done = shell(world, "cd workspace && hook text SessionStart <&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert whole(done.stdout.decode())


@POSIX
def test_with_nothing_open_the_memory_is_still_read_and_delivered(world: World) -> None:
    shell(world, "exec 0<&- 1>&- 2>&-; cd workspace; hook text SessionStart")
    assert [row["part"] for row in world.rows("telemetry.jsonl")] == ["index", "memories"]
    assert world.failures() == []


def test_a_host_that_ignores_its_children_does_not_deafen_us(world: World) -> None:
    answer = world.start(before=lambda: __import__("signal").signal(17, 1))
    assert whole(answer.text)
    assert answer.remark == ""


@POSIX
@pytest.mark.parametrize("locale", [
    {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "cp932"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp932:strict"}, {"LANG": "ja_JP.eucJP", "PYTHONUTF8": "0"},
    {"LANG": "xx_XX.bogus"}, {"LC_ALL": "ja_JP.eucJP", "LOCPATH": "made"}, {"LC_ALL": "ja_JP.eucJP", "LOCPATH": "made", "PYTHONUTF8": "0"},
])  # fmt: skip
def test_any_locale_reads_japanese_folders_and_memories(locale: dict[str, str], world: World, tmp_path: Path) -> None:
    if "LOCPATH" in locale:
        made = subprocess.run(
            ["localedef", "-f", "EUC-JP", "-i", "ja_JP", tmp_path / "ja_JP.eucJP"], capture_output=True, check=False
        )
        if made.returncode:
            pytest.skip("localedef cannot make the locale here")
        locale = {**locale, "LOCPATH": str(tmp_path)}
    folder = world.folder / "日本 Đơn"
    world.workspace.rename(folder)
    world.memory.rename(world.folder / "記憶 bộ nhớ")
    (folder / ".aiflow" / "state.json").write_text(
        json.dumps({"memory": {"repo": "../記憶 bộ nhớ"}}, ensure_ascii=False), encoding="utf-8"
    )
    payload = {"session_id": "受注", "cwd": str(folder), "source": "startup"}
    for host in ("claude", "text"):
        payload["session_id"] += host
        for stdin in (
            json.dumps(payload).encode(),
            json.dumps({**payload, "session_id": f"{host} 受注"}, ensure_ascii=False).encode(),
        ):
            answer = run_hook(host, "SessionStart", payload=stdin, env=locale, cwd="/")
            assert (answer.status, answer.err) == (0, b"")
            assert whole(answer.text if host == "claude" else answer.out.decode())
            (world.folder / "記憶 bộ nhớ" / ".git" / "brain" / "fetch.stamp").unlink()


def make_traps(folder: Path) -> Path:
    """Make a folder whose modules end the program that imports them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TRAPS:
        (folder / f"{name}.py").write_text(f"raise SystemExit('{name} of the user')")
    for name in PACKAGES:
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "__init__.py").write_text(f"raise SystemExit('{name} of the user')")
    return folder


@pytest.mark.parametrize("flags", [("-I",), ("-E",), ("-E", "-P")])
def test_a_folder_full_of_traps_is_not_looked_into(flags: tuple[str, ...], world: World) -> None:
    traps = make_traps(world.workspace)
    answer = world.start(flags=flags, env={"PYTHONPATH": f"{traps}{os.pathsep}."})
    assert whole(answer.text)
    assert answer.remark == ""


@POSIX
def test_the_command_that_is_installed_passes_the_traps(world: World) -> None:
    make_traps(world.workspace)
    payload = world.folder / "payload"
    done = shell(
        world,
        "cd workspace && unset PYTHONPATH && hook claude SessionStart < ../payload",
        PYTHONPATH=f"{world.workspace}:.",
    )
    assert payload.exists()
    assert (done.returncode, done.stderr) == (0, b"")
    assert whole(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


def test_packages_on_pythonpath_are_taken_off_it_before_ours_are_sought(world: World) -> None:
    """Without ``env -u``, what Python itself loads before us is lost, but no package named like ours is taken."""
    user = world.folder / "user"
    for name in ("brain", "hooks", "api", "ci", "json", "re"):
        (user / name).mkdir(parents=True)
        (user / name / "__init__.py").write_text(f"raise SystemExit('{name} of the user')")
    for path in (str(user), f".{os.pathsep}{user}", f"..{os.sep}user"):
        assert whole(world.start(env={"PYTHONPATH": path}).text)


def test_python_m_in_a_folder_with_packages_like_ours(world: World) -> None:
    for name in ("brain", "hooks", "json"):
        (world.workspace / name).mkdir()
        (world.workspace / name / "__init__.py").write_text(f"raise SystemExit('{name} of the user')")
    (world.folder / "site" / "x").mkdir(parents=True)
    script = f"import site; site.addsitedir({str(world.folder / 'site')!r})"
    (world.folder / "site" / "ours.pth").write_text(f"{CODE}\n{CODE / 'hooks'}\n")
    payload = json.dumps({"session_id": "s", "cwd": str(world.workspace), "source": "startup"}).encode()
    # as an installation does it: our folders behind the standard library, named by a .pth file
    runner = f"{script}; import runpy, sys; sys.argv = ['-m', 'claude', 'SessionStart']; sys.path.insert(0, {str(world.workspace)!r}); runpy._run_module_as_main('brain_hooks')"
    done = subprocess.run(
        [sys.executable, "-c", runner], input=payload, capture_output=True, cwd=world.workspace, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert whole(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


@POSIX
def test_the_folder_we_are_started_in_is_gone(world: World) -> None:
    done = shell(world, "mkdir gone && cd gone && rmdir ../gone && hook claude SessionStart < /dev/null")
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"{}")
    payload = world.folder / "payload"
    done = shell(world, f"mkdir gone && cd gone && rmdir ../gone && hook claude SessionStart < {payload}")
    assert (done.returncode, done.stderr) == (0, b"")
    assert whole(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])
    done = shell(
        world,
        f"mkdir gone && cd gone && rmdir ../gone && echo '{{}}' | hook claude SessionStart; hook text SessionStart < {os.devnull}; hook git post-merge",
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"{}")


def test_an_event_in_a_subfolder_belongs_to_its_workspace(world: World) -> None:
    assert whole(world.start(fields={"cwd": str(world.workspace / "src")}, cwd="/").text)
    assert world.state.is_dir()


def test_the_same_input_gives_the_same_bytes(world: World) -> None:
    assert world.start(env={"PYTHONHASHSEED": "1"}).out == world.start(env={"PYTHONHASHSEED": "2"}).out


def test_a_linked_memory_root_elsewhere_is_served_too(world: World) -> None:
    state = {"memory": {"repo": str(world.memory / ROOT)}}
    (world.workspace / ".aiflow" / "state.json").write_text(json.dumps(state))
    assert whole(world.start().text)
    world.share({"00.Shared/glossary/item.md": memory_text("00.Shared/glossary/item.md")})
    assert "mem-global-item" in lines(world.start().text)


def test_a_host_that_leaves_its_end_of_the_pipe_open_gets_its_answer(world: World, tmp_path: Path) -> None:
    launcher = tmp_path / "hook"
    launcher.write_text(LAUNCHER)
    payload = json.dumps({"session_id": "open", "cwd": str(world.workspace), "source": "startup"}).encode()
    with subprocess.Popen(
        [sys.executable, launcher, "claude", "SessionStart"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(payload)
        process.stdin.flush()
        assert whole(json.loads(process.stdout.read())["hookSpecificOutput"]["additionalContext"])
        assert process.wait() == 0

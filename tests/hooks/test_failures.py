"""Whatever is broken: status 0, a valid answer, one warning with its cause, and a line that ``brain status`` shows."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.hook_process import CODE, LOG, RETRY, World, ids, lines, run_hook, without_root_rights
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text, pending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
INDEX = ["mem-F001-log", "mem-F001-retry", "mem-global-naming", "mem-global-order"]
OFFLINE = {"BRAIN_RECALL_FETCH_SECONDS": "0"}
WRONG_USER = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}


def check_warning(world: World, *causes: str, whole: bool = True, **how: object) -> str:
    """Start a session by two hooks at once; check the one warning and its line, and what is still delivered."""
    session = f"warned-{len(world.failures())}"
    answers = [world.start("startup", session, part=part, **how) for part in ("index", "memories")]  # type: ignore[arg-type]
    said = [answer.remark for answer in answers if answer.remark]
    assert len(said) == 1, said
    assert said[0].startswith("brain: ")
    for cause in causes:
        assert cause in said[0]
    assert lines(answers[0].text) == (INDEX if whole else [])
    if world.state.is_dir() and os.access(world.state, os.W_OK):
        assert [cause for cause in world.failures() if causes[0] in cause], world.failures()
        status = subprocess.run(
            [sys.executable, "-c", STATUS, "-C", world.workspace, "status"], capture_output=True, check=False
        )
        shown = (status.stdout + status.stderr).decode()
        if status.returncode == 0:
            assert "hook failed: " in shown
    return said[0]


STATUS = f"import sys; sys.path[:0] = [{str(CODE)!r}]; from brain.cli import main; raise SystemExit(main())"


def rewrite(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# nothing is connected


@pytest.mark.parametrize("env", [{}, {"PATH": "/nowhere"}, WRONG_USER, {"BRAIN_RECALL_SCORER": "bogus"}])
@pytest.mark.parametrize("place", ["repo", "no repo", "unborn", "with .aiflow"])
def test_an_unrelated_folder_is_left_alone(place: str, env: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    if place != "no repo":
        make_repo(folder, {"a": "b"} if place != "unborn" else None)
    if place == "with .aiflow":
        (folder / ".aiflow").mkdir()
        rewrite(folder / ".aiflow" / "state.json", '{"other": {"tool": 1}, "memory": {"topN": 3}}')
    before = files_below(folder)
    payload = {"session_id": "s", "cwd": str(folder), "source": "startup"}
    assert run_hook("claude", "SessionStart", payload=payload, env=env).found == {}
    assert run_hook("text", "SessionStart", cwd=folder, env=env).out == b""
    assert files_below(folder) == before


def test_a_bug_in_an_unrelated_folder_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    folder = make_repo(tmp_path / "other", {"a": "b"})
    before = files_below(folder)
    launcher = tmp_path / "broken"
    launcher.write_text(
        f"import sys\nsys.path[:0] = [{str(CODE)!r}, {str(CODE / 'hooks')!r}]\nimport brain_hooks.place\ndel brain_hooks.place.find_memory_repo\nfrom brain_hooks.cli import entry\nentry()\n"
    )
    payload = {"session_id": "s", "cwd": str(folder), "source": "startup"}
    answer = run_hook("claude", "SessionStart", payload=payload, launcher=launcher)
    assert answer.remark == "brain: no memory this time: NameError: name 'find_memory_repo' is not defined"
    assert files_below(folder) == before


@pytest.mark.parametrize("host", ["claude", "text", "git"])
def test_an_installation_that_lacks_half_of_itself_still_answers(host: str, world: World, tmp_path: Path) -> None:
    launcher = tmp_path / "half"
    for name in ("brain_hooks.start", "brain_hooks.event", "brain.index.cache"):
        launcher.write_text(
            f"import sys\nsys.path[:0] = [{str(CODE)!r}, {str(CODE / 'hooks')!r}]\nsys.modules[{name!r}] = None\nfrom brain_hooks.cli import entry\nentry()\n"
        )
        answer = run_hook(
            host, "SessionStart", payload={"cwd": str(world.workspace)}, launcher=launcher, cwd=world.workspace
        )
        assert (answer.status, answer.err, answer.out) == (0, b"", b"{}" if host == "claude" else b"")


# what is configured is broken


@pytest.mark.parametrize(
    "named",
    [
        "../gone",
        "/nowhere/at/all",
        "https://ada:secret@git.example.com/memory.git",
        "../memory/.git/config",
        "\x1b[31m",
    ],
)
def test_a_memory_repo_that_is_not_there(named: str, world: World) -> None:
    rewrite(world.workspace / ".aiflow" / "state.json", json.dumps({"memory": {"repo": named}}))
    said = check_warning(world, ".aiflow/state.json: memory.repo: no git repository at", "brain init", whole=False)
    assert "secret" not in said + world.failures()[0]
    assert "\x1b" not in said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nonsense",
        '{"memory": ',
        "\0",
        '[{"memory": 1}]',
        '{"memory": {"repo": 7}}',
        '{"memory": {"repo": "a\\u0000b"}}',
    ],
)
def test_broken_state_json_may_be_why_there_is_no_memory(text: str, world: World) -> None:
    rewrite(world.workspace / ".aiflow" / "state.json", text)
    check_warning(world, ".aiflow/state.json", whole=False)


def test_broken_state_json_where_the_memory_is_in_the_same_repo(world: World) -> None:
    rewrite(world.workspace / ".aiflow" / "state.json", '{"memory": ')
    shutil.copytree(world.origin / ROOT, world.workspace / ROOT)
    commit(world.workspace, {}, "memory")
    check_warning(world, ".aiflow/state.json: not a JSON object")


def test_settings_that_do_not_exist_or_are_of_a_wrong_kind(world: World) -> None:
    rewrite(
        world.workspace / ".aiflow" / "state.json",
        json.dumps({"memory": {"repo": "../memory", "topM": 3, "injectBudget": "much"}}),
    )
    check_warning(world, "memory.topM: unknown setting", "injectBudget")


@pytest.mark.parametrize(("text", "cause"), [
    ("[[[", "brain.toml: not TOML"), ("[memory]\ntop = 3\n", "brain.toml: memory.top: unknown setting"), ("\0", "brain.toml"),
    ("[recall]\nscorer = 'magic'\n", "'magic' is not one of rule, hybrid"), ("a" * 2_000_000, "brain.toml"),
])  # fmt: skip
def test_broken_team_settings(text: str, cause: str, world: World) -> None:
    world.share({"brain.toml": text})
    check_warning(world, cause)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"taskId": ', "\0\0", '{"taskId": {}, "keywords": 7, "files": [{}]}', '"x']
)
def test_a_broken_ticket(text: str, world: World) -> None:
    rewrite(world.workspace / ".aiflow" / "context" / "current.json", text)
    check_warning(world, "ticket: " if "taskId" in text and "keywords" in text else "current.json: not a JSON object")


def test_a_ticket_that_cannot_be_read(world: World) -> None:
    path = world.workspace / ".aiflow" / "context" / "current.json"
    path.chmod(0)
    check_warning(world, "current.json", before=without_root_rights)


def test_memories_that_are_broken_hide_no_others(world: World) -> None:
    world.share({"01.Lessons/dev/F-001_Pay/bad.md": "---\nid: [\n---\n", "00.Shared/glossary/odd.md": b"\xff\xfe"})
    said = check_warning(world, "bad.md:", "odd.md:")
    assert said.count("brain: ") == 2


# the cache


def damage_truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_empty(path: Path) -> None:
    path.write_bytes(b"")


def damage_garbage(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(5000))


def damage_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def damage_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/null")


def damage_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def damage_gone(path: Path) -> None:
    path.unlink()


DAMAGES = [damage_truncate, damage_empty, damage_garbage, damage_folder, damage_link, damage_loop, damage_gone]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("files", ["*.json", "*.segment", "drafts-*", "stale/*", "*", "."])
def test_a_damaged_cache_is_made_anew_without_a_word(files: str, damage: Callable[[Path], None], world: World) -> None:
    pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md")
    commit(world.workspace, {"src/pay.py": "tries = 3\n"})
    first = world.start()
    assert "mem-F001-mine" in ids(first.text)
    found = [path for path in world.cache.rglob(files) if path.is_file()] if files != "." else [world.cache]
    if files == ".":
        shutil.rmtree(world.cache)
        world.cache.write_text("")
    else:
        assert found
        for path in found:
            damage(path)
    again = world.start(env=OFFLINE)
    assert (again.out, again.remark) == (first.out, "")
    assert world.start(env=OFFLINE).out == first.out


def test_random_damage_anywhere_in_the_cache_never_breaks_an_answer(world: World) -> None:
    """Bits that flip inside a record may change a word; they may not cost the session its memory."""
    first = world.start()
    kept = {path: path.read_bytes() for path in world.cache.rglob("*.segment")}
    dice = random.Random(11)
    for _ in range(24):
        for path, content in kept.items():
            bytes_ = bytearray(content)
            at = dice.randrange(len(bytes_))
            bytes_[at : at + dice.choice([1, 4, 64])] = dice.randbytes(dice.choice([1, 4, 64]))
            path.write_bytes(bytes_)
        answer = world.start(env=OFFLINE)
        assert answer.remark == ""
        assert answer.text.count("mem-") > first.text.count("mem-") // 2


# git


@pytest.mark.parametrize(
    "lock", ["index.lock", "packed-refs.lock", "HEAD.lock", "refs/heads/main.lock", "config.lock", "shallow.lock"]
)
def test_locks_that_do_not_concern_us_do_not_matter(lock: str, world: World) -> None:
    world.share({LOG: None})
    rewrite(world.memory / ".git" / lock, "")
    answer = world.start()
    assert (answer.remark, lines(answer.text)) == ("", INDEX[1:])


def test_a_ref_that_is_locked_is_told_and_the_local_copy_used(world: World) -> None:
    world.share({LOG: None})
    rewrite(world.memory / ".git" / "refs" / "remotes" / "origin" / "main.lock", "")
    check_warning(world, "could not be fetched, the local copy is used: error: ", "main.lock")


def test_a_shallow_clone_knows_less_and_says_so(world: World, tmp_path: Path) -> None:
    commit(world.workspace, {"src/pay.py": "tries = 3\n"})
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{world.workspace}", str(shallow))
    rewrite(shallow / ".aiflow" / "state.json", json.dumps({"memory": {"repo": str(world.memory)}}))
    answer = world.start(fields={"cwd": str(shallow)})
    assert "⚠ not checked: src/pay.py (" in answer.text
    assert answer.remark == ""
    shutil.rmtree(world.memory)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{world.origin}", str(world.memory))
    assert lines(world.start().text) == INDEX


def test_a_memory_repo_without_a_commit_still_serves_drafts(world: World) -> None:
    shutil.rmtree(world.memory)
    make_repo(world.memory)
    assert world.start().found == {}
    pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md")
    assert ids(world.start().text) == ["mem-F001-mine"]


def test_a_detached_head_does_not_move_what_is_approved(world: World) -> None:
    git(world.memory, "checkout", "-q", "--detach")
    commit(world.memory, {f"{ROOT}/{RETRY}": None})
    assert lines(world.start().text) == INDEX


def test_an_upstream_that_was_forced_elsewhere_is_followed(world: World) -> None:
    world.start()
    git(world.origin, "commit", "-q", "--amend", "-m", "other")
    commit(world.origin, {f"{ROOT}/{LOG}": None})
    git(world.origin, "reset", "-q", "--soft", "HEAD~1")
    git(world.origin, "commit", "-q", "--amend", "-m", "rewritten")
    world.settle()
    answer = world.start()
    assert (answer.remark, lines(answer.text)) == ("", INDEX[1:])


def test_a_commit_whose_objects_are_gone(world: World) -> None:
    objects = world.memory / ".git" / "objects"
    shutil.rmtree(objects)
    (objects / "pack").mkdir(parents=True)
    check_warning(world, "no memory this time", whole=False, env=OFFLINE)


def test_a_commit_that_only_the_remote_has_is_fetched_and_read(world: World) -> None:
    """A clone that was cut short names a commit it does not have."""
    world.share({LOG: None})
    tip = git(world.origin, "rev-parse", "main")
    (world.memory / ".git" / "refs" / "remotes" / "origin" / "HEAD").unlink(missing_ok=True)
    git(world.memory, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    rewrite(world.memory / ".git" / "refs" / "remotes" / "origin" / "main", tip + "\n")
    answer = world.start()
    assert (answer.remark, lines(answer.text)) == ("", INDEX[1:])


def test_without_git_the_cache_still_answers(world: World) -> None:
    world.start()
    world.settle()
    check_warning(world, "could not be fetched", "git is not on the PATH", env={"PATH": "/nowhere"})
    assert world.start(env={"PATH": "/nowhere", **OFFLINE}).remark == ""


def test_without_git_and_cache_there_is_nothing_to_read(world: World) -> None:
    check_warning(
        world, "no memory this time", "git is not on the PATH", "install git", env={"PATH": "/nowhere"}, whole=False
    )


def test_a_git_that_cannot_be_run(world: World, tmp_path: Path) -> None:
    world.start()
    world.settle()
    for number, script in enumerate(("#!/nowhere/sh\n", "#!/bin/sh\nexit 3\n", "#!/bin/sh\nkill -9 $$\n")):
        program = tmp_path / str(number) / "git"
        rewrite(program, script)
        program.chmod(0o755)
        world.settle()
        check_warning(world, "could not be fetched", env={"PATH": str(program.parent)})


def test_a_repo_of_another_user_comes_with_the_mend(world: World) -> None:
    check_warning(world, "dubious ownership", "git config --global --add safe.directory", env=WRONG_USER, whole=False)


def test_a_repo_of_another_user_without_a_remote_comes_with_the_mend(world: World) -> None:
    git(world.memory, "remote", "remove", "origin")
    check_warning(world, "dubious ownership", "safe.directory", env=WRONG_USER, whole=False)


# the remote


@contextmanager
def deaf_server() -> Iterator[str]:
    """Listen, and never say a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://ada:hunter2@127.0.0.1:{server.getsockname()[1]}/memory.git?private_token=glpat-1"


def running() -> Iterator[bytes]:
    """Yield the command line of every process."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            yield path.read_bytes()


def test_a_remote_that_hangs_costs_its_deadline_and_no_more(world: World) -> None:
    world.start()
    with deaf_server() as url:
        git(world.memory, "remote", "set-url", "origin", url)
        world.settle()
        for session, expected in (("a", "did not answer in time"), ("b", "did not answer in time")):
            answer = world.start("startup", session, env={"BRAIN_RECALL_FETCH_SECONDS": "0.5"})
            assert expected in answer.remark
            assert lines(answer.text) == INDEX
            assert answer.seconds < 1.5
        ours = [words for words in running() if words.startswith(b"git\0") and str(world.memory).encode() in words]
        assert len(ours) == (1 if Path("/proc/self/cmdline").exists() else 0)  # the second waited for the first's
        check_warning(world, "did not answer in time", env={"BRAIN_RECALL_FETCH_SECONDS": "0.3"})
    assert not (world.cache / "fetch.log").exists()


REFUSALS = {
    "https://127.0.0.1:1/memory.git": "127.0.0.1",
    "file:///nowhere/memory.git": "'/nowhere/memory.git' does not appear to be a git repository",
    "/nowhere": "'/nowhere' does not appear to be a git repository",
    "ssh://127.0.0.1:1/memory.git": "",
    "bogus://x/y": "bogus",
    "ext::sh -c exit": "",
    "": "",
}


@pytest.mark.parametrize("url", REFUSALS)
def test_a_remote_that_refuses(url: str, world: World) -> None:
    config = world.memory / ".git" / "config"
    config.write_text(config.read_text().replace(f"url = {world.origin}", f"url = {url}"))
    check_warning(
        world,
        "the memory repo could not be fetched, the local copy is used",
        REFUSALS[url],
        env={"GIT_SSH_COMMAND": "" if url != "ssh" else "false"},
    )


def test_a_remote_that_wants_a_password_is_not_given_one(world: World, tmp_path: Path) -> None:
    server = subprocess.Popen([sys.executable, "-c", ASKING], stdout=subprocess.PIPE)
    assert server.stdout
    port = int(server.stdout.readline())
    asked = tmp_path / "asked"
    rewrite(tmp_path / "askpass", f"#!/bin/sh\ntouch {asked}\necho secret\n")
    (tmp_path / "askpass").chmod(0o755)
    git(world.memory, "config", "core.askPass", str(tmp_path / "askpass"))
    git(world.memory, "remote", "set-url", "origin", f"http://ada@127.0.0.1:{port}/memory.git")
    try:
        said = check_warning(
            world,
            "could not be fetched",
            env={"GIT_ASKPASS": str(tmp_path / "askpass"), "SSH_ASKPASS": str(tmp_path / "askpass"), "DISPLAY": ":0"},
        )
    finally:
        server.kill()
        server.communicate()
    assert not asked.exists()
    assert "ada" not in said


ASKING = """
from http.server import BaseHTTPRequestHandler, HTTPServer
class Asking(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_): pass
server = HTTPServer(("127.0.0.1", 0), Asking)
print(server.server_port, flush=True)
server.serve_forever()
"""


# the disk


def test_a_draft_that_cannot_be_read(world: World) -> None:
    pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md")
    pending(world.memory, "01.Lessons/dev/F-001_Pay/locked.md").chmod(0)
    said = check_warning(
        world,
        "_pending/01.Lessons/dev/F-001_Pay/locked.md:1: cannot be read: Permission denied",
        before=without_root_rights,
    )
    assert "mine" not in said
    assert "mem-F001-mine" in ids(world.start(before=without_root_rights).text)


def test_a_fifo_and_a_link_among_the_drafts_do_not_hold_us_up(world: World, tmp_path: Path) -> None:
    folder = pending(world.memory, "01.Lessons/dev/F-001_Pay/mine.md").parent
    os.mkfifo(folder / "pipe.md")
    (folder / "link.md").symlink_to("/etc/passwd")
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "folder.md").mkdir()
    (folder.parent / "linked").symlink_to(tmp_path)
    said = check_warning(world, "pipe.md:1: not a regular file", "link.md:1: cannot be read", "loop.md:1:")
    assert "root:" not in said
    answer = world.start()
    assert answer.seconds < 5
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "folders", [("workspace/.aiflow",), ("memory/.git",), ("workspace/.aiflow", "memory/.git"), ("workspace", "memory")]
)
@pytest.mark.parametrize("warm", [False, True])
def test_a_disk_that_cannot_be_written(warm: bool, folders: tuple[str, ...], world: World) -> None:
    if warm:
        world.start()
    paths = [
        path for name in folders for path in (world.folder / name, *(world.folder / name).rglob("*")) if path.is_dir()
    ]
    for path in paths:
        path.chmod(0o500)
    try:
        answer = world.start(before=without_root_rights, env=OFFLINE)
        assert (lines(answer.text), answer.remark) == (INDEX, "")
        world.settle() if warm else None
        late = world.start(before=without_root_rights)
        assert lines(late.text) == INDEX
        assert ("could not be fetched" in late.remark) is any(name != "workspace/.aiflow" for name in folders)
    finally:
        for path in paths:
            path.chmod(0o700)


def test_a_disk_that_is_full(world: World) -> None:
    full = {"before": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))}
    answer = world.start(env=OFFLINE, **full)
    assert (lines(answer.text), answer.remark) == (INDEX, "")
    world.share({LOG: None})
    answer = world.start(**full)
    assert lines(answer.text) == INDEX
    assert "could not be fetched" in answer.remark
    assert lines(world.start().text) == INDEX[1:]  # nothing is left behind that would hold up those after
    assert {path.name.rpartition(".")[2] for path in world.folder.rglob("*.tmp")} == set()


# the environment


@pytest.mark.parametrize(
    "env",
    [
        {"HOME": ""},
        {"HOME": "/nowhere"},
        {"HOME": "relative"},
        {"HOME": "", "XDG_CONFIG_HOME": "", "GIT_CONFIG_GLOBAL": ""},
    ],
)
def test_no_home(env: dict[str, str], world: World, tmp_path: Path) -> None:
    launcher = tmp_path / "hook"
    launcher.write_text(
        Path(os.environ["HOME"], "brain-hook").read_text()
        if Path(os.environ["HOME"], "brain-hook").exists()
        else __import__("tests.support.hook_process", fromlist=["LAUNCHER"]).LAUNCHER
    )
    world.share({LOG: None})
    answer = world.start(env=env, launcher=launcher)
    assert (answer.remark, lines(answer.text)) == ("", INDEX[1:])


def test_a_home_that_cannot_be_read(world: World, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\nname = x\n")
    home.chmod(0)
    world.share({LOG: None})
    answer = world.start(
        env={"HOME": str(home), "XDG_CONFIG_HOME": "", "GIT_CONFIG_GLOBAL": ""}, before=without_root_rights
    )
    home.chmod(0o700)
    assert lines(answer.text) == INDEX[1:]
    assert answer.remark == ""


def test_what_a_git_hook_exports_does_not_lead_us_astray(world: World, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other", {"a": "b"})
    env = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": "/nowhere",
        "GIT_PREFIX": "x/",
        "GIT_LITERAL_PATHSPECS": "1",
    }
    world.share({LOG: None})
    answer = world.start(env=env)
    assert (answer.remark, lines(answer.text)) == ("", INDEX[1:])


def test_settings_of_the_environment_that_are_wrong(world: World) -> None:
    check_warning(world, "BRAIN_MEMORY_TOP_N", "is no whole number", env={"BRAIN_MEMORY_TOP_N": "ten"})


def test_a_date_that_is_none(world: World) -> None:
    check_warning(world, "no memory this time: BRAIN_NOW", env={"BRAIN_NOW": "yesterday"}, whole=True)


def test_many_causes_are_one_message_and_one_line(world: World) -> None:
    rewrite(world.workspace / ".aiflow" / "context" / "current.json", "nonsense")
    world.share({"brain.toml": "[[["})
    git(world.memory, "fetch", "-q")
    git(world.memory, "remote", "set-url", "origin", "/nowhere")
    said = check_warning(world, "could not be fetched", "brain.toml", "current.json")
    assert said.count("\n") == 2
    assert len(world.rows("failures.jsonl")) == 1


def test_the_memory_of_another_clone_is_not_touched(world: World, tmp_path: Path) -> None:
    """The hook reads a memory repo; its branch, index and working tree stay as they are."""
    commit(world.memory, {"x": "y"})
    (world.memory / ROOT / LOG).write_text("half done")
    git(world.memory, "add", "-A")
    (world.memory / ROOT / RETRY).unlink()
    before = (
        git(world.memory, "status", "--porcelain=v2", "--branch"),
        git(world.memory, "for-each-ref", "refs/heads"),
        (world.memory / ".git" / "index").read_bytes(),
    )
    world.share({LOG: memory_text(LOG)})
    assert lines(world.start().text) == INDEX
    after = (
        git(world.memory, "status", "--porcelain=v2", "--branch"),
        git(world.memory, "for-each-ref", "refs/heads"),
        (world.memory / ".git" / "index").read_bytes(),
    )
    assert after[1:] == before[1:]
    assert after[0].replace("-1", "-0") == before[0].replace("-1", "-0")


def test_a_bare_memory_repo_and_one_in_the_workspace_itself(world: World, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(world.origin), str(tmp_path / "bare.git"))
    rewrite(world.workspace / ".aiflow" / "state.json", json.dumps({"memory": {"repo": str(tmp_path / "bare.git")}}))
    assert lines(world.start().text) == INDEX
    alone = clone(make_memory_repo(tmp_path / "alone", {RETRY: ""}), tmp_path / "mine")
    answer = run_hook("claude", "SessionStart", payload={"session_id": "s", "cwd": str(alone)})
    assert lines(answer.text) == ["mem-F001-retry"]
    assert git(alone, "status", "--porcelain", "--ignored") == "!! .aiflow/"

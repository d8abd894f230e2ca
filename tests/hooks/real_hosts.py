"""``make hosts``: the real assistants, offline, through one session with our hooks.

Did each text reach the model, the request at its stop too; and did what the session taught become drafts?

    python -m tests.hooks.real_hosts [HOST …]

Installs those that the npm registry serves into a cache folder (BRAIN_HOSTS, else .hosts), and prints a table.
Each runs with a home of its own and against ``mock_model``; where the system allows it, with no network but loopback.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.hooks.mock_model import WORD, serve
from tests.support.hook_process import CODE, LAUNCHER, World, make_world
from tests.support.program import SHEBANG
from tests.support.repos import git, memory_text
from tests.support.session import drafts

TAX = "01.Lessons/qa/F-002_Tax/tax.md"
SIGNS = {
    "index": "# Team memory index: ", "memories": "# Team memories for ", "prompt": "## mem-global-order (",
    "file": "## mem-F002-tax (", "stop": "Before you end: ",
}  # fmt: skip
"""What stands in a request to the model, by what made it stand there."""
WISH = "Nightly exports start at 02:00, because the bank's file comes late"
PROMPT = f"受注 の処理を見て {WORD}\nRemember: {WISH}."
CHECK = 'test -n "$MODE" || { echo "error: MODE is not set" >&2; exit 1; }\n'
LINES = ("sh check.sh", "MODE=full sh check.sh")
"""The second is the mend of the first."""
LESSONS = {"wish": WISH, "mend": LINES[1]}
"""What a draft is to say."""
COLUMNS = (*SIGNS, *LESSONS)
PLAY = "--play"
PATIENCE = 20.0
HOME = os.environ.get("HOME", "")
"""The person's, which tests replace: npm's settings lie in it."""
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1


@dataclass
class Stage:
    """Where a host plays: its home, the project it works in, the model's port."""

    world: World
    home: Path
    port: int
    env: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def put(self, name: str, text: str) -> None:
        """Write a file of the home folder."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@dataclass(frozen=True)
class Recipe:
    """How one host is installed, prepared and run.

    ``cannot`` are the signs for which it has no event, ``twice`` those that it says twice to its model by itself.
    ``server`` starts what goes on when ``command`` has its answer; both know its port as ``PORT``.
    """

    package: str
    program: str
    prepare: Callable[[Stage], None]
    command: tuple[str, ...]
    scope: str = "--project"
    seconds: int = 120
    cannot: frozenset[str] = frozenset()
    twice: frozenset[str] = frozenset()
    server: tuple[str, ...] = ()


def prepare_claude(stage: Stage) -> None:
    stage.env = {
        "ANTHROPIC_BASE_URL": stage.url, "ANTHROPIC_AUTH_TOKEN": "placeholder", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }  # fmt: skip


def prepare_codex(stage: Stage) -> None:
    provider = f'[model_providers.mock]\nname = "mock"\nbase_url = "{stage.url}/v1"\nwire_api = "responses"\n'
    stage.put(".codex/config.toml", f'model = "mock-model"\nmodel_provider = "mock"\n{provider}')


def prepare_gemini(stage: Stage) -> None:
    stage.put(".gemini/settings.json", '{\n  // ours\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n')
    stage.env = {"GEMINI_API_KEY": "placeholder", "GOOGLE_GEMINI_BASE_URL": stage.url}


def prepare_copilot(stage: Stage) -> None:
    stage.env = {
        "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_PROVIDER_TYPE": "anthropic",
        "COPILOT_PROVIDER_BASE_URL": stage.url, "COPILOT_MODEL": "claude-sonnet-4.5",
    }  # fmt: skip


def prepare_opencode(stage: Stage) -> None:
    options = {"baseURL": f"{stage.url}/v1", "apiKey": "placeholder"}
    provider = {"npm": "@ai-sdk/anthropic", "options": options, "models": {"m1": {"name": "m1"}}}
    stage.put(".config/opencode/opencode.json", json.dumps({"provider": {"mock": provider}, "model": "mock/m1"}))
    stage.env = {
        "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }  # fmt: skip


def prepare_cline(stage: Stage) -> None:
    command = ["cline", "auth", "-p", "openai", "-k", "placeholder", "-m", "mock-model", "-b", f"{stage.url}/v1"]
    run(command, stage, seconds=60)


RECIPES = {
    "claude": Recipe(
        "@anthropic-ai/claude-code@2.1.332", "claude", prepare_claude,
        ("claude", "-p", PROMPT, "--permission-mode", "acceptEdits", "--allowedTools", "Read", "Bash"),
        twice=frozenset(("stop",)),
    ),
    "codex": Recipe(
        "@openai/codex@0.171.0", "codex", prepare_codex,
        ("codex", "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", PROMPT), scope="--user",
    ),
    "gemini": Recipe(
        "@google/gemini-cli@0.61.0", "gemini", prepare_gemini,
        ("gemini", "--skip-trust", "--approval-mode", "yolo", "-p", PROMPT), scope="--user",
    ),
    "copilot": Recipe(
        "@github/copilot@1.0.102", "copilot", prepare_copilot,
        ("copilot", "-p", PROMPT, "--trust-folder", "--allow-all-tools", "--allow-all-paths"),
    ),
    "opencode": Recipe(
        "opencode-ai@1.18.33", "opencode", prepare_opencode, ("opencode", "run", "--attach", "http://127.0.0.1:PORT", PROMPT),
        scope="--user", seconds=180, server=("opencode", "serve", "--port", "PORT"),
    ),
    "cline": Recipe("cline@3.0.65", "cline", prepare_cline, ("cline", PROMPT, "--yolo"), cannot=frozenset(("prompt", "stop"))),
}  # fmt: skip


def cache() -> Path:
    """Return the folder that the hosts are installed in."""
    return Path(os.environ.get("BRAIN_HOSTS") or CODE / ".hosts")


def find_program(host: str) -> Path | None:
    """Return the host's program where it is installed."""
    path = cache() / host / "node_modules" / ".bin" / RECIPES[host].program
    return path if path.exists() else None


def install_program(host: str, seconds: int = 600) -> str:
    """Install a host unless it is there, whole or not at all and once at a time; return "" or why that failed."""
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / f"{host}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if find_program(host):
            return ""
        with tempfile.TemporaryDirectory(prefix=f"{host}.", dir=cache()) as folder:
            why = _npm_install(RECIPES[host].package, Path(folder) / host, seconds)
            if not why:
                shutil.rmtree(cache() / host, ignore_errors=True)
                (Path(folder) / host).rename(cache() / host)
            return why


def _npm_install(package: str, folder: Path, seconds: int) -> str:
    """Install a package into a folder, as the person whose registry and proxy npm knows; return "" or why not."""
    folder.mkdir()
    quiet = (
        "--silent",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--fetch-retries=0",
        "--fetch-timeout=20000",
    )
    command = ["npm", "install", *quiet, "--loglevel=error", "--prefix", ".", package]
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "HOME": HOME}, capture_output=True, text=True, timeout=seconds,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not installed: {error}"
    return "" if done.returncode == 0 else f"not installed: {(done.stderr.strip().splitlines() or ['npm failed'])[0]}"


def version_of(host: str) -> str:
    """Return the installed package's version."""
    name = RECIPES[host].package.rpartition("@")[0]
    manifest = cache() / host / "node_modules" / name / "package.json"
    return str(json.loads(manifest.read_text())["version"]) if manifest.exists() else "?"


def environment(stage: Stage, host: str) -> dict[str, str]:
    """Return all that a host gets of an environment."""
    program = find_program(host)
    folders = [
        stage.home / "bin",
        program.parent if program else None,
        *map(Path, ("/usr/local/bin", "/usr/bin", "/bin")),
    ]
    node = shutil.which("node")
    folders.insert(2, Path(node).parent if node else None)
    fixed = {
        "HOME": str(stage.home),
        "PATH": os.pathsep.join(str(folder) for folder in folders if folder),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }
    return {**fixed, **stage.env}


def run(command: list[str], stage: Stage, seconds: int, until: Callable[[], bool] | None = None) -> str:
    """Run a program in the project, end it and all it started after so many seconds, and return what it printed.

    What it leaves behind has ``PATIENCE`` seconds more, where ``until`` is to come true.
    """
    host = next(name for name, recipe in RECIPES.items() if recipe.program == command[0])
    env = environment(stage, host)
    process = subprocess.Popen(
        [shutil.which(command[0], path=env["PATH"]) or command[0], *command[1:]], cwd=stage.world.workspace, env=env,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        out, _ = process.communicate(timeout=seconds)
        deadline = time.monotonic() + PATIENCE
        while until and time.monotonic() < deadline and not until():
            time.sleep(0.1)
    except subprocess.TimeoutExpired:
        out = b"timed out"
    finally:
        _end(process, stage.home)
    return out.decode("utf-8", "replace")


def run_served(recipe: Recipe, stage: Stage, log: Path, *more: str) -> str:
    """Run a host whose server goes on when its answer is there, until that was asked at its stop; end both."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    server, command = ([word.replace("PORT", port) for word in words] for words in (recipe.server, recipe.command))
    env = environment(stage, recipe.program)
    process = subprocess.Popen(
        [shutil.which(server[0], path=env["PATH"]) or server[0], *server[1:]], cwd=stage.world.workspace, env=env,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout
        while b"listening" not in (line := process.stdout.readline()) and line:
            pass
        return run([*command, *more], stage, recipe.seconds, until=lambda: SIGNS["stop"] in log.read_text("utf-8"))
    finally:
        _end(process, stage.home)


def _end(process: subprocess.Popen[bytes], home: Path) -> None:
    """End a host with everything that it left running: those that have its home folder."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    mark = f"HOME={home}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
        except (OSError, ValueError):
            continue


def make_stage(folder: Path, port: int) -> Stage:
    """Build a team, and a home with ``brain-hook`` on its path."""
    world = make_world(folder / "team")
    world.share(
        {
            TAX: memory_text(
                TAX, "Round tax down.\n\n**Apply:** floor it.", refs=("src/log.py",), tags=("tax",), workflows=("none",)
            )
        }
    )
    git(world.memory, "fetch", "-q")
    (world.workspace / "check.sh").write_text(CHECK)
    stage = Stage(world, folder / "home", port)
    hook = stage.home / "bin" / "brain-hook"
    hook.parent.mkdir(parents=True)
    hook.write_text(f"{SHEBANG}{LAUNCHER}")
    hook.chmod(0o755)
    return stage


def play(host: str, folder: Path, *more: str) -> tuple[dict[str, int], str]:
    """Run one session of a host, cut off from the network, with ``more`` arguments.

    Return how many times each text stood in one request to the model, at most, and what the host printed.
    """
    command = [*cut_off(), sys.executable, "-m", "tests.hooks.real_hosts", PLAY, host, str(folder), *more]
    env = {
        **os.environ,
        **{f"GIT_{who}_{what}": "ada@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    done = subprocess.run(command, cwd=CODE, env=env, capture_output=True, check=False)
    if done.returncode:
        return dict.fromkeys(COLUMNS, 0), done.stderr.decode("utf-8", "replace")
    reached, printed = json.loads(done.stdout)
    return reached, printed


def cut_off() -> list[str]:
    """Return what starts a program with no network but loopback, nothing where the system forbids it."""
    command = ["unshare", "--map-root-user", "--net"]
    if not shutil.which(command[0]):
        return []
    return command if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0 else []


def raise_loopback() -> None:
    """Switch the loopback interface on, which a new network begins without (Linux: netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        flags = fcntl.ioctl(any_socket, GET_FLAGS, struct.pack("16sH14x", b"lo", 0))
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sH14x", b"lo", struct.unpack("16sH14x", flags)[1] | UP))


def play_here(host: str, folder: Path, *more: str) -> tuple[dict[str, int], str]:
    """Run one session of a host in this process's network."""
    recipe, log = RECIPES[host], folder / "requests.jsonl"
    with serve(folder / "team" / "workspace" / "src" / "log.py", log, LINES) as port:
        stage = make_stage(folder, port)
        recipe.prepare(stage)
        hook = [str(stage.home / "bin" / "brain-hook"), "install", host, recipe.scope]
        subprocess.run(hook, cwd=stage.world.workspace, env=environment(stage, host), check=True, capture_output=True)
        if recipe.server:
            printed = run_served(recipe, stage, log, *more)
        else:
            printed = run([*recipe.command, *more], stage, recipe.seconds)
    requests = log.read_text("utf-8").splitlines() if log.exists() else []
    reached = {name: max((request.count(sign) for request in requests), default=0) for name, sign in SIGNS.items()}
    texts = drafts(stage.world).values()
    return {**reached, **{name: sum(said in text for text in texts) for name, said in LESSONS.items()}}, printed


def expected(host: str) -> dict[str, int]:
    """Return how many times each text is to stand in a request."""
    recipe = RECIPES[host]
    return {name: (name not in recipe.cannot) + (name in recipe.twice) for name in COLUMNS}


def shown(times: int, *, can: bool) -> str:
    """Return a cell of the table: whether a text arrived, or how many times too often, or that the host has no way."""
    if not times:
        return "no" if can else "–"
    return "yes" if times == 1 else f"{times} ×"


def main(hosts: list[str]) -> int:
    """Install and play each host, print the table, and exit 1 if a text did not arrive."""
    rows, failed = [], False
    for host in hosts or list(RECIPES):
        reason = install_program(host)
        if reason:
            rows.append((host, "", reason))
            continue
        with tempfile.TemporaryDirectory(prefix=f"brain {host} ") as folder:
            reached, printed = play(host, Path(folder))
        if reached != expected(host):
            failed = True
            print(f"--- {host} printed:\n{printed[-3000:]}", file=sys.stderr)
        rows.append(
            (
                host,
                version_of(host),
                "  ".join(f"{shown(reached[name], can=bool(expected(host)[name])):<{len(name)}}" for name in COLUMNS),
            )
        )
    print(f"{'host':<10}{'version':<12}{'  '.join(COLUMNS)}")
    for host, version, said in rows:
        print(f"{host:<10}{version:<12}{said}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == [PLAY]:
        if sys.platform == "linux":
            raise_loopback()
        print(json.dumps(play_here(sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])))
    else:
        sys.exit(main(sys.argv[1:]))

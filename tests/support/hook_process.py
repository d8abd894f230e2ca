"""Run ``brain-hook`` as a host does: a process, real repositories, bytes in and out."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CODE = Path(__file__).parents[2]
LAUNCHER = f"import os, sys\nsys.path[1:1] = map(os.fsdecode, ({os.fsencode(CODE)!r}, {os.fsencode(CODE / 'hooks')!r}))\nfrom brain_hooks.cli import entry\nentry()\n"
RETRY, LOG, NAMING, TERM = (
    "01.Lessons/dev/F-001_Pay/retry.md", "01.Lessons/dev/F-001_Pay/log.md", "01.Lessons/dev/_global/naming.md",
    "00.Shared/glossary/order.md",
)  # fmt: skip
TICKET = {
    "taskId": "PAY-7",
    "functionId": "F-001_Pay",
    "title": "決済の再試行 Thanh toán",
    "workflow": "coding",
    "keywords": ["payment"],
}
OPEN, CLOSE = "<project-brain part=", "</project-brain>\n"
HOST_LIMIT = 9500


@dataclass(frozen=True)
class Answer:
    """What a hook process left behind."""

    status: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def found(self) -> dict[str, Any]:
        """The one JSON object, after checks that hold for every answer."""
        assert (self.status, self.err) == (0, b"")
        assert self.out.isascii()
        found = json.loads(self.out)
        assert isinstance(found, dict)
        assert found.keys() <= {"systemMessage", "hookSpecificOutput"}
        return found

    @property
    def text(self) -> str:
        """What the model gets."""
        inner = self.found.get("hookSpecificOutput")
        if inner is None:
            return ""
        assert inner.keys() == {"hookEventName", "additionalContext"}
        assert inner["hookEventName"] == "SessionStart"
        text = inner["additionalContext"]
        assert isinstance(text, str)
        assert text.startswith(OPEN)
        assert text.endswith(CLOSE)
        assert text.count(OPEN) == text.count(CLOSE)
        assert len(text.encode()) <= HOST_LIMIT
        return text

    @property
    def remark(self) -> str:
        """What the person gets."""
        return str(self.found.get("systemMessage", ""))


def run_hook(
    *arguments: str, payload: Mapping[str, Any] | bytes | None = b"", cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None, flags: Sequence[str] = (), before: Callable[[], object] | None = None,
    launcher: Path | None = None, timeout: float = 60, **how: Any,
) -> Answer:  # fmt: skip
    """Run the hook. ``env`` is added to the environment ("" takes a name out); ``before`` runs in the child."""
    environment = {**os.environ, **(env or {})}
    environment = {name: text for name, text in environment.items() if text != ""}
    script = launcher or Path(os.environ["HOME"], "brain-hook")
    if not script.exists():
        script.write_text(LAUNCHER)
    stdin = json.dumps(payload).encode() if not isinstance(payload, bytes | None) else payload
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, *flags, script, *arguments], input=stdin, capture_output=True, cwd=cwd, env=environment,
        preexec_fn=before, timeout=timeout, check=False, **how,
    )  # fmt: skip
    return Answer(done.returncode, done.stdout, done.stderr, time.monotonic() - started)


@dataclass
class World:
    """A team's memory repo with its origin, and a workspace connected to it."""

    folder: Path
    sessions: int = field(default=0)

    @property
    def origin(self) -> Path:
        return self.folder / "origin"

    @property
    def memory(self) -> Path:
        return self.folder / "memory"

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def state(self) -> Path:
        return self.workspace / ".aiflow" / "brain"

    @property
    def cache(self) -> Path:
        return self.memory / ".git" / "brain"

    def start(
        self,
        source: str = "startup",
        session: str | None = "",
        part: str = "",
        *,
        host: str = "claude",
        fields: Mapping[str, Any] | None = None,
        **how: Any,
    ) -> Answer:
        """Start a session, a new one unless it is named; both parts unless one is."""
        if session == "":
            self.sessions += 1
            session = f"session-{self.sessions}"
        payload = {
            "session_id": session,
            "cwd": str(self.workspace),
            "source": source,
            "hook_event_name": "SessionStart",
            **(fields or {}),
        }
        return run_hook(host, "SessionStart", *filter(None, [part]), payload=payload, **{"cwd": self.workspace, **how})

    def share(self, files: Mapping[str, str | bytes | None], message: str = "change") -> None:
        """Commit to the origin (paths below the memory root), as a merge there does; the stamp of the last fetch grows old."""
        commit(self.origin, {f"{ROOT}/{name}": text for name, text in files.items()}, message)
        self.settle()

    def settle(self) -> None:
        """Let the last fetch be an hour ago."""
        stamp = self.cache / "fetch.stamp"
        if stamp.exists():
            os.utime(stamp, (1, 1))

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of a log."""
        path = self.state / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def failures(self) -> list[str]:
        return [row["cause"] for row in self.rows("failures.jsonl")]


def make_world(folder: Path) -> World:
    """Build the team."""
    world = World(folder)
    code = make_repo(world.workspace, {"src/pay.py": "tries = 2\n", "src/log.py": "log\n", "日本/Đơn hàng.py": "x\n"})
    since = git(code, "rev-parse", "HEAD")
    (code / ".aiflow" / "context").mkdir(parents=True)
    (code / ".aiflow" / "state.json").write_text(json.dumps({"memory": {"repo": "../memory"}}))
    (code / ".aiflow" / "context" / "current.json").write_text(json.dumps(TICKET))
    memories = {
        RETRY: memory_text(RETRY, refs=("src/pay.py",), verified_commit=since),
        LOG: memory_text(
            LOG,
            "Chỉ ghi mã lỗi, không ghi số thẻ. 番号は記録しない。\n\n**Áp dụng:** che số thẻ.",
            tags=("payment", "log"),
        ),
        NAMING: memory_text(
            NAMING, "Name a branch after its ticket.\n\n**Apply:** say PAY-7.", tags=("git",), workflows=("all",)
        ),
        TERM: memory_text(
            TERM, "受注 is an order.\n\n**適用:** say order.", workflows=("all",), tags=("order",), aliases=("受注",)
        ),
    }
    make_memory_repo(world.origin, memories)
    clone(world.origin, world.memory)
    return world


def copy_world(template: World, folder: Path) -> World:
    """Return a copy of its own."""
    shutil.copytree(template.folder, folder, symlinks=True)
    config = folder / "memory" / ".git" / "config"
    config.write_text(config.read_text().replace(str(template.folder), str(folder)))
    return World(folder)


def without_root_rights() -> None:
    """Give up reading and writing what the file's mode forbids (what root may, and tests must not)."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            assert libc.prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP: gone from the next exec on


def ids(text: str) -> list[str]:
    """Return the headings of the memories in a text."""
    return [line[3:].partition(" ")[0] for line in text.splitlines() if line.startswith("## ")]


def lines(text: str) -> list[str]:
    """Return the ids of an index's lines."""
    return [line[3:].partition("]")[0] for line in text.splitlines() if line.startswith("- [")]

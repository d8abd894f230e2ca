"""An assistant's session with a transcript on the disk, whose stops call our hook as its host would."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.hook_process import World, run_hook
from tests.support.repos import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "capture"
CLAUDE = "claude/7b0c2f4e-1d35-4c1a-9a57-2f0e6d1c8a11.jsonl"
PLACES = {
    "claude": (".claude/projects/p", "Stop", CLAUDE),
    "codex": (".codex/sessions/2026/11/30", "Stop", "codex/rollout-2026-11-30T09-00-00-01a22d0c-e875-7950-a9c1-e171d1b28d12.jsonl"),
    "gemini": (".gemini/tmp/p/chats", "AfterAgent", "gemini/session-2026-11-30T09-00-3d1f0a6c.jsonl"),
    "copilot": (".copilot/session-state/s", "Stop", "copilot/events.jsonl"),
}  # fmt: skip


class Session:
    """A host's session in the world's workspace."""

    def __init__(self, world: World, host: str = "claude", name: str = "s", *, publishes: bool = False) -> None:
        """``publishes`` leaves retrospects to a process of its own, which goes on when a stop is answered."""
        folder, self.event, fixture = PLACES[host]
        self.world, self.host, self.name = world, host, name
        self.env = {} if publishes else {"BRAIN_CAPTURE_SIDEBRANCH": "false"}
        self.fixture = TRANSCRIPTS / fixture
        self.path = Path(os.environ["HOME"], folder, self.fixture.name)
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def write(self, first: int = 0, last: int | None = None) -> None:
        """Let the transcript hold what the fixture's does, to some line."""
        lines = (
            self.fixture.read_bytes()
            .replace(b"/home/mai/work/shop api", os.fsencode(self.world.workspace))
            .splitlines(keepends=True)
        )
        self.path.write_bytes(b"".join(lines[first:last]))

    def stop(
        self, event: str = "", fields: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Fire the event of a stop, and return the answer."""
        name = event or self.event
        payload = {
            "session_id": self.name, "transcript_path": str(self.path), "cwd": str(self.world.workspace),
            "hook_event_name": name, "stop_hook_active": False, **(fields or {}),
        }  # fmt: skip
        answer = run_hook(self.host, name, payload=payload, cwd="/", env={**self.env, **(env or {})})
        assert (answer.status, answer.err) == (0, b"")
        assert answer.out.isascii()
        found: dict[str, Any] = json.loads(answer.out)
        return found


def drafts(world: World) -> dict[str, str]:
    folder = world.memory / ROOT / "_pending"
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}


def retros(world: World) -> dict[str, str]:
    folder = world.memory / ROOT / "03.Retro"
    return {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*"))} if folder.exists() else {}

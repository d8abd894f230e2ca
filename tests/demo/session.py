"""The last part of the demo: a person corrects their assistant, and what they said becomes a draft by itself."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

from tests.demo.stage import BIN, DEMO, environment, run, show, tell

if TYPE_CHECKING:
    from pathlib import Path

FILE = "src/payment/retry.py"
ASKED = "with_retry phải chờ theo Retry-After, sửa giúp mình"
CORRECTED = (
    "いや、待ち時間は time.sleep ではなく、必ず scheduler に渡してください。夜間バッチのワーカーが止まるからです。"
)


def learn(shop: Path) -> None:
    """Let a session of Claude Code end, and show what it left."""
    tell("Mai's assistant changed a file, and she set it right. These are the person's two lines of the session:")
    show(f"Mai: {ASKED}\nMai: {CORRECTED}")
    tell("At the stop the hook keeps what she said, without a model, and asks once; the assistant is told:")
    env = {"CLAUDE_CONFIG_DIR": str(DEMO / "claude"), "BRAIN_CAPTURE_SIDEBRANCH": "false"}
    transcript = DEMO / "claude" / "projects" / "shop" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in said(shop)), "utf-8")
    event = {"session_id": "s", "cwd": str(shop), "transcript_path": str(transcript), "hook_event_name": "Stop"}
    done = subprocess.run(
        [str(BIN / "brain-hook"), "claude", "Stop"], env=environment() | env, input=json.dumps(event).encode(),
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    show(str(json.loads(done.stdout).get("reason", "(nothing: this is a bug)")))
    run(shop, "brain", "pending")


def said(shop: Path) -> list[dict[str, Any]]:
    """Return the lines of the session's transcript, as Claude Code writes them."""
    edit = {"type": "tool_use", "id": "e1", "name": "Edit", "input": {"file_path": str(shop / FILE)}}
    return [
        {"type": "user", "promptSource": "typed", "message": {"content": ASKED}},
        {"type": "assistant", "message": {"id": "m1", "content": [edit]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "e1", "content": "updated"}]}},
        {"type": "user", "promptSource": "typed", "message": {"content": CORRECTED}},
    ]

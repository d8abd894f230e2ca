"""``python -m tests.bench.hooks``: what the hooks of a running session cost, against a bare interpreter; and MCP's schemas.

Offers of memories on a prompt and on a file (at most three times a bare interpreter, warm), and how many tokens the tools
that an assistant sees take (1,200). What a stop costs is told by ``bench.capture``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from brain.files import write_file
from brain.tokens import estimate
from tests.bench.figures import figure
from tests.bench.measure import Run, best, run
from tests.bench.start import row, write_ticket
from tests.bench.stores import Store, build
from tests.support.hook_process import LAUNCHER

ROOT = Path(__file__).resolve().parents[2]
OFFER_TARGET, SCHEMA_TARGET = 3.0, 1200
EVENTS = {
    "offer on a prompt": ("UserPromptSubmit", {"prompt": "Retry the export of module 3 when the gateway is slow"}),
    "offer on a file": ("PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": "src/mod3/file3.py"}}),
}  # fmt: skip


def main() -> int:
    """Measure and print; exit 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench" / "hooks")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    store = build(args.folder / str(args.size), args.size)
    write_ticket(store)
    launcher = args.folder / "hook"
    write_file(str(launcher), LAUNCHER)
    bare = best([run([sys.executable, "-c", "pass"]) for _ in range(args.runs)])
    row("floor: python -c pass", bare)
    missed = 0
    for name, (event, fields) in EVENTS.items():
        hook(store, launcher, event, "warm", **fields)
        found = best([hook(store, launcher, event, f"s{number}", **fields) for number in range(args.runs)])
        missed += row(f"{name}, {args.size:,}", found, bare, OFFER_TARGET)
    missed += schemas()
    print(f"{missed} targets missed")
    return 1 if missed else 0


def hook(store: Store, launcher: Path, event: str, session: str, **fields: object) -> Run:
    """Run a hook once, as a host would."""
    payload = {"cwd": str(store.code_repo), "hook_event_name": event, "session_id": session, **fields}
    keep = {name: text for name, text in os.environ.items() if not name.startswith(("BRAIN_", "PYTHON"))}
    env = {**keep, "BRAIN_RECALL_SCORER": "hybrid", "BRAIN_NOW": "2026-11-30", "BRAIN_CAPTURE_SIDEBRANCH": "false"}
    return run([sys.executable, "-I", str(launcher), "claude", event], stdin=json.dumps(payload).encode(), env=env)


def schemas() -> int:
    """Count the tokens of the tools that MCP shows."""
    from brain_api.mcp.tools import TOOLS, input_schema

    text = json.dumps(
        [{"name": name, "description": tool.says, "inputSchema": input_schema(tool)} for name, tool in TOOLS.items()]
    )
    print(f"  MCP tools together {estimate(text):31} tokens")
    return figure("MCP: all tools' schemas, tokens", estimate(text), SCHEMA_TARGET)


if __name__ == "__main__":
    raise SystemExit(main())

"""``python -m tests.bench.capture``: is what is captured worth it, and what does a stop cost?

Precision and recall without a model, on the labelled transcripts and on our own sentences by language and by set (0.8 of
what is taken is worth a reviewer's minute). Then a stop of a new session, one with nothing new, one with a transcript of
200 MB (two seconds), and an event of a host that hands over no transcript, which is written down.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from brain.files import write_file
from brain.guess import language_of
from tests.bench.figures import figure
from tests.bench.measure import Run, best, run
from tests.bench.start import row, write_ticket
from tests.bench.stores import Store, build
from tests.support.captured import SAYINGS, count_sayings, count_transcripts, precision, recall
from tests.support.hook_process import LAUNCHER
from tests.support.session import CLAUDE, TRANSCRIPTS

ROOT = Path(__file__).resolve().parents[2]
WORTH_TARGET, STOP_TARGET = 0.8, 2.0
TRANSCRIPT_BYTES = 200_000_000


def main() -> int:
    """Measure and print; exit 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench" / "capture")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    missed = worth() + cost(args.folder, args.size, args.runs)
    print(f"{missed} targets missed")
    return 1 if missed else 0


def worth() -> int:
    """Print what is found, wrongly taken and missed; return how many targets were missed."""
    groups = {"labelled transcripts": count_transcripts()}
    for key, name in ((language, f"sentences, {language}") for language in ("en", "ja", "vi")):
        groups[name] = count_sayings(said for said in SAYINGS if language_of(said["text"]) == key)
    for name in dict.fromkeys(said["set"] for said in SAYINGS):
        groups[f"sentences, set {name}"] = count_sayings(said for said in SAYINGS if said["set"] == name)
    print(
        f"  {'captured without a model':32}{'found':>6}{'wrong':>6}{'missed':>7}{'left':>6}{'precision':>11}{'recall':>8}"
    )
    missed = 0
    for name, counts in groups.items():
        numbers = f"{counts['found']:6}{counts['wrong']:6}{counts['missed']:7}{counts['left']:6}"
        print(f"  {name:32}{numbers}{precision(counts):11.2f}{recall(counts):8.2f}")
        missed += figure(f"capture precision, {name}", precision(counts), WORTH_TARGET, at_least=True)
    return missed


def cost(folder: Path, size: int, runs: int) -> int:
    """Measure stops; return how many targets were missed."""
    store = build(folder / str(size), size)
    write_ticket(store)
    write_file(str(folder / "hook"), LAUNCHER)
    os.environ["HOME"] = str(folder / "home")
    path = folder / "home" / ".claude" / "projects" / "p" / "s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    bare = best([run([sys.executable, "-c", "pass"]) for _ in range(runs)])
    row("floor: python -c pass", bare)
    path.write_bytes(TRANSCRIPTS.joinpath(CLAUDE).read_bytes())
    row("stop: a session's first, four drafts", stop(store, folder, path), bare)
    row("stop: nothing new", best([stop(store, folder, path) for _ in range(runs)]), bare)
    told = {"clineVersion": "3", "taskId": "t", "workspaceRoots": [str(store.code_repo)], "hookName": "PostToolUse"}
    done = {"toolName": "run_commands", "parameters": {"commands": '["make"]'}, "result": "ok\n" * 200, "success": True}
    heard = [hook(folder, "cline", "PostToolUse", {**told, "postToolUse": done}) for _ in range(runs)]
    row("an event that is written down", best(heard), bare)
    write_long(path)
    found = stop(store, folder, path)
    path.unlink()
    row(f"stop: transcript of {TRANSCRIPT_BYTES // 10**6} MB", found)
    return figure("stop with a transcript of 200 MB, s", found.wall, STOP_TARGET)


def stop(store: Store, folder: Path, path: Path) -> Run:
    """Run the hook of a stop once."""
    fields = {
        "session_id": path.stem,
        "cwd": str(store.code_repo),
        "transcript_path": str(path),
        "stop_hook_active": False,
    }
    return hook(folder, "claude", "Stop", fields)


def hook(folder: Path, host: str, event: str, payload: Mapping[str, object]) -> Run:
    """Run a hook once, as a host would."""
    keep = {name: text for name, text in os.environ.items() if not name.startswith(("BRAIN_", "PYTHON"))}
    env = {**keep, "BRAIN_NOW": "2026-11-30", "BRAIN_CAPTURE_SIDEBRANCH": "false"}
    argv = [sys.executable, "-I", str(folder / "hook"), host, event]
    return run(argv, stdin=json.dumps({"hook_event_name": event, **payload}).encode(), env=env)


def write_long(path: Path) -> None:
    """Write a long transcript, piece by piece: this process's own peak would count as the hook's."""
    turn = {"type": "user", "message": {"role": "user", "content": "Look at the next file. " * 200}}
    line = json.dumps(turn).encode() + b"\n"
    with path.open("wb") as file:
        for _ in range(TRANSCRIPT_BYTES // len(line)):
            file.write(line)


if __name__ == "__main__":
    raise SystemExit(main())

"""``python -m tests.bench.loop``: what submit and finalize cost beside network and server, on the stand-in.

``brain submit`` of 5 drafts, and ``brain-ci finalize`` of a merge request with 20 memories in a tree of 10,000.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.figures import figure
from tests.finalize.project import Project, draft
from tests.gitlab.fixture import start
from tests.support.repos import PROGRAM, ROOT, git, memory_text, pending

SUBMIT_TARGET, FINALIZE_TARGET = 1.5, 3.0
"""Seconds, of submit beside network and server, of finalize with them (issue: "Time")."""
DRAFTS, MEMORIES = 5, 20
IDENTITY = {f"GIT_{role}_{key}": text for role in ("AUTHOR", "COMMITTER") for key, text in (("NAME", "Ada"), ("EMAIL", "ada@example.com"))}  # fmt: skip
WORDS = ("night", "export", "stock", "order", "refund", "batch", "queue", "lock", "gateway", "retry")


class Store(Project):
    """A project of which it is not asked what is there: all that is proposed is new."""

    def _tree(self, _: str) -> list[dict[str, Any]]:
        return []


def body(number: int) -> str:
    """Return a memory's text that is like no other's."""
    words = [WORDS[(number // 10**place) % 10] for place in range(5)]
    return f"The {' '.join(words)} {number} is done at {number} o'clock.\n\n**Apply:** wait for {number}."


def main() -> int:
    """Measure and print; exit 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000, help="memories that are there already")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    os.environ.update(IDENTITY)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name, start(Path(name) / "gitlab", tier="free") as forge:
        project = Store(forge.team(), Path(name))
        fill(project, args.size)
        done = measure(project.clone, "brain-ci", "finalize", "--adopt", env=project.env())
        row(f"finalize --adopt, tree of {args.size:,}", [done])
        missed = row(f"finalize of {MEMORIES}, tree of {args.size:,}", finalizes(project, args.runs), finalize=FINALIZE_TARGET)  # fmt: skip
        missed += row(f"submit of {DRAFTS}, tree of {args.size:,}", submits(project, args.runs), submit=SUBMIT_TARGET)
    print(f"{missed} targets missed")
    return 1 if missed else 0


def fill(project: Project, size: int) -> None:
    """Put approved memories on the default branch, by a push."""
    area = project.clone / ROOT / "01.Lessons" / "dev"
    for number in range(size):
        path = f"01.Lessons/dev/F-{number % 40:03}_Module/m-{number}.md"
        file = area.parents[1] / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(memory_text(path, body(number)), "utf-8")
    project.ask("PATCH", "protected_branches/main", allowed_to_push=[{"access_level": 40}])
    git(project.clone, "add", "-A")
    git(project.clone, "commit", "-q", "-m", "memory: an old store")
    git(project.clone, "push", "-q", project.team.remote("root"), "HEAD:main")


def finalizes(project: Project, runs: int) -> list[dict[str, Any]]:
    """Return what each finalize of a fresh merge request cost; the bot may push."""
    found = []
    for turn in range(runs):
        files: dict[str, str | None] = {}
        for number in range(MEMORIES):
            path = f"01.Lessons/dev/F-900_New/n-{turn}-{number}.md"
            files[path] = draft(path, body(100_000 + turn * 100 + number))
        iid = int(project.propose(files))
        project.approve(iid)
        project.merge(iid)
        found.append(measure(project.clone, "brain-ci", "finalize", env=project.env()))
    return found


def submits(project: Project, runs: int) -> list[dict[str, Any]]:
    """Return what each submit of fresh drafts cost."""
    clone = project.make_clone("ada")
    found = []
    for turn in range(runs):
        for number in range(DRAFTS):
            path = f"01.Lessons/dev/F-901_Mine/d-{turn}-{number}.md"
            pending(clone, path, body=body(200_000 + turn * 100 + number))
        env = {"BRAIN_GITLAB_TOKEN": project.team.dev.token}
        found.append(measure(clone, "brain", "-C", str(clone), "submit", "--ticket", f"B-{turn}", env=env))
    return found


def measure(folder: Path, *argv: str, env: dict[str, str]) -> dict[str, Any]:
    """Run a program once and return seconds in all, of processor with its children, and on the network.

    Raises:
        RuntimeError: It ended with something else than 0.
    """
    with tempfile.NamedTemporaryFile() as file:
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.timed", file.name, *argv], cwd=folder, env={**os.environ, **PROGRAM, **env},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode:
            raise RuntimeError(f"{' '.join(argv)} ended with {done.returncode}: {done.stderr}")
        counted = json.loads(Path(file.name).read_text())
    return {"wall": wall, "work": work, "network": counted["seconds"], "calls": counted["calls"]}


def row(label: str, runs: list[dict[str, Any]], *, submit: float = 0.0, finalize: float = 0.0) -> int:
    """Print the least of each figure; return 1 if it misses its target."""
    work = min(one["work"] for one in runs)
    wall, own = min(one["wall"] for one in runs), min(one["wall"] - one["network"] for one in runs)
    target, measured = (submit, own) if submit else (finalize, wall)
    verdict = (
        f"  (target {target:g} s {'beside network' if submit else 'in all'}: {'met' if measured <= target else 'MISSED'})"
        if target
        else ""
    )
    print(
        f"  {label:36} {wall:6.2f} s in all, {own:6.2f} s beside network and server, {work:5.2f} s of processor, {runs[0]['calls']} calls{verdict}",
        flush=True,
    )
    unit = "s beside network" if submit else "s"
    return figure(f"{label}, {unit}", measured, target) if target else 0


if __name__ == "__main__":
    raise SystemExit(main())

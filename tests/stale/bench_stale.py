"""How long staleness takes for many memories: ``PYTHONPATH=. python tests/stale/bench_stale.py [FOLDER]``.

Makes a repository of 20,000 files and 1,200 commits (kept in FOLDER for the next time), 10,000 memories of two refs
each over 1,000 distinct commits, and prints wall times as a table.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from brain.git.refs import find_commit, get_repo
from brain.stale.check import Question, check
from brain.stale.memories import check_memories
from brain.stale.refs import parse_ref
from tests.bench.figures import figure

FILES, COMMITS, CHANGES, MEMORIES, DISTINCT = 20_000, 1_200, 6, 10_000, 1_000
PATHS = [f"src/team{n % 12}/part{n % 240}/module{n}.{('py', 'ts', 'sql')[n % 3]}" for n in range(FILES)]


class Memory:
    """What recall hands over: refs and the commit at which they were verified."""

    def __init__(self, refs: tuple[str, ...], verified_commit: str) -> None:
        self.refs, self.verified_commit = refs, verified_commit


def main() -> None:
    """Print the table."""
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="bench_stale")
    repo = make_repo(os.path.join(folder, "bench.git"))
    head = find_commit(get_repo(repo), "HEAD")
    assert head
    commits = git(repo, "rev-list", "--first-parent", "HEAD").split()[-DISTINCT - 100 :][:DISTINCT]
    memories = list(make_memories(commits))
    questions = [Question(m.verified_commit, head, parse_ref(ref)) for m in memories for ref in m.refs]
    plain = [q for q in questions if "*" not in q.ref.path]
    with tempfile.TemporaryDirectory() as cache:
        repos = {"": repo}
        rows = [
            ("git diff --name-only, once a commit", timed(lambda: diff_each(repo, commits, head))),
            (f"check: {len(questions)} refs", timed(lambda: check(repo, questions))),
            (f"check: {len(plain)} of them, no globs", timed(lambda: check(repo, plain))),
            ("memories, cache empty", timed(lambda: check_memories(memories, repos, cache))),
            ("memories, from the cache", timed(lambda: check_memories(memories, repos, cache))),
            ("20 memories, from the cache", timed(lambda: check_memories(memories[:20], repos, cache))),
            ("20 memories, no cache", timed(lambda: check_memories(memories[:20], repos, ""))),
        ]
    base = rows[0][1]
    figure("staleness of 10,000 memories, cache empty", rows[3][1] / base, 1 / 20, f"{base * 1e3:.0f} ms")
    for name, seconds in rows:
        print(f"{name:40} {seconds * 1000:10.1f} ms   1/{base / seconds:.0f}")


def make_repo(path: str) -> str:
    """Return a bare repository with the files and commits, made once."""
    if not os.path.isdir(path):
        git(path, "init", "-q", "--bare", "-b", "main", path, folder=".")
        subprocess.run(
            ["git", "-C", path, "fast-import", "--quiet"],
            input="".join(stream(random.Random(1))).encode(),
            check=True,
        )
    return path


def stream(chance: random.Random) -> Iterator[str]:
    """Yield the fast-import stream: every file, then a few changed files a commit."""
    for number in range(COMMITS):
        yield f"commit refs/heads/main\ncommitter A <a@b> {1_600_000_000 + number * 3600} +0000\ndata 0\n"
        for path in PATHS if number == 0 else chance.sample(PATHS, CHANGES):
            text = f"{path} {number}\n"
            yield f"M 100644 inline {path}\ndata {len(text)}\n{text}\n"


def make_memories(commits: list[str]) -> Iterator[Memory]:
    """Yield memories of two refs: of ten, eight name a file, one a folder, one a glob below a folder."""
    chance = random.Random(2)
    for number in range(MEMORIES):
        refs = []
        for _ in range(2):
            path, kind = chance.choice(PATHS), chance.randrange(10)
            folder = path.rsplit("/", 1)[0]
            refs.append(path if kind < 8 else f"{folder}/" if kind == 8 else f"{folder}/*.{path.rsplit('.', 1)[1]}")
        yield Memory(tuple(refs), commits[number % len(commits)])


def diff_each(repo: str, commits: list[str], head: str) -> None:
    """Run what the check stands in for."""
    for commit in commits:
        git(repo, "diff", "--name-only", "--no-renames", commit, head)


def git(repo: str, *args: str, folder: str = "") -> str:
    """Return what git prints."""
    return subprocess.run(["git", "-C", folder or repo, *args], capture_output=True, check=True, text=True).stdout


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of wall time that ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()

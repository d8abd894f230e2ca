"""Stores of any size for measuring: a memory repo and a code repo with real history, made by ``git fast-import``.

The text is put together from a vocabulary with the skew of real language, in three languages, so that postings, n-grams
and parsing cost what they cost a team. Seeded: the same size gives the same store.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

FUNCTIONS = 40
CODE_COMMITS = 200
SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "da",
    "de",
    "di",
    "do",
    "ka",
    "ke",
    "ki",
    "ko",
    "la",
    "le",
    "li",
    "lo",
    "ma",
    "me",
    "mi",
    "mo",
    "na",
    "ne",
    "no",
    "pa",
    "pe",
    "po",
    "ra",
    "re",
    "ri",
    "ro",
    "sa",
    "se",
    "ta",
    "te",
    "to",
    "va",
    "ve",
]
KANJI = "受注出荷在庫引当請求決済返金顧客商品締日税率端数処理伝票倉庫移動棚卸連携認証期限再送失敗原因設定変更確認"
KANA = "のをにはがでとからまでするしたときは場合ため"
VIET = [
    "đơn",
    "hàng",
    "kho",
    "tồn",
    "thanh",
    "toán",
    "hoàn",
    "tiền",
    "khách",
    "phẩm",
    "thuế",
    "làm",
    "tròn",
    "xử",
    "lý",
    "lỗi",
    "gửi",
    "lại",
    "thời",
    "hạn",
    "cấu",
    "hình",
    "kiểm",
    "tra",
    "xác",
    "nhận",
]
TAGS = 600


@dataclass(frozen=True)
class Store:
    """A built store: where its repos are, and the code commits that memories were verified at."""

    memory_repo: Path
    code_repo: Path
    commits: list[str]


def build(folder: Path, size: int, seed: int = 1) -> Store:
    """Build a store of ``size`` memories below ``folder``."""
    rng = random.Random(seed)
    code_repo, commits = _code_repo(folder / "code", rng)
    memory_repo = folder / "memory"
    _fast_import(memory_repo, _memory_stream(size, commits, rng))
    state = code_repo / ".aiflow"
    (state / "context").mkdir(parents=True, exist_ok=True)
    (state / "state.json").write_text(f'{{"memory": {{"repo": "{memory_repo}"}}}}', encoding="utf-8")
    return Store(memory_repo, code_repo, commits)


def change(store: Store, count: int, seed: int) -> None:
    """Commit new text for ``count`` memories, as a pull would bring them."""
    rng = random.Random(seed)
    commits = store.commits
    names = [
        name
        for name in git(store.memory_repo, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
        if name.endswith(".md")
    ]
    parent = git(store.memory_repo, "rev-parse", "HEAD").strip()
    stream = [_commit_line("more", 1_770_000_000 + seed), f"from {parent}\n".encode()]
    changed = rng.sample(names, count)
    stream += [_file(name, _memory(Path(name).stem, Path(name).parent.name, commits, rng)) for name in changed]
    _feed(store.memory_repo, [*stream, b"\n"])


def vocabulary(rng: random.Random, words: int = 6000) -> list[str]:
    """Return made-up words of two to four syllables."""
    return ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(words)]


def git(repo: Path, *args: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", "-C", str(repo), *args], check=True, capture_output=True, text=True).stdout


def _code_repo(path: Path, rng: random.Random) -> tuple[Path, list[str]]:
    stream: list[bytes] = []
    for number in range(CODE_COMMITS):
        stream.append(_commit_line(f"change {number}", 1_700_000_000 + 3600 * number))
        files = range(2000) if number == 0 else rng.sample(range(2000), 5)
        stream += [
            _file(f"src/mod{at % FUNCTIONS}/file{at}.py", f"# {number}\nvalue = {rng.random()}\n") for at in files
        ]
        stream.append(b"\n")
    _fast_import(path, stream)
    git(path, "reset", "--hard", "-q", "HEAD")
    return path, git(path, "rev-list", "HEAD").split()


def _memory_stream(size: int, commits: list[str], rng: random.Random) -> list[bytes]:
    stream = [_commit_line("memories", 1_760_000_000)]
    words = vocabulary(rng)
    for number in range(size):
        function = number % FUNCTIONS
        folder = f"F-{function:03d}_Module{function}"
        name = f"99.Memory/01.Lessons/dev/{folder}/lesson-{number}.md"
        text = _memory(f"lesson-{number}", folder, commits, rng, words)
        stream += [_file(name, text)]
    stream.append(_file("99.Memory/brain.toml", '[people]\npm = ["mai"]\n'))
    return [*stream, b"\n"]


_WORDS: list[str] = []


def _memory(slug: str, folder: str, commits: list[str], rng: random.Random, words: list[str] | None = None) -> str:
    words = words or _WORDS or _WORDS.extend(vocabulary(random.Random(1))) or _WORDS
    code = folder.partition("_")[0].replace("-", "")
    module = int(code[1:])
    tags = sorted({f"tag{int(rng.paretovariate(0.6)) % TAGS}" for _ in range(4)} | {f"mod{module}"})
    files = ", ".join(f"src/mod{module}/file{module + FUNCTIONS * rng.randrange(50)}.py" for _ in range(2))
    return f"""---
id: mem-{code}-{slug}
type: lesson
workflows: [coding, review]
tags: [{", ".join(tags)}]
scope: {folder}
confidence: {rng.choice(("0.4", "0.5", "0.6", "0.7", "0.8"))}
source: TICKET-{rng.randrange(9999)} / Gate 4
status: approved
hits: {rng.choice((0, 0, 1, 4))}
created: 2026-{rng.randint(1, 11):02d}-{rng.randint(1, 28):02d}
reviewed_by: mai
refs: [{files}]
verified_commit: {rng.choice(commits[:60])}
stale: false
---

{_body(rng, words)}

**Apply:** check {rng.choice(words)} first.
"""


def _body(rng: random.Random, words: list[str]) -> str:
    kind = rng.random()
    if kind < 0.3:
        return "".join(rng.choice(KANJI) + rng.choice(KANJI) + rng.choice(KANA) for _ in range(50)) + "。"
    pool = VIET if kind < 0.5 else words
    return " ".join(pool[int(rng.paretovariate(0.4)) % len(pool)] for _ in range(70)) + "."


def _commit_line(message: str, when: int) -> bytes:
    return f"commit refs/heads/main\ncommitter bench <bench@example.invalid> {when} +0000\ndata {len(message)}\n{message}\n".encode()


def _file(name: str, text: str) -> bytes:
    raw = text.encode()
    return f"M 100644 inline {name}\ndata {len(raw)}\n".encode() + raw + b"\n"


def _fast_import(repo: Path, stream: list[bytes]) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    _feed(repo, stream)


def _feed(repo: Path, stream: list[bytes]) -> None:
    subprocess.run(["git", "-C", str(repo), "fast-import", "--quiet", "--force"], input=b"".join(stream), check=True)


def some_words(count: int) -> str:
    """Return words of the vocabulary, common ones most often, the same each time."""
    rng = random.Random(7)
    words = vocabulary(random.Random(1))
    return " ".join(words[int(rng.paretovariate(0.4)) % len(words)] for _ in range(count))

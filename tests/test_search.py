"""Search finds what a person types, in any language and spelling (issue item 3)."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.search import search
from brain.workspace import Brain, open_brain
from tests.support.repos import PROGRAM, commit, make_memory_repo, memory_text, pending

BODIES = {
    "ja": "在庫の出力は18時までに終える。大阪倉庫のガイドラインに従うこと。",
    "vi": "Việc xuất tồn kho phải xong trước 18 giờ, nếu không hóa đơn và thủy sản bị khóa sổ.",
    "en": "The stock exports must finish before the warehouse closes; see parseHTTPHeader in F-003 and HTTP_429 errors.",
    "order": "Đơn hàng đã duyệt thì không được sửa.",
    "tax": "Consumption tax is rounded down per line, never per invoice.",
    "code": "The screen ABC-12 belongs to Node.js service v2, café module.",
}
STORE = {
    f"00.Shared/decisions/{name}.md": memory_text(f"00.Shared/decisions/{name}.md", body=body, tags=(name,))
    for name, body in BODIES.items()
}


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Brain:
    """Return a memory of six in three languages."""
    return open_brain(str(make_memory_repo(tmp_path_factory.mktemp("search") / "repo", STORE)), {})


def first(brain: Brain, text: str) -> str:
    found = search(brain, text)
    return found[0].memory.place.slug if found else ""


QUESTIONS = [
    # Japanese: words, parts of words, whole sentences, width, one sign
    ("在庫", "ja"), ("出力", "ja"), ("ガイド", "ja"), ("ｶﾞｲﾄﾞﾗｲﾝ", "ja"), ("在", "ja"), ("大阪倉庫のガイドラインはどこにありますか？", "ja"), ("在庫、出力！", "ja"), ("１８時", "ja"), (unicodedata.normalize("NFD", "ガイドライン"), "ja"),
    # Vietnamese: marks, other places for the tone, none, d for đ, decomposed, capitals
    ("tồn kho", "vi"), ("ton kho", "vi"), ("hoá đơn", "vi"), ("hóa đơn", "vi"), ("hoa don", "vi"), ("thuỷ sản", "vi"), ("THỦY SẢN", "vi"), ("đơn hàng", "order"), ("don hang", "order"), ("ĐƠN HÀNG", "order"),
    (unicodedata.normalize("NFD", "đơn hàng"), "order"), ("đơn hàng đã duyệt có được sửa không?", "order"), ("duyet", "order"),
    # English: plural, capitals, beginnings, punctuation, camelCase
    ("export", "en"), ("exports", "en"), ("EXPORT", "en"), ("ｅｘｐｏｒｔ", "en"), ("ware", "en"), ("warehouses", "en"), ("(warehouse)", "en"), ("'finish'?", "en"), ("parse http header", "en"), ("httpheader", ""), ("parsehttp", "en"),
    ("round", "tax"), ("consumption-tax", "tax"), ("Is tax rounded per invoice or per line?", "tax"), ("cafe", "code"), ("CAFÉ", "code"), (unicodedata.normalize("NFD", "café"), "code"),
    # codes with and without hyphens
    ("F-003", "en"), ("F003", "en"), ("f003", "en"), ("HTTP 429", "en"), ("http429", "en"), ("HTTP-429", "en"), ("ABC-12", "code"), ("abc12", "code"), ("ABC 12", "code"), ("node.js", "code"), ("Node JS", "code"), ("v2", "code"),
    # nothing
    ("zebra", ""), ("!!!", ""), ("。、", ""), ("☃", ""), ("", ""), ("\n\t", ""), ("x" * 10_000, ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "slug"), QUESTIONS, ids=[text[:20] for text, _ in QUESTIONS])
def test_the_best_match_comes_first(brain: Brain, text: str, slug: str) -> None:
    assert first(brain, text) == slug


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters()))
def test_any_text_can_be_searched_for(brain: Brain, text: str) -> None:
    found = search(brain, text, 3)
    assert len(found) <= 3
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def run(folder: Path, *args: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", str(folder), "search", *args],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**PROGRAM, "PATH": "/usr/bin:/bin", "HOME": str(folder)},
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_answers_people_and_programs(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", STORE)
    pending(repo, "00.Shared/decisions/mine.md", body="Tax is mine.", tags=())
    status, out, err = run(repo, "tax", "--json")
    rows = json.loads(out)["memories"]
    assert (status, err, [(row["id"], row["status"]) for row in rows]) == (
        0,
        "",
        [("mem-global-tax", "approved"), ("mem-global-mine", "pending")],
    )
    assert run(repo, "consumption", "tax", "--limit", "1") == (
        0,
        "- [mem-global-tax](00.Shared/decisions/tax.md) — Consumption tax is rounded down per line, never per invoice (decision, global, coding)\n",
        "",
    )
    assert run(repo, "zebra", "--json") == (1, '{"memories": []}\n', "brain: nothing found\n")
    assert run(repo, "在庫の出力", "--json")[1].count("mem-global-ja") == 1


def test_a_search_is_the_same_however_the_index_came_about(tmp_path: Path) -> None:
    words = [f"co{chr(97 + number % 26)}{number}" for number in range(200)]
    bodies = {
        f"00.Shared/decisions/m{number}.md": memory_text(f"00.Shared/decisions/m{number}.md", body=f"{word} said")
        for number, word in enumerate(words)
    }
    extra = {
        f"99.Memory/00.Shared/decisions/n{number}.md": memory_text(
            f"00.Shared/decisions/n{number}.md", body=f"coz{number} said"
        )
        for number in range(80)
    }
    repo = make_memory_repo(tmp_path / "repo", bodies)
    open_brain(str(repo), {})
    commit(repo, extra)
    open_brain(str(repo), {})
    commit(repo, dict.fromkeys(extra))
    stepwise = search(open_brain(str(repo), {}), "co", 100)
    cold = search(open_brain(str(make_memory_repo(tmp_path / "cold", bodies)), {}), "co", 100)
    assert [(found.memory.id, found.score) for found in stepwise] == [(found.memory.id, found.score) for found in cold]
    assert len(cold) == 60

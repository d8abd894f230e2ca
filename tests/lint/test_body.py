from __future__ import annotations

import unicodedata

import pytest

from tests.lint.support import at, lint, memory

APPLY = "\n\n**Apply:** always.\n"
APPLY_JA = "\n\n**適用：** 常に。\n"


def words(count: int) -> str:
    return " ".join(["stock"] * count)


@pytest.mark.parametrize(
    ("body", "name", "line"),
    [
        ("   \n\u3000\n", "body-empty", 17), ("# Export" + APPLY, "body-no-statement", 18), ("![x](docs/x.png)\n", "body-no-statement", 18),
        ("https://gitlab.example.com/x" + APPLY, "body-no-statement", 18), ("```bash\nmake\n```\n", "body-no-statement", 18),
        (words(149) + APPLY, "body-words", 18), ("在" * 297 + APPLY_JA, "body-words", 18), (words(100) + "在" * 97 + APPLY_JA, "body-words", 18),
        (".".join(["word"] * 400) + APPLY, "body-characters", 18), ("、".join(["word"] * 350) + APPLY_JA, "body-characters", 18), ("ก" * 1500 + APPLY, "body-characters", 18),
        ("\u00a0".join(["stock"] * 151) + APPLY, "body-words", 18), ("Run:\n\n```\n" + words(160) + "\n```" + APPLY, "body-words", 18),
        ("It ends at 18:00.\n", "apply-missing", 18), ("It ends.\n\nApply: start.\n", "apply-missing", 20),
        ("It ends.\n\n```\n**Apply:** start.\n```\n", "apply-missing", 22), ("Kho chốt sổ.\n\n**Ap dung:** chạy.\n", "apply-missing", 20),
        ("It ends at 18:00.\n\n**Apply:**\n", "apply-empty", 20), ("Run:\n\n```\nmake" + APPLY, "body-fence-not-closed", 20),
    ],
)  # fmt: skip
def test_bodies_that_block(body: str, name: str, line: int) -> None:
    assert (line, 1, "error") in at(lint(memory(body)), name)


@pytest.mark.parametrize(
    ("body", "name", "line"),
    [
        ("TODO: ask." + APPLY, "body-placeholder", 18), (words(119) + APPLY, "ok-limit-near", 18), (words(148) + APPLY, "ok-limit-near", 18),
        ("It ends.\n\n**Apply:** one.\n\n**Apply:** two.\n", "apply-twice", 22),
        ("在庫の出力は18時までに終える。\n\n**Apply:** 17時に起動する。\n", "apply-language", 20),
        ("# One\n\nA.\n\n# Two\n\nB." + APPLY, "more-than-one-fact", 22), ("\n".join(f"- {n}" for n in range(12)) + APPLY, "more-than-one-fact", 18),
        (unicodedata.normalize("NFD", "Kho chốt sổ lúc đó.\n\n**Áp dụng:** chạy lúc 17 giờ.\n"), "text-not-nfc", 18),
    ],
)  # fmt: skip
def test_bodies_that_only_warn(body: str, name: str, line: int) -> None:
    assert [(found.rule.name, found.line, found.severity) for found in lint(memory(body))] == [(name, line, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        words(118) + APPLY, "在" * 236 + APPLY_JA, "It ends.\n\n**Apply**: start.\n", "在庫の出力は18時まで。\n\n**適用:** 17時に起動する。\n",
        "Kho Osaka chốt sổ lúc đó.\n\n**Áp dụng:** chạy lúc 17 giờ.\n", "It ends.\n\n**Apply:**\n- start\n- wait\n",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nThe table lists ports." + APPLY, "```bash\nmake export\n```" + APPLY,
    ],
)  # fmt: skip
def test_bodies_that_are_fine(body: str) -> None:
    assert lint(memory(body)) == []

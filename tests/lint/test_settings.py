from __future__ import annotations

import pytest

from tests.lint.support import at, lint, names

PATH = "99.Memory/brain.toml"
MARK = "0123456789abcdef0123"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[recall]\nscorer = \n", 2),
        ("[recall]\nscorrer = 'rule'\n", 2),
        ("[memory]\ntopN = 'many'\n", 2),
        ("[[lint.allow]]\nfingerprint = 'x'\n", 1),
        ("[[lint.allow]]\nfingerprint = '*'\nreason = 'all'\n", 1),
    ],
)
def test_settings_that_cannot_be_used(text: str, line: int) -> None:
    assert at(lint(text, PATH), "settings-invalid") == [(line, 1, "error")]


def test_settings_that_can() -> None:
    assert lint("# settings\n[recall]\nscorer = 'hybrid'\n", PATH) == []


def test_an_allowance_is_told() -> None:
    findings = lint(f"[[lint.allow]]\nfingerprint = '{MARK}'\nreason = 'a test key'\n", PATH)
    assert [(found.rule.name, found.line, found.message) for found in findings] == [
        ("allowance-added", 2, f"lint lets {MARK} through: a test key")
    ]


def test_a_secret_in_settings_is_found() -> None:
    assert "secret-token" in names(lint("# " + "gl" + "pat-" + "Ab3dEf6hIj9kLm2nOp5q\n", PATH))

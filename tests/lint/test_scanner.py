from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from brain.lint import scanner
from brain.lint.judge import SourceFile
from brain.lint.scanner import ScannerError, find_scanner, scan
from tests.lint.support import PATH, lint, memory

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = find_scanner()
needs_gitleaks = pytest.mark.skipif(
    not PROGRAM, reason="gitleaks is not installed: pip install '.[lint]' in Project Brain's folder"
)
TOKEN = "gl" + "pat-" + "Ab3dEf6hIj9kLm2nOp5q"


def source(text: str) -> SourceFile:
    return SourceFile(PATH, "100644", len(text.encode()), text.encode())


@needs_gitleaks
def test_it_finds_what_is_split_and_what_is_told_to_be_let_through() -> None:
    text = memory(f"The token is {TOKEN[:9]}\u200b{TOKEN[9:]} gitleaks:allow\n\n**Apply:** x.\n")
    (finding,) = scan(PROGRAM, [source(text)], "99.Memory", [])
    assert (finding.rule.name, finding.severity, finding.line, finding.message) == (
        "secret-scanner",
        "error",
        18,
        "gitlab-pat (gitleaks)",
    )


@needs_gitleaks
def test_what_the_own_rules_found_is_not_said_twice() -> None:
    text = memory(f"The token is {TOKEN}\n\n**Apply:** x.\n")
    assert scan(PROGRAM, [source(text)], "99.Memory", lint(text)) == []


@needs_gitleaks
def test_a_clean_memory_has_nothing_and_commit_ids_are_none() -> None:
    assert scan(PROGRAM, [source(memory(verified_commit="1f0c" * 10))], "99.Memory", []) == []


def fake(folder: Path, script: str) -> str:
    program = folder / "gitleaks"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def test_a_scanner_that_finds_nothing_at_all_is_no_scanner(tmp_path: Path) -> None:
    program = fake(
        tmp_path, 'for a in "$@"; do case "$a" in --report-path=*) echo "[]" > "${a#--report-path=}";; esac; done'
    )
    with pytest.raises(ScannerError, match="did not find the token that was planted"):
        scan(program, [source(memory())], "99.Memory", [])


@pytest.mark.parametrize("script", ["exit 2", "true"])
def test_a_scanner_that_fails_lets_nothing_through(tmp_path: Path, script: str) -> None:
    with pytest.raises(ScannerError):
        scan(fake(tmp_path, script), [source(memory())], "99.Memory", [])


def test_without_the_wheel_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "PACKAGE", "no_such_package_at_all")
    assert find_scanner() == ""

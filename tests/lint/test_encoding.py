from __future__ import annotations

import pytest

from tests.lint.support import BODY, at, errors, lint, memory, names

GOOD = memory()


def test_a_good_memory_has_no_findings() -> None:
    assert lint(GOOD) == []


@pytest.mark.parametrize(
    ("content", "name", "line", "column"),
    [
        (b"", "file-empty", 1, 1),
        (b"\xef\xbb\xbf", "file-empty", 1, 1),
        (GOOD.encode() + b"x " * 9000, "file-too-big", 1, 1),
        (b"\xef\xbb\xbf" + GOOD.encode(), "encoding-bom", 1, 1),
        (GOOD.encode() + b"\xc0\xaf\n", "encoding-not-utf8", 21, 1),
        (GOOD.encode("utf-16"), "encoding-not-utf8", 1, 1),
        (GOOD.encode().replace(b"books", b"bo\0ks"), "encoding-nul-byte", 18, 51),
        (GOOD.replace("\n", "\r").encode(), "line-endings-cr", 1, 4),
        (memory("a" * 2001 + "\n\n**Apply:** x.\n").encode(), "line-too-long", 18, 2001),
        (memory("<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n\n**Apply:** x.\n").encode(), "merge-conflict-marker", 18, 1),
    ],
)  # fmt: skip
def test_bytes_that_block(content: bytes, name: str, line: int, column: int) -> None:
    assert (line, column, "error") in at(lint(content), name)


@pytest.mark.parametrize(
    ("content", "name", "line"),
    [
        (GOOD.replace("\n", "\r\n"), "line-endings-crlf", 1),
        (GOOD.replace("\n", "\r\n", 4), "line-endings-mixed", 1),
        (GOOD.rstrip("\n"), "no-final-newline", 20),
        (memory("A \ufffd sign.\n\n**Apply:** x.\n"), "replacement-character", 18),
    ],
)
def test_bytes_that_only_warn(content: str, name: str, line: int) -> None:
    findings = lint(content)
    assert [(finding.rule.name, finding.line, finding.severity) for finding in findings] == [(name, line, "warning")]


def test_what_is_no_utf8_is_scanned_all_the_same() -> None:
    token = "gl" + "pat-" + "Ab3dEf6hIj9kLm2nOp5q"
    assert "secret-token" in names(lint(memory(f"The token is {token}.\n").encode() + b"\xff\n"))


def test_a_file_is_refused_from_its_size_alone() -> None:
    from brain.lint.judge import SourceFile, judge
    from tests.lint.support import PATH, TEAM

    findings = judge(SourceFile(PATH, "100644", 10 << 20, None), TEAM).sheet.findings()
    assert [(finding.rule.name, finding.message) for finding in findings] == [
        ("file-too-big", "10485760 bytes, 16384 at most")
    ]


def test_a_body_with_crlf_is_judged_like_any_other() -> None:
    assert errors(lint(memory(BODY).replace("\n", "\r\n"))) == set()

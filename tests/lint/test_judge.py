"""No input crashes lint, none takes over a second. What fuzzing found stays here as cases."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.lint import judge as judge_module
from brain.lint.judge import MAX_OTHER_BYTES, SourceFile, judge
from brain.memory import MAX_FILE_BYTES
from tests.lint.support import PATH, TEAM, at, lint, memory, names

SECONDS = 1.0
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RETRO = "99.Memory/03.Retro/T-1.md"
PIECES = (
    "---\n", "--- \n", "id: ", "tags: [", "]", "{", "}", "&a ", "*a", "!!x ", "|\n", ">\n", "# ", "'", '"', "\\x69", "\\u202e", "`", "```\n", "~~~\n", "<!--", "-->",
    "<script", ">", "![", "](", "http://", "@", "javascript:", "&#105;", "{{", "\u200b", "\u202e", "\U000e0041", "\ufe0f", "\x1b[8m", "\x00", "\r", "\r\n", "\n", "\n\n", " ",
    "\u0301", "а", "\U0001d422", "あ", "パスワード：", "mật khẩu: ", "password=", "gl" + "pat-", "ey" + "J", "AK" + "IA", "-----BEGIN RSA PRIV" + "ATE KEY-----",
    "QUJDREVGR0hJSktMTU5P",
    "69676e6f7265", "%69%67", "ignore all previous instructions", "AI assistant: run ", "4111 1111 ", "090-1234-", "0123456789", "**Apply:** x\n", "| a |\n", "=", ":", "/", ".",
)  # fmt: skip


def took(content: bytes, path: str = PATH) -> float:
    start = time.process_time()  # not the wall's: the machine is shared
    found = judge(SourceFile(path, "100644", len(content), content), TEAM).sheet.findings()
    assert "lint-failed" not in names(found), content[:200]
    return time.process_time() - start


@FUZZ
@given(st.binary(max_size=3000))
def test_no_bytes_crash_it(content: bytes) -> None:
    assert took(content) < SECONDS


@FUZZ
@given(st.binary(max_size=600), st.binary(max_size=600))
def test_no_frontmatter_crashes_it(head: bytes, body: bytes) -> None:
    assert took(b"---\n" + head + b"\n---\n\n" + body) < SECONDS


@FUZZ
@given(st.lists(st.sampled_from(PIECES), max_size=200), st.lists(st.sampled_from(PIECES), max_size=200))
def test_no_mix_of_what_rules_look_for_crashes_it(head: list[str], body: list[str]) -> None:
    assert took(("---\n" + "".join(head) + "\n---\n" + "".join(body)).encode("utf-8", "surrogatepass")) < SECONDS
    assert took("".join(body).encode(), RETRO) < SECONDS


@FUZZ
@given(st.text(max_size=60))
def test_no_path_crashes_it(name: str) -> None:
    found = judge(SourceFile(f"99.Memory/{name}", "100644", 0, b""), TEAM).sheet.findings()
    assert "lint-failed" not in names(found)


REPEATED = (
    *PIECES, "a", "1", "a@b.c", "a-b-", "Aa1!", "x://u:p@", "[a](", "[]", "[a]: b\n", "`` ", "<a ", "&#1;", "1990-", "01/01/", "DE12 3456 ", "send the .env ", "curl ", "curl x | ",
    "this memory overrides all ", "アシスタントは", "指示を", "ユーザーに", "bo qua tat ca ", "tro ly ai phai ", "i g n ", "AC" + "a" * 32 + " ", "w1cDn" + "yilFU=", ".atlas" + "v1.", ":AA",
    "--password ", "docker login -p ", "data:image/png;base64,", "token ", "\u200dai assistant: run ", "\x1bthis memory overrides all ", "аaw1cDn" + "yilFU=", "a@b.c\U000e0041", "Aa1!send ", "_", "_ ", "a_", "._", "- ",
    "MFRGGZDF", '"a1" + ', "chr(97)+", "- ab1\n", "$\\color{white}x$ ", "⠁", "gl" + "pat-Xk3T ", "glpat - ", "01100001 ", "password is a b c d ", "if asked, ", "12 Oak Lane, ", "東京都", "số 1, ", "a: b1\n",
)  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_time_is_linear_in_what_is_repeated(piece: str) -> None:
    size = len(piece.encode("utf-8", "surrogatepass"))
    body = piece * (15000 // size)
    assert took(memory(body).encode("utf-8", "surrogatepass")[:MAX_FILE_BYTES]) < SECONDS
    assert took((piece * (MAX_OTHER_BYTES // size)).encode("utf-8", "surrogatepass"), RETRO) < SECONDS


@pytest.mark.parametrize("size", [100_000, 10 << 20])
def test_a_long_line_or_a_huge_file_is_refused_at_once(size: int) -> None:
    assert took(b"x" * size) < SECONDS
    assert names(lint("x" * size)) == {"file-too-big"}


def test_a_rule_that_breaks_is_a_finding_and_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(judge_module, "check_body", broken)
    findings = lint(memory(source="yes"))
    assert at(findings, "lint-failed") == [(1, 1, "error")]
    assert at(findings, "field-type") == [(8, 9, "error")]

"""The note's text: short when clean, complete when not, and nothing of a file gets out of its code span."""

from __future__ import annotations

import re

import pytest

from brain.lint.engine import Report
from brain.lint.finding import ERROR, WARNING, Finding, Rule
from brain_ci.note import MOST_ROWS, Pages, render_note, render_thread
from brain_ci.texts import WORDS

PAGES = Pages("https://git.example.com/g/docs", "1234567890abcdef", "https://git.example.com/g/docs/-/jobs/7")
NO_PAGES = Pages("", "1234567890abcdef", "")
RULE = Rule("M040", "field-missing", ERROR, "what", "Why.", "mend")
FOOT = "`1234567890ab` · [job log](https://git.example.com/g/docs/-/jobs/7)"


def finding(path: str = "99.Memory/x.md", message: str = "no source", mend: str = "give one", *, severity: str = ERROR,
            allowed: str = "", line: int = 3) -> Finding:  # fmt: skip
    return Finding(path, line, 1, RULE, severity, message, mend, "0" * 20, allowed)


def test_a_clean_change_is_one_line() -> None:
    assert render_note(Report((), 2), "en", PAGES) == f"✅ Memory lint: no findings · {FOOT}"


def test_errors_stand_in_a_table_and_the_rest_is_folded_away() -> None:
    rows = (finding(), finding(severity=WARNING, message="long"), finding(message="key", allowed="a test key"))
    assert render_note(Report(rows, 2), "en", PAGES) == (
        "### ❌ Memory lint: this has to be mended before the merge\n\n"
        "Errors: 1 · warnings: 1 · allowed: 1 · files: 2\n\n"
        "| rule | where | what | what to do |\n| --- | --- | --- | --- |\n"
        "| **M040** field-missing | [`99.Memory/x.md:3`](https://git.example.com/g/docs/-/blob/1234567890abcdef/99.Memory/x.md#L3)"
        " | `no source` | `give one` |\n\n"
        "<details><summary>Warnings: 1</summary>\n\n"
        "| rule | where | what | what to do |\n| --- | --- | --- | --- |\n"
        "| **M040** field-missing | [`99.Memory/x.md:3`](https://git.example.com/g/docs/-/blob/1234567890abcdef/99.Memory/x.md#L3)"
        " | `long` | `give one` |\n\n</details>\n\n"
        "<details><summary>Allowed by brain.toml: 1</summary>\n\n"
        "| rule | where | what | what to do |\n| --- | --- | --- | --- |\n"
        "| **M040** field-missing | [`99.Memory/x.md:3`](https://git.example.com/g/docs/-/blob/1234567890abcdef/99.Memory/x.md#L3)"
        f" | `key` | allowed: `a test key` |\n\n</details>\n\n{FOOT}"
    )


def test_warnings_alone_pass() -> None:
    note = render_note(Report((finding(severity=WARNING),), 1), "en", NO_PAGES)
    assert note.startswith("### ✅ Memory lint: nothing stands in the way of the merge\n\nErrors: 0 · warnings: 1")
    assert "| `99.Memory/x.md:3` |" in note


def test_a_long_table_is_cut_and_says_so() -> None:
    note = render_note(Report(tuple(finding(line=number) for number in range(MOST_ROWS + 7)), 1), "en", PAGES)
    assert note.count("\n| **M040**") == MOST_ROWS
    assert "\n\n… and 7 more, in the job log\n\n" in note


@pytest.mark.parametrize("language", WORDS)
def test_every_language_says_everything(language: str) -> None:
    assert WORDS[language].keys() == WORDS["en"].keys()
    assert all(set(re.findall(r"\{\w+\}", WORDS[language][key])) == set(re.findall(r"\{\w+\}", text)) for key, text in WORDS["en"].items())  # fmt: skip
    assert WORDS[language]["columns"].count("|") == 5
    rows = (finding(), finding(severity=WARNING), finding(allowed="r"))
    note = render_note(Report(rows, 3), language, PAGES)
    assert WORDS[language]["failed"] in note
    assert "{" not in note + render_thread(finding(), language)


HOSTILE = [
    "`` ` `", "a | b | c", "@all please /close", "\n/merge\n/close", "](https://evil.example)", "</details><img src=x onerror=1>",
    "<!-- brain:lint -->", "<!-- brain:lint 00000000000000000000 -->", "\u202etxt.exe", "![x](https://evil.example/p.png)", "#1 !2 ~bug",
    "$\\`x\\`$", "a\r\n\r\n# Heading",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_gets_out_of_its_code_span(text: str) -> None:
    row = finding(f"99.Memory/{text}.md", text, text, allowed="")
    allowed = finding(f"99.Memory/{text}.md", text, text, allowed=text)
    note = render_note(Report((row, allowed), 1), "en", PAGES)
    lines = [line for line in note.splitlines() if line.startswith("| **M040**")]
    assert len(lines) == 2
    for line in lines:
        assert line.count("|") == 5
        bare = re.sub(r"`[^`]*`", "·", line)
        assert re.fullmatch(
            r"\| \*\*M040\*\* field-missing \| \[·\]\(https://git\.example\.com/g/docs/-/blob/1234567890abcdef/[\w./%~-]*#L3\) \| · \| (allowed: )?· \|",
            bare,
        )
    assert note.count("<!--") == 0
    assert not any(line.startswith("/") for line in note.splitlines())
    thread = re.sub(r"`[^`]*`", "·", render_thread(row, "en"))
    assert thread == "**M040** field-missing ·: ·\n\nWhat to do: ·\n\n" + WORDS["en"]["thread"]


def test_a_name_that_is_no_utf8_is_shown_and_linked() -> None:
    note = render_note(Report((finding("99.Memory/\udcff.md"),), 1), "en", PAGES)
    assert (
        "[`99.Memory/\\udcff.md:3`](https://git.example.com/g/docs/-/blob/1234567890abcdef/99.Memory/%FF.md#L3)" in note
    )
    note.encode()

"""What a page joins is found as it is shown; tokens are put together when a test runs."""

from __future__ import annotations

import pytest

from brain.lint.markdown import mark_code
from brain.lint.rendered import render
from tests.lint.support import BODY_LINE, PATH, TEAM, at, errors, lint, memory, names, scan

TOKEN = "gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c"
GITHUB = "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7yZ2bD4fG6hJ8"
MAIL = "tanaka.k" + "@corp.co.jp"


@pytest.mark.parametrize(
    "text",
    [
        TOKEN.replace("-", "\\-"), GITHUB.replace("_", "\\_"), GITHUB.replace("_", "&#95;"), GITHUB.replace("_", "&lowbar;"), GITHUB.replace("_", "%5F"),
        *(GITHUB[:12] + mark + GITHUB[12:] for mark in ("<wbr>", "&shy;", "&#8203;", "<b></b>")), f"{GITHUB[:12]}*{GITHUB[12:30]}*{GITHUB[30:]}", GITHUB.replace("_", "_**", 1) + "**",
    ],
)  # fmt: skip
def test_a_token_is_found_as_a_page_shows_it(text: str) -> None:
    assert "secret-token" in errors(scan(f"Use {text} for it."))


@pytest.mark.parametrize(
    "text",
    [
        MAIL.replace("@", "\\@"),
        MAIL.replace("@", "&#64;"),
        MAIL.replace("@", "&commat;"),
        f"[m](mailto:{MAIL.replace('@', '%40')})",
    ],
)
def test_an_address_is_found_as_a_page_shows_it(text: str) -> None:
    assert "personal-email" in errors(scan(f"Write {text} soon."))


@pytest.mark.parametrize("name", ["&#8238;", "&ZeroWidthSpace;", "&#917569;", "&shy;"])
def test_what_nobody_sees_is_told_by_its_name(name: str) -> None:
    assert "hidden-character" in names(scan(f"A word{name}less."))
    assert scan(f"The entity `{name}` stands for nothing.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Use `list\\_orders` and a\\*b; 5 &lt; 6 &amp; 7 &gt; 2; **bold**text and un*believ*able.", "100&nbsp;EUR and &copy; 2024.", "C:\\_build\\.cache and `\\d+\\.\\d+`.",
        "H<sub>2</sub>O, 10<sup>3</sup>, line<br>break.",
    ],
)  # fmt: skip
def test_marks_within_words_are_fine(text: str) -> None:
    assert scan(text) == []


def test_it_is_found_where_it_stands() -> None:
    shown = TOKEN.replace("-", "\\-")
    findings = lint(memory(f"It ends.\n\nThe **token** is {shown} now.\n\n**Apply:** x.\n"))
    assert at(findings, "secret-token") == [(BODY_LINE + 2, 18, "error")]


def test_only_lines_that_join_something_are_rendered() -> None:
    rendered = render(mark_code("**Apply:** a *b* c\nx\\_y `p\\_q`"))
    assert rendered is not None
    assert rendered.text == "\nx_y " + " " * 6
    assert render(mark_code("**Apply:** a *b* c")) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (f"00.Shared/domain/F-002_Order/{TOKEN.lower()}.md", "secret-token"), (f"00.Shared/domain/{GITHUB}/.gitkeep", "secret-token"), ("00.Shared/domain/F-002_Order/cccd-001203" + "004567.md", "personal-id"),
        ("00.Shared/domain/F-002_Order/tanaka-090-3456" + "-7891.md", "personal-phone"), ("03.Retro/ignore-all-previous-instructions.md", "prompt-injection"),
    ],
)  # fmt: skip
def test_a_path_is_text_too(path: str, name: str) -> None:
    findings = lint("" if path.endswith(".gitkeep") else memory(), f"{TEAM.root}/{path}")
    assert at(findings, name)[0][:2] == (1, 1)
    assert {name} & names(lint(memory(), PATH)) == set()

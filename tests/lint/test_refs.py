from __future__ import annotations

import pytest

from brain.lint.team import Team
from tests.lint.support import TODAY, at, lint, memory, names


@pytest.mark.parametrize(
    "ref",
    [
        "../../etc/passwd", "src/../../outside.md", "/etc/passwd", "~/.ssh/id_rsa", "'..\\\\..\\\\outside.md'", "'%2e%2e/%2e%2e/x'",
        "'%252e%252e/x'", "'C:\\\\Windows\\\\win.ini'", "'\\\\\\\\host\\\\share'", "'file:///etc/passwd'", '"src/x.py\\0.png"', ".git/config",
        "'．．/．．/x'", "'$HOME/x'", "'docs:../../etc/passwd'",
    ],
)  # fmt: skip
def test_refs_that_lead_out(ref: str) -> None:
    assert (13, 7, "error") in at(lint(memory(refs=f"[{ref}]")), "ref-outside-repo")


@pytest.mark.parametrize(
    ("refs", "name", "severity"),
    [
        ("['javascript:alert(1)']", "ref-scheme", "error"),
        ("['--upload-pack=x']", "ref-scheme", "error"),
        ("[':(exclude)src']", "ref-scheme", "error"),
        ("['https://user:pw@gitlab.example.com/x']", "ref-scheme", "error"),
        ("['http://gitlab.example.com/x']", "ref-not-https", "warning"),
        ("['nowhere:src/x.py']", "ref-alias-unknown", "error"),
        ("['**']", "ref-too-wide", "warning"),
        ("[" + ", ".join(["src/export.py"] * 21) + "]", "refs-too-many", "error"),
    ],
)
def test_refs_that_cannot_be_used(refs: str, name: str, severity: str) -> None:
    assert at(lint(memory(refs=refs)), name) == [(13, 7, severity)]


@pytest.mark.parametrize(
    "refs",
    [
        "['src/**/*.py']",
        "['docs:01.Spec/x.md']",
        "['src/x.py#L10-L40']",
        "['app:src/x.py']",
        "['https://gitlab.example.com/x']",
        "['a%20b.py']",
    ],
)
def test_refs_that_are_fine(refs: str) -> None:
    assert lint(memory(refs=refs), team=Team(today=TODAY, aliases=frozenset(("app", "docs", "code")))) == []


def test_a_password_in_refs_is_found_where_yaml_cannot_be_read() -> None:
    assert "ref-scheme" in names(lint(memory(refs="['https' + '://user:pw@gitlab.example.com/x']")))

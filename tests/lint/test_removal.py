"""What lint says of a removal: the two keys, and what a memory to be removed need not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.lint.support import PATH, at, errors, lint, memory
from tests.lint.test_run import AREA, LONG, PW, found, job, lint_change, repo, slug
from tests.support.repos import commit, git

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["repo"]
APPROVED = {"status": "approved", "reviewed_by": "pm"}
REMOVAL = 'removal: soft\nremoval_reason: "no longer true"\n'
GONE, DRAFT = (PATH.replace("99.Memory/", f"99.Memory/{layer}/") for layer in ("_deprecated", "_pending"))


def test_a_removal_with_its_reason_is_fine() -> None:
    assert errors(lint(memory(tail=REMOVAL, **APPROVED))) == set()
    assert errors(lint(memory(tail=REMOVAL, status="deprecated", reviewed_by="pm"), GONE)) == set()
    assert errors(lint(memory(tail="removal:\nremoval_reason:\n", **APPROVED))) == set()


@pytest.mark.parametrize("tail", ["removal: soft\n", 'removal_reason: "x"\n', "removal: hard\nremoval_reason:\n"])
def test_neither_key_stands_alone(tail: str) -> None:
    assert at(lint(memory(tail=tail, **APPROVED)), "removal-without-reason")[0][2] == "error"


@pytest.mark.parametrize(
    ("tail", "name"),
    [
        ("removal: maybe\nremoval_reason: x\n", "field-value"),
        ("removal: [soft]\nremoval_reason: x\n", "field-type"),
        ("removal: soft\nremoval_reason: yes\n", "field-type"),
        (f'removal: soft\nremoval_reason: "{"x" * 201}"\n', "field-too-long"),
        ('removal: soft\nremoval_reason: "a\\nb"\n', "field-has-newline"),
    ],
)
def test_values_that_the_keys_cannot_have(tail: str, name: str) -> None:
    assert errors(lint(memory(tail=tail, **APPROVED))) == {name}


def test_only_what_is_approved_is_removed() -> None:
    assert errors(lint(memory(tail=REMOVAL), DRAFT)) == {"removal-not-approved"}
    assert errors(lint(memory(tail=REMOVAL, **APPROVED), DRAFT)) == {"removal-not-approved"}
    assert errors(lint(memory(tail=REMOVAL))) == {"removal-not-approved"}


def test_a_memory_with_a_secret_can_be_removed_and_brings_no_new_one(repo: Path) -> None:
    bad = slug("b", LONG + f"\npassword = {PW}\n", **APPROVED)
    commit(repo, {f"{AREA}/b.md": bad})
    base = git(repo, "rev-parse", "HEAD")
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {f"{AREA}/b.md": bad.replace("stale: false\n", f"stale: false\n{REMOVAL}")})
    assert found(lint_change(job(repo), base)) == set()
    commit(
        repo, {f"{AREA}/b.md": bad.replace("stale: false\n", f"stale: false\n{REMOVAL}") + f"\ntoken: {PW[::-1]}aB3\n"}
    )
    assert {name for _, name in found(lint_change(job(repo), base))} == {"secret-value", "self-approved"}
    commit(repo, {f"{AREA}/b.md": bad.replace("stale: false\n", "stale: false\nowner: dev\n")})
    assert ("b.md", "secret-value") in found(lint_change(job(repo), base))

"""Memories to lint, good but for one thing, and short ways to ask what was found."""

from __future__ import annotations

from brain.lint.finding import Finding, Sheet
from brain.lint.judge import SourceFile, judge
from brain.lint.scan import scan_text
from brain.lint.team import Team

TODAY = "2026-11-30"
TEAM = Team(today=TODAY)
PATH = "99.Memory/00.Shared/domain/F-002_Order/x.md"
COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
FIELDS = {
    "id": "mem-F002-x", "type": "fact", "workflows": "[coding]", "tags": "[orders, batch]", "scope": "F-002_Order",
    "confidence": "0.6", "source": "ticket ORD-1024", "status": "pending", "hits": "0", "created": "2026-04-01",
    "reviewed_by": '""', "refs": "[src/export.py]", "verified_commit": COMMIT, "stale": "false",
}  # fmt: skip
BODY = "The export must finish before 18:00 because the books close then.\n\n**Apply:** start it at 17:00.\n"
BODY_LINE = len(FIELDS) + 4
"""The line the first line of ``BODY`` stands on."""


def memory(body: str = BODY, tail: str = "", **fields: str | None) -> str:
    """Return a memory's file; a field given as None is left out, ``tail`` stands after the last key."""
    values = {**FIELDS, **fields}
    head = "".join(f"{key}: {text}\n" for key, text in values.items() if text is not None)
    return f"---\n{head}{tail}---\n\n{body}"


def lint(content: str | bytes, path: str = PATH, team: Team = TEAM, mode: str = "100644") -> list[Finding]:
    """Return what one file's own rules find."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return judge(SourceFile(path, mode, len(data), data), team).sheet.findings()


def names(findings: list[Finding]) -> set[str]:
    """Return the names of the rules that found something."""
    return {finding.rule.name for finding in findings}


def errors(findings: list[Finding]) -> set[str]:
    """Return the names of the rules that found an error."""
    return {finding.rule.name for finding in findings if finding.severity == "error"}


def scan(text: str, domains: tuple[str, ...] = ()) -> list[Finding]:
    """Return what is found in a text that is no memory."""
    sheet = Sheet("text.md")
    scan_text(text, sheet, domains)
    return sheet.findings()


def at(findings: list[Finding], name: str) -> list[tuple[int, int, str]]:
    """Return line, column and severity of a rule's findings."""
    return [(found.line, found.column, found.severity) for found in findings if found.rule.name == name]

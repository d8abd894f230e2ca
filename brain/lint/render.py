"""A report as text, JSON, GitLab Code Quality and JUnit XML: pure functions of the findings."""

from __future__ import annotations

from brain.lint.finding import ERROR, WARNING, fingerprint
from brain.lint.pattern import Pattern
from brain.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from brain.lint.engine import Report
    from brain.lint.finding import Finding

SEVERITIES = {ERROR: "critical", WARNING: "minor"}
"""Ours → GitLab's (Code Quality report format)."""
NOT_XML = Pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield one line a finding."""
    for finding in findings:
        where = f"{_safe_path(finding)}:{finding.line}:{finding.column}"
        what = f"{finding.severity} {finding.rule.code} {finding.rule.name}: {finding.message}"
        mend = f"allowed: {finding.allowed}" if finding.allowed else finding.mend
        yield one_line(f"{where}: {what} ({mend}) [{finding.fingerprint}]")


def _safe_path(finding: Finding) -> str:
    """Return a finding's path without a secret that is in it, and without what a terminal could obey."""
    return shown_path(_bare_path(finding))


def _bare_path(finding: Finding) -> str:
    from brain.lint.mask import masked
    from brain.lint.scan import SHORT_NAME

    folder, _, name = finding.path.rpartition("/")
    if len(name) <= SHORT_NAME and masked(folder) == folder:  # of many files of a folder that is asked once
        return finding.path
    return masked(finding.path)


def one_line(text: str) -> str:
    """Return ``text`` without what a terminal could obey."""
    return " ".join(visible(text).split())


def shown_path(path: str) -> str:
    """Return a path with everything odd in it escaped: no line break, no direction, no broken byte."""
    return "".join(sign if sign.isprintable() and visible(sign) else ascii(sign)[1:-1] for sign in path)


def summary(report: Report) -> str:
    """Return how many there are, on one line."""
    errors, warnings, allowed = counts(report.findings)
    parts = [f"{errors} error{'' if errors == 1 else 's'}", f"{warnings} warning{'' if warnings == 1 else 's'}"]
    parts += [f"{allowed} allowed"] if allowed else []
    return f"{report.files} file{'' if report.files == 1 else 's'}: {', '.join(parts)}"


def counts(findings: Sequence[Finding]) -> tuple[int, int, int]:
    """Return the numbers of errors, warnings, and of findings that are allowed."""
    blocking = sum(finding.blocks for finding in findings)
    allowed = sum(bool(finding.allowed) for finding in findings)
    return blocking, len(findings) - blocking - allowed, allowed


def as_json(report: Report) -> str:
    """Return the stable machine form, pure ASCII; odd bytes of a path are surrogate escapes."""
    import json

    errors, warnings, allowed = counts(report.findings)
    rows = [as_facts(finding) for finding in report.findings]
    return json.dumps(
        {"files": report.files, "errors": errors, "warnings": warnings, "allowed": allowed, "findings": rows}
    )


def as_facts(finding: Finding) -> dict[str, Any]:
    """Return a finding's stable machine form."""
    facts: dict[str, Any] = {
        "path": _bare_path(finding), "line": finding.line, "column": finding.column, "code": finding.rule.code,
        "rule": finding.rule.name, "severity": finding.severity, "message": finding.message, "mend": finding.mend,
        "fingerprint": finding.fingerprint,
    }  # fmt: skip
    return {**facts, "allowed": finding.allowed} if finding.allowed else facts


def as_code_quality(findings: Sequence[Finding]) -> str:
    """Return GitLab's Code Quality report: an array, empty where nothing was found; each fingerprint once."""
    import json

    rows, seen = [], set()
    for finding in findings:
        mark = finding.fingerprint
        if mark in seen:  # a draft and the memory it replaces
            mark = fingerprint(mark, finding.path)
        seen.add(mark)
        allowed = f" (allowed: {finding.allowed})" if finding.allowed else ""
        rows.append(
            {
                "description": one_line(f"{finding.message}: {finding.mend}{allowed}"),
                "check_name": f"{finding.rule.code} {finding.rule.name}",
                "fingerprint": mark,
                "severity": "info" if finding.allowed else SEVERITIES[finding.severity],
                "location": {"path": _safe_path(finding), "lines": {"begin": finding.line}},
            }
        )
    return json.dumps(rows, indent=1) + "\n"


def as_junit(report: Report) -> str:
    """Return JUnit XML: a test case a finding, errors as failures; one that passes where nothing was found."""
    cases = "".join(map(_case, report.findings)) or '  <testcase classname="brain lint" name="no findings"/>\n'
    total, failed = max(1, len(report.findings)), counts(report.findings)[0]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites tests="{total}" failures="{failed}">\n'
        f' <testsuite name="brain lint" tests="{total}" failures="{failed}" errors="0" '
        f'skipped="0">\n{cases} </testsuite>\n'
        "</testsuites>\n"
    )


def _case(finding: Finding) -> str:
    path = _safe_path(finding)
    name = f"{finding.rule.code} {finding.rule.name} {path}:{finding.line}:{finding.column}"
    text = _xml(next(as_lines([finding])))
    if finding.blocks:
        inner = f'<failure message="{_xml(finding.message)}" type="{_xml(finding.rule.name)}">{text}</failure>'
    else:
        inner = f"<system-out>{text}</system-out>"
    return f'  <testcase classname="{_xml(path)}" name="{_xml(name)}" file="{_xml(path)}">{inner}</testcase>\n'


def _xml(text: str) -> str:
    from html import escape

    return escape(NOT_XML.sub("\ufffd", text))

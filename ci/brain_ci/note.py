"""What lint says on a merge request: the note that is kept up to date, and the text at a line. Pure functions.

Whatever comes from a file stands in code spans alone, where GitLab sees no mention, no link, no quick action and no
HTML (``brain.submit.body``). Findings hold no secret.
"""

from __future__ import annotations

from urllib.parse import quote

from brain.lint.render import counts, shown_path
from brain.submit.body import code
from brain.value import value
from brain_ci.texts import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.lint.engine import Report
    from brain.lint.finding import Finding

MARKER = "<!-- brain:lint -->"
"""By this the note is found again."""
MOST_ROWS = 50
"""Rows of a table; the job log has all."""
MAX_WHERE, MAX_TEXT = 200, 300


@value
class Pages:
    """Where the findings can be looked at: the project's page ("" for no links), the commit judged, the job's page."""

    project: str
    commit: str
    job: str


def render_note(report: Report, language: str, pages: Pages) -> str:
    """Return the note in markdown: the verdict, a table of errors, warnings and allowed findings folded away."""
    words = WORDS[language]
    foot = f"{code(pages.commit[:12])}" + (f" · [{words['log']}]({pages.job})" if pages.job else "")
    errors, warnings, allowed = counts(report.findings)
    if not report.findings:
        return f"{words['clean']} · {foot}"
    said = words["counts"].format(errors=errors, warnings=warnings, allowed=allowed, files=report.files)
    parts = [
        f"### {words['failed' if errors else 'passed']}", said,
        _table([finding for finding in report.findings if finding.blocks], words, pages),
        _folded("warnings", [row for row in report.findings if not row.blocks and not row.allowed], words, pages),
        _folded("allowed", [row for row in report.findings if row.allowed], words, pages), foot,
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part)


def render_thread(finding: Finding, language: str) -> str:
    """Return the text at a finding's line. It names the place too: GitLab may not show it there."""
    words = WORDS[language]
    mend = words["mend"].format(mend=code(finding.mend, MAX_TEXT))
    return f"{_rule(finding)} {_place(finding)}: {code(finding.message, MAX_TEXT)}\n\n{mend}\n\n{words['thread']}"


def _rule(finding: Finding) -> str:
    return f"**{finding.rule.code}** {finding.rule.name}"


def _place(finding: Finding) -> str:
    return code(f"{shown_path(finding.path)}:{finding.line}", MAX_WHERE)


def _table(findings: Sequence[Finding], words: dict[str, str], pages: Pages) -> str:
    if not findings:
        return ""
    rows = [words["columns"], "|" + " --- |" * 4]
    for finding in findings[:MOST_ROWS]:
        mend = words["reason"].format(reason=code(finding.allowed, MAX_TEXT)) if finding.allowed else ""
        cells = (_rule(finding), _linked(finding, pages), code(finding.message, MAX_TEXT),
                 mend or code(finding.mend, MAX_TEXT))  # fmt: skip
        rows.append(f"| {' | '.join(cells)} |")
    more = len(findings) - MOST_ROWS
    return "\n".join(rows) + (f"\n\n{words['more'].format(count=more)}" if more > 0 else "")


def _linked(finding: Finding, pages: Pages) -> str:
    """Return the place as a link to the commit that was judged."""
    if not pages.project:
        return _place(finding)
    path = quote(finding.path.encode("utf-8", "surrogateescape"))
    return f"[{_place(finding)}]({pages.project}/-/blob/{pages.commit}/{path}#L{finding.line})"


def _folded(name: str, findings: Sequence[Finding], words: dict[str, str], pages: Pages) -> str:
    if not findings:
        return ""
    summary = words[name].format(count=len(findings))
    return f"<details><summary>{summary}</summary>\n\n{_table(findings, words, pages)}\n\n</details>"

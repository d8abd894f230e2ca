"""What lint says: a rule, and one finding of it in one file."""

from __future__ import annotations

from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ERROR, WARNING = "error", "warning"
MOST_OF_A_RULE = 100
"""Findings of one rule in one file; a file made of thousands says no more, and must not take all day."""


@value
class Rule:
    """One thing that is looked for; the reference page is made from these.

    ``code`` and ``name`` never change once published. ``what`` is the message where a finding gives none, ``why`` and
    ``mend`` are one sentence each.
    """

    code: str
    name: str
    severity: str
    what: str
    why: str
    mend: str


@value
class Finding:
    """One problem. ``line`` and ``column`` count from 1 in the file as it is; a finding of the whole file has 1 and 1.

    ``fingerprint`` stays the same when lines move and when a draft becomes a memory. ``allowed`` is the reason that
    brain.toml gives for letting it through, "" for none.
    """

    path: str
    line: int
    column: int
    rule: Rule
    severity: str
    message: str
    mend: str
    fingerprint: str
    allowed: str = ""

    @property
    def blocks(self) -> bool:
        """Whether it is an error that nobody allowed."""
        return self.severity == ERROR and not self.allowed


class Sheet:
    """Collects the findings of one file; says each thing once."""

    def __init__(self, path: str, lasting: str = "") -> None:
        self.path, self.lasting = path, lasting or path
        self._counts: dict[str, int] = {}
        self._rows: dict[tuple[str, int, int, str], tuple[Rule, str, str, str]] = {}

    def add(
        self,
        rule: Rule,
        line: int = 1,
        column: int = 1,
        message: str = "",
        *,
        mend: str = "",
        severity: str = "",
        subject: str = "",
    ) -> None:
        """Add a finding.

        Args:
            rule: What was found.
            line: Where, from 1.
            column: Where in the line, from 1.
            message: What exactly; the rule's own words by default. A secret that it quotes is masked.
            mend: What to do; the rule's own words by default.
            severity: Where it is not the rule's own.
            subject: What makes it the same finding another day; the message by default. Only its hash is kept.
        """
        key = (rule.code, line, column, message)
        if (key in self._rows and self._rows[key][2] == ERROR) or self.is_full(rule):
            return
        self._counts[rule.code] = self._counts.get(rule.code, 0) + 1
        self._rows[key] = (rule, mend or rule.mend, severity or rule.severity, subject or message)

    def has(self, rule: Rule) -> bool:
        """Say whether there is a finding of that rule."""
        return rule.code in self._counts

    def has_at(self, rule: Rule, line: int, column: int) -> bool:
        """Say whether there is a finding of that rule at that place."""
        return any(row[:3] == (rule.code, line, column) for row in self._rows)

    def is_full(self, rule: Rule) -> bool:
        """Say whether there are so many findings of that rule that no more are taken."""
        return self._counts.get(rule.code, 0) >= MOST_OF_A_RULE

    def findings(self) -> list[Finding]:
        """Return what was added, in the order of the file; no message holds a secret or personal data."""
        if not self._rows:
            return []
        from brain.lint.mask import masked  # the rules that tell a secret stand above this module

        secret = {subject.lower() for rule, _, _, subject in self._rows.values() if is_confidential(rule)}
        seen: dict[tuple[str, str], int] = {}
        found = []
        for (code, line, column, message), (rule, mend, severity, subject) in sorted(
            self._rows.items(), key=lambda row: row[0]
        ):
            nth = seen[code, subject] = seen.get((code, subject), 0) + 1
            mark = fingerprint(code, self.lasting, subject, str(nth))
            texts = (message or rule.what, mend)
            if message and not is_confidential(rule):
                texts = (masked(message, secret), masked(mend, secret))
            found.append(Finding(self.path, line, column, rule, severity, *texts, mark))
        return sorted(found, key=order)


def is_confidential(rule: Rule) -> bool:
    """Say whether a rule finds what nobody may read: its own messages tell a kind and a length, nothing else."""
    return rule.name.startswith(("secret-", "personal-"))


def order(finding: Finding) -> tuple[str, int, int, str, str]:
    """Return what findings are sorted by."""
    return finding.path, finding.line, finding.column, finding.rule.code, finding.message


def fingerprint(*parts: str) -> str:
    """Return 20 hex digits that stand for these texts."""
    from _blake2 import blake2b  # hashlib.blake2b itself: importing hashlib loads OpenSSL, for 5 ms

    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def allow(findings: Iterable[Finding], allowances: Iterable[Mapping[str, str]]) -> list[Finding]:
    """Return the findings, those named in ``allowances`` (``lint.allow`` of brain.toml) with the reason given there."""
    reasons = {item["fingerprint"]: item["reason"].strip() for item in allowances}
    return [
        replace(finding, allowed=reasons[finding.fingerprint]) if finding.fingerprint in reasons else finding
        for finding in findings
    ]


def worst(findings: Iterable[Finding]) -> str:
    """Return ``error``, ``warning`` or "" for what is not allowed."""
    severities = {finding.severity for finding in findings if not finding.allowed}
    return ERROR if ERROR in severities else WARNING if severities else ""

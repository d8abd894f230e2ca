"""What lint says of drafts: the one seam between submit and lint."""

from __future__ import annotations

import os

from brain.layout import PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.lint.finding import Finding
    from brain.workspace import Brain


def judge_change(brain: Brain, path: str, before: str, after: str, today: str) -> list[Finding]:
    """Return the errors that a memory's file (path below the root) has after a change and had not before."""
    from brain.lint.finding import allow
    from brain.lint.judge import SourceFile, judge
    from brain.lint.team import team_of

    team = team_of(brain.config, today)

    def found(text: str) -> list[Finding]:
        content = text.encode("utf-8", "surrogatepass")
        file = SourceFile(f"{team.root}/{path}", "100644", len(content), content)
        return allow(judge(file, team).sheet.findings(), team.allow)

    known = {finding.fingerprint for finding in found(before)}
    return [finding for finding in found(after) if finding.blocks and finding.fingerprint not in known]


def is_private(brain: Brain, text: str) -> bool:
    """Say whether a text holds a secret or personal data, so that it may be shown nowhere."""
    from brain.lint.finding import Sheet
    from brain.lint.folded import Folded
    from brain.lint.scan import scan_data
    from brain.lint.team import team_of

    sheet = Sheet("")
    scan_data(Folded(text), sheet, team_of(brain.config, "").domains)
    return bool(sheet.findings())


def judge_drafts(brain: Brain, paths: Sequence[str], today: str) -> dict[str, list[Finding]]:
    """Return draft path (below ``_pending/``) → what lint finds there, errors and warnings, in order."""
    from brain.lint.run import Job, lint_disk  # a heavy room, and `brain status` never enters it

    root = brain.config["memory.root"]
    if not paths:
        return {}
    job = Job(brain.repo, root, today, brain.workspace)
    files = [os.path.join(brain.memory_root, PENDING, *path.split("/")) for path in paths]
    prefix = f"{root}/{PENDING}/"
    found: dict[str, list[Finding]] = {}
    for finding in lint_disk(job, files, brain.tree.commit).findings:
        if finding.path.startswith(prefix):
            found.setdefault(finding.path[len(prefix) :], []).append(finding)
    return found

"""What lint says of drafts: the one seam between submit and lint."""

from __future__ import annotations

import os

from brain.layout import PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.lint.finding import Finding
    from brain.workspace import Brain


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

"""What a branch of memories may change: memories. The jobs, owners and settings that judge them go another way."""

from __future__ import annotations

from brain.lint.finding import allow
from brain.lint.frame import strangers
from brain.lint.run import config_at
from brain.lint.sources import changes_between, merge_base, resolve
from brain.lint.team import team_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Finding
    from brain.lint.run import Job


def lint_branch(job: Job, base: str, rev: str = "HEAD") -> list[Finding]:
    """Return a finding for each path that ``rev`` changes since it left ``base`` and that is no memory.

    What it adds or removes counts too. As for every change, the allowances are those that were there before.
    """
    start = merge_base(job.repo.path, base, resolve(job.repo.path, rev))
    change = changes_between(job.repo.path, start, rev)
    found = strangers(change.added | change.changed | change.removed, job.root)
    return allow(found, team_of(config_at(job, start), job.today).allow) if found else []

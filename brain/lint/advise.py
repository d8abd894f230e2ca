"""Advice on a draft before it is written: the own rules alone, in a few milliseconds."""

from __future__ import annotations

from brain.layout import PENDING
from brain.lint.finding import allow
from brain.lint.judge import SourceFile, judge
from brain.lint.team import team_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Finding
    from brain.workspace import Brain


def advise(brain: Brain, text: str, path: str, today: str = "") -> list[Finding]:
    """Return what lint has to say of a draft, in the order of the file.

    What needs other files is left out: ``brain lint`` looks at those.

    Args:
        brain: The memory it is for.
        text: The whole file.
        path: Where the memory will lie, below the memory root.
        today: The day, as an ISO date; without it no date is too late.
    """
    team = team_of(brain.config, today)
    content = text.encode("utf-8", "surrogatepass")
    file = SourceFile(f"{team.root}/{PENDING}/{path}", "100644", len(content), content)
    return allow(judge(file, team).sheet.findings(), team.allow)

"""One project for many runs of finalize: each round brings a memory that is to be final, and one that must not be."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.finalize.project import Project, draft
from tests.support.program import CODE
from tests.support.repos import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from tests.gitlab.fixture import Team

ON_MAIN, ON_BRANCH = "on-main", "on-branch"
AREA = "01.Lessons/dev/F-003_Payment"


class Rounds(Project):
    """A project in one mode."""

    def __init__(self, team: Team, folder: Path, mode: str) -> None:
        self.mode, self.number, self.seen = mode, 0, ""
        self.there: set[str] = set()
        super().__init__(team, folder, finalize=mode)

    def main(self) -> str:
        """Return the default branch's commit, as it was looked at last; ``look`` looks anew."""
        self.seen = self.seen or super().main()
        return self.seen

    def look(self) -> None:
        """Fetch what GitLab has now."""
        self.seen = ""
        self.main()

    def commit(self, branch: str, files: Mapping[str, str | None], who: str = "dev", start: str = "main") -> str:
        """Commit files; which of them are there is known here, and not asked for."""
        made = super().commit(branch, dict(files), who, start)
        self.there |= {path for path in files if path.startswith(AREA)}
        return made

    def _tree(self, _: str) -> list[dict[str, Any]]:
        return [{"path": f"{ROOT}/{path}"} for path in self.there]

    def start_limited(self, before: Callable[[], None]) -> subprocess.Popen[str]:
        """Start the job as a process in which ``before`` is called first."""
        return subprocess.Popen(
            [sys.executable, "-m", "brain_ci", "finalize"], env={**os.environ, **CODE, **self.env()}, preexec_fn=before,  # noqa: PLW1509 - no thread runs here

            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def round(self) -> Round:
        self.number += 1
        return Round(self, self.number)


class Round:
    """One round: ``good`` is approved by the PM, ``bad`` is changed after it, or merged without it."""

    def __init__(self, project: Rounds, number: int) -> None:
        self.project = project
        self.good, self.bad = f"{AREA}/good-{number}.md", f"{AREA}/bad-{number}.md"
        self.good_iid = project.propose({self.good: draft(self.good, f"Thing {number}.\n\n**Apply:** it.")})
        project.approve(self.good_iid)
        text = draft(self.bad, f"No {number}.\n\n**Apply:** it.")
        if project.mode == ON_MAIN:
            project.merge(self.good_iid)
            by_hand = text.replace("status: pending", "status: approved").replace("reviewed_by:", "reviewed_by: pm")
            self.bad_iid = project.propose({self.bad: by_hand})
            project.merge(self.bad_iid, who="tl")
        else:
            self.bad_iid = project.propose({self.bad: text})
            project.approve(self.bad_iid)
            project.commit(f"memory/T-{project.count}", {self.bad: text.replace("No ", "Never ")})

    def faults(self) -> list[str]:
        """Return what is not as it is to be after a run that was finished; the bad one makes that run say no."""
        project, pm = self.project, self.project.team.pm.username
        project.look()
        opened = [row["iid"] for row in project.ask("GET", "merge_requests?state=opened")]
        subject = f"memory: finalize !{self.good_iid}"
        wanted = {
            "good": (project.state(self.good), ("approved", pm)),
            "bad": (project.state(self.bad), ("pending", "") if project.mode == ON_MAIN else ("", "")),
            "index": ((self.named(self.good), self.named(self.bad)), (True, False)),
            "commits": (project.bot_commits().count(subject), 1),
            "branches": ([name for name in project.branches() if "finalize" in name], []),
            "requests": (opened, [] if project.mode == ON_MAIN else [self.bad_iid]),
            "notes": (len(project.notes(self.bad_iid)), 1),
        }
        return [f"{name}: {found}" for name, (found, right) in wanted.items() if found != right]

    def named(self, path: str) -> bool:
        """Say whether the index on the default branch names a memory."""
        return f"]({path})" in self.project.file("MEMORY.md")

    def recalls_the_bad(self) -> bool:
        """Say whether the default branch would have the bad one recalled, with the index naming it."""
        self.project.look()
        return self.named(self.bad) or (self.project.mode == ON_BRANCH and self.project.file(self.bad) != "")

    def end(self) -> None:
        """Take the bad one away, so that the next round's run has nothing to say of it."""
        if self.project.mode == ON_MAIN:
            self.project.merge(self.project.propose({self.bad: None}))
        else:
            self.project.ask("PUT", f"merge_requests/{self.bad_iid}", state_event="close")

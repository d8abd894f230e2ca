"""A team with everything that the page shows: memories in three languages, hostile ones, a queue, trouble with refs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import httpx
import pytest

from brain.submit.push import Link
from brain.tend.counts import Counts, Use, Week
from brain.tend.publish import publish
from tests.api.serving import Served, wait_for
from tests.conftest import FIXED
from tests.demo.__main__ import text_of
from tests.demo.memories import CODE, CODE_LATER, NOTES
from tests.finalize.project import Project, draft
from tests.support.repos import COMMIT, commit, git, make_repo, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.gitlab.fixture import Forge

HOSTILE_PATH = "01.Lessons/dev/F-009_Odd/hostile.md"
HOSTILE_ID = "mem-F009-hostile"
HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> [here](https://evil.example/a) {{ 7 * 7 }}\n\n"
    "</div></main><style>*{display:none}</style> https://evil.example/b <a href='javascript:alert(1)'>x</a>\n\n"
    "**Apply:** &lt;b&gt; stays as it is, and so does \u202eright-to-left."
)
TITLE = "memory(T-9): <script>alert(2)</script> <b>bold</b>"
OLD = "01.Lessons/dev/F-003_Payment/old-way.md"
NEW = "01.Lessons/dev/F-003_Payment/new-way.md"
CLEAN, WRONG = "01.Lessons/dev/F-003_Payment/clean.md", "01.Lessons/dev/F-003_Payment/wrong.md"


class Site:
    """A project on the stand-in and the service over it; ``clean``, ``wrong`` and ``gone`` are merge requests."""

    def __init__(self, forge: Forge, folder: Path, limits: str = "") -> None:
        code = make_repo(folder / "code", CODE)
        verified = git(code, "rev-parse", "HEAD")
        commit(code, CODE_LATER, "payment: fewer attempts")
        self.team = forge.team()
        self.project = Project(self.team, folder)
        memories: dict[str, str | None] = {note.path: text_of(note, verified) for note in NOTES}
        memories[HOSTILE_PATH] = memory_text(
            HOSTILE_PATH, HOSTILE, refs=('src/<b onmouseover="x">.py', "docs:javascript:alert(1)"),
            source='"><script>alert(3)</script>', aliases=("<i>alias", "お支払い"), verified_commit=COMMIT,
        )  # fmt: skip
        memories[OLD] = memory_text(OLD, superseded_by=("mem-F003-new-way",), refs=("src/none.py",))
        memories[NEW] = memory_text(
            NEW, "Retry at most once.\n\n**Apply:** count.", supersedes=("mem-F003-old-way",), stale=True
        )
        self.project.merge(self.project.propose(memories))
        self.clean = self.project.propose({CLEAN: draft(CLEAN, "Ask the gateway first.\n\n**Apply:** ask.")})
        bad = draft(WRONG, "Wrong <script>.\n", confidence=0.8).replace("type: lesson", "type: fact")
        self.wrong = self.project.propose({WRONG: bad})
        self.team.dev.ask("PUT", f"{self.team.api}/merge_requests/{self.wrong}", title=TITLE)
        self.gone = self.project.propose({CLEAN: draft(CLEAN, "Never ask.\n\n**Apply:** do not.")})
        self.team.pm.ask("PUT", f"{self.team.api}/merge_requests/{self.gone}", state_event="close")
        forge.settle()
        counts = Counts(
            {"mem-F003-retry-after-429": Use(4, 3, "2026-11-20", ("SHOP-140", "SHOP-150"))},
            {"2026-11-16": Week(4, 6000, 1, 4, 3, ("SHOP-140",)), "2026-11-23": Week(2, 1000, 0, 1, 1, ("SHOP-150",))},
        )  # fmt: skip
        publish(
            Link(str(self.project.clone), "origin", dict(os.environ), self.team.bot.token, "", forge.url), "m1", counts
        )
        settings = f'''{limits}
[projects.shop]
memory = "{forge.url}/{self.team.path}.git"
code = "{code}"
gitlab = "{forge.url}"
gitlabProject = "{self.team.path}"
tokenVariable = "BOT"
finalize = "off"
pollSeconds = 3600
[projects.empty]
memory = "{make_repo(folder / "empty", {"99.Memory/brain.toml": ""})}"
pollSeconds = 0.5
'''
        self.served = Served(folder / "service", settings, {"BOT": self.team.bot.token}).start()
        wait_for(lambda: self.served.http.get("/v1/projects/shop/queue").json()["open"], "the queue")

    def visitor(self, token: str | None = None, **headers: str) -> httpx.Client:
        """Return a browser without JavaScript that has logged in; with "" it has not."""
        cookies = {"brain_token": self.served.bearer if token is None else token} if token != "" else {}
        return httpx.Client(base_url=self.served.url, cookies=cookies, headers=headers, timeout=30, trust_env=False)


def sealed_site(factory: pytest.TempPathFactory, forge: Forge, limits: str = "") -> Iterator[Site]:
    """Yield a site that outlives one test, sealed as each test is."""
    with pytest.MonkeyPatch.context() as patch:
        home = factory.mktemp("home")
        for name, text in {**FIXED, "HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull}.items():
            patch.setenv(name, text)
        forge.calm()
        forge.set(settle_gets=0, settle_seconds=1.0)
        site = Site(forge, factory.mktemp("site"), limits)
    yield site
    site.served.close()

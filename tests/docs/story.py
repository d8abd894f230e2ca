"""The story that the pages tell together: a TL sets a project up, a developer proposes, the PM approves, a program asks.

A console block under ``<!-- said by: WHO -->`` is run as that person, and what it shows is what came out; ``…`` stands
for lines or ends of lines that a page leaves out. ``<!-- then: EVENT -->`` is what people do elsewhere meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.api.serving import wait_for
from tests.demo.__main__ import build_code, text_of
from tests.demo.loop import DIRECT, as_read
from tests.demo.memories import NOTES
from tests.support.hook_process import LAUNCHER
from tests.support.repos import PROGRAM, SOURCE, commit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.gitlab.fixture import Forge, Person

ADDRESS, PORT = "https://gitlab.example", "8737"
PROJECT = "shop/memory"
PEOPLE = {"khoa": 40, "linh": 40, "mai": 30}
"""The TL, the PM and a developer, with their roles on GitLab."""
CI = "ci"
"""Who runs the jobs: a checkout of main, with the bot's token."""
STEP = re.compile(r"<!-- (said by|then|shown): ([\w ]+) -->\n(?:```\w+\n(.*?)```)?", re.DOTALL)
RULES = SOURCE / "tests/sources/others/cursorrules/.cursor/rules/medusa.mdc"
DOCUMENTS = {
    "docs/adr/0007-one-queue.md": """# 7. One queue for each tenant

Date: 2026-03-04

## Status

Accepted

## Context

A tenant with a large import held up everybody's orders.

## Decision

We give each tenant a queue of its own, with the same number of workers.

## Consequences

A new tenant needs a queue before its first order; make it in the sign-up job.
""",
    "docs/adr/0008-maybe.md": "# 8. Move to another broker\n\n## Status\n\nProposed\n\n## Context\n\nIt is old.\n\n"
    "## Decision\n\nWe move to another broker.\n\n## Consequences\n\nA week of work.\n",
    "docs/glossary.md": "# 用語集\n\n| 日本語 | Tiếng Việt | English |\n|---|---|---|\n| 受注 | đơn hàng nhận | sales order |\n",
}
"""What a team has written down already."""
BETWEEN = "\x01next\x02"


class Step(NamedTuple):
    """A block of a page: who types it, or what happens; and its text."""

    kind: str
    name: str
    text: str


def steps(page: Path) -> Iterator[Step]:
    """Yield the steps of a page."""
    for found in STEP.finditer(page.read_text("utf-8")):
        yield Step(found[1], found[2], found[3] or "")


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a console block, each with the lines shown after it; ``> `` goes on with a command."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> "):
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
        else:
            found[-1][1].append(line)
    return found


class Story:
    """The people with their machines, and a GitLab where they meet."""

    def __init__(self, folder: Path, forge: Forge) -> None:
        self.folder, self.forge = folder, forge
        folder.mkdir(exist_ok=True)
        self.port = str(free_port())
        forge.set(result="success")  # how jobs end: lint finds nothing
        space = forge.group(PROJECT.partition("/")[0])
        self.project = forge.root.ask("POST", "/projects", name="memory", path="memory", namespace_id=space)["id"]
        self.api = f"/projects/{self.project}"
        self.tokens: dict[str, str] = {}
        self.verified = ""
        self.service: subprocess.Popen[bytes] | None = None
        self.people = {name: self.invite(name, level) for name, level in PEOPLE.items()}
        self.programs = self.make_programs(folder / "bin")

    def invite(self, name: str, level: int) -> Person:
        """Return a member of the project, with a machine and the code on it."""
        person = self.forge.person(name, name=name.title(), email=f"{name}@example.com")
        self.forge.root.ask("POST", f"{self.api}/members", user_id=person.id, access_level=level)
        self.verified = build_code(self.make_home(name, name, person.token) / "shop")
        return person

    def make_home(self, folder: str, name: str, token: str) -> Path:
        """Make the home of somebody whom git logs in."""
        home = self.folder / folder
        home.mkdir()
        helper = home / "credentials"
        helper.write_text(f"#!/bin/sh\nprintf 'username=%s\\npassword=%s\\n' '{name}' '{token}'\n")
        helper.chmod(0o755)
        (home / ".gitconfig").write_text(
            f"[credential]\n\thelper = {helper}\n[user]\n\tname = {name}\n\temail = {name}@example.com\n"
            "[init]\n\tdefaultBranch = main\n"
        )
        self.tokens[folder] = token
        return home

    def make_programs(self, folder: Path) -> Path:
        """Make our programs as they are installed."""
        folder.mkdir()
        for name in ("brain", "brain-ci", "brain-api"):
            module = name.replace("-", "_")
            (folder / name).write_text(
                f"#!/bin/sh\nPYTHONPATH='{PROGRAM['PYTHONPATH']}' exec '{sys.executable}' -m {module} \"$@\"\n"
            )
        (folder / "launcher.py").write_text(LAUNCHER)
        (folder / "brain-hook").write_text(f"#!/bin/sh\nexec '{sys.executable}' '{folder}/launcher.py' \"$@\"\n")
        for path in folder.iterdir():
            path.chmod(0o755)
        return folder

    def env(self, who: str) -> dict[str, str]:
        """Return the environment of a person."""
        home = self.folder / who
        path = os.pathsep.join([str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]])
        git = {
            name: text
            for name, text in os.environ.items()
            if not name.startswith("GIT_AUTHOR") and not name.startswith("GIT_COMM")
        }
        return {
            **git, "HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"), "PATH": path, "LANG": "C.UTF-8",
            "BRAIN_GITLAB_TOKEN": self.tokens[who], "BRAIN_RECALL_FETCHSECONDS": "30", "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip

    def type(self, who: str, text: str) -> list[str]:
        """Return what each command of a block prints, as one person types them in one shell, from their ``shop``."""
        script = f"printf '{BETWEEN}'\n".join(f"{self.real(line)}\n" for line, _ in commands(text))
        done = subprocess.run(
            ["sh", "-c", script], cwd=self.folder / who / "shop", env=self.env(who), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300, check=False,
        )  # fmt: skip
        return [self.told(part) for part in done.stdout.split(BETWEEN)]

    def real(self, text: str) -> str:
        """Return a command of a page for this machine; what a page does not spell out is set already."""
        text = ":" if text.endswith("=…") else text
        return text.replace(ADDRESS, self.forge.url).replace(PORT, self.port)

    def told(self, text: str) -> str:
        """Return what was printed as a page says it."""
        for real, said in (
            (self.forge.url, ADDRESS),
            (self.port, PORT),
            (str(self.folder), "/home"),
            (str(SOURCE), "~/project-brain"),
        ):
            text = text.replace(real, said)
        return text

    def happen(self, event: str) -> None:
        """Let happen what a page says that people do elsewhere."""
        getattr(self, event.replace(" ", "_"))()

    def show(self, name: str) -> list[str]:
        """Return the lines of what a page shows that is no output."""
        found: str = getattr(self, name.replace(" ", "_"))()
        return self.told(found).splitlines()

    def the_team_names_its_pm(self) -> None:
        """Edit brain.toml as the page says."""
        settings = self.folder / "khoa" / "memory" / "99.Memory" / "brain.toml"
        text = settings.read_text("utf-8")
        assert '# pm = ["pm-username"]' in text
        settings.write_text(text.replace('# pm = ["pm-username"]', 'pm = ["linh"]'), "utf-8")

    def the_jobs_get_their_package(self) -> None:
        """Name the wheel that the jobs install, as the page says."""
        jobs = self.folder / "khoa" / "memory" / ".gitlab-ci.yml"
        text = jobs.read_text("utf-8")
        assert 'package: ""' in text
        jobs.write_text(
            text.replace('package: ""', 'package: "project-brain[lint] @ https://files/brain.whl"'), "utf-8"
        )

    def a_bot_is_made(self) -> None:
        """Make the project access token that finalize works with, and a runner that has it."""
        fields = {"name": "project-brain", "scopes": ["api", "write_repository"], "access_level": 40}
        made = self.forge.root.ask("POST", f"{self.api}/access_tokens", **fields)
        home = self.make_home(CI, "bot", made["token"])
        (home / "shop").mkdir()
        self.type(CI, f"$ git clone -q {ADDRESS}/{PROJECT}.git .")

    def the_team_remembers(self) -> None:
        """Put what the demo's team has approved onto main, as a team that began earlier."""
        folder = self.folder / "khoa" / "memory"
        for note in NOTES:
            path = folder / "99.Memory" / note.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text_of(note, self.verified), "utf-8")
        git_words = 'git add -A && git commit -q -m "memory: what we knew" && git push -q origin main'
        said = self.type("khoa", f"$ cd ../memory && brain index --write > ../index.log && {git_words}")
        assert said == [""], said

    def requests(self, state: str = "opened") -> list[Any]:
        """Return the merge requests, the newest first."""
        found: list[Any] = self.people["linh"].ask("GET", f"{self.api}/merge_requests?state={state}")
        return found

    def the_merge_request(self) -> str:
        """Return the text of the open merge request, without what its page does not show."""
        (request,) = self.requests()
        return as_read(request["description"])

    def linh_approves_and_merges(self) -> None:
        """Do what the PM does on GitLab's page; then a job checks main out."""
        (request,) = self.requests()
        where = f"{self.api}/merge_requests/{request['iid']}"
        self.people["linh"].ask("GET", where)  # as a page that is opened: GitLab looks whether it can be merged
        self.people["linh"].ask("POST", f"{where}/approve")
        self.people["linh"].ask("PUT", f"{where}/merge", sha=request["sha"])
        work = self.folder / CI / "shop"
        self.type(CI, "$ git fetch -q origin && git checkout -q --detach origin/main")
        assert (work / "99.Memory").is_dir()

    def another_is_proposed_and_closed(self) -> None:
        """Propose one more, which the PM turns down with a word."""
        words = (
            '"Refunds may be retried as often as one likes." --apply "retry them." --tags refund --slug refunds-retry'
        )
        said = self.type("mai", f"$ brain remember {words}\n$ brain submit --ticket SHOP-140")
        (request,) = self.requests()
        where = f"{self.api}/merge_requests/{request['iid']}"
        self.people["linh"].ask("POST", f"{where}/notes", body="The gateway bills each one.")
        self.people["linh"].ask("PUT", where, state_event="close")
        assert f"!{request['iid']} " in said[-1], said

    def the_shop_has_documents(self) -> None:
        """Commit documents to the developer's code repo, and rules of another tool."""
        commit(self.folder / "mai" / "shop", {**DOCUMENTS, ".cursor/rules/medusa.mdc": RULES.read_bytes()}, "docs")

    def the_service_runs(self) -> None:
        """Start the service in the developer's workspace."""
        with (self.folder / "api.log").open("wb") as log:
            self.service = subprocess.Popen(
                [self.programs / "brain-api", "serve", "--port", self.port], cwd=self.folder / "mai" / "shop",
                env=self.env("mai"), stdout=log, stderr=log,
            )  # fmt: skip
        wait_for(self.answers, "the service")

    def answers(self) -> bool:
        """Say whether the service answers."""
        assert self.service
        assert self.service.poll() is None, (self.folder / "api.log").read_text("utf-8", "replace")
        with contextlib.suppress(OSError):
            return bool(DIRECT.open(f"http://127.0.0.1:{self.port}/readyz", timeout=5).status == 200)
        return False

    def end(self) -> None:
        """End what runs."""
        if self.service:
            self.service.terminate()
            self.service.wait(30)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        return int(link.getsockname()[1])


def differences(shown: list[str], printed: list[str]) -> str:
    """Return why lines that a page shows are not what was printed, "" where they are; ``…`` stands for anything."""
    expression = ""
    for line in shown:
        if line.strip() == "…":
            expression += r"(?:.*\n)*?"
        else:
            expression += r"\s+".join(".*".join(map(re.escape, word.split("…"))) for word in line.split()) + r"\s*\n"
    text = "".join(re.sub(r"\b[0-9a-f]{7,64}\b", "#", f"{line.strip()}\n") for line in printed)
    wanted = re.sub(r"\b[0-9a-f]{7,64}\b", "\\#", expression)
    return "" if re.fullmatch(wanted, text) else "\n".join(printed)

"""What must hold of a team's work whatever happens; every fault found is a sentence in ``fell``."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from brain.recall.recall import recall
from brain.ticket import parse_ticket
from brain.workspace import open_brain
from tests.chaos.acts import PMS
from tests.support.repos import ROOT, git, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.chaos.site import Machine, Site

MARK = re.compile(r"w\d+w")
ID = re.compile(r"^- \[(mem-[^\]]+)\]", re.MULTILINE)
TICKET = {
    "taskId": "PAY-7",
    "functionId": "F-003_Payment",
    "title": "Retry",
    "keywords": ["payment"],
    "workflow": "coding",
}


class Truth:
    """Knows what was written, and what PMs saw."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.server: Path = site.forge.data / "repos" / f"{site.team.id}.git"
        self.must: dict[str, tuple[str, str]] = {}
        """Mark → machine, and what it is the latest text of: one that its writer replaced may go."""
        self.approvals: dict[int, dict[str, str]] = {}
        """Merge request → how and who → the head that this PM approved."""
        self.looked: set[str] = set()
        self.seen: set[tuple[str, str]] = set()
        """Path and body of what finalize could make official, so far."""
        self.claims: set[tuple[str, str]] = set()
        """Path and body of what claims to be approved: lint stops it, and where it got by that, finalize puts it back."""
        self.fell: list[str] = []

    # what there is

    def ref(self, name: str) -> str:
        """Return a branch's commit on the server, "" for none."""
        found = git(self.server, "for-each-ref", "--format=%(objectname)", f"refs/heads/{name}")
        return found.strip()

    def files(self, commit: str) -> dict[str, str]:
        """Return path below the root → text of a commit."""
        if not commit:
            return {}
        names = [
            name
            for name in git(self.server, "ls-tree", "-r", "-z", "--name-only", commit, "--", ROOT).split("\0")
            if name
        ]
        asked = "".join(f"{commit}:{name}\n" for name in names)
        return dict(
            zip((name.removeprefix(f"{ROOT}/") for name in names), self._blobs(self.server, asked), strict=True)
        )

    def _blobs(self, repo: Path, asked: str) -> list[str]:
        rest, found = git(repo, "cat-file", "--batch", stdin=asked).encode() + b"\n", []
        while rest.strip():
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[2])
            found.append(rest[:size].decode("utf-8", "replace"))
            rest = rest[size + 1 :]
        return found

    def memories(self, *statuses: str) -> dict[str, str]:
        """Return path → text of the memories on the default branch that have a status."""
        return {
            path: text for path, text in self.files(self.ref("main")).items()
            if path.startswith("01.") and _status(text) in statuses
        }  # fmt: skip

    def on_main(self) -> list[str]:
        return sorted(map(_id, self.memories("approved")))

    def waiting(self) -> list[str]:
        return sorted(map(_id, self.memories("pending")))

    def removed(self) -> list[str]:
        return sorted(_id(path) for path in self.files(self.ref("main")) if path.startswith("_deprecated/"))

    def requests(self, query: str = "") -> list[dict[str, Any]]:
        team = self.site.team
        found: list[dict[str, Any]] = team.root.ask("GET", f"{team.api}/merge_requests?per_page=100{query}")
        return sorted(found, key=lambda row: int(row["iid"]))

    def opened(self) -> list[dict[str, Any]]:
        return self.requests("&state=opened")

    def official(self, path: str, text: str) -> str:
        """Return the file of a memory that claims to be approved."""
        pm = self.site.team.pm.username
        return memory_text(path.removeprefix(f"{ROOT}/"), text, reviewed_by=pm, verified_commit="")

    # what was done

    def wrote(self, machine: Machine, mark: str, status: int) -> None:
        """Note that a text was written, where it was: the latest of its path on that machine must be kept."""
        for path, text in machine.drafts().items():
            if mark in text:
                of = (machine.name, path)
                self.must = {old: which for old, which in self.must.items() if which != of}
                self.must[mark] = of
                return
        if status == 0:
            self.fell.append(f"{machine.name}: remember ended with 0, and {mark} is nowhere")

    def approved(self, row: dict[str, Any], role: str, how: str, *, is_approved: bool) -> None:
        """Note that a person approved a merge request's head, or does no longer; only PMs' count, and of others' work."""
        mine = self.approvals.setdefault(int(row["iid"]), {})
        mine.pop(f"{how} {role}", None)
        if is_approved and role in PMS.values() and row["author"]["id"] != self.site.team.people[role].id:
            mine[f"{how} {role}"] = row["sha"]

    def may_be_final(self) -> None:
        """Note all that PMs approved and stand by: no other text may ever be recalled as approved."""
        for sha in {sha for mine in self.approvals.values() for sha in mine.values()} - self.looked:
            self.seen |= {(path.removeprefix("_deprecated/"), _body(text)) for path, text in self.files(sha).items()}
            self.looked.add(sha)

    # what must hold

    def check_recall(self, machine: Machine) -> None:
        """Hold that a session on a machine gets no text as approved that no PM approved."""
        self.may_be_final()
        ticket, _ = parse_ticket(TICKET)
        brain = open_brain(str(machine.work), {**os.environ, **machine.env})
        for item in recall(brain, ticket, "2026-12-01", 0).chosen:
            memory = item.memory
            known = self.seen | self.claims
            if memory.status == "approved" and (memory.path, memory.body.strip()) not in known:
                self.fell.append(
                    f"{machine.name} recalls as approved what no PM approved: {memory.path}: {memory.body!r}"
                )

    def check_kept(self) -> None:
        """Hold that each text is on the default branch or was, in an open merge request, or on its machine."""
        here = set(self._marks_of(self.server, ["rev-list", "--objects", "refs/heads/main"]))
        for row in self.opened():
            here |= {
                mark for text in self.files(self.ref(row["source_branch"])).values() for mark in MARK.findall(text)
            }
        for machine in self.site.machines.values():
            for folder in (machine.pending, machine.memory / ".git/brain/dropped", machine.memory / ROOT / "03.Retro"):
                here |= {mark for file in folder.rglob("*.md") for mark in MARK.findall(file.read_text("utf-8"))}
        lost = {mark: of for mark, of in self.must.items() if mark not in here}
        self.fell += [f"lost: {mark}, written by {name} as {path}" for mark, (name, path) in lost.items()]

    def _marks_of(self, repo: Path, revisions: list[str]) -> Iterable[str]:
        names = [line.partition(" ") for line in git(repo, *revisions).splitlines()]
        asked = "".join(f"{oid}\n" for oid, _, path in names if path.endswith(".md"))
        return (mark for text in self._blobs(repo, asked) for mark in MARK.findall(text)) if asked else ()

    def check_requests(self) -> None:
        """Hold that a branch has one open merge request at most."""
        branches = [row["source_branch"] for row in self.opened()]
        self.fell += [
            f"{branches.count(name)} open merge requests of {name}" for name in {*branches} if branches.count(name) > 1
        ]

    def check_repos(self) -> None:
        """Hold that git finds nothing wrong with any repository."""
        import subprocess

        for repo in self.site.repos():
            done = subprocess.run(
                ["git", "-C", str(repo), "fsck", "--no-dangling"], capture_output=True, text=True, check=False
            )
            if done.returncode:
                self.fell.append(f"git fsck {repo.name}: {done.stderr}{done.stdout}")

    def check_index(self) -> None:
        """Hold that the index names the approved memories, and that the job's own check says the same."""
        files = self.files(self.ref("main"))
        named = sorted(ID.findall(files.get("MEMORY.md", "")))
        if named != self.on_main():
            self.fell.append(f"the index names {named}, approved are {self.on_main()}")
        self.check_main()

    def check_main(self) -> None:
        """Hold that what is official on the default branch is what a PM approved; so finalize leaves it."""
        pms = {self.site.team.people[role].username for role in PMS.values()}
        for path, text in self.memories("approved").items():
            if _field(text, "reviewed_by") not in pms:
                self.fell.append(f"{path} is approved by {_field(text, 'reviewed_by')!r}")
            if (path, _body(text)) not in self.seen:
                self.fell.append(f"{path} is final, and no PM approved it: {_body(text)!r}")

    def check_counts(self) -> None:
        """Hold that each approved memory's hits are the machines that read it: work of one day on one ticket is one use."""
        import json

        used: dict[str, set[tuple[str, str]]] = {}
        for machine in self.site.machines.values():
            file = machine.work / ".aiflow/brain/telemetry.jsonl"
            for line in file.read_text("utf-8").splitlines() if file.exists() else ():
                row = json.loads(line)
                for name in row["ids"] if row["event"] == "read" else ():
                    used.setdefault(name, set()).add((machine.name, row["ticket"]))
        for path, text in self.memories("approved").items():
            hits, true = int(_field(text, "hits")), len(used.get(_id(path), ()))
            if hits != true and not _field(text, "removal"):  # what waits for its removal is not counted up
                self.fell.append(f"{path} has {hits} hits, and was read {true} times")


def _field(text: str, name: str) -> str:
    found = re.search(rf"^{name}:[ \t]*(.*)$", text.partition("\n---\n")[0], re.MULTILINE)
    return found[1].strip().strip("\"'") if found else ""


def _status(text: str) -> str:
    return _field(text, "status")


def _body(text: str) -> str:
    return text.partition("\n---\n")[2].strip()


def _id(path: str) -> str:
    return f"mem-F003-{path.rpartition('/')[2].removesuffix('.md')}"

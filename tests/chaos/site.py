"""A team that acts: its project on the stand-in, three machines, the clone that the jobs run in."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.chaos.acts import AT_WORK, COMMANDS, MACHINES, PMS, TICKETS, Act
from tests.chaos.truth import Truth
from tests.support.repos import PROGRAM, ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from tests.gitlab.fixture import Forge

FUNCTION = "F-003_Payment"
LETTERS = "bdfghklmnprstvz"
APPLY = ("**Apply:** know {mark}.", "**Áp dụng:** nhớ {mark}.", "**適用:** {mark} を覚える。")
SAYS = ("{a} {b} holds for {mark}.", "Phải {a} trước khi {b}, xem {mark}.", "{a} の {b} は {mark} で決まる。")


class Player:
    """The process that runs commands."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.player"], env={**os.environ, **PROGRAM},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:  # closes its pipes
            self.process.kill()

    def __call__(self, **order: Any) -> int:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"when": "after", **order}) + "\n")
        self.process.stdin.flush()
        return int(json.loads(self.process.stdout.readline())["status"])


class Machine:
    """One person's computer: a workspace with code, and a clone of the memory repo beside it."""

    def __init__(self, site: Site, name: str) -> None:
        self.site, self.name, self.role = site, name, MACHINES[name]
        self.folder = site.folder / name
        self.work, self.memory = self.folder / "shop", self.folder / "docs"
        person = site.team.people[self.role]
        self.env = {
            "BRAIN_GITLAB_TOKEN": person.token, "GIT_AUTHOR_DATE": "", "GIT_COMMITTER_DATE": "",
            "GIT_AUTHOR_EMAIL": f"{name}@example.com", "BRAIN_RECALL_SCORER": "rule",
        }  # fmt: skip
        shutil.copytree(site.template, self.memory, symlinks=True)
        git(self.memory, "remote", "set-url", "origin", site.team.remote(self.role))
        make_repo(self.work, {"src/pay.py": "pay = 1\n"})
        files = {"state.json": {"memory": {"repo": "../docs"}}, "context/current.json": {
            "taskId": "PAY-7", "functionId": FUNCTION, "title": "Retry", "keywords": ["payment"], "workflow": "coding",
        }}  # fmt: skip
        for path, content in files.items():
            file = self.work / ".aiflow" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content))

    def run(self, *args: str, kill: int = 0) -> int:
        """Run ``brain``, and return its status, -9 where it was killed."""
        site = self.site
        return site.play("brain", self.work, ["-C", str(self.work), *args], self.env, kill)

    @property
    def pending(self) -> Path:
        return self.memory / ROOT / "_pending"

    def drafts(self) -> dict[str, str]:
        """Return path → text."""
        found = sorted(self.pending.rglob("*.md"))
        return {path.relative_to(self.pending).as_posix(): path.read_text("utf-8") for path in found}

    def fetch(self) -> None:
        git(self.memory, "fetch", "-q", "--prune", "origin")


class Site:
    """The team; ``play_all`` lets acts happen, ``truth`` knows what must hold."""

    def __init__(self, forge: Forge, folder: Path, player: Player, chance: Random, mode: str = "on-main") -> None:
        self.forge, self.folder, self.player, self.chance, self.mode = forge, folder, player, chance, mode
        self.team = forge.team()
        self._add_second_pm()
        self.marks = 0
        self.decided: set[object] = set()
        self.log = folder / "log"
        self.said, self.fault, self.loud = "", ("", 0), False
        if mode == "on-branch":
            self.team.root.ask("POST", f"{self.team.api}/approvals", reset_approvals_on_push=False)
        self._skeleton()
        self.template = folder / "template"
        git(folder, "clone", "-q", self.team.remote("dev"), str(self.template))
        self.machines = {name: Machine(self, name) for name in MACHINES}
        self.runner = folder / "runner"
        shutil.copytree(self.template, self.runner, symlinks=True)
        git(self.runner, "remote", "set-url", "origin", f"{forge.url}/{self.team.path}.git")
        self.truth = Truth(self)

    def _add_second_pm(self) -> None:
        team = self.team
        pia = self.forge.person(f"pia{team.id}", name="Pia", email=f"pia{team.id}@example.com")
        team.people["pia"] = pia
        team.root.ask("POST", f"{team.api}/members", user_id=pia.id, access_level=40)

    def _skeleton(self) -> None:
        """Merge the settings, and some memories that are final and old."""
        team = self.team
        names = ", ".join(f'"{team.people[role].username}"' for role in PMS.values())
        toml = f'[people]\npm = [{names}]\ntl = ["{team.tl.username}"]\n[review]\nfinalize = "{self.mode}"\n'
        team.commit("start", {f"{ROOT}/brain.toml": toml, f"{ROOT}/.gitignore": "_pending/\n"})
        iid = int(team.open("start")["iid"])
        team.ready(iid)
        team.pm.ask("PUT", f"{team.api}/merge_requests/{iid}/merge")

    # what people and programs do

    def play_all(self, acts: list[Act], *, loud: bool = False) -> None:
        for act in acts:
            self.play_one(act, loud=loud)

    def play_one(self, act: Act, *, loud: bool = False) -> None:
        """Let an act happen."""
        self.said, self.fault = "", (act.fault, act.skip)
        status = self._do(act)
        self.fault = ("", 0)
        if loud:
            last = self.said.strip().splitlines()[-1:] or [""]
            print(f"  {act!s:60} {status!s:>4}  {last[0][:150]}", flush=True)

    def _do(self, act: Act) -> Any:
        if act.who in MACHINES and act.verb in AT_WORK:
            return getattr(self, f"_{act.verb.replace('-', '_')}")(self.machines[act.who], act)
        if act.verb in ("finalize", "consolidate", "restart"):
            return getattr(self, f"_{act.verb}")(act)
        return self._review(act)

    def play(self, program: str, folder: Path, args: list[str], env: dict[str, str], kill: int) -> int:
        """Run a program of ours and return its status; ``said`` is what it printed. A fault lasts no longer."""
        order = {"program": program, "folder": str(folder), "args": args, "env": env, "step": kill}
        fault, skip = self.fault
        if fault:
            self.forge.fault(fault, skip=skip)
        status = self.player(**order, log=str(self.log))
        if fault:
            self.forge.calm()
        self.said = self.log.read_text("utf-8", "replace") if self.log.exists() else ""
        if self.loud:
            print(
                f"    {program} {' '.join(args)}: {status}\n      " + self.said.strip().replace("\n", "\n      "),
                flush=True,
            )
        if status == 70 or "Traceback" in self.said:
            self.truth.fell.append(f"a bug: {program} {' '.join(args)}\n{self.said}")
        return status

    def new_text(self) -> tuple[str, str]:
        """Return a mark that stands in no other text, and a text with it that is like no other."""
        self.marks += 1
        mark = f"w{self.marks}w"
        a, b = ("".join(self.chance.choices(LETTERS + "aeiou", k=9)) for _ in range(2))
        kind = self.marks % len(SAYS)
        return mark, f"{SAYS[kind].format(a=a, b=b, mark=mark)}\n\n{APPLY[kind].format(mark=mark)}"

    # at work

    def _remember(self, machine: Machine, act: Act) -> int:
        mark, text = self.new_text()
        refs = ["--refs", "src/pay.py"] if act.number % 3 == 0 else []
        status = machine.run(
            "remember", text, "--type", "lesson", "--role", "dev", "--tags", "payment", "--scope", FUNCTION,
            "--slug", f"m{self.marks}", "--force", *refs, kill=act.kill,
        )  # fmt: skip
        self.truth.wrote(machine, mark, status)
        return status

    def _edit(self, machine: Machine, act: Act) -> int:
        name = _nth([*map(_id_of, machine.drafts()), *self.truth.on_main()], act.number)
        mark, text = self.new_text()
        status = machine.run("remember", text, "--update", name, "--force", kill=act.kill) if name else 1
        self.truth.wrote(machine, mark, status)
        return status

    def _submit(self, machine: Machine, act: Act) -> int:
        one = [_id_of(_nth(list(machine.drafts()), act.number))] if act.number % 3 == 0 and machine.drafts() else []
        return machine.run("submit", *one, "--ticket", f"T-{act.number % TICKETS}", kill=act.kill)

    def _pull_back(self, machine: Machine, act: Act) -> int:
        names = [f"T-{number}" for number in range(TICKETS)] + self.truth.waiting()
        return machine.run("pull-back", _nth(names, act.number), kill=act.kill)

    def _verify(self, machine: Machine, act: Act) -> int:
        name = _nth(self.truth.on_main(), act.number)
        return machine.run("verify", name, "--ok" if act.number % 2 else "--wrong", kill=act.kill) if name else 1

    def _remove(self, machine: Machine, act: Act) -> int:
        name, hard = _nth(self.truth.on_main(), act.number), ["--hard"] if act.number % 4 == 0 else []
        return machine.run("remove", name, "--reason", "no longer so", *hard, kill=act.kill) if name else 1

    def _restore(self, machine: Machine, act: Act) -> int:
        name = _nth(self.truth.removed(), act.number)
        return machine.run("restore", name, kill=act.kill) if name else 1

    def _recall(self, machine: Machine, act: Act) -> str:
        machine.fetch()
        self.truth.check_recall(machine)
        return "ok"

    def _show(self, machine: Machine, act: Act) -> int:
        machine.fetch()
        name = _nth(self.truth.on_main(), act.number)
        return machine.run("show", name, kill=act.kill) if name else 1

    def _retro(self, machine: Machine, act: Act) -> str:
        mark, _ = self.new_text()
        file = machine.memory / ROOT / "03.Retro" / f"T-{act.number % TICKETS}.md"
        file.parent.mkdir(exist_ok=True)
        before = file.read_text("utf-8") if file.exists() else f"# {file.stem}\n\n## Learned\n"
        file.write_text(f"{before}- {mark} was learned.\n", "utf-8")
        self.truth.must[mark] = (machine.name, mark)
        return mark

    def _publish(self, machine: Machine, act: Act) -> int:
        return machine.run("telemetry", "--publish", kill=act.kill)

    def _fetch(self, machine: Machine, act: Act) -> str:
        machine.fetch()
        return "ok"

    def _code(self, machine: Machine, act: Act) -> str:
        commit(machine.work, {"src/pay.py": f"pay = {act.number}\n"})
        return "ok"

    def _status(self, machine: Machine, act: Act) -> int:
        return machine.run("status", kill=act.kill)

    def _drop(self, machine: Machine, act: Act) -> int:
        name = _nth(list(machine.drafts()), act.number)
        return machine.run("pending", "drop", name, kill=act.kill) if name else 1

    def _undrop(self, machine: Machine, act: Act) -> int:
        folder = machine.memory / ".git/brain/dropped"
        name = _nth(sorted(path.name.removesuffix(".md") for path in folder.rglob("*.md")), act.number)
        return machine.run("pending", "restore", f"mem-F003-{name}", kill=act.kill) if name else 1

    def _smuggle(self, machine: Machine, act: Act) -> int:
        """Propose a memory by hand that claims to be approved."""
        mark, text = self.new_text()
        path = f"{ROOT}/01.Lessons/dev/{FUNCTION}/s{self.marks}.md"
        claim = self.truth.official(path, text)
        self.truth.claims.add((path.removeprefix(f"{ROOT}/"), text))
        self.team.commit(f"memory/by-hand-{mark}", {path: claim}, who=machine.role)
        return int(self.team.open(f"memory/by-hand-{mark}", f"by hand {mark}", who=machine.role)["iid"])

    # on GitLab

    def _review(self, act: Act) -> Any:
        role = {**MACHINES, **PMS}[act.who]
        found = self.truth.opened()
        if not found:
            return "none"
        row = found[act.number % len(found)]
        return self.review(role, act.verb, row)

    def review(self, role: str, verb: str, row: dict[str, Any]) -> int:
        """Do something with a merge request as a person, and return GitLab's status."""
        person, where = self.team.people[role], f"{self.team.api}/merge_requests/{row['iid']}"
        if verb in ("approve", "unapprove"):
            status = int(person.post(f"{where}/{verb}").status_code)
            if status < 300:
                self.truth.approved(row, role, "approved", is_approved=verb == "approve")
            return status
        if verb == "merge":
            self.team.ready(row["iid"])
            status = int(person.put(f"{where}/merge").status_code)
            if status < 300 and self.mode == "on-main":  # Free: a PM who merges has approved
                self.truth.approved(row, role, "merged", is_approved=True)
            return status
        person.ask("POST", f"{where}/notes", body="We know this already.")
        return int(person.put(where, json={"state_event": "close"}).status_code) if verb == "close" else 201

    # jobs

    def _finalize(self, act: Act) -> int:
        return self.finalize(kill=act.kill)

    def finalize(self, *args: str, kill: int = 0) -> int:
        """Run memory-finalize."""
        self.truth.may_be_final()
        env = {
            "CI_PROJECT_DIR": str(self.runner), "BRAIN_GITLAB_TOKEN": self.team.bot.token, "GIT_AUTHOR_DATE": "",
            "GIT_COMMITTER_DATE": "",
        }  # fmt: skip
        status = self.play("brain-ci", self.runner, ["finalize", *args], env, kill)
        if status in (0, 1):
            self.truth.check_main()
        return status

    def _consolidate(self, act: Act) -> int:
        return self.machines["tom"].run("consolidate", kill=act.kill)

    def _restart(self, act: Act) -> str:
        self.forge.restart()
        return "ok"

    def repos(self) -> Iterator[Path]:
        """Yield all repositories there are."""
        yield self.truth.server
        yield self.runner
        for machine in self.machines.values():
            yield machine.memory


def _nth(names: list[str], number: int) -> str:
    return names[number % len(names)] if names else ""


def _id_of(path: str) -> str:
    return f"mem-F003-{re.sub(r'.*/', '', path).removesuffix('.md')}"


assert AT_WORK.keys() & COMMANDS

"""The year itself: week by week people write, use and forget memories; after each the world is held against the truth."""

from __future__ import annotations

import random
import time
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from brain.layout import find_place
from brain.memory import Memory, render_memory
from brain.recall.recall import index_text, memories_text, recall
from brain.recall.render import HOST_ROOM
from brain.ticket import parse_ticket
from brain.tokens import estimate
from tests.simulate.plot import (
    AGAINST,
    NEGLECTED,
    PEOPLE,
    PROJECTS,
    ROTTEN,
    TWIN,
    USEFUL,
    Plant,
    Plot,
)
from tests.simulate.world import World, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from brain.workspace import Brain

WAIT_ROTTEN, WAIT_NEGLECTED = 34, 23
"""Weeks after which a rotten memory must be gone; and one that nobody verified, from the change on."""


class Week(NamedTuple):
    """What a week showed: memories in force, most tokens of a session, tickets, and those whose lesson was recalled."""

    number: int
    memories: int
    tokens: int
    tickets: int
    found: int
    seconds: float


class Year:
    """The truth, and the world that it is played in."""

    def __init__(self, world: World, plot: Plot, tickets: int, seed: int) -> None:
        self.world, self.plot, self.tickets = world, plot, tickets
        self.chance = random.Random(seed + 1)
        self.live: dict[int, Plant] = {}
        self.gone: dict[int, Plant] = {}
        self.stale: set[int] = set()
        self.flagged: set[int] = set()
        self.hits: dict[str, int] = {}
        self.cited = self.sessions = self.tokens = self.merged = self.closed = 0
        self.worked: set[str] = set()
        self.used: dict[int, int] = {}
        self.late: list[tuple[int, int, list[Plant]]] = []
        self.weeks: list[Week] = []
        self.told: set[tuple[str, frozenset[str]]] = set()

    def play(self) -> None:
        for week in range(1, self.plot.weeks + 1):
            began = time.monotonic()
            self.world.begin(week)
            self._write_code(week)
            self._decide(week)
            found, tokens = self._work(week)
            self._tend(last=week == self.plot.weeks)
            row = Week(week, len(self.live), tokens, self.tickets, found, time.monotonic() - began)
            self.weeks.append(row)
            print(
                f"week {row.number:2}: {row.memories:3} memories, {len(self.stale):2} stale, {len(self.gone):2} removed, "
                f"{row.tokens:4} tokens at most, {row.found}/{row.tickets} recalled ({row.seconds:.0f} s)", flush=True,
            )  # fmt: skip

    # code

    def _write_code(self, week: int) -> None:
        """Grow the code: ordinary work, files that new memories rest on, and changes under old ones."""
        doubted = [plant for plant in self.live.values() if plant.doubted == week and plant.file]
        for project in PROJECTS:
            work = [
                {f"src/work/{week}-{number}.py": f"work = {number}\n"}
                for number in range(self.tickets // len(PROJECTS))
            ]
            new = {
                plant.file: "one = 1\n" for plant in self.plot.plants[week] if plant.project == project and plant.file
            }
            changed = {plant.file: f"one = {week}\n" for plant in doubted if plant.project == project}
            self.world.write_code(project, [*work, {**new, **changed}] if new or changed else work)
        self.stale |= {plant.number for plant in doubted}
        self.flagged |= {plant.number for plant in doubted}

    # memories

    def _decide(self, week: int) -> None:
        """Propose what the week brings and what was verified; the PM takes it, later, or turns it down."""
        plants = self.plot.plants[week]
        checked = [plant for plant in self.live.values() if plant.checked == week and plant.number in self.stale]
        prompt = [plant for plant in plants if plant.accepted and plant.decided == week]
        files = {plant.path: self._text(plant, week) for plant in prompt}
        files |= {plant.path: self._text(plant, plant.week) for plant in checked}
        for plant in checked:
            hits = self.hits_on_main.get(plant.path, "0")
            files[plant.path] = files[plant.path].replace("hits: 0", f"hits: {hits}")
        if files:
            self._merge(self._propose(files), prompt)
            self.stale -= {plant.number for plant in checked}
        late = [plant for plant in plants if plant.accepted and plant.decided > week]
        if late:
            self.late.append(
                (late[0].decided, self._propose({plant.path: self._text(plant, week) for plant in late}), late)
            )
        refused = {plant.path: self._text(plant, week) for plant in plants if not plant.accepted}
        if refused:
            self.world.project.ask("PUT", f"merge_requests/{self._propose(refused)}", state_event="close")
            self.closed += 1
        for row in [row for row in self.late if row[0] == week]:
            self.late.remove(row)
            self._merge(row[1], row[2])
        self.world.finalize()

    def _text(self, plant: Plant, created: int) -> str:
        """Return a draft, verified at the head of its project as it is now."""
        place = find_place(plant.path)
        assert place
        head = self.world.heads[plant.project]
        day = self.world.day.toordinal() - 7 * (self.world.week - created)
        refs = (f"{plant.project}:{plant.file}",) if plant.file else ()
        return render_memory(Memory(
            place, ("coding",), plant.topics, plant.confidence, f"T-{plant.number}", "pending", 0,
            date.fromordinal(day).isoformat(), plant.body, "", refs, head if refs else "",
        ))  # fmt: skip

    def _propose(self, files: dict[str, Any]) -> int:
        return self.world.project.propose(files)

    def _merge(self, iid: int, plants: Iterable[Plant]) -> None:
        self.world.accept(iid)
        self.merged += 1
        self.live.update({plant.number: plant for plant in plants})

    # work

    def _work(self, week: int) -> tuple[int, int]:
        """Work on the week's tickets; return in how many the planted lesson was recalled, and the most tokens of one."""
        brain = self.world.brain()
        known = {plant.id: plant for plant in self.live.values()}
        found = most = 0
        for number in range(self.tickets):
            person, session, name = self.chance.randrange(PEOPLE), f"s{week}-{number}", f"W-{week}-{number}"
            target = self._target()
            ids, tokens = self._session(brain, target, name, person, session)
            most = max(most, tokens)
            hit = target.id in ids
            found += hit
            used = {target.id} if hit else set()
            if self.chance.random() < 0.2:
                used |= {other for other in ids[:3] if known[other].fate == USEFUL}
            self._use(person, session, name, used)
        return found, most

    def _target(self) -> Plant:
        """Return the lesson that a ticket needs: one of those that were not needed for longest."""
        useful = [plant for plant in self.live.values() if plant.fate == USEFUL]
        useful.sort(key=lambda plant: (self.used.get(plant.number, 0), plant.number))
        target = self.chance.choice(useful[:5])
        self.used[target.number] = self.world.week * 100 + self.chance.randrange(100)
        return target

    def _session(self, brain: Brain, target: Plant, name: str, person: int, session: str) -> tuple[list[str], int]:
        """Start a session on a ticket, and return the ids that the assistant gets and the tokens of both layers."""
        ticket, _ = parse_ticket({
            "taskId": name, "functionId": target.function, "title": f"The {target.topics[0]} of the {target.topics[1]} goes wrong",
            "keywords": list(target.topics), "workflow": "coding", "kind": "feature",
        })  # fmt: skip
        chosen = recall(brain, ticket, self.world.today, look=lambda _brain, _memories: {})
        texts = {
            "index": index_text(brain, ticket, room=HOST_ROOM),
            "memories": memories_text(chosen, brain.config, room=HOST_ROOM),
        }
        total = 0
        for part, text in texts.items():
            tokens = estimate(text.text)
            total += tokens
            self.world.note(
                person, "injected", part=part, session=session, ticket=name, tokens=tokens, share=tokens / 200_000
            )
        self.sessions += 1
        self.tokens += total
        self.worked.add(name)
        assert estimate(texts["memories"].text) <= brain.config["memory.injectBudget"]
        assert estimate(texts["index"].text) <= brain.config["memory.indexBudget"]
        return [name for name in texts["memories"].pieces if name.startswith("mem-")], total

    def _use(self, person: int, session: str, name: str, used: set[str]) -> None:
        """Cite and read: each counts once a session, however often it is done."""
        for memory_id in sorted(used):
            event = self.chance.choice(("cited", "cited", "cited", "read"))
            for _ in range(self.chance.choice((1, 1, 2))):
                self.world.note(person, event, ids=[memory_id], session=session, ticket=name)
            self.hits[memory_id] = self.hits.get(memory_id, 0) + 1
            self.cited += event == "cited"

    # tending

    @property
    def hits_on_main(self) -> dict[str, str]:
        return {path: fields_of(text)["hits"] for path, text in self.world.main_files().items()}

    def _tend(self, *, last: bool) -> None:
        """Publish some machines' counts, all at the end; consolidate, approve, and hold main against the truth."""
        for person in range(PEOPLE) if last else self.chance.sample(range(PEOPLE), 2):
            self.world.publish(person)
        proposed = self.world.run("consolidate")
        self.told |= {
            (kind, frozenset(row["ids"])) for kind in ("duplicates", "contradictions") for row in proposed[kind]
        }
        if proposed["mergeRequest"]:
            self.world.accept(proposed["mergeRequest"])
            self.world.finalize()
            if self.world.week % 4 == 0:
                again = self.world.run("consolidate", "--dry-run")
                assert not again["changes"], again["changes"]
        self._check_main(proposed)

    def _check_main(self, proposed: dict[str, Any]) -> None:
        files = self.world.main_files()
        by_path = {plant.path: plant for plant in self.live.values()}
        removed = {row["id"] for row in proposed["changes"] if "removal" in row}
        for plant in [plant for plant in self.live.values() if plant.id in removed]:
            assert plant.fate != USEFUL, plant
            assert f"_deprecated/{plant.path}" in files
            self.gone[plant.number] = self.live.pop(plant.number)
            self.stale.discard(plant.number)
        flagged = {
            by_path[path].number
            for path, text in files.items()
            if path in by_path and fields_of(text)["stale"] == "true"
        }
        assert flagged - {plant.number for plant in self.gone.values()} == self.stale, flagged ^ self.stale

    def check_end(self) -> dict[str, float]:
        """Hold the end of the year against the truth, and return its figures."""
        files, last = self.world.main_files(), self.plot.weeks
        everyone = [*self.live.values(), *self.gone.values()]
        counted = {
            plant.id: int(fields_of(files.get(plant.path) or files[f"_deprecated/{plant.path}"])["hits"])
            for plant in everyone
        }
        gone = {plant.id for plant in self.gone.values()}
        kept_hits = {name: count for name, count in counted.items() if name not in gone}
        assert kept_hits == {name: self.hits.get(name, 0) for name in kept_hits}
        rotten = [plant for plant in everyone if plant.fate == ROTTEN and plant.decided + WAIT_ROTTEN <= last]
        neglected = [
            plant
            for plant in everyone
            if plant.fate == NEGLECTED and plant.doubted and plant.doubted + WAIT_NEGLECTED <= last
        ]
        assert all(plant.number in self.gone for plant in (*rotten, *neglected)), [
            plant for plant in (*rotten, *neglected) if plant.number not in self.gone
        ]
        for fate, kind in ((TWIN, "duplicates"), (AGAINST, "contradictions")):
            for plant in (plant for plant in everyone if plant.fate == fate):
                assert any(kind == told and plant.id in ids for told, ids in self.told), plant
        self._check_report()
        quarter = max(1, last // 4)
        first, final = self.weeks[:quarter], self.weeks[-quarter:]
        early, late = (sum(row.found for row in rows) / sum(row.tickets for row in rows) for rows in (first, final))
        assert late >= early - 0.02, (early, late)
        return {
            "weeks": last, "tickets": len(self.worked), "memories": len(everyone), "inForce": len(self.live), "removed": len(self.gone),
            "rottenRemoved": len(rotten), "neglectedRemoved": len(neglected), "usefulRemoved": 0, "hits": sum(self.hits.values()),
            "everStale": len(self.flagged), "recallFirstQuarter": early, "recallLastQuarter": late,
            "mostTokens": max(row.tokens for row in self.weeks), "growth": self.weeks[-1].memories / self.weeks[0].memories,
        }  # fmt: skip

    def _check_report(self) -> None:
        """Hold each number of the report that the truth knows."""
        found = self.world.run("report")
        figures = found["figures"]
        in_force = {plant.number for plant in self.live.values()}
        truth = {
            "memories": len(self.live), "hits": sum(self.hits.values()), "citations": self.cited, "tasks": len(self.worked),
            "sessions": self.sessions, "tokensPerSession": self.tokens / self.sessions, "citationsPerTask": self.cited / len(self.worked),
            "rejected": self.closed, "queue": len(self.late), "removed": len(self.gone), "flagged": len(self.flagged),
            "sessionsOver": 0.0,
            "verifiedAgain": len(self.flagged & in_force - self.stale) / len(self.flagged) if self.flagged else None,
        }  # fmt: skip
        assert {name: figures[name] for name in truth} == truth
        assert figures["approved"] == self.merged + 2  # the skeleton and its settings
        assert sum(found["removals"].values()) == len(self.gone)

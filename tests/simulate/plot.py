"""What happens in the simulated year, decided from a seed: people, projects, memories and their fates, tickets."""

from __future__ import annotations

import random
from typing import NamedTuple

PROJECTS = ("shop", "bank", "mobile")
PEOPLE = 8
FUNCTIONS = 4
"""Functions of each project."""
USEFUL, ROTTEN, NEGLECTED, TWIN, AGAINST = "useful", "rotten", "neglected", "twin", "against"
"""Fates: used by later tickets; never used; code under it changes and nobody looks; says what another says; says the opposite."""
WORDS = (
    "retry", "queue", "ledger", "cursor", "batch", "token", "invoice", "stock", "refund", "coupon", "webhook", "mailer",
    "export", "import", "session", "cache", "locale", "timezone", "rounding", "currency", "upload", "thumbnail", "search",
    "filter", "report", "audit", "login", "signup", "consent", "shipping", "parcel", "address", "discount", "basket",
    "payout", "dispute", "balance", "limit", "quota", "alarm", "metric", "backup", "restore", "merge", "split", "archive",
)  # fmt: skip
VERBS = (
    "validate",
    "count",
    "lock",
    "log",
    "round",
    "convert",
    "sort",
    "page",
    "encrypt",
    "compress",
    "throttle",
    "mirror",
)
NOUNS = ("header", "amount", "row", "file", "record", "price", "message", "key", "field", "window", "batch", "reply")
PLACES = (
    "gateway",
    "worker",
    "screen",
    "nightly job",
    "importer",
    "public form",
    "partner feed",
    "admin page",
    "archive",
)
WHYS = (
    "the partner repeats requests", "two workers run at once", "the database keeps local time", "the old clients send none",
    "customs ask for it later", "a timeout hides the first answer", "the test server is more patient", "auditors read it",
    "the phone loses its network", "the night shift restarts it", "the cache is warmed late", "the limit counts bytes",
)  # fmt: skip


class Plant(NamedTuple):
    """A memory that is written in a week: slug, project, function, topic words, fate, and its two sentences.

    ``file`` is what of the code it rests on, "" for nothing; ``doubted`` the week in which that changes (0: never), and
    ``checked`` the week in which a person verifies it then. ``decided`` is in which week the PM decides, ``accepted`` how.
    """

    number: int
    week: int
    project: str
    function: str
    topics: tuple[str, str]
    fate: str
    body: str
    confidence: float
    file: str = ""
    doubted: int = 0
    checked: int = 0
    decided: int = 0
    accepted: bool = True

    @property
    def slug(self) -> str:
        return f"{self.topics[0]}-{self.number}"

    @property
    def path(self) -> str:
        return f"01.Lessons/dev/{self.function}/{self.slug}.md"

    @property
    def id(self) -> str:
        return f"mem-{self.function.partition('_')[0].replace('-', '')}-{self.slug}"


def function_of(project: int, number: int) -> str:
    return f"F-{project * FUNCTIONS + number + 1:03}_{PROJECTS[project].title()}{number + 1}"


class Plot:
    """The whole year's plants, a list a week (from 1)."""

    def __init__(self, seed: int, weeks: int, per_week: int) -> None:
        self.chance, self.weeks = random.Random(seed), weeks
        self.count = 0
        self.plants: dict[int, list[Plant]] = {week: [] for week in range(1, weeks + 1)}
        for week in range(1, weeks + 1):
            for _ in range(per_week if week > 1 else per_week * 3 // 4):
                self.plants[week].append(self._make(week))
        self._plant_pairs()

    def _make(self, week: int, fate: str = "") -> Plant:
        chance = self.chance
        self.count += 1
        project = self.count % len(PROJECTS)
        topics = (
            WORDS[self.count % len(WORDS)],
            chance.choice([word for word in WORDS if word != WORDS[self.count % len(WORDS)]]),
        )
        fate = fate or chance.choices((USEFUL, ROTTEN, NEGLECTED), (0.8, 0.1, 0.1))[0]
        function = function_of(project, chance.randrange(FUNCTIONS))
        verb, noun, place = chance.choice(VERBS), chance.choice(NOUNS), chance.choice(PLACES)
        body = (
            f"In the {place} the {topics[0]} of {topics[1]} number {self.count} needs a {noun} check, because {chance.choice(WHYS)}.\n\n"
            f"**Apply:** {verb} the {noun} of {topics[0]} {self.count} in the {place} before the {topics[1]} step."
        )
        rests = fate == NEGLECTED or (fate == USEFUL and chance.random() < 0.6)
        doubted = week + chance.randrange(4, 16) if fate == NEGLECTED or (rests and chance.random() < 0.5) else 0
        checked = doubted + chance.randrange(2, 5) if doubted and fate == USEFUL else 0
        late, rejected = chance.random() < 0.1, fate == USEFUL and chance.random() < 0.05
        return Plant(
            self.count, week, PROJECTS[project], function, topics, fate, body,
            0.5 if fate == ROTTEN else round(chance.uniform(0.5, 0.7), 2), f"src/{function[:5]}/m{self.count}.py" if rests else "",
            doubted, checked, week + (2 if late else 0), not rejected,
        )  # fmt: skip

    def _plant_pairs(self) -> None:
        """Add memories that say what another says, and the opposite of another, some weeks later."""
        for week in range(3, self.weeks - 2, 6):
            for fate, place in ((TWIN, 0), (AGAINST, 1)):
                able = [
                    plant
                    for plant in self.plants[week - 2]
                    if plant.fate == USEFUL and plant.accepted and plant.decided == plant.week
                ]
                if len(able) <= place:
                    continue
                first = able[place]
                self.count += 1
                body = first.body.replace("needs", "always needs") if fate == TWIN else (
                    f"Seen again in the {first.topics[0]}.\n\n" + "**Apply:** do not " + first.body.partition("**Apply:** ")[2]
                )  # fmt: skip
                self.plants[week].append(first._replace(
                    number=self.count, week=week, fate=fate, body=body, file="", doubted=0, checked=0, decided=week,
                ))  # fmt: skip

"""Rank the memories that something speaks for (SPEC §4.2).

Candidates come from postings: the ticket's function folders, its files, its words, what is near it in meaning, and the
best of its keywords and of the profile's areas. So the work grows with what matches and not with the store. A
candidate's score is put together from what its folder, its workflows and the postings say; ``explain`` takes the same
numbers apart again.
"""

from __future__ import annotations

from itertools import groupby

from brain.index.segment import HAS_HITS
from brain.layout import AREA_TYPES, find_place, short_code
from brain.recall.cover import share_files
from brain.recall.score import NOTHING_NEAR, Nearness, Signs, has_affinity, score_terms
from brain.recall.text import FLOOR, earned, match_text
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from brain.index.cache import Part
    from brain.index.segment import Segment
    from brain.memory import Memory
    from brain.recall.profile import Profile
    from brain.recall.query import Query
    from brain.recall.score import Weights
    from brain.recall.text import Match
    from brain.semantic.ask import Meaning

    Row: TypeAlias = tuple[float, float, int, int, int]

BESIDE_FILES = 0.5
"""What words count for where some memory's refs cover all of the ticket's files."""
STANDING_COLUMNS = ("place", "workflows", "created")


@value
class Ranked:
    """A memory with its score, the score's terms, and whether it is a lesson of the ticket's own functions."""

    memory: Memory
    score: float
    terms: dict[str, float]
    own_lesson: bool


@value
class PlaceSigns:
    """What a folder says of the memories in it."""

    in_function: bool
    in_profile: bool
    affinity: bool
    lesson: bool


@value
class TagSigns:
    """Which memories have keywords among their tags: number → how many.

    ``crowds`` are the same memories as ascending numbers: those of each keyword, and of each count above one.
    """

    counts: dict[int, int]
    crowds: list[Sequence[int]]


@value
class Ground:
    """One part of the tree, or the drafts, with what the query found in it: memory number → sign.

    ``strong`` are those whose words, or whose meaning, alone make them relevant.
    """

    segment: Segment
    dead: frozenset[int]
    pending: bool
    places: list[PlaceSigns]
    for_workflow: list[bool]
    tags: TagSigns
    files: dict[int, float]
    text: dict[int, float]
    meaning: dict[int, float]
    strong: frozenset[int]


def rank(
    parts: Sequence[Part], drafts: Segment | None, query: Query, profile: Profile, weights: Weights, cutoff: int,
    meaning: Meaning | None = None,
) -> Ranking:  # fmt: skip
    """Survey the tree and the drafts for a query; memories created before ``cutoff`` (YYYYMMDD) are old."""
    sources = [(part.segment, part.dead, False) for part in parts]
    if drafts is not None:
        sources.append((drafts, frozenset(), True))
    places = [_place_signs(segment, query, profile) for segment, _, _ in sources]
    wanted = query.ticket.files if weights.files else ()
    files = [share_files(segment, dead, wanted, query.ref_prefixes) for segment, dead, _ in sources]
    texts = match_text(query.said, parts, drafts) if weights.text else [{} for _ in sources]
    narrows = any(_knows_function(part, signs) for part, signs in zip(parts, places, strict=False))
    covered = max((share for found in files[: len(parts)] for share in found.values()), default=0.0)
    meanings = _nearness(meaning, sources, places, narrows=narrows)
    grounds = [
        Ground(
            segment, dead, pending, signs, _for_workflow(segment, query.ticket.workflow), _count_tags(segment, query),
            share, _text_signs(segment, signs, matches, covered, narrows=narrows), near.signs,
            _strong(matches) | near.clear,
        )
        for (segment, dead, pending), signs, share, matches, near
        in zip(sources, places, files, texts, meanings, strict=True)
    ]  # fmt: skip
    return Ranking(grounds, weights, cutoff)


@value
class Ranking:
    """What a query found, ranked only as far as it is asked."""

    grounds: list[Ground]
    weights: Weights
    cutoff: int

    def best(self, limit: int, *, and_own_lessons: bool = False) -> list[Ranked]:
        """Return the ``limit`` best relevant memories, best first; 0 for all.

        ``and_own_lessons`` adds every lesson of the ticket's functions. Ties: higher confidence, newer, id. A
        memory that another approved one replaces is no candidate, nor a draft that says what is approved already.
        """
        rows = [row for index in range(len(self.grounds)) for row in self._rows(index, limit)]
        rows.sort()
        gone = _superseded(self.grounds)
        found: list[Ranked] = []
        for index, number in _in_order(rows, self.grounds):
            ground = self.grounds[index]
            place = ground.places[ground.segment.columns["place"][number]]
            full = 0 < limit <= len(found)
            if full and not and_own_lessons:
                break
            if full and not (place.lesson and place.in_function):
                continue
            if _id_of(ground, number) not in gone and not self._says_nothing_new(ground, number):
                found.append(self._ranked(ground, number, place))
        return found

    def replaced(self) -> dict[str, str]:
        """Return the ids of the relevant memories that another approved one replaces, each with that one's id."""
        found = {_id_of(ground, number) for ground in self.grounds for number in _spoken_for(ground)}
        return {old: new for old, new in sorted(_superseded(self.grounds).items()) if old in found}

    def _rows(self, index: int, limit: int) -> list[Row]:
        """Return (−score, −confidence, −date, ground, number) of each candidate of a ground."""
        ground, weights = self.grounds[index], self.weights
        tags, files, text, meaning = ground.tags.counts, ground.files, ground.text, ground.meaning
        confidence, created = ground.segment.columns["confidence"], ground.segment.columns["created"]
        standing = _Standing(ground, weights, self.cutoff)
        everyone = not limit or ground.pending  # of the few drafts, many may say what is approved already
        worth, draft = standing.worth, weights.pending if ground.pending else 0.0
        rows = []
        for number in _spoken_for(ground) if everyone else _contenders(ground, standing, limit):
            total = (
                worth(number) + weights.tag * tags.get(number, 0) + weights.confidence * confidence[number] - draft
                + weights.text * text.get(number, 0.0) + weights.files * files.get(number, 0.0)
                + weights.meaning * meaning.get(number, 0.0)
            )  # fmt: skip
            rows.append((-round(total, 9), -confidence[number], -(created[number] % HAS_HITS), index, number))
        return rows

    def _says_nothing_new(self, ground: Ground, number: int) -> bool:
        if not ground.pending:
            return False
        draft = ground.segment.memory(number)
        return any(
            other.segment.memory(twin).body == draft.body
            for other in self.grounds if not other.pending
            for twin in other.segment.postings(f"id:{draft.id}") if twin not in other.dead
        )  # fmt: skip

    def _ranked(self, ground: Ground, number: int, place: PlaceSigns) -> Ranked:
        segment = ground.segment
        memory = segment.memory(number)
        signs = Signs(
            in_function=place.in_function, for_workflow=ground.for_workflow[segment.columns["workflows"][number]],
            tags=ground.tags.counts.get(number, 0), confidence=memory.confidence,
            old=segment.columns["created"][number] < self.cutoff, pending=ground.pending, affinity=place.affinity,
            text=ground.text.get(number, 0.0), files=ground.files.get(number, 0.0),
            meaning=ground.meaning.get(number, 0.0),
        )  # fmt: skip
        terms = score_terms(signs, self.weights)
        return Ranked(memory, round(sum(terms.values()), 6), terms, place.lesson and place.in_function)


def _knows_function(part: Part, places: Sequence[PlaceSigns]) -> bool:
    """Say whether a living memory lies in a folder of the ticket's functions."""
    keys = (f"place:{area}/{folder}" for area, folder, _ in part.segment.header["places"])
    return any(signs.in_function and part.numbers(key) for key, signs in zip(keys, places, strict=True))


def _for_workflow(segment: Segment, workflow: str) -> list[bool]:
    return [workflow in names or "all" in names for names in segment.header["workflow_sets"]]


def _text_signs(
    segment: Segment, places: list[PlaceSigns], matches: Mapping[int, Match], covered: float, *, narrows: bool
) -> dict[int, float]:
    """Return the text sign of each match, 0 to 1.

    Where the ticket's functions narrow the store, a match outside them has to earn it; where refs cover the ticket's
    files, words count for less.
    """
    place = segment.columns["place"]
    factor = 1.0 - (1.0 - BESIDE_FILES) * covered
    return {
        number: match.share
        * factor
        * (earned(match.worth) if narrows and not places[place[number]].in_function else 1.0)
        for number, match in matches.items()
    }


def _nearness(
    meaning: Meaning | None, sources: Sequence[tuple[Segment, frozenset[int], bool]],
    places: Sequence[list[PlaceSigns]], *, narrows: bool,
) -> list[Nearness]:  # fmt: skip
    """Return what is near the ticket in meaning in each source; nothing where that is not known."""
    if meaning is None:
        return [NOTHING_NEAR for _ in sources]
    from brain.recall.meaning import OWN_LANGUAGE, match_meaning  # loaded in the semantic phase alone

    inside = [frozenset(at for at, row in enumerate(signs) if row.in_function) for signs in places]
    return match_meaning(meaning, sources, own=0.0 if narrows else OWN_LANGUAGE, inside=inside)


def _strong(matches: Mapping[int, Match]) -> frozenset[int]:
    return frozenset(number for number, match in matches.items() if match.strength >= FLOOR)


def _place_signs(segment: Segment, query: Query, profile: Profile) -> list[PlaceSigns]:
    signs = []
    for area, folder, _ in segment.header["places"]:
        in_function = short_code(folder).lower() in query.codes
        in_profile = profile.covers(area, of_ticket=in_function)
        lesson = AREA_TYPES[area] == "lesson"
        affinity = has_affinity(lesson=lesson, workflow=query.ticket.workflow, in_profile=in_profile)
        signs.append(PlaceSigns(in_function, in_profile, affinity, lesson))
    return signs


def _count_tags(segment: Segment, query: Query) -> TagSigns:
    """Return which memories have keywords among their tags; a common tag has many, so no loop goes over them all."""
    counts: dict[int, int] = {}
    several: set[int] = set()
    crowds = [segment.postings(f"tag:{keyword}") for keyword in query.keywords]
    for numbers in crowds:
        once = dict.fromkeys(numbers, 1)
        again = {number: counts[number] + 1 for number in counts.keys() & once.keys()}
        counts |= once
        counts |= again
        several |= again.keys()
    for most in {counts[number] for number in several}:
        crowds += [sorted(number for number in several if counts[number] == most)]
    return TagSigns(counts, crowds)


class _Standing:
    """What memories of a ground are worth by folder, workflow and age alone."""

    def __init__(self, ground: Ground, weights: Weights, cutoff: int) -> None:
        self.of_place = [weights.function * row.in_function + weights.affinity * row.affinity for row in ground.places]
        self.of_workflow = [weights.workflow * fits for fits in ground.for_workflow]
        self.place, self.workflows, self.created = (ground.segment.columns[name] for name in STANDING_COLUMNS)
        self.decay, self.cutoff = weights.decay, cutoff

    def worth(self, number: int) -> float:
        """Return those terms' sum."""
        worth: float = self.of_place[self.place[number]] + self.of_workflow[self.workflows[number]]
        return worth - self.decay if self.created[number] < self.cutoff else worth

    def best(self, numbers: Iterable[int], wanted: int) -> list[int]:
        """Return those of ascending numbers that can be among the ``wanted`` best of them.

        A lower number has the higher confidence, or the same and comes first. So where ``wanted`` of one worth are
        found, no later one of that worth or less can be better.
        """
        top = max(self.of_place, default=0.0) + max(self.of_workflow, default=0.0)
        found: list[int] = []
        counts: dict[float, int] = {}
        enough = float("-inf")
        for number in numbers:
            worth = self.worth(number)
            if worth > enough:
                found.append(number)
                counts[worth] = counts.get(worth, 0) + 1
                if counts[worth] == wanted:
                    enough = worth
                    if worth == top:
                        break
        return found


def _contenders(ground: Ground, standing: _Standing, limit: int) -> set[int]:
    """Return the numbers of the memories that something speaks for and that can be among the ``limit`` best.

    Of those that only one keyword or the profile speaks for, which may be a third of the store, the best are enough.
    """
    wanted = limit + len(ground.dead) + len(ground.segment.header["superseded"])
    found, leaning = _certain(ground)
    found.update((ground.text.keys() | ground.meaning.keys()) & ground.tags.counts.keys())
    for numbers in (*ground.tags.crowds, *(_for_the_workflow(ground, area) for area in leaning)):
        found.update(standing.best(numbers, wanted))
    return found - ground.dead


def _spoken_for(ground: Ground) -> set[int]:
    """Return the numbers of all memories that something speaks for."""
    found, leaning = _certain(ground)
    found.update(ground.tags.counts, *(_for_the_workflow(ground, area) for area in leaning))
    return found - ground.dead


def _certain(ground: Ground) -> tuple[set[int], set[str]]:
    """Return the numbers that files, words or the ticket's functions speak for, and the profile's other areas."""
    found = {*ground.files, *ground.strong, *_lean_and_match(ground)}
    leaning = set()
    for (area, folder, _), signs in zip(ground.segment.header["places"], ground.places, strict=True):
        if signs.in_function:
            found.update(ground.segment.postings(f"place:{area}/{folder}"))
        elif signs.in_profile:
            leaning.add(area)
    return found, leaning


def _for_the_workflow(ground: Ground, area: str) -> Iterator[int]:
    """Yield the numbers of an area's memories that are for the running workflow, ascending."""
    workflows, fitting = ground.segment.columns["workflows"], ground.for_workflow
    numbers = ground.segment.postings(f"area:{area}") if any(fitting) else ()
    return (number for number in numbers if fitting[workflows[number]])


def _lean_and_match(ground: Ground) -> list[int]:
    """Return those of the profile and the workflow that words or meaning may lift over the best of their area."""
    place, workflows = ground.segment.columns["place"], ground.segment.columns["workflows"]
    leans = [signs.in_profile for signs in ground.places]
    matching = {*ground.text, *ground.meaning}
    return [number for number in matching if leans[place[number]] and ground.for_workflow[workflows[number]]]


def _in_order(rows: list[Row], grounds: list[Ground]) -> Iterator[tuple[int, int]]:
    """Yield (ground, number) of sorted rows, equal ones by id: within a ground their order, across grounds merged."""
    for _, group in groupby(rows, key=lambda row: row[:3]):
        by_ground = [[(index, row[4]) for row in members] for index, members in groupby(group, key=lambda row: row[3])]
        if len(by_ground) == 1:
            yield from by_ground[0]
        else:
            from heapq import merge

            yield from merge(*by_ground, key=lambda pair: _id_of(grounds[pair[0]], pair[1]))


def _id_of(ground: Ground, number: int) -> str:
    place = find_place(ground.segment.record(number)[0])
    return place.id if place else ""


def _superseded(grounds: list[Ground]) -> dict[str, str]:
    """Return the ids that another approved memory replaces, each with that one's id."""
    gone = {}
    approved = [ground for ground in grounds if not ground.pending]
    for ground in approved:
        for old, new in ground.segment.header["superseded"].items():
            alive = any(_living(other, new) for other in approved)
            if alive and old != new and (not ground.dead or _still_says(ground, old, new)):
                gone[old] = new
    return gone


def _living(ground: Ground, memory_id: str) -> set[int]:
    return set(ground.segment.postings(f"id:{memory_id}")) - ground.dead


def _still_says(ground: Ground, old: str, new: str) -> bool:
    """Say whether one that is alive says so: the header tells of the dead too."""
    found = [ground.segment.memory(number) for name in (old, new) for number in _living(ground, name)]
    return any(old in memory.supersedes or new in memory.superseded_by for memory in found)

"""The score computed a second time from SPEC §4.2 alone, slowly: over every memory, with nothing of ``brain.recall``.

The text sign follows what the module ``brain.recall.text`` says in words; terms and languages are the store's own.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from datetime import date, timedelta
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from brain.terms import LANGUAGES, language, memory_text, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.memory import Memory

PROFILES = {
    "coding": ("00.Shared/architecture@", "01.Lessons/dev", "02.Instincts/approved", "00.Shared/decisions"),
    "create-spec": ("00.Shared/domain", "00.Shared/glossary", "01.Lessons/ba", "00.Shared/decisions"),
    "create-testcase": ("01.Lessons/qa", "00.Shared/domain", "00.Shared/glossary"),
    "gen-doc": ("00.Shared/decisions", "00.Shared/architecture@"),
}
PROFILES["review"], PROFILES["execute-test"] = PROFILES["coding"], PROFILES["create-testcase"]


def plain(text: str) -> str:
    """Return text in ASCII lower case where Latin letters allow it."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).replace("đ", "d").replace("Đ", "D"))
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", text)).lower()


def spaced(text: str) -> str:
    return " " + " ".join(re.findall(r"[a-z0-9]+", plain(text))) + " "


def code_of(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", name.split("_", maxsplit=1)[0]).lower()


def keywords_of(memories: Sequence[Memory], ticket: dict[str, Any]) -> set[str]:
    found = {"-".join(plain(word).split()) for word in ticket.get("keywords", [])}
    lines = [ticket.get("title", ""), ticket.get("description", "")]
    lines += [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line) for line in lines]  # StockExport

    def stands(name: str) -> bool:
        if name.isascii() or not re.search("[\u3040-\u9fff]", name):
            return any(spaced(name) in spaced(line) for line in lines)
        return any(name in unicodedata.normalize("NFKC", line) for line in lines)

    by_alias: dict[str, list[Memory]] = {}
    for memory in memories:
        found |= {tag for tag in memory.tags if stands(tag)}
        for alias in memory.aliases:
            if stands(alias):
                by_alias.setdefault(alias, []).append(memory)
    for owners in by_alias.values():
        for memory in [owner for owner in owners if owner.type == "glossary"] or owners:
            found |= set(memory.tags)
    return found


def rank(
    approved: list[Memory], drafts: list[Memory], ticket: dict[str, Any], today: str, *, hybrid: bool
) -> list[tuple[str, dict[str, float]]]:
    """Return the relevant memories, best first: id and the score's terms."""
    every = approved + drafts
    keywords = keywords_of(every, ticket)
    codes = {code_of(name) for name in ticket.get("functionIds", [])} - {""}
    workflow = ticket.get("workflow", "")
    profile = PROFILES.get(workflow, PROFILES["gen-doc"])
    oldest = str(date.fromisoformat(today) - timedelta(days=90))
    gone = {old for memory in approved for old in memory.supersedes}
    bodies = {(memory.id, memory.body) for memory in approved}
    own = {id(memory): code_of(memory.place.folder or memory.own_scope) in codes for memory in every}
    files = {id(memory): share(memory, ticket.get("files", [])) if hybrid else 0.0 for memory in every}
    texts = (
        text_signs(approved, drafts, ticket, own, files) if hybrid else {id(memory): (0.0, False) for memory in every}
    )
    rows = []
    for memory in every:
        is_draft = memory.status == "pending"
        if memory.id in gone or (is_draft and (memory.id, memory.body) in bodies):
            continue
        area = memory.place.area
        in_profile = area in profile or (area + "@" in profile and own[id(memory)])
        fits = workflow in memory.workflows or "all" in memory.workflows
        tags = len(set(memory.tags) & keywords)
        text, strong = texts[id(memory)]
        if not (own[id(memory)] or tags or files[id(memory)] or strong or (fits and in_profile)):
            continue
        affinity = (memory.type == "lesson" and workflow in ("coding", "review")) or in_profile
        score = {
            "function": 3.0 * own[id(memory)], "workflow": 2.0 * fits, "tags": 2.0 * tags, "confidence": 1.0 * memory.confidence,
            "decay": -1.0 * (memory.created < oldest and memory.hits == 0), "pending": -0.5 * is_draft,
            "affinity": 1.0 * affinity, "text": 8.0 * text, "files": 4.0 * files[id(memory)],
        }  # fmt: skip
        newest = -int(memory.created.replace("-", ""))
        rows.append((-round(sum(score.values()), 9), -memory.confidence, newest, memory.id, is_draft, score))
    rows.sort(key=lambda row: row[:5])
    return [(row[3], row[5]) for row in rows]


def share(memory: Memory, files: list[str]) -> float:
    covered = 0
    for file in files:
        paths = [re.sub(r"#L\d+(-L?\d+)?$", "", ref).removeprefix("code:").rstrip("/") for ref in memory.refs]
        covered += any(file == path or file.startswith(path + "/") or fnmatchcase(file, path) for path in paths)
    return covered / len(files) if files else 0.0


def text_signs(
    approved: list[Memory], drafts: list[Memory], ticket: dict[str, Any], own: dict[int, bool], files: dict[int, float]
) -> dict[int, tuple[float, bool]]:
    """Return id() of a memory → its text sign, and whether its words alone make it relevant."""
    said = Counter(terms(ticket.get("title", ""))) + Counter(terms(ticket.get("title", "")))
    said += Counter(terms(ticket.get("description", "")))
    bags = {id(memory): Counter(terms(memory_text(memory))) for memory in approved + drafts}
    spoken = {id(memory): language(memory_text(memory)) for memory in approved + drafts}
    size = len(approved)
    mean = max(sum(bags[id(memory)].total() for memory in approved) / max(size, 1), 1.0)

    def rarity(count: float) -> float:
        return math.log(1 + (max(size - count, 0) + 0.5) / (count + 0.5)) ** 2

    def commonness(term: str) -> float:
        having = [memory for memory in approved if term in bags[id(memory)]]
        overall = len(having) / max(size, 1)
        shares = []
        for tongue in LANGUAGES:
            there = sum(spoken[id(memory)] == tongue for memory in approved)
            shares.append((sum(spoken[id(memory)] == tongue for memory in having) + 50 * overall) / (there + 50))
        return size * max(shares)

    worth = {
        term: (1 + math.log(times)) * (1 if term.isascii() else 0.5) * rarity(commonness(term))
        for term, times in said.items()
    }
    sums = {}
    for memory in approved + drafts:
        bag = bags[id(memory)]
        damp = 1.2 * (0.25 + 0.75 * bag.total() / mean)
        sums[id(memory)] = sum(
            worth[term] * 2.2 * min(bag[term], 15) / (min(bag[term], 15) + damp) for term in worth if term in bag
        )
    covered = max((files[id(memory)] for memory in approved), default=0.0)
    narrows = any(own[id(memory)] for memory in approved)
    signs = {}
    for memory in approved + drafts:
        same = [other for other in approved if spoken[id(other)] == spoken[id(memory)]]
        alike = [other for other in drafts if spoken[id(other)] == spoken[id(memory)]]
        best = max((sums[id(other)] for other in same), default=0.0) or max(
            (sums[id(other)] for other in alike), default=0.0
        )
        total = sums[id(memory)]
        if not best or total < 0.2 * best:
            signs[id(memory)] = (0.0, False)
            continue
        earned = min(1.0, max(0.0, (total / rarity(1) - 2) / 2)) if narrows and not own[id(memory)] else 1.0
        strong = total / math.sqrt(sum(worth.values()) * rarity(1)) >= 0.5
        signs[id(memory)] = (min(total / best, 1.0) * (1 - 0.5 * covered) * earned, strong)
    return signs

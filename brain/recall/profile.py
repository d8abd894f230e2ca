"""Profiles: the areas a workflow leans on (SPEC §4.2)."""

from __future__ import annotations

from brain.value import value

AREA_NAMES = {
    "architecture": "00.Shared/architecture", "domain": "00.Shared/domain", "glossary": "00.Shared/glossary",
    "decisions": "00.Shared/decisions", "lessons/dev": "01.Lessons/dev", "lessons/qa": "01.Lessons/qa",
    "lessons/ba": "01.Lessons/ba", "lessons/pm": "01.Lessons/pm", "instincts": "02.Instincts/approved",
}  # fmt: skip
RETROS = "retros"
OF_TICKET = "@ticket"


@value
class Profile:
    """Areas that count whole, areas that count in the ticket's functions only, and whether retros are looked at."""

    areas: frozenset[str] = frozenset()
    of_ticket: frozenset[str] = frozenset()
    retros: bool = False

    def covers(self, area: str, *, of_ticket: bool) -> bool:
        """Say whether a memory of ``area`` is in the profile; ``of_ticket``: it lies in a function of the ticket."""
        return area in self.areas or (of_ticket and area in self.of_ticket)


def make_profile(entries: list[str]) -> Profile:
    """Return the profile that settings spell as ``lessons/dev``, ``architecture@ticket``, ``retros``."""
    areas = {AREA_NAMES[entry] for entry in entries if entry in AREA_NAMES}
    narrowed = {entry.removesuffix(OF_TICKET) for entry in entries if entry.endswith(OF_TICKET)}
    of_ticket = {AREA_NAMES[name] for name in narrowed if name in AREA_NAMES}
    return Profile(frozenset(areas), frozenset(of_ticket), RETROS in entries)


def check_profile_entry(entry: str) -> None:
    """Raise ValueError unless ``entry`` names an area."""
    if entry != RETROS and entry.removesuffix(OF_TICKET) not in AREA_NAMES:
        raise ValueError(
            f"names no area {entry!r}; areas: {', '.join([*AREA_NAMES, RETROS])}, each may end in {OF_TICKET}"
        )

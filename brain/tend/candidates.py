"""Which memories are good enough for every project: used much, for several tickets, in several projects (SPEC §8)."""

from __future__ import annotations

from brain.tend.publish import read_total
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.memory import Memory
    from brain.tend.counts import Use
    from brain.workspace import Brain


@value
class Candidate:
    """An approved memory that may be promoted, and how it was used."""

    memory: Memory
    use: Use


def find_candidates(brain: Brain) -> list[Candidate]:
    """Return the candidates by the counts that are here, the most used first."""
    uses, config = read_total(brain.repo.path).uses, brain.config
    memories = (memory for part in brain.tree.parts for memory in part.memories() if memory.id in uses)
    wide = [
        row
        for row in (Candidate(memory, uses[memory.id]) for memory in memories)
        if row.use.hits >= config["consolidate.candidateHits"]
        and len(row.use.tickets) >= config["consolidate.candidateTickets"]
        and len(row.use.projects) >= config["consolidate.candidateProjects"]
        and row.memory.status == "approved"
        and not (row.memory.removal or row.memory.stale)
    ]
    return sorted(wide, key=lambda row: (-row.use.hits, row.memory.id))

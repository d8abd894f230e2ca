"""Near duplicates in another language, by the semantic index where there is one (SPEC §6.2, §12).

Asked last, and for a limited time: without an answer the rest of the report stands, and says what it lacks.
"""

from __future__ import annotations

from brain.index.cache import Tree, has_vectors
from brain.lint.duplicates import NEAR_DUPLICATE
from brain.lint.tree import Note
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from brain.git.refs import Repo
    from brain.lint.duplicates import Comparable
    from brain.settings import Config
    from brain.workspace import Workspace

MOST_ASKED = 10
"""Memories of a change whose meaning is asked for: as many as one merge request holds."""
MOST_SAID = 3


@value
class Asked:
    """What meaning says: notes of memories like one proposed, and a remark where it could not be asked, else ""."""

    notes: tuple[Note, ...] = ()
    remark: str = ""


def has_index(repo: Repo, config: Config) -> bool:
    """Say whether there is an index to ask: a file of this clone, or the team's database."""
    if not config["semantic.enabled"]:
        return False
    return config["semantic.store"] == "postgres" or has_vectors(repo, config["memory.root"])


def check_meaning(
    proposed: Sequence[Comparable], known: Collection[str], repo: Repo, workspace: Workspace | None, config: Config
) -> Asked:
    """Return what says the same in another language as a proposed memory.

    Args:
        proposed: The memories judged; none with a secret in it, for an endpoint is told what they say.
        known: The paths below the root that are there beside them.
        repo: The memory repo.
        workspace: Where lint was started, None in a pipeline.
        config: The team's settings.
    """
    from brain.semantic.ask import Question  # loaded where there is an index
    from brain.semantic.embedder import clean
    from brain.similar import PATIENCE, SAME_MEANING
    from brain.workspace import Brain, find_workspace

    tree = Tree(config["memory.root"])
    brain = Brain(workspace or find_workspace(repo.path), repo, "", tree, None, config)
    notes: list[Note] = []
    new = [item for item in proposed if item.status != "approved" and not item.removed]
    for item in new[:MOST_ASKED]:
        meaning = Question(brain, clean(item.text), PATIENCE, query=False).answer()
        if meaning.remark:
            return Asked(tuple(notes), meaning.remark)
        near = [
            f"{hit.cosine:.0%} the same in meaning as {hit.path}"
            for hit in meaning.hits
            if hit.cosine >= SAME_MEANING and hit.language != meaning.language and hit.path in known
        ]
        if near:
            notes.append(Note(NEAR_DUPLICATE, item.path, ", ".join(near[:MOST_SAID])))
    return Asked(tuple(notes))

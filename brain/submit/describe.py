"""What a merge request says beside its memories: duplicates, rules, stale refs, the team's own template."""

from __future__ import annotations

from brain.git.objects import find_tree, list_tree, read_blob
from brain.layout import INDEX_FILE, RETRO
from brain.recall.doubts import doubts_of
from brain.rejected import find_rejected
from brain.scaffold import TEMPLATE_TEXT
from brain.similar import find_similar
from brain.sources.cursor import synced_commits
from brain.submit.body import Again, Aged, Alike, Subject, render_body
from brain.submit.gather import memory_of
from brain.submit.journal import Texts
from brain.submit.plan import plain_ticket
from brain.submit.rules import find_quotes
from brain.submit.texts import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.memory import Memory
    from brain.submit.plan import Facts, Plan
    from brain.workspace import Brain

TEMPLATES = ".gitlab/merge_request_templates"
MAX_TEMPLATE_BYTES = 1 << 16
MOST_ALIKE = 3
"""Near duplicates that are named of one memory."""


def describe(brain: Brain, facts: Facts, plan: Plan) -> Texts:
    """Return what the merge request is to say."""
    shown = [(memory_of(path, text), path in plan.updates) for path, text in plan.shown.items()]
    memories = [(memory, update) for memory, update in shown if memory]
    found = [memory for memory, _ in memories]
    rules = brain.workspace.root, brain.config["rules.folder"]
    subject = Subject(
        plan.key, plain_ticket(facts.ticket), facts.title, facts.description, memories,
        any(path.startswith(RETRO) for path in plan.shown), _alike(brain, found), find_quotes(*rules, found),
        _aged(brain, found), _template(brain, plan.base, facts.root), _again(brain, found),
        [memory for memory in found if memory.path in plan.waiting], synced_commits(brain.repo),
    )  # fmt: skip
    language = brain.config["review.language"]
    body = render_body(subject, language)
    return Texts(plan.key, plan.title, body, plan.assignee, plan.reviewers, WORDS[language]["consult"])


def _alike(brain: Brain, memories: Sequence[Memory]) -> list[Alike]:
    """Return near duplicates among what is approved and what is proposed; other drafts are this machine's own.

    Of two that are proposed together, the pair is told once.
    """
    ours = {memory.path: memory.id for memory in memories}
    pairs: dict[frozenset[str], Alike] = {}
    for memory in memories:
        near = [row for row in find_similar(brain, memory) if not row.draft or row.path in ours]
        for row in near[:MOST_ALIKE]:
            pairs.setdefault(frozenset((memory.id, row.id)), Alike(memory.id, row.id, row.similarity, row.draft))
    return list(pairs.values())


def _again(brain: Brain, memories: Sequence[Memory]) -> list[Again]:
    return [
        Again(memory.id, row.id, row.similarity, row.removed, row.when, row.by, row.reason)
        for memory in memories
        for row in find_rejected(brain, memory)
    ]


def _aged(brain: Brain, memories: Sequence[Memory]) -> list[Aged]:
    doubts = doubts_of(brain, memories)
    return [
        Aged(memory.id, doubt.ref, doubt.answer.reason) for memory in memories for doubt in doubts.get(memory.path, ())
    ]


def _template(brain: Brain, commit: str, root: str) -> str:
    """Return the template named memory on the default branch, "" where it is the one that ``brain init`` makes."""
    tree = find_tree(brain.repo.path, commit, TEMPLATES)
    entries = list_tree(brain.repo.path, tree) if tree else []
    oid = next((entry.oid for entry in entries if entry.path.lower() == "memory.md"), "")
    text = (read_blob(brain.repo.path, oid, MAX_TEMPLATE_BYTES) or b"").decode("utf-8", "replace")
    return "" if text == TEMPLATE_TEXT.format(root=root, index=INDEX_FILE) else text

"""The plan: every setting in the order in which a person looks at them, from facts alone."""

from __future__ import annotations

from brain.protect.approval import plan_approval
from brain.protect.branch import plan_branch
from brain.protect.files import plan_files
from brain.protect.merging import plan_merging
from brain.protect.people import plan_people
from brain.protect.pipeline import plan_pipeline
from brain.protect.server import plan_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.protect.facts import Facts
    from brain.protect.item import Item

PARTS = (plan_server, plan_people, plan_branch, plan_approval, plan_merging, plan_files, plan_pipeline)


def plan(facts: Facts) -> tuple[Item, ...]:
    """Return all settings; what is ``wrong`` has the changes that mend it, or says what a person has to do."""
    return tuple(item for part in PARTS for item in part(facts))

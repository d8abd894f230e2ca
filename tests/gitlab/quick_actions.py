"""The quick actions of notes that change a merge request or issue: /label, /close, /assign and the like."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.gitlab import labels
from tests.gitlab.call import Call
from tests.gitlab.state import Row

if TYPE_CHECKING:
    from tests.gitlab.notes import Subject

LINE = re.compile(r"^/(\w+)(?:[ \t]+(.*))?$", re.MULTILINE)


def run(call: Call, subject: Subject, text: str) -> tuple[str, Row]:
    """Return the text without its actions, and what they changed; they run only if the caller may."""
    did: Row = {}
    if subject.kind not in {"MergeRequest", "Issue"}:
        return text, did

    def act(found: re.Match[str]) -> str:
        action = ACTIONS.get(found[1])
        if action is None:
            return found[0]
        did.update(action(call, subject, (found[2] or "").strip()) or {})
        return ""

    rest = LINE.sub(act, text)
    return (rest.strip() if did else text), did


def _label(call: Call, subject: Subject, rest: str) -> Row:
    names = [*subject.row["labels"], *_names(rest)]
    labels.put_on(call.world, call.project, subject.row, names, call.me, subject.kind)
    return {"add_label_ids": True}


def _unlabel(call: Call, subject: Subject, rest: str) -> Row:
    gone = _names(rest) or list(subject.row["labels"])
    names = [name for name in subject.row["labels"] if name not in gone]
    labels.put_on(call.world, call.project, subject.row, names, call.me, subject.kind)
    return {"remove_label_ids": True}


def _names(rest: str) -> list[str]:
    return [found[0] or found[1] for found in re.findall(r'~"([^"]+)"|~(\S+)', rest)]


def _state(event: str) -> Callable[[Call, Subject, str], Row]:
    def act(call: Call, subject: Subject, _: str) -> Row:
        if subject.kind == "MergeRequest":
            from tests.gitlab.transitions import change_state

            change_state(call, event)
        else:
            from tests.gitlab.issues import change_state as change_issue

            change_issue(call, subject.row, event)
        return {"state_event": event}

    return act


def _people(field: str) -> Callable[[Call, Subject, str], Row]:
    def act(call: Call, subject: Subject, rest: str) -> Row:
        names = re.findall(r"@([\w.-]+)", rest) or ([call.me["username"]] if rest == "me" else [])
        ids = [row["id"] for row in call.world.find("users") if row["username"] in names]
        subject.row[field] = ids if call.world.paid else ids[-1:]
        return {field: ids}

    return act


def _draft(call: Call, subject: Subject, _: str) -> Row:
    from tests.gitlab.merge_requests import DRAFT, is_draft

    title = subject.row["title"]
    subject.row["title"] = DRAFT.sub("", title) if is_draft(subject.row) else f"Draft: {title}"
    return {"wip_event": "draft"}


def _title(call: Call, subject: Subject, rest: str) -> Row:
    subject.row["title"] = rest
    return {"title": rest}


ACTIONS: dict[str, Any] = {
    "label": _label, "labels": _label, "unlabel": _unlabel, "close": _state("close"), "reopen": _state("reopen"),
    "assign": _people("assignee_ids"), "assign_reviewer": _people("reviewer_ids"), "reviewer": _people("reviewer_ids"),
    "draft": _draft, "title": _title,
}  # fmt: skip

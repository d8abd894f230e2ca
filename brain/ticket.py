"""The ticket: the work at hand, from wherever it is written down (SPEC §2)."""

from __future__ import annotations

import os

from brain.files import read_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

CONTEXT_FILE = os.path.join("context", "current.json")
CODING_GATES = frozenset("12345")
MAX_TEXT = 20_000
"""Characters of a title or description that are read."""
KINDS = {
    "bug": "bugfix", "bug-fix": "bugfix", "bug fix": "bugfix", "fix": "bugfix", "bugfix": "bugfix",
    "hotfix": "hotfix", "hot-fix": "hotfix", "large": "large", "epic": "large",
}  # fmt: skip


@value
class Ticket:
    """The work at hand. ``kind`` is bugfix, hotfix, large or another word; ``files`` are paths in the code repo."""

    task_id: str = ""
    functions: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    workflow: str = ""
    gate: str = ""
    kind: str = ""
    files: tuple[str, ...] = ()


def parse_ticket(found: Mapping[str, Any]) -> tuple[Ticket, list[str]]:
    """Return the ticket that a mapping spells, and a warning for each value that could not be used."""
    warnings: list[str] = []
    functions = _texts(found, "functionId", warnings) + _texts(found, "functionIds", warnings)
    gate = _text(found, "gate", warnings).removeprefix("Gate").removeprefix("gate").strip()
    workflow = _text(found, "workflow", warnings).strip().lower()
    kind = _text(found, "kind", warnings).strip().lower()
    return Ticket(
        task_id=_text(found, "taskId", warnings), functions=tuple(dict.fromkeys(functions)),
        title=_text(found, "title", warnings), description=_text(found, "description", warnings),
        keywords=_texts(found, "keywords", warnings), gate=gate, kind=KINDS.get(kind, kind),
        workflow=workflow or ("coding" if gate in CODING_GATES and gate else ""),
        files=tuple(name.removeprefix("./") for name in _texts(found, "files", warnings)),
    ), warnings  # fmt: skip


def read_ticket(
    flags: Mapping[str, Any], env: Mapping[str, str], state_dirs: Sequence[str]
) -> tuple[Ticket, list[str]]:
    """Return the ticket of a workspace: flags, then environment, then the ``.aiflow`` folders, nearest first.

    A broken file is a warning, not an error; a missing one nothing.
    """
    warnings: list[str] = []
    found: dict[str, Any] = {}
    for folder in state_dirs:
        context = _read(os.path.join(folder, CONTEXT_FILE), warnings)
        if context:
            found = context
            break
    found = _above(_above(_above({}, found), _from_environment(env)), flags)
    task = os.path.basename(str(found.get("taskId", "")))
    if task and not ("workflow" in found and "gate" in found):
        for folder in state_dirs:
            state = _read(os.path.join(folder, "tasks", task, "task-state.json"), warnings)
            found = _above({key: state[key] for key in ("workflow", "gate") if key in state}, found)
    ticket, more = parse_ticket(found)
    return ticket, warnings + more


def _above(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Return two layers as one: the upper wins where it says something, ``functionId`` over ``functionIds`` too."""
    said = {key: text for key, text in upper.items() if text not in (None, "", [])}
    hidden = {"functionId", "functionIds"} if {"functionId", "functionIds"} & said.keys() else set()
    return {**{key: text for key, text in lower.items() if key not in hidden}, **said}


FIELDS = (
    "taskId",
    "functionId",
    "functionIds",
    "title",
    "description",
    "keywords",
    "workflow",
    "gate",
    "kind",
    "files",
)


def _from_environment(env: Mapping[str, str]) -> dict[str, str]:
    names = {f"BRAIN_TICKET_{field.upper()}": field for field in FIELDS}
    found = {}
    for variable, text in env.items():
        if variable.startswith("BRAIN_TICKET_"):
            field = names.get("BRAIN_TICKET_" + variable[13:].replace("_", "").upper())
            if field and text:
                found[field] = text
    return found


def _read(path: str, warnings: list[str]) -> dict[str, Any]:
    found = read_json(path)
    if isinstance(found, dict):
        return found
    if os.path.exists(path):
        warnings.append(f"{path}: not a JSON object that can be read; it is ignored")
    return {}


def _text(found: Mapping[str, Any], key: str, warnings: list[str]) -> str:
    raw = found.get(key)
    if raw is None:
        return ""
    if isinstance(raw, (str, int, float)) and not isinstance(raw, bool):
        return str(raw)[:MAX_TEXT].encode("utf-8", "replace").decode()
    warnings.append(f"ticket: {key} is no text; it is ignored")
    return ""


def _texts(found: Mapping[str, Any], key: str, warnings: list[str]) -> tuple[str, ...]:
    raw = found.get(key)
    if isinstance(raw, (str, int, float)) and not isinstance(raw, bool):
        raw = str(raw).split(",")
    if raw is None:
        return ()
    if isinstance(raw, list):
        texts = [
            str(item).strip() for item in raw if isinstance(item, (str, int, float)) and not isinstance(item, bool)
        ]
        if len(texts) < len(raw):
            warnings.append(f"ticket: {key} holds something that is no text; it is ignored")
        return tuple(text[:500].encode("utf-8", "replace").decode() for text in texts if text)[:200]
    warnings.append(f"ticket: {key} is no list; it is ignored")
    return ()

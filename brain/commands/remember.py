"""``brain remember``: write down what was learned, as a draft of this machine's user."""

from __future__ import annotations

import os
import sys

from brain.clock import today
from brain.commands import Context, add_json, print_json, remark, warn
from brain.compose import SAID_ALREADY, Draft, compose_draft, compose_update, file_draft
from brain.editor import edit_text
from brain.errors import BrainError, ConflictError
from brain.guess import Wish
from brain.layout import ROLES, TYPES
from brain.lint.advise import advise
from brain.lint.finding import ERROR
from brain.lint.render import as_facts
from brain.memory import MAX_FILE_BYTES
from brain.rejected import find_rejected, rejected_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from brain.lint.finding import Finding
    from brain.rejected import Rejected
    from brain.workspace import Brain

HELP = "write down what was learned, as a draft"
TEMPLATE = """

<!-- One fact, in at most 150 words: what is so, and why. End with a line
**Apply:** what to do   (or **Áp dụng:** or **適用:**)
Comments like this one are taken out. An empty text writes nothing. -->
"""
TEXTS = ("type", "role", "area", "scope", "slug", "source", "hook", "apply")
LISTS = ("tags", "workflows", "aliases")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add = parser.add_argument
    add("words", nargs="*", metavar="TEXT", help="what was learned; - reads standard input; none opens $EDITOR")
    add("-e", "--edit", action="store_true", help="open $EDITOR on the text first")
    add("--type", choices=TYPES, default="", help="what kind of memory (guessed)")
    add("--role", choices=ROLES, default="", help="whose lesson")
    add("--area", choices=("architecture", "domain"), default="", help="what kind of fact")
    add("--scope", default="", metavar="FUNCTION", help="the function it belongs to, or global")
    add("--slug", default="", metavar="NAME", help="the file's name, without .md")
    add("--tags", default="", metavar="A,B", help="what it is found by")
    add("--workflows", default="", metavar="A,B", help="the workflows it is for, or all")
    add("--confidence", type=float, metavar="0-1", help="how sure it is (0.6)")
    add("--by-assistant", action="store_true", help="an assistant proposes it: confidence from 0.3 to 0.7")
    add("--source", default="", metavar="TEXT", help="where it was learned (the ticket)")
    add("--refs", action="append", default=[], metavar="PATH", help="a file it depends on; may be repeated")
    add("--hook", default="", metavar="TEXT", help="the index sentence, at most 15 words")
    add("--aliases", default="", metavar="A,B", help="names in any language that mean its tags")
    add("--apply", default="", metavar="TEXT", help="what to do: becomes the apply line")
    add("--update", default="", metavar="ID", help="change this memory, or this draft")
    add("--force", action="store_true", help="write it although one like it exists, or was rejected")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """File the draft and say what was guessed; exit 6 where something like it is there."""
    brain = context.open_brain()
    wish = _wish(args, context)
    if not wish.text.strip() and not args.update:
        remark("the text is empty: nothing was written")
        return 1
    draft = _compose(args, context, brain, wish)
    remark(*draft.remarks)
    for other in draft.similar:
        what = "draft" if other.draft else "memory"
        remark(f"warning: the {what} {other.id} is {other.similarity:.0%} like it: {other.path}")
    advice = advise(brain, draft.text, draft.memory.path, today(context.env))
    findings = [finding for finding in advice if finding.rule.name not in SAID_ALREADY]
    rejected = find_rejected(brain, draft.memory)
    warn(before.sentence for before in rejected)
    for finding in findings:
        remark(f"{finding.severity}: {finding.rule.code} {finding.rule.name}: {finding.message}; {finding.mend}")
    try:
        if rejected and not (args.force or args.update):
            raise rejected_before(rejected[0], draft.memory.id)
        path = file_draft(brain, draft, force=args.force)
    except ConflictError:
        if args.json:
            print_json(as_json(draft, "", findings, rejected))
        raise
    if args.json:
        print_json(as_json(draft, path, findings, rejected))
    else:
        print(f"{draft.memory.id}\t{path}")
    if any(finding.severity == ERROR for finding in findings):
        remark("the draft is kept on this machine; brain submit takes it once the error is mended")
    return 0


def as_json(
    draft: Draft, path: str, findings: Sequence[Finding], rejected: Sequence[Rejected] = ()
) -> dict[str, object]:
    """Return the stable machine form; ``path`` is "" where nothing was written."""
    memory = draft.memory
    similar = [
        {"id": other.id, "path": other.path, "similarity": other.similarity, "draft": other.draft}
        for other in draft.similar
    ]
    return {
        "written": bool(path), "id": memory.id, "path": path, "type": memory.type, "scope": memory.scope,
        "tags": list(memory.tags), "workflows": list(memory.workflows), "confidence": memory.confidence,
        "source": memory.source, "remarks": list(draft.remarks), "similar": similar,
        "findings": [as_facts(finding) for finding in findings], "rejected": [_before_facts(row) for row in rejected],
    }  # fmt: skip


def _before_facts(row: Rejected) -> dict[str, object]:
    return {
        "id": row.id, "similarity": row.similarity, "removed": row.removed, "when": row.when or None,
        "by": row.by or None, "reason": row.reason or None, "url": row.url or None,
    }  # fmt: skip


def _compose(args: Namespace, context: Context, brain: Brain, wish: Wish) -> Draft:
    if args.update:
        return compose_update(brain, wish, args.update)
    return compose_draft(brain, context.read_ticket(brain, {}), wish, today(context.env))


def _wish(args: Namespace, context: Context) -> Wish:
    given: dict[str, Any] = {name: decoded(getattr(args, name)).strip() for name in TEXTS}
    for name in LISTS:
        parts = decoded(getattr(args, name)).split(",")
        given[name] = tuple(part.strip() for part in parts if part.strip())
    given["refs"] = tuple(decoded(ref).strip() for ref in args.refs if ref.strip())
    text = _text(args, context)
    return Wish(text, confidence=args.confidence, by_assistant=args.by_assistant, **given)


def _text(args: Namespace, context: Context) -> str:
    text = _read_stdin() if args.words == ["-"] else decoded(" ".join(args.words))
    if args.edit:
        return edit_text(text + TEMPLATE, context.env)
    if args.words or args.update:
        return text
    if sys.stdin is not None and sys.stdin.isatty():
        return edit_text(TEMPLATE, context.env)
    return _read_stdin()


def _read_stdin() -> str:
    """Return standard input, whatever the locale, as UTF-8; "" where it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    content = sys.stdin.buffer.read(4 * MAX_FILE_BYTES)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BrainError("standard input: not UTF-8", "save the text as UTF-8") from None


def decoded(text: str) -> str:
    """Return an argument as the UTF-8 text its bytes are; a locale such as C had them escaped.

    Raises:
        BrainError: They are no UTF-8.
    """
    try:
        return text.encode().decode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(text).decode()
        except UnicodeError:
            raise BrainError(f"{ascii(text)[:60]}: not UTF-8", "give the text on standard input, as UTF-8") from None

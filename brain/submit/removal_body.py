"""The description of a removal's or a restore's merge request, and what to do about the history of a hard one."""

from __future__ import annotations

from shlex import quote

from brain.layout import DEPRECATED, HARD
from brain.submit.body import CONSULT, END, MAX_SENTENCE, START, code, render_list
from brain.submit.journal import Texts
from brain.submit.removal_facts import ABOUT, MAX_REASON
from brain.submit.texts import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.submit.plan import Plan
    from brain.submit.removal import Facts, Target, Wish

HISTORY = (
    "warning: its text stays in the history, in every clone and fork; a secret in it must be made invalid first",
    "to rewrite the history once it is removed, in a fresh clone: {command}",
)
"""What is said to whoever proposes a removal for good."""


def describe_removal(facts: Facts, wish: Wish, plan: Plan, language: str) -> Texts:
    """Return what the merge request is to say."""
    words = WORDS[language]
    body = render_removal(facts, wish, plan.key, words)
    return Texts(plan.key, plan.title, body, plan.assignee, plan.reviewers, words["consult"])


def render_removal(facts: Facts, wish: Wish, key: str, words: dict[str, str]) -> str:
    """Return the description. No text of a memory, and no reason, stands outside of a code span."""
    targets = facts.targets
    hard = any(target.proposed.removal == HARD for target in targets)
    references = _references(targets, words)
    checks = [words["remove_check" if wish.removal else "restore_check"]]
    checks += [words["references_check"]] if wish.removal and references else []
    parts = [
        START.format(key=key), ABOUT.format(ids=" ".join(target.memory.id for target in targets)),
        words["restore_intro" if not wish.removal else "remove_hard" if hard else "remove_soft"],
        _reason(facts, wish, words), CONSULT, _table(targets, words), references,
        _history(facts.root, targets, words) if hard else "",
        f"### {words['checklist']}\n\n" + "\n".join(f"- [ ] {line}" for line in checks),
        END,
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def rewriting(root: str, paths: Sequence[str]) -> str:
    """Return the command that takes files, and what they were while softly removed, out of a whole history."""
    every = [f"{root}/{folder}{path}" for path in paths for folder in ("", f"{DEPRECATED}/")]
    return "git filter-repo --invert-paths " + " ".join(f"--path {quote(path)}" for path in every)


def _reason(facts: Facts, wish: Wish, words: dict[str, str]) -> str:
    """Return why: as the proposed files say, for another may have proposed them."""
    asked = dict.fromkeys(target.proposed.removal_reason for target in facts.targets if target.proposed.removal)
    rows = [words["reason"].format(reason=code(text, MAX_REASON)) for text in asked or (wish.reason,) if text]
    if not wish.removal:
        was = dict.fromkeys(target.memory.removal_reason for target in facts.targets if target.memory.removal_reason)
        rows += [words["was_removed"].format(reason=code(text, MAX_REASON)) for text in was]
    return "\n\n".join(rows)


def _table(targets: Sequence[Target], words: dict[str, str]) -> str:
    rows = [f"### {words['memories']}", "", words["remove_columns"], "|" + " --- |" * 5]
    for target in targets:
        memory, says = target.memory, code(target.says, MAX_SENTENCE)
        rows.append(f"| {code(memory.id, 160)} | {memory.type} | {code(memory.scope)} | {memory.hits} | {says} |")
    return "\n".join(rows)


def _references(targets: Sequence[Target], words: dict[str, str]) -> str:
    rows = [
        words[reference.how].format(id=code(target.memory.id, 160), other=code(reference.id, 160))
        for target in targets
        for reference in target.references
    ]
    return render_list(words["references"], rows, words)


def _history(root: str, targets: Sequence[Target], words: dict[str, str]) -> str:
    command = rewriting(root, [target.memory.path for target in targets])
    parts = [
        f"### {words['history']}",
        words["history_text"],
        f"```sh\n{command}\n```",
        f"- [ ] {words['history_check']}",
    ]
    return "\n\n".join(parts)

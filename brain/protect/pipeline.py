"""What runs: the tokens as variables, the schedules, the webhook, and push rules."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from brain.errors import BrainError
from brain.forge.locate import TOKEN
from brain.protect.facts import Unseen
from brain.protect.gather import NOTE_TOKEN
from brain.protect.item import Change, Item, ok, unseen, wrong
from brain.protect.people import HOW_TO_STORE_A_TOKEN
from brain.protect.schedules import plan_schedules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

    from brain.protect.facts import Facts, Hook, PushRule

HOOK_PATH = "/webhooks/gitlab"
WEBHOOK_TOKEN = "BRAIN_WEBHOOK_TOKEN"  # noqa: S105 - the name of a variable
BRANCHES = ("memory/TICKET-123", "memory/remove-mem-F003-retry", "memory/finalize-1a2b3c4d")
MESSAGES = ("memory(TICKET-123): +1 lesson/dev",)
NEW_NOTE_TOKEN = "Settings → Access tokens → Add new token: role Developer, scope api"  # noqa: S105 - where it is made
LONGEST_EXPRESSION = 500
"""Characters of a push rule's expression that we try; a longer one is left to GitLab."""


def plan_pipeline(facts: Facts) -> Iterator[Item]:
    """Yield variables, schedules, webhook, push rules."""
    yield _variable(facts)
    yield _note_variable(facts)
    yield from plan_schedules(facts)
    yield from _webhook(facts)
    yield from _push_rules(facts)


def _variable(facts: Facts) -> Item:
    name, found = f"CI variable {TOKEN}", facts.variable
    why = (
        "Finalize needs the bot's token. Protected, only jobs of protected branches get it: a job that somebody edits"
        " in a branch does not. Masked, no job's log shows it."
    )
    wanted = "there, masked, protected, for all environments"
    if isinstance(found, Unseen):
        return unseen(name, found, "only Maintainers see it")
    if found is None:
        missing = "missing here (a group's variables are not seen)"
        return wrong(name, missing, wanted, why, HOW_TO_STORE_A_TOKEN)
    lacks = [word for word, there in (("masked", found.masked), ("protected", found.protected)) if not there]
    if not lacks and found.scope == "*":
        return ok(name, "there, masked, protected", why)
    if not lacks:
        mend = f"Settings → CI/CD → Variables → {TOKEN}: Environments: All"
        return wrong(name, f"only for the environment {found.scope}", wanted, why, mend)
    mend = f"Settings → CI/CD → Variables → {TOKEN}: make it {' and '.join(lacks)}"
    change = Change(f"{TOKEN}: {' and '.join(lacks)}", "put", f"/variables/{TOKEN}", dict.fromkeys(lacks, True))
    return wrong(name, f"there, not {' and not '.join(lacks)}", wanted, why, mend, change)


def _note_variable(facts: Facts) -> Item:
    """Return the variable for lint's notes, which is a comfort: where it is, branches must get it, and logs not."""
    name, found = f"CI variable {NOTE_TOKEN}", facts.note_variable
    why = "With it lint writes what it found into the merge request; without it, into its job's log alone."
    if isinstance(found, Unseen):
        return unseen(name, found, "only Maintainers see it")
    if found is None:
        return ok(
            name, "none, so lint writes to its job's log alone; a project access token (Developer, api) mends that"
        )
    if facts.note_is_bots:
        why = "Every branch can read it: whoever pushes one could finalize in the bot's name."
        mend = f"{NEW_NOTE_TOKEN}; Settings → CI/CD → Variables → {NOTE_TOKEN} → Edit: its value"
        return wrong(name, f"the same token as in {TOKEN}", "a token of its own, of a Developer", why, mend)
    if found.masked and not found.protected:
        return ok(name, "there, masked, not protected", why)
    why += " Merge requests' branches are not protected, so a protected variable does not reach it."
    mend = f"Settings → CI/CD → Variables → {NOTE_TOKEN}: masked, not protected"
    body = {"masked": True, "protected": False}
    change = Change(f"{NOTE_TOKEN}: masked, not protected", "put", f"/variables/{NOTE_TOKEN}", body)
    state = ", ".join(word if on else f"not {word}" for word, on in
                      (("masked", found.masked), ("protected", found.protected)))  # fmt: skip
    return wrong(name, state, "masked, not protected", why, mend, change)


def check_webhook(url: str, secret: str) -> None:
    """Raise where a webhook that is asked for cannot be made.

    Raises:
        BrainError: The address is none, or holds a secret; or there is no token for it.
    """
    parts = _parts(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise BrainError("--webhook: that is no web address", f"such as https://brain.example.com{HOOK_PATH}")
    if parts.username or parts.password or parts.query:
        raise BrainError(
            "--webhook: an address must hold no secret", f"the service knows GitLab by the token in {WEBHOOK_TOKEN}"
        )
    if not secret:
        raise BrainError(f"--webhook: {WEBHOOK_TOKEN} is not set", "set it to the token that the service expects")


def _parts(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _is_ours(hook: Hook, asked: str) -> bool:
    """Say whether a webhook is the one that is asked for, or, where none is, one to our service."""
    parts = _parts(hook.url)
    return hook.url == asked if asked else bool(parts and parts.path == HOOK_PATH)


def _webhook(facts: Facts) -> Iterator[Item]:
    """Yield the webhook that is asked for, or the one to our service that is there; it is optional."""
    name, asked = "webhook", facts.want.webhook
    if isinstance(facts.hooks, Unseen):
        if asked:
            yield unseen(name, facts.hooks, "only Maintainers see it")
        return
    ours = [row for row in facts.hooks if _is_ours(row, asked)]
    if not ours and not asked:
        return
    why = "It tells the service of approvals at once; without it the schedule does, within an hour."
    mend = "Settings → Webhooks: push and merge request events, SSL verification; or brain gitlab setup --webhook URL"
    body = {"url": asked, "merge_requests_events": True, "push_events": True, "enable_ssl_verification": True}
    if not ours:
        change = Change(f"make the webhook to {asked}", "post", "/hooks", {**body, "token": facts.want.secret})
        yield wrong(name, "none", asked, why, mend, change)
    for hook in ours:
        yield _hook(hook, why, mend)


def _hook(hook: Hook, why: str, mend: str) -> Item:
    url = hook.url.partition("?")[0]
    if hook.alert in ("disabled", "temporarily_disabled"):
        mend = "see that the service answers, then Settings → Webhooks → Test"
        return wrong("webhook", f"{url}: switched off by GitLab after failures", "in use", why, mend)
    lacks = [] if hook.merge_requests else ["merge request events"]
    lacks += [] if hook.pushes else ["push events"]
    lacks += [] if hook.verifies or not url.startswith("https") else ["SSL verification"]
    if not lacks:
        return ok("webhook", url, why + " (Its token cannot be seen.)")
    body = {"url": hook.url, "merge_requests_events": True, "push_events": True, "enable_ssl_verification": True}
    change = Change(f"webhook {url}: {' and '.join(lacks)} on", "put", f"/hooks/{hook.id}", body)
    return wrong(
        "webhook", f"{url}: no {' and no '.join(lacks)}", "merge request and push events, verified", why, mend, change
    )


def _push_rules(facts: Facts) -> Iterator[Item]:
    """Yield whether push rules (Premium) let our branches, messages and the bot's commits in."""
    rule = facts.push_rule
    if not facts.is_paid:
        return
    if isinstance(rule, Unseen):
        yield unseen("push rules", rule)
        return
    problems = list(_refusals(rule)) if rule else []
    why = "A branch or commit that they refuse never becomes a merge request."
    if problems:
        found, mends = (list(part) for part in zip(*problems, strict=True))
        mend = f"Settings → Repository → Push rules: {'; '.join(mends)}"
        yield wrong("push rules", "; ".join(found), "they admit memory/… and the bot's commits", why, mend)
    else:
        yield ok("push rules", "none in the way" if rule else "none", why)


def _refusals(rule: PushRule) -> Iterator[tuple[str, str]]:
    """Yield what a push rule refuses of ours, and how to mend it."""
    if not all(_admits(rule.branch, name) for name in BRANCHES):
        yield f"branch names must match {rule.branch}", f"branch name: ({rule.branch})|^memory/"
    if not all(_admits(rule.message, text) for text in MESSAGES):
        yield f"commit messages must match {rule.message}", f"commit message: ({rule.message})|^memory\\("
    if rule.forbidden_message and any(_admits(rule.forbidden_message, text) for text in MESSAGES):
        yield f"commit messages must not match {rule.forbidden_message}", "let messages that begin with memory( pass"
    if rule.email and not _admits(rule.email, "project_1_bot_1a2b@noreply.example.com"):
        yield f"authors' addresses must match {rule.email}", "admit the bot's: project_…_bot_…@noreply.<host>"
    if rule.signed_only:
        yield "commits must be signed", "“Reject unsigned commits”: off, for what people and the bot propose is not"
    if rule.signed_off_only:
        yield "commits must be signed off (DCO)", "“Reject commits that aren't DCO certified”: off"


def _admits(expression: str, text: str) -> bool:
    """Say whether an expression is found in a text; one that we cannot try safely counts as admitting."""
    nested = re.search(r"[*+}]\)[*+{]", expression)  # could take for ever here, though not in GitLab's own engine
    if not expression or len(expression) > LONGEST_EXPRESSION or nested:
        return True
    try:
        return re.search(expression, text) is not None
    except (re.error, OverflowError, RecursionError):
        return True

"""``brain doctor --probe``: what only trying tells of a server (facts.md B6). One ref is pushed, and removed."""

from __future__ import annotations

import secrets

from brain.checkup import OK, UNSEEN, WRONG, Check
from brain.errors import ForgeError
from brain.protect.facts import Unseen, number_of, rows_of
from brain.submit.push import ARRIVED, NO_ACCESS, REFUSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.forge.gitlab import GitLab
    from brain.protect.facts import Facts
    from brain.submit.push import Link

REFS = "refs/brain/probe"
MOST_REQUESTS = 5
"""Merge requests that are looked through for an approval."""


def probe(gitlab: GitLab, link: Link, facts: Facts, commit: str) -> list[Check]:
    """Return what was found out; ``commit`` is one that the server has."""
    return [_times(gitlab), _refs(link, commit), _tokens(gitlab), *_not_tried(facts)]


def _times(gitlab: GitLab) -> Check:
    """Does this version say when somebody approved?"""
    name = "probe approval times"
    try:
        query = {"state": "merged", "per_page": str(MOST_REQUESTS)}
        rows = gitlab.connection.call("get", f"{gitlab.at}/merge_requests", query=query)
        for row in rows if isinstance(rows, list) else ():
            iid = number_of(row, "iid")
            given = rows_of(gitlab.connection.call("get", f"{gitlab.at}/merge_requests/{iid}/approvals"), "approved_by")
            if given:
                said = all(isinstance(one, dict) and one.get("approved_at") for one in given)
                detail = f"!{iid} says when it was approved" if said else f"!{iid} does not say when it was approved"
                return Check(name, OK, detail if said else f"{detail}; finalize goes by contents")
    except ForgeError as error:
        return Check(name, UNSEEN, str(error), error.hint)
    return Check(name, UNSEEN, "none of the newest merged merge requests was approved", "try again when one was")


def _refs(link: Link, commit: str) -> Check:
    """Does the server take refs of our own?"""
    name = "probe refs/brain/…"
    if not commit:
        return Check(name, UNSEEN, "there is no commit to push yet")
    ref = f"{REFS}/{secrets.token_hex(8)}"
    pushed = link.push_ref(ref, commit)
    if pushed.state != ARRIVED:
        here = pushed.words.startswith(("fatal:", "error:", "ssh:"))  # git's own words, not the server's
        if pushed.state == REFUSED and not here and not NO_ACCESS.search(pushed.words):
            return Check(name, OK, f"not taken ({pushed.words}): counters of hits go to branches")
        return Check(name, UNSEEN, pushed.words or pushed.state, "check git's access to the remote, and try again")
    gone = link.push_ref(ref, "")
    if gone.state != ARRIVED:
        return Check(name, WRONG, f"taken, but {ref} cannot be removed: {gone.words or gone.state}",
                     f"git push {link.remote} :{ref}")  # fmt: skip
    return Check(name, OK, "the server takes refs of our own; counters of hits can go there")


def _tokens(gitlab: GitLab) -> Check:
    """May project access tokens be made, and for how long?"""
    name = "probe project access tokens"
    try:
        gitlab.connection.call("get", f"{gitlab.at}/access_tokens", query={"per_page": "1"})
    except ForgeError as error:
        return Check(name, UNSEEN, "only Maintainers see them" if error.status == 403 else str(error))
    try:
        found = gitlab.connection.call("get", "/application/settings")
    except ForgeError:
        return Check(name, OK, "can be made here; how long they may live, only administrators see (GitLab: a year)")
    days = number_of(found, "max_personal_access_token_lifetime") or 365
    return Check(name, OK, f"can be made here, for at most {days} days")


def _not_tried(facts: Facts) -> list[Check]:
    """Return what is known without trying, and what trying would change something for."""
    must = facts.merging.pipelines_must_succeed
    skipped = "skipped ones count" if facts.merging.skipped_counts else "skipped ones do not count"
    pipelines = Check(
        "probe pipelines", UNSEEN if must is None else OK, f"must succeed: {'yes' if must else 'no'}; {skipped}"
    )
    tier = facts.tier.why if isinstance(facts.tier, Unseen) else facts.tier
    return [
        Check("probe tier", UNSEEN if isinstance(facts.tier, Unseen) else OK, tier),
        pipelines,
        Check("probe union merges", UNSEEN, "not tried: it would take two merges; nothing here relies on them"),
        Check("probe delay of approval resets", UNSEEN, "not tried: it would take an approval; finalize waits for it"),
    ]

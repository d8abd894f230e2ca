"""How a chaos run ends: everything that was begun is finished, and all that must hold is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.chaos.site import Site

MOST_ROUNDS = 6


def settle(site: Site) -> list[str]:
    """Let all finish, look at everything, and return what does not hold."""
    truth = site.truth
    site.forge.calm()
    for machine in site.machines.values():
        machine.run("status")
        machine.fetch()
        truth.check_recall(machine)
    truth.check_kept()
    truth.check_requests()
    if truth.fell:
        return truth.fell
    for number in range(MOST_ROUNDS):
        if _is_settled(site, number):
            break
    else:
        left = {name: list(machine.drafts()) for name, machine in site.machines.items()}
        truth.fell.append(f"it does not settle: open {[row['source_branch'] for row in truth.opened()]}, drafts {left}")
    _count(site)
    site.finalize()
    _check_end(site)
    return truth.fell


def _is_settled(site: Site, number: int) -> bool:
    """Submit, review and finalize once; say whether nothing is left to do."""
    for name, machine in site.machines.items():
        machine.fetch()
        machine.run("status")
        if machine.drafts():
            machine.run("submit", "--ticket", f"S-{name}-{number}")
    for row in site.truth.opened():
        if row["source_branch"].startswith("memory/finalize"):
            continue
        _decide(site, row)
    site.finalize()
    for machine in site.machines.values():
        machine.run("status")
    removed = {path.removeprefix("_deprecated/") for path in site.truth.files(site.truth.ref("main"))}
    removed -= site.truth.memories("approved", "pending").keys()
    return not site.truth.opened() and not any(machine.drafts().keys() - removed for machine in site.machines.values())


def _decide(site: Site, row: dict[str, object]) -> None:
    """Approve a merge request as a PM who did not write it; where it cannot be merged, close it."""
    author = row["author"]
    assert isinstance(author, dict)
    role = "pia" if author["id"] == site.team.pm.id else "pm"
    site.review(role, "approve", row)
    merged = site.mode == "on-main" and site.review(role, "merge", row) < 300
    stuck = row["iid"] in site.decided  # finalize would have merged it: it conflicts, or claims what it may not
    site.decided.add(row["iid"])
    if not merged and (site.mode == "on-main" or row["draft"] or stuck):
        site.review(role, "close", row)


def _count(site: Site) -> None:
    """Bring the counts of all machines into the memories."""
    for machine in site.machines.values():
        machine.run("telemetry", "--publish")
    site.machines["tom"].run("consolidate")
    for row in site.truth.opened():
        _decide(site, row)


def _check_end(site: Site) -> None:
    truth = site.truth
    for machine in site.machines.values():
        machine.fetch()
        truth.check_recall(machine)
    truth.check_kept()
    truth.check_requests()
    truth.check_index()
    truth.check_counts()
    truth.check_repos()
    status = site.finalize("--check")
    if status:
        truth.fell.append(f"brain-ci finalize --check: {status}: {site.said}")

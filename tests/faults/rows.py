"""What the matrix is made of: the name of a fault, and the tests that try it."""

from __future__ import annotations

FINALIZE = "tests/finalize/test_trouble.py"
TROUBLE = "tests/submit/test_trouble.py"
ROWS: dict[str, tuple[str, ...]] = {
    "kill -9 at a step: submit, pull-back, status": ("tests/submit/test_killed.py",),
    "kill -9 at a step: remove, restore": ("tests/submit/test_removal_killed.py",),
    "kill -9 at a step: finalize on-main": (
        "tests/finalize/test_killed.py::test_killed_at_every_step[free-False]",
        "tests/finalize/test_killed.py::test_killed_at_every_step[premium-True]",
    ),
    "kill -9 at a step: finalize on-branch": ("tests/faults/test_finalize.py::test_killed_at_every_step",),
    "a request fails: submit, pull-back, remove, restore": ("tests/faults/test_requests.py",),
    "a request fails: finalize": ("tests/faults/test_finalize.py::test_each_request_fails_once",),
    "lost answer, 409, 405 while checking, 422 once, 429: finalize": (
        f"{FINALIZE}::test_a_fault_on_the_way_changes_nothing_of_the_end", f"{FINALIZE}::test_mergeability_takes_a_while",
    ),
    "head moved": (
        f"{FINALIZE}::test_the_head_moves_between_look_and_push",
        f"{FINALIZE}::test_main_moves_while_the_bot_s_merge_request_is_open",
        f"{TROUBLE}::test_the_branch_moves_between_the_look_and_the_push",
        f"{TROUBLE}::test_a_branch_that_never_stands_still_is_given_up",
    ),
    "approvals fall late": ("tests/finalize/test_on_branch.py::test_approvals_that_fall_late_are_seen",),
    "hook lost, doubled, reordered": ("tests/faults/test_hooks.py",),
    "pipeline missing, skipped": ("tests/faults/test_pipelines.py",),
    "full disk: submit, pull-back, remove, restore": ("tests/faults/test_disk.py::test_a_full_disk",),
    "full disk: finalize": ("tests/faults/test_finalize.py::test_a_full_disk",),
    "lock of git held": ("tests/faults/test_disk.py::test_a_lock_of_git_is_held",),
    "two at once": (
        f"{TROUBLE}::test_two_machines_one_ticket", f"{FINALIZE}::test_two_runs_at_once_make_one_commit",
        "tests/submit/test_removal.py::test_two_people_at_once_make_one_merge_request",
    ),
    "twenty submits at once": ("tests/faults/test_crowd.py", f"{TROUBLE}::test_twenty_submits_at_once_are_one"),
    "chaos: random acts, kills and faults": ("tests/chaos/test_chaos.py::test_all_holds_whatever_happens",),
    "no network, no GitLab, archived, a token that expired": (
        f"{TROUBLE}::test_offline", f"{TROUBLE}::test_no_gitlab_no_push",
        f"{TROUBLE}::test_an_archived_project_is_said_before_anything_is_done",
        f"{FINALIZE}::test_a_token_that_has_expired_is_an_error_of_the_forge",
        f"{FINALIZE}::test_an_archived_project_is_said_at_once",
    ),
}  # fmt: skip
"""Each test says how many tries it made, or is one."""

"""What the matrix is made of: the name of a fault, and the tests that try it."""

from __future__ import annotations

API = "tests/api/test_faults.py"
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
    "twenty submits at once": ("tests/faults/test_crowd.py", f"{TROUBLE}::test_many_submits_at_once_are_one"),
    "chaos: random acts, kills and faults": ("tests/chaos/test_chaos.py::test_all_holds_whatever_happens",),
    "no network, no GitLab, archived, a token that expired": (
        f"{TROUBLE}::test_offline", f"{TROUBLE}::test_no_gitlab_no_push",
        f"{TROUBLE}::test_an_archived_project_is_said_before_anything_is_done",
        f"{FINALIZE}::test_a_token_that_has_expired_is_an_error_of_the_forge",
        f"{FINALIZE}::test_an_archived_project_is_said_at_once",
    ),
    "api: the forge is away, or never answers": (
        f"{API}::test_a_remote_that_is_away_leaves_what_was_there_and_is_said",
        f"{API}::test_a_project_whose_remote_never_answers_stops_no_other",
        "tests/api/test_webhook.py::test_finalize_that_the_forge_did_not_answer_is_tried_again",
    ),
    "api: full disk": (f"{API}::test_a_full_disk_takes_no_webhook_and_no_count_and_answers_go_on",),
    "api: kill -9 of a worker, of all": (
        f"{API}::test_a_worker_that_is_killed_is_replaced_and_another_goes_on_keeping",
        "tests/api/test_webhook.py::test_what_was_accepted_is_done_after_a_crash",
        "tests/api/test_drafts.py::test_one_key_is_one_draft_over_threads_and_a_crash",
        "tests/api/test_drafts.py::test_a_crash_between_the_note_and_the_draft_is_made_good",
    ),
    "api: kill -9 of who takes a draft, or an answer that is lost": (
        "tests/api/test_taking.py::test_killed_at_any_point_the_next_run_ends_it",
        "tests/api/test_taking.py::test_what_somebody_else_took_while_we_did_not_hear_is_set_aside",
        "tests/api/test_taking.py::test_of_two_who_take_at_once_each_draft_is_one_persons",
    ),
    "api: branch pushed anew, mirror, cache or commit broken": (
        f"{API}::test_a_branch_that_was_pushed_anew_is_followed", f"{API}::test_a_mirror_that_is_broken_is_made_anew",
        f"{API}::test_a_cache_that_is_damaged_while_it_is_served_is_made_anew",
        f"{API}::test_what_a_bad_commit_brings_hides_nothing_that_is_good",
    ),
    "api: the team's database is away": (
        "tests/api/test_meaning.py::test_the_team_s_database_is_asked_and_missed_aloud_while_it_is_away",
        "tests/api/test_meaning.py::test_a_database_that_is_not_there_costs_no_request_its_time",
    ),
    "api: hostile requests": ("tests/api/test_hostile.py",),
    "api: forged webhooks": (
        "tests/api/test_webhook.py::test_a_forged_token_is_refused_whatever_it_is_made_of",
        "tests/api/test_webhook.py::test_what_is_signed_must_be_signed_now_and_by_the_key",
        "tests/api/test_webhook.py::test_what_is_signed_is_no_replay_and_no_other_s",
    ),
}  # fmt: skip
"""Each test says how many tries it made, or is one."""

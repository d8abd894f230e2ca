"""What is worth keeping is found, what never is stays out; the share that is worth it is printed and held."""

from __future__ import annotations

import pytest

from brain.capture.fixes import find_fixes
from brain.capture.signals import changes_files, find_signals
from brain.capture.transcript import read_part
from brain.capture.turns import CALL, ERROR, PERSON, RESULT, Turn
from tests.support.captured import DATA, EXPECTED, FOUND, MISSED, SAYINGS, count_sayings, fits, precision, signals

WORTH = 0.8
NEVER = (
    "reviews are not needed", "always use float", "example-not-a-real-one", "Orders are kept seven years", "continued from a previous",
    "local-command", "API Error", "File has not been read", "Sub-task", "hook_context", "taken back", "session_context", "hook_prompt",
    "environment_context", "Additional guidance", "what was learned",
)  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_the_labelled_transcripts_give_what_is_expected_and_nothing_else(name: str) -> None:
    found, wanted = signals(name), EXPECTED[name]["signals"]
    assert [[fits(signal, row) for signal in found].count(True) for row in wanted] == [1] * len(wanted)
    assert len(found) == len(wanted)
    kept = "".join(f"{signal.text}{signal.failed}{signal.fix}" for signal in found)
    assert [word for word in NEVER if word in kept] == []


@pytest.mark.parametrize("name", [name for name in EXPECTED if "files_edited" in EXPECTED[name]])
def test_edited_files_are_those_whose_edit_went_through(name: str) -> None:
    turns = read_part(str(DATA / name), name.partition("/")[0], 0).turns
    done = {turn.call for turn in turns if turn.kind == RESULT}
    edited = dict.fromkeys(file for turn in turns if turn.call in done for file in turn.files)
    assert [file.removeprefix("/home/mai/work/shop api/") for file in edited] == EXPECTED[name]["files_edited"]
    assert changes_files(turns)


@pytest.mark.parametrize("name", sorted({row["set"] for row in SAYINGS}))
def test_of_our_own_sayings_four_in_five_that_are_kept_are_worth_it(name: str) -> None:
    counts = count_sayings(row for row in SAYINGS if row["set"] == name)
    print(f"{name}: {dict(counts)}, precision {precision(counts):.2f}")
    assert precision(counts) >= WORTH
    assert counts[FOUND] >= 2 * counts[MISSED]


def run(*calls: tuple[str, str, bool]) -> list[Turn]:
    """Return the turns of commands: line, answer, whether it failed."""
    turns = []
    for number, (line, answer, failed) in enumerate(calls):
        turns += [Turn(CALL, line, number, str(number)), Turn(ERROR if failed else RESULT, answer, number, str(number))]
    return turns


@pytest.mark.parametrize(("failed", "error", "worked"), [
    ("pytest -q", "ModuleNotFoundError: No module named 'order'", "PYTHONPATH=src pytest -q"),
    ("pytest tests", "bash: pytest: command not found", "uv run pytest tests"),
    ("npm install", "npm ERR! code ERESOLVE unable to resolve dependency tree", "npm install --legacy-peer-deps"),
    ("docker ps", "permission denied while trying to connect to the Docker daemon", "sudo docker ps"),
    ("cd web && yarn build", "Error: error:0308010C:digital envelope routines::unsupported", "cd web && NODE_OPTIONS=--openssl-legacy-provider yarn build"),
    ("git push", "fatal: The current branch x has no upstream branch.", "git push -u origin x"),
])  # fmt: skip
def test_another_way_of_calling_is_a_fix(failed: str, error: str, worked: str) -> None:
    turns = run((failed, f"Exit code 1\n{error}", True), ("ls", "a b", False), (worked, "done", False))
    assert [(fix.error, fix.failed, fix.worked) for fix in find_fixes(turns).values()] == [(error, failed, worked)]


@pytest.mark.parametrize(("failed", "error", "worked"), [
    ("pytest -q", "E   AssertionError: assert 1 == 2", "pytest -q -x"),
    ("pytest -q", "ModuleNotFoundError: No module named 'order'", "pytest -q"),
    ("pytest -q", "ModuleNotFoundError: No module named 'order'", "pytest -v"),
    ("pytest -q", "ModuleNotFoundError: No module named 'order'", "git status --short"),
    ("pytest tests", "ModuleNotFoundError: No module named 'order'", "pytest tests/unit"),
    ("cat a.py", "cat: a.py: No such file or directory", "cat -n src/a.py"),
    ("grep x y", "", "grep -r x y"),
    ("python a.py", "TypeError: f() takes 1 argument", "python a.py --debug-all"),
    ("make", "The user doesn't want to proceed with this tool use.", "make --jobs"),
])  # fmt: skip
def test_the_codes_own_errors_and_other_commands_are_no_fix(failed: str, error: str, worked: str) -> None:
    assert find_fixes(run((failed, error, True), (worked, "ok", False))) == {}


def test_what_a_changed_file_mended_is_no_fix() -> None:
    turns = run(("pytest -q", "ModuleNotFoundError: No module named 'order'", True))
    turns += [Turn(CALL, "", 5, "e", ("a.py",)), Turn(RESULT, "done", 5, "e")]
    assert find_fixes(turns + run(("PYTHONPATH=src pytest -q", "ok", False))) == {}


def test_pasted_and_quoted_text_is_not_the_persons() -> None:
    for text in (
        "> No, we always use tabs because of make.",
        "```\nRemember: always use tabs here.\n```"[:3] + " x",
        "x" * 800 + ". Remember: use tabs always.",
    ):
        assert find_signals([Turn(PERSON, text, 0)]) == []


def test_the_key_is_the_same_for_the_same_words_and_shows_none_of_them() -> None:
    one, other = (
        find_signals([Turn(PERSON, text, 0)])[0]
        for text in ("Remember: deploys freeze on Friday", "remember:  deploys freeze on friday.")
    )
    assert one.key == other.key
    assert "deploys" not in one.key

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain.git.refs import get_repo
from brain.stale.answers import FRESH, STALE, UNKNOWN, Answer
from brain.stale.overlay import KEEP_HEADS, SUFFIX, load_answers, save_answers, store_stamp

HEAD = "f" * 40
KEY = ("a" * 40, "src/x.py")
ANSWERS = {
    KEY: Answer(STALE, "changed"),
    ("a" * 40, "src/x.py#L1-L2"): Answer(FRESH, "same"),
    ("b" * 40, "tab\tnew\nline\\ 日本 \udcff"): Answer(STALE, "deleted"),
    ("b" * 40, ""): Answer(FRESH, "same"),
    ("c" * 40, "y"): Answer(UNKNOWN, "lines-beyond-end"),
    ("c" * 40, "z"): Answer(UNKNOWN, "commit-missing"),
}


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "brain" / "stale")


def many(count, seed=1):
    chance = random.Random(seed)
    return {
        (f"{chance.getrandbits(160):040x}", f"src/part{number % 50}/module{number}.py"):
        Answer(STALE, "changed") if number % 3 else Answer(FRESH, "same")
        for number in range(count)
    }  # fmt: skip


def test_what_was_saved_is_loaded_for_that_head_only(folder):
    save_answers(folder, HEAD, ANSWERS, "1.0")
    assert load_answers(folder, HEAD, [*ANSWERS, ("a" * 40, "src/x.p")], "1.0") == ANSWERS
    assert load_answers(folder, "e" * 40, list(ANSWERS), "1.0") == {}


def test_saving_adds_and_replaces(folder):
    save_answers(folder, HEAD, ANSWERS, "1.0")
    save_answers(folder, HEAD, {KEY: Answer(FRESH, "same"), ("d" * 40, "n"): Answer(STALE, "added")}, "1.0")
    want = {**ANSWERS, KEY: Answer(FRESH, "same"), ("d" * 40, "n"): Answer(STALE, "added")}
    assert load_answers(folder, HEAD, list(want), "1.0") == want


def test_a_missing_commit_is_forgotten_when_the_store_has_grown(folder):
    save_answers(folder, HEAD, ANSWERS, "1.0")
    missing = ("c" * 40, "z")
    assert load_answers(folder, HEAD, list(ANSWERS), "2.0").keys() == ANSWERS.keys() - {missing}


@pytest.mark.parametrize("reason", ["git-failed", "content-missing", "repo-missing", "head-missing"])
def test_an_unknown_that_may_pass_is_not_kept(folder, reason):
    save_answers(folder, HEAD, {KEY: Answer(UNKNOWN, reason)}, "1.0")
    assert not os.path.exists(folder)


@pytest.mark.parametrize("count", [0, 1, 40, 5000])
def test_seeking_a_few_and_reading_all_find_the_same(folder, count):
    answers = many(count)
    save_answers(folder, HEAD, answers, "1.0")
    keys = list(answers)
    absent = list(many(100, seed=2))
    assert load_answers(folder, HEAD, keys + absent, "1.0") == answers
    for at in range(0, count, 400):
        some = keys[at : at + 400]
        assert load_answers(folder, HEAD, some + absent, "1.0") == {key: answers[key] for key in some}


def test_a_line_too_long_to_seek_is_not_kept_and_harms_no_other(folder):
    answers = {
        **many(200),
        ("a" * 40, "x" * 2000): Answer(STALE, "changed"),
        ("a" * 40, "日" * 150): Answer(FRESH, "same"),
    }
    save_answers(folder, HEAD, answers, "1.0")
    del answers["a" * 40, "x" * 2000]
    assert load_answers(folder, HEAD, list(answers), "1.0") == answers


def test_twenty_of_twenty_thousand_are_found_in_a_millisecond(folder):
    answers = many(20_000)
    save_answers(folder, HEAD, answers, "1.0")
    keys = random.Random(3).sample(list(answers), 20)

    def once():
        start = time.process_time()
        assert len(load_answers(folder, HEAD, keys, "1.0")) == 20
        return time.process_time() - start

    assert min(once() for _ in range(30)) < 0.001


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda text: text[: len(text) // 2],
        lambda text: text[len(text) // 3 + 5 :],
        lambda text: b"\0" * len(text),
        lambda _: b"\xff" * 100_000,
        lambda text: text.replace(b"\t", b" "),
        lambda text: text.replace(b"\n", b""),
        lambda text: text.replace(b"F\t", b"?\t").replace(b"S\t", b"\t"),
        lambda text: b"\n".join(reversed(text.split(b"\n"))),
    ],
)
@pytest.mark.parametrize("count", [3, 2000])
def test_a_damaged_file_says_nothing_wrong_and_is_made_good(folder, damage, count):
    answers = many(count)
    save_answers(folder, HEAD, answers, "1.0")
    path = Path(folder, HEAD + SUFFIX)
    path.write_bytes(damage(path.read_bytes()))
    for keys in (list(answers), list(answers)[:50]):
        assert load_answers(folder, HEAD, keys, "1.0").items() <= answers.items()
    save_answers(folder, HEAD, answers, "1.0")
    assert load_answers(folder, HEAD, list(answers), "1.0") == answers
    assert load_answers(folder, HEAD, list(answers)[:50], "1.0").keys() == set(list(answers)[:50])


def test_a_folder_in_the_files_place_or_a_file_in_the_folders_is_ignored(folder):
    os.makedirs(os.path.join(folder, HEAD + SUFFIX))
    save_answers(folder, HEAD, ANSWERS, "1.0")
    assert load_answers(folder, HEAD, list(ANSWERS), "1.0") == {}
    save_answers(__file__, HEAD, ANSWERS, "1.0")
    assert load_answers(__file__, HEAD, list(ANSWERS), "1.0") == {}


def test_old_heads_and_abandoned_files_go_others_stay(folder):
    heads = [f"{number:040x}" for number in range(KEEP_HEADS + 4)]
    for number, head in enumerate(heads[:-1]):
        save_answers(folder, head, ANSWERS, "1.0")
        os.utime(os.path.join(folder, head + SUFFIX), (number, number))
    old, young, foreign = (
        Path(folder, name) for name in (f"{HEAD}.stale0.7.tmp", f"{HEAD}{SUFFIX}.8.tmp", "notes.txt")
    )
    for path in (old, young, foreign):
        path.write_text("half")
    os.utime(old, (0, 0))
    os.utime(foreign, (0, 0))
    save_answers(folder, heads[-1], ANSWERS, "1.0")
    assert sorted(os.listdir(folder)) == sorted([*(h + SUFFIX for h in heads[4:]), young.name, foreign.name])


def test_the_stamp_tells_when_a_pack_or_deeper_history_arrived(history, tmp_path):
    history.commit({"a": "1"})
    repo = get_repo(history.path)
    stamps = [store_stamp(repo)]
    history.git("repack", "-q")
    stamps.append(store_stamp(repo))
    Path(repo.common_dir, "shallow").write_text("")
    stamps.append(store_stamp(repo))
    assert len(set(stamps)) == 3


WRITER = """
import sys
from brain.stale.answers import Answer
from brain.stale.overlay import load_answers, save_answers
folder, number, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
mine = {(f"{n:08x}" * 5, f"p{number}/{n}"): Answer("stale" if n % 2 else "fresh", "changed" if n % 2 else "same")
        for n in range(300)}
print("ready", flush=True)
for turn in range(rounds):
    save_answers(folder, "f" * 40, mine, "1.0")
    assert load_answers(folder, "f" * 40, list(mine), "1.0").items() <= mine.items()
"""


def start_writer(folder, number, rounds):
    argv = [sys.executable, "-c", WRITER, folder, str(number), str(rounds)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def expected(number):
    return {
        (f"{n:08x}" * 5, f"p{number}/{n}"): Answer(STALE, "changed") if n % 2 else Answer(FRESH, "same")
        for n in range(300)
    }


def test_writers_at_once_leave_whole_files_and_right_answers(folder):
    writers = [start_writer(folder, number, 60) for number in range(4)]
    path, seen = Path(folder, HEAD + SUFFIX), 0
    while any(writer.poll() is None for writer in writers):
        with contextlib.suppress(FileNotFoundError):
            lines = path.read_bytes().splitlines(keepends=True)
            assert lines == sorted(lines)
            assert len(lines) % 300 == 0
            seen += 1
    assert [writer.communicate()[0] and writer.returncode for writer in writers] == [0] * 4
    assert seen > 0
    found = [load_answers(folder, HEAD, list(expected(number)), "1.0") for number in range(4)]
    assert all(found[number] in ({}, expected(number)) for number in range(4))
    assert any(found)


def test_a_writer_killed_at_any_moment_leaves_a_whole_file(folder):
    path = Path(folder, HEAD + SUFFIX)
    for turn in range(8):
        with start_writer(folder, turn, 10**6) as writer:
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(0.01 + turn * 0.003)
            os.kill(writer.pid, signal.SIGKILL)
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        assert lines == sorted(lines)
        assert len(lines) % 300 == 0
    save_answers(folder, HEAD, ANSWERS, "1.0")
    assert load_answers(folder, HEAD, list(ANSWERS), "1.0") == ANSWERS

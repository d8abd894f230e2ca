"""A program as a model: what it gets and gives, and every way in which it does not."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from brain.model.command import Command
from brain.model.model import ModelError
from tests.support.program import SHEBANG

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def program(folder: Path, source: str, name: str = "model") -> Path:
    """Make a program that runs this source."""
    path = folder / name
    path.write_text(SHEBANG + source)
    path.chmod(0o755)
    return path


def ask(folder: Path, source: str, *args: str, seconds: float = 20, **env: str) -> str:
    path = program(folder, source)
    return Command([str(path), *args], seconds, {**os.environ, **env}, str(folder)).answer("prompt 受注\n")


def refusal(folder: Path, source: str, seconds: float = 20) -> str:
    with pytest.raises(ModelError) as caught:
        ask(folder, source, seconds=seconds)
    return str(caught.value)


def is_alive(pid: int) -> bool:
    """Say whether a process runs; one that nobody collected yet does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def test_the_prompt_goes_in_and_the_answer_comes_out_as_utf8(folder: Path) -> None:
    source = "import sys\nsys.stdout.buffer.write(sys.argv[1].encode() + sys.stdin.buffer.read())\n"
    assert ask(folder, source, "đã đọc: ", LC_ALL="C.UTF-8") == "đã đọc: prompt 受注\n"


def test_a_program_that_reads_nothing_of_a_long_prompt_still_answers(folder: Path) -> None:
    path = program(folder, "print('{}')\n")
    assert Command([str(path)], 20, os.environ, str(folder)).answer("x" * (4 << 20)) == "{}\n"


def test_it_runs_in_an_empty_folder_without_what_is_ours(folder: Path) -> None:
    source = "import os\nprint(os.listdir('.'), sorted(n for n in os.environ if n in ('BRAIN_GITLAB_TOKEN', 'GIT_DIR', 'CI_JOB_TOKEN', 'OWN_KEY')))\n"
    said = ask(folder, source, BRAIN_GITLAB_TOKEN="x", GIT_DIR="x", CI_JOB_TOKEN="x", OWN_KEY="x")
    assert said == "[] ['OWN_KEY']\n"


def test_a_relative_program_is_found_from_the_workspace_and_another_on_the_path(folder: Path) -> None:
    program(folder, "print('here')\n", "tool")
    assert Command(["./tool"], 20, os.environ, str(folder)).answer("") == "here\n"
    env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    assert Command(["tool"], 20, env, "/").answer("") == "here\n"


def test_one_that_is_not_there_or_fails_or_is_killed_says_which(folder: Path) -> None:
    with pytest.raises(ModelError, match="no-such-model: No such file") as caught:
        Command(["no-such-model"], 20, os.environ, str(folder)).answer("")
    assert caught.value.hint == "is model.command right?"
    failing = "import sys\nsys.stderr.write('noise\\nno credit left\\n')\nsys.exit(3)\n"
    assert refusal(folder, failing) == "model ended with status 3: no credit left"
    assert refusal(folder, "import os\nos.kill(os.getpid(), 9)\n") == "model was killed by signal 9"
    assert (
        refusal(folder, "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe{')\n")
        == "model answered in something else than UTF-8"
    )


def test_one_that_hangs_is_ended_at_the_deadline_with_its_children(folder: Path) -> None:
    source = (
        f"import os, subprocess, sys, time\nchild = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(folder / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\ntime.sleep(60)\n"
    )
    started = time.monotonic()
    assert refusal(folder, source, seconds=1) == "model gave no answer within 1 s"
    assert time.monotonic() - started < 10
    assert [pid for pid in map(int, (folder / "pids").read_text().split()) if is_alive(pid)] == []


def test_a_child_that_holds_the_pipe_holds_nobody_up_and_is_ended(folder: Path) -> None:
    source = (
        "import subprocess, sys\nprint('{\"pieces\": []}', flush=True)\nchild = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(folder / 'pids')!r}, 'w').write(str(child.pid))\n"
    )
    started = time.monotonic()
    assert ask(folder, source) == '{"pieces": []}\n'
    assert time.monotonic() - started < 10
    assert not is_alive(int((folder / "pids").read_text()))


def test_a_child_that_left_the_group_holds_nobody_up_either(folder: Path) -> None:
    source = (
        "import os, subprocess\nprint('{}', flush=True)\nchild = subprocess.Popen(['sleep', '20'], start_new_session=True)\n"
        f"open({str(folder / 'pids')!r}, 'w').write(str(child.pid))\n"
    )
    started = time.monotonic()
    try:
        assert ask(folder, source) == "{}\n"
        assert time.monotonic() - started < 10
    finally:
        os.kill(int((folder / "pids").read_text()), 9)


def test_one_that_never_stops_talking_is_ended_and_its_words_are_not_kept(folder: Path) -> None:
    source = "import sys\nfor _ in range(100):\n    sys.stdout.write('x' * (1 << 20))\n"
    assert refusal(folder, source) == "model said more than 4 MB, and was ended"
    moaning = "import sys\nfor _ in range(100):\n    sys.stderr.write('x' * (1 << 20))\nprint('{}')\n"
    assert ask(folder, moaning) == "{}\n"

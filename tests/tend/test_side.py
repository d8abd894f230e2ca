"""A person's side branch: what is published of their retrospects, when two publish at once, and when none can."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from brain.capture.retro import write_retro
from brain.environment import read_environment
from brain.errors import GitError
from brain.submit.gather import open_doors
from brain.tend.retros import find_retros
from brain.tend.side import Published, join, publish_retros, user_of
from brain.workspace import open_brain
from tests.support.program import CODE
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo

if TYPE_CHECKING:
    from pathlib import Path

BRANCH = "memory-retro/ada"
PUBLISH = (
    "import sys\nfrom brain.environment import read_environment\nfrom brain.submit.gather import open_doors\n"
    "from brain.tend.side import publish_retros\nfrom brain.workspace import open_brain\n"
    "brain = open_brain(sys.argv[1], {})\npublish_retros(brain, open_doors(brain, read_environment()).link)\n"
)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    seed = make_memory_repo(tmp_path / "seed", {})
    commit(seed, {f"{ROOT}/03.Retro/OLD-1.md": "# OLD-1\n\n- old\n"})
    git(seed, "clone", "-q", "--bare", str(seed), str(tmp_path / "origin.git"))
    return tmp_path / "origin.git"


@pytest.fixture
def ada(origin: Path, tmp_path: Path) -> Path:
    return clone(origin, tmp_path / "ada")


def publish(folder: Path) -> Published:
    brain = open_brain(str(folder), {})
    return publish_retros(brain, open_doors(brain, read_environment()).link)


def write(folder: Path, ticket: str, *points: str) -> Path:
    write_retro(str(folder / ROOT), ticket, {"learned": list(points)}, "en")
    return folder / ROOT / "03.Retro" / f"{ticket}.md"


def published(origin: Path, branch: str = BRANCH) -> dict[str, str]:
    names = git(origin, "ls-tree", "-r", "--name-only", "-z", branch).split("\0")
    assert all(name.startswith(f"{ROOT}/03.Retro/") for name in names if name)
    return {name.rpartition("/")[2]: git(origin, "show", f"{branch}:{name}") for name in names if name}


def points(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("- ")]


def test_retrospects_go_to_the_persons_branch_and_nothing_else_changes(origin: Path, ada: Path) -> None:
    main, head = git(origin, "rev-parse", "main"), git(ada, "rev-parse", "HEAD")
    file = write(ada, "T-1", "会員の割引は税抜き後に計算する。", "Thuế tính theo dòng.")
    status = git(ada, "status", "--porcelain=v2", "--untracked-files=all")
    assert publish(ada) == Published(BRANCH)
    assert published(origin) == {"T-1.md": file.read_text("utf-8").rstrip("\n")}
    assert "[skip ci]" in git(origin, "log", "-1", "--format=%B", BRANCH)
    assert (git(origin, "rev-parse", "main"), git(ada, "rev-parse", "HEAD")) == (main, head)
    assert git(ada, "status", "--porcelain=v2", "--untracked-files=all") == status
    tip = git(origin, "rev-parse", BRANCH)
    write(ada, "T-2", "two")
    write(ada, "T-1", "more")
    assert publish(ada) == Published(BRANCH)
    assert list(published(origin)) == ["T-1.md", "T-2.md"]
    assert git(origin, "rev-parse", f"{BRANCH}^") == tip
    git(ada, "remote", "set-url", "origin", "/nowhere")
    assert publish(ada) == Published("")  # nothing is new: nobody is asked


def test_what_consolidate_looks_for_is_where_it_is_published(origin: Path, ada: Path) -> None:
    write(ada, "T-1", "one")
    publish(ada)
    brain = open_brain(str(ada), {})
    (found,) = find_retros(brain, brain.tree.commit, ROOT, [], "2027-01-01")
    assert (found.ticket, found.user, found.points) == ("T-1", "ada", ("one",))


def test_two_machines_and_what_was_taken_out(origin: Path, ada: Path, tmp_path: Path) -> None:
    other = clone(origin, tmp_path / "other")
    file = write(ada, "T-1", "from ada", "wrong")
    publish(ada)
    write(other, "T-1", "from the other")
    write(other, "T-2", "two")
    publish(other)
    assert points(published(origin)["T-1.md"]) == ["- from ada", "- wrong", "- from the other"]
    file.write_text(file.read_text("utf-8").replace("- wrong\n", "") + "\n## Notes\n\nfree words\n")
    publish(ada)
    assert points(published(origin)["T-1.md"]) == ["- from ada", "- from the other"]
    assert published(origin)["T-1.md"].endswith("- from the other\n\n## Notes\n\nfree words")
    file.unlink()
    publish(ada)
    assert list(published(origin)) == ["T-1.md", "T-2.md"]  # the other machine's part is there still
    (other / ROOT / "03.Retro" / "T-2.md").unlink()
    publish(other)
    assert list(published(origin)) == ["T-1.md"]


def test_two_sessions_at_once_lose_nothing(origin: Path, ada: Path, tmp_path: Path) -> None:
    machines = [ada, clone(origin, tmp_path / "b"), clone(origin, tmp_path / "c")]
    for number, machine in enumerate(machines):
        write(machine, "T-1", f"point {number}")
    running = [
        subprocess.Popen([sys.executable, "-c", PUBLISH, machine], env={**os.environ, **CODE}, stderr=subprocess.PIPE)
        for machine in machines
    ]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 3
    assert sorted(points(published(origin)["T-1.md"])) == [f"- point {number}" for number in range(3)]


def test_what_is_private_or_the_teams_already_stays(origin: Path, ada: Path) -> None:
    secret = write(ada, "T-1", "the token is gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c")
    (ada / ROOT / "03.Retro" / "odd.md").write_bytes(b"\xff\xfe")
    (ada / ROOT / "03.Retro" / "link.md").symlink_to("/etc/passwd")
    assert publish(ada) == Published("", ("T-1",))
    assert git(origin, "for-each-ref", "refs/heads/memory-retro") == ""
    secret.write_text("# T-1\n\n- the token lies in the vault\n")
    old = ada / ROOT / "03.Retro" / "OLD-1.md"
    old.write_text(old.read_text() + "- and new\n")
    assert publish(ada) == Published(BRANCH)
    assert list(published(origin)) == ["OLD-1.md", "T-1.md"]


def test_offline_is_later_and_a_refusal_says_so(origin: Path, ada: Path) -> None:
    write(ada, "T-1", "one")
    git(ada, "remote", "set-url", "origin", str(origin) + ".away")
    with pytest.raises(GitError):
        publish(ada)
    git(ada, "remote", "set-url", "origin", str(origin))
    hook = origin / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'no such branches here'\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(GitError, match="no such branches here") as refused:
        publish(ada)
    assert "capture.sideBranch" in refused.value.hint
    hook.unlink()
    assert publish(ada) == Published(BRANCH)


@pytest.mark.parametrize(("mail", "user"), [
    ("mai.nguyen@example.com", "mai.nguyen"), ("123-mai@users.noreply.gitlab.com", "mai"),
    ("42+Khoa@users.noreply.github.com", "Khoa"), ("a..b//c.lock@x", "a.b-c"), ("山田@例え.jp", "e7e55298"),
    ("123-mai@example.com", "123-mai"),
])  # fmt: skip
def test_the_branch_is_called_as_the_persons_address(
    mail: str, user: str, ada: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", mail)
    assert user_of(str(ada)) == user
    assert git(ada, "check-ref-format", "--branch", f"memory-retro/{user}") == f"memory-retro/{user}"


def test_joining_changes_only_what_it_must() -> None:
    text = "# T\n\n## Learned\n\n- a\n\n## Errors and fixes\n\n- e\n"
    assert join(text, text, "") == text
    assert join("", text, "") == join(text, text, text) == text
    assert join(text, text.replace("- a\n", "- a\n- b\n"), text) == text.replace("- a\n", "- a\n- b\n")
    other = text.replace("- e\n", "- e\n- f\n")
    assert join(other, text.replace("- a\n", "- a\n- b\n"), text) == other.replace("- a\n", "- a\n- b\n")

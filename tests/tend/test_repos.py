"""Whether memories are stale, asked of all code repos: clones, mirrors of others, and whoever has the commit."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from brain.layout import find_place
from brain.memory import Memory
from brain.tend.mirror import mirror
from brain.tend.repos import bring_repos, check_everywhere
from brain.value import replace
from brain.workspace import open_brain
from tests.support.repos import commit, git, make_memory_repo, make_repo

if TYPE_CHECKING:
    from pathlib import Path

    from brain.workspace import Brain


@pytest.fixture
def repos(tmp_path: Path) -> dict[str, Path]:
    made = {name: make_repo(tmp_path / name, {"src/a.py": f"{name} = 1\n"}) for name in ("shop", "bank")}
    return {**made, "memory": make_memory_repo(tmp_path / "docs")}


def memory(commit: str, *refs: str) -> Memory:
    place = find_place("00.Shared/decisions/x.md")
    assert place
    return replace(
        Memory(place, ("all",), ("x",), 0.5, "T-1", "approved", 0, "2026-01-01", "X."),
        refs=refs,
        verified_commit=commit,
    )


def brain_with(repos: dict[str, Path], **where: str) -> Brain:
    toml = "[repos]\n" + "".join(f'{name} = "{text}"\n' for name, text in where.items())
    commit(repos["memory"], {"99.Memory/brain.toml": toml})
    return open_brain(str(repos["memory"]), dict(os.environ))


def answers(brain: Brain, *memories: Memory) -> list[tuple[bool | None, list[str]]]:
    folders, _ = bring_repos(brain)
    found = check_everywhere(brain, memories, folders, brain.tree.commit)
    return [(stale, [doubt.ref for doubt in doubts]) for stale, doubts in found]


def test_a_repo_that_is_not_here_is_mirrored_and_kept_up(repos: dict[str, Path]) -> None:
    first = git(repos["shop"], "rev-parse", "HEAD")
    brain = brain_with(repos, shop=f"file://{repos['shop']}")
    known = memory(first, "shop:src/a.py")
    assert answers(brain, known) == [(False, [])]
    commit(repos["shop"], {"src/a.py": "shop = 2\n"})
    assert answers(brain, known) == [(True, ["shop:src/a.py"])]


def test_a_repo_that_cannot_be_had_leaves_its_memories_as_they_are(repos: dict[str, Path]) -> None:
    brain = brain_with(repos, gone="file:///nowhere/gone.git", shop=str(repos["shop"]))
    first = git(repos["shop"], "rev-parse", "HEAD")
    folders, remarks = bring_repos(brain)
    assert folders["gone"] is None
    assert [text.partition(": fatal:")[0] for text in remarks] == [
        "warning: repos.gone: not brought here, so its refs are not checked"
    ]
    commit(repos["shop"], {"src/a.py": "shop = 2\n"})
    assert answers(brain, memory("1" * 40, "gone:src/a.py"), memory(first, "shop:src/a.py", "gone:b")) == [
        (None, []), (True, ["shop:src/a.py"]),
    ]  # fmt: skip


def test_a_ref_without_an_alias_is_the_repos_that_has_its_commit(repos: dict[str, Path]) -> None:
    heads = {name: git(repos[name], "rev-parse", "HEAD") for name in ("shop", "bank")}
    brain = brain_with(repos, shop=str(repos["shop"]), bank=str(repos["bank"]))
    commit(repos["bank"], {"src/a.py": "bank = 2\n"})
    assert answers(brain, memory(heads["shop"], "src/a.py"), memory(heads["bank"], "src/a.py"), memory("", "src/a.py"), memory("")) == [
        (False, []), (True, ["src/a.py"]), (None, []), (None, []),
    ]  # fmt: skip


def test_an_address_of_the_teams_settings_is_never_an_option_of_git(repos: dict[str, Path], tmp_path: Path) -> None:
    made = tmp_path / "made-by-a-setting"
    for url in (f"--upload-pack=touch '{made}'; echo x:", f"ext::sh -c touch% {made}"):
        brain = brain_with(repos, shop=f"file://{repos['shop']}")
        bring_repos(brain)  # its folder is there then: the next is a fetch
        (folder,) = (repos["memory"] / ".git/brain/repos").iterdir()
        assert mirror(str(repos["memory"]), url, str(folder))
        assert mirror(str(repos["memory"]), url, str(folder.with_name("new")))
        _, remarks = bring_repos(brain_with(repos, shop=json.dumps(url)[1:-1]))
        assert len(remarks) == 1
    assert not made.exists()


@pytest.mark.parametrize("name", ["../../../../bank", "{bank}"])
def test_an_alias_leads_to_no_other_repo_of_this_machine(repos: dict[str, Path], name: str) -> None:
    git(repos["bank"], "branch", "mine")
    before = git(repos["bank"], "for-each-ref")
    alias = json.dumps(name.format(bank=repos["bank"]))
    brain = brain_with(repos, **{alias: f"file://{repos['shop']}"})
    assert list(brain.config["repos"]) == [json.loads(alias)]
    assert bring_repos(brain)[1] == []
    assert git(repos["bank"], "for-each-ref") == before

"""Where an assistant works, and what memory that folder is connected to (SPEC §2)."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from brain.errors import BrainError
from brain.workspace import find_workspace, open_brain, read_state
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text, pending

NOTE = "00.Shared/decisions/use-git.md"


def ids(folder: Path, env: dict[str, str] | None = None) -> list[str]:
    brain = open_brain(str(folder), env or {})
    return [memory.id for part in brain.tree.parts for memory in part.memories()]


def connect(workspace: Path, **memory: object) -> Path:
    (workspace / ".aiflow").mkdir(parents=True, exist_ok=True)
    (workspace / ".aiflow/state.json").write_text(json.dumps({"memory": memory}))
    return workspace


def facts(folder: Path) -> tuple[str, str, tuple[str, ...]]:
    """Return root, state folder and ticket folders, relative to the test's folder."""
    workspace = find_workspace(str(folder))
    top = next(parent for parent in folder.parents if parent.name.startswith("test_"))
    tickets = tuple(os.path.relpath(path, top) for path in workspace.ticket_dirs)
    return os.path.relpath(workspace.root, top), os.path.relpath(workspace.state_dir, top), tickets


def test_a_work_tree_is_a_workspace_from_any_folder_in_it(tmp_path: Path) -> None:
    (make_repo(tmp_path / "code", {"src/a/b.py": ""}) / "src/a").mkdir(exist_ok=True)
    expected = ("code", "code/.aiflow", ("code/.aiflow",))
    assert facts(tmp_path / "code/src/a") == facts(tmp_path / "code") == expected


def test_the_nearest_state_folder_makes_the_workspace(tmp_path: Path) -> None:
    connect(make_repo(tmp_path / "mono", {"apps/web/x.py": "", "apps/api/x.py": ""}) / "apps/web")
    assert facts(tmp_path / "mono/apps/web") == ("mono/apps/web", "mono/apps/web/.aiflow", ("mono/apps/web/.aiflow",))
    assert facts(tmp_path / "mono/apps/api") == ("mono", "mono/.aiflow", ("mono/.aiflow",))


def test_a_state_folder_above_the_work_tree_serves_the_repos_below(tmp_path: Path) -> None:
    connect(tmp_path / "all")
    make_repo(tmp_path / "all/code", {"a": ""})
    assert facts(tmp_path / "all/code") == ("all", "all/.aiflow", ("all/.aiflow",))


def test_without_a_repo_a_folder_is_a_workspace_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "plain/deep").mkdir(parents=True)
    assert facts(tmp_path / "plain/deep") == ("plain/deep", "plain/deep/.aiflow", ("plain/deep/.aiflow",))
    assert find_workspace(str(tmp_path / "plain/deep")).code_repo is None


@pytest.mark.parametrize("inside", [True, False])
def test_a_linked_worktree_has_the_main_ones_settings_and_its_own_ticket(tmp_path: Path, inside: bool) -> None:
    main = connect(make_repo(tmp_path / "main", {"a": ""}), topN=3)
    linked = (main / "trees/linked") if inside else (tmp_path / "linked")
    git(main, "worktree", "add", "-q", str(linked))
    name = os.path.relpath(linked, tmp_path)
    shared = (name, "main/.aiflow", (f"{name}/.aiflow", "main/.aiflow"))
    assert facts(linked) == shared
    (linked / ".aiflow/context").mkdir(parents=True)
    assert facts(linked) == shared
    connect(linked, topN=4)
    assert facts(linked) == (name, f"{name}/.aiflow", (f"{name}/.aiflow",))


def test_a_linked_worktree_of_a_repo_without_state_is_on_its_own(tmp_path: Path) -> None:
    git(make_repo(tmp_path / "main", {"a": ""}), "worktree", "add", "-q", str(tmp_path / "linked"))
    assert facts(tmp_path / "linked") == ("linked", "linked/.aiflow", ("linked/.aiflow",))


def test_the_memory_may_lie_in_the_code_repo(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {NOTE: ""})
    (repo / "src").mkdir()
    assert ids(repo / "src") == ["mem-global-use-git"]


@pytest.mark.parametrize("how", ["relative", "absolute", "home", "environment", "inside"])
def test_the_memory_may_lie_elsewhere(tmp_path: Path, sealed: Path, how: str) -> None:
    home = make_memory_repo(sealed / "ドキュメント docs", {NOTE: ""})
    code = make_repo(tmp_path / "code", {"a": ""})
    named = {
        "relative": os.path.relpath(home, code),
        "absolute": str(home),
        "home": "~/ドキュメント docs",
        "inside": str(home / ROOT),
    }
    if how == "environment":
        assert ids(code, {"BRAIN_MEMORY_REPO": str(home)}) == ["mem-global-use-git"]
    else:
        assert ids(connect(code, repo=named[how])) == ["mem-global-use-git"]


def test_a_bare_memory_repo_has_memories_and_no_drafts(tmp_path: Path) -> None:
    git(
        tmp_path,
        "clone",
        "-q",
        "--bare",
        str(make_memory_repo(tmp_path / "origin", {NOTE: ""})),
        str(tmp_path / "memory.git"),
    )
    code = connect(make_repo(tmp_path / "code", {"a": ""}), repo="../memory.git")
    brain = open_brain(str(code), {})
    assert (ids(code), brain.memory_root, brain.drafts, brain.warnings) == (["mem-global-use-git"], "", None, ())


def test_what_is_on_disk_does_not_change_what_is_recalled(tmp_path: Path) -> None:
    origin = make_memory_repo(tmp_path / "origin", {NOTE: ""})
    repo = clone(origin, tmp_path / "repo")
    git(repo, "checkout", "-q", "--orphan", "other")
    git(repo, "rm", "-rqf", ".")
    commit(repo, {"x": ""})
    assert ids(repo) == ["mem-global-use-git"]
    shutil.rmtree(repo / ROOT, ignore_errors=True)
    assert ids(repo) == ["mem-global-use-git"]


@pytest.mark.parametrize(
    ("state", "message", "hint"),
    [
        (None, "no memory repo: {code} holds no 99.Memory and names none", "run brain init, or brain init --repo PATH-or-URL to connect to the team's"),
        ({"repo": "../gone"}, ".aiflow/state.json: memory.repo: no git repository at {code}/../gone", "clone the memory repo there, or run brain init --repo PATH"),
        ({"repo": "git@example.com:a/b.git"}, ".aiflow/state.json: memory.repo: no git repository at {code}/git@example.com:a/b.git", "clone the memory repo there, or run brain init --repo PATH"),
    ],
)  # fmt: skip
def test_without_a_memory_repo_the_error_says_what_to_do(
    tmp_path: Path, state: dict[str, str] | None, message: str, hint: str
) -> None:
    code = make_repo(tmp_path / "code", {"a": ""})
    if state:
        connect(code, **state)
    with pytest.raises(BrainError) as caught:
        open_brain(str(code), {})
    assert (str(caught.value), caught.value.hint) == (message.format(code=code), hint)


def test_settings_come_from_the_commit_then_state_environment_and_flags(tmp_path: Path) -> None:
    repo = connect(
        make_memory_repo(
            tmp_path / "repo", {NOTE: ""}, "[memory]\ntopN = 1\ntopNLarge = 1\ntopNHotfix = 1\ninjectBudget = 1\n"
        ),
        topNLarge=2,
        topNHotfix=2,
        injectBudget=2,
    )
    (repo / ROOT / "brain.toml").write_text("[memory]\ntopN = 99\n")
    config = open_brain(
        str(repo), {"BRAIN_MEMORY_TOPNHOTFIX": "3", "BRAIN_MEMORY_INJECTBUDGET": "3"}, {"memory.injectBudget": 4}
    ).config
    names = ("memory.topN", "memory.topNLarge", "memory.topNHotfix", "memory.injectBudget")
    assert [(config[name], config.source(name)) for name in names] == [
        (1, "brain.toml"),
        (2, ".aiflow/state.json"),
        (3, "BRAIN_MEMORY_TOPNHOTFIX"),
        (4, "command line"),
    ]


@pytest.mark.parametrize("text", ["[recall]\nscorer = 'hybrid'\n", "\ufeff[recall]\nscorer = 'hybrid'\n"])
def test_before_the_first_commit_the_file_on_disk_counts(tmp_path: Path, text: str) -> None:
    repo = make_repo(tmp_path / "repo")
    (repo / ROOT).mkdir()
    (repo / ROOT / "brain.toml").write_text(text)
    brain = open_brain(str(repo), {})
    assert (brain.tree.size, brain.config["recall.scorer"], brain.warnings) == (0, "hybrid", ())


@pytest.mark.parametrize("committed", [True, False])
def test_a_broken_brain_toml_is_a_warning_with_its_line(tmp_path: Path, committed: bool) -> None:
    repo = (
        make_memory_repo(tmp_path / "repo", {NOTE: ""}, "[memory]\ntopN =\n")
        if committed
        else make_repo(tmp_path / "repo")
    )
    (repo / ROOT).mkdir(exist_ok=True)
    (repo / ROOT / "brain.toml").write_text("[memory]\ntopN =\n")
    brain = open_brain(str(repo), {})
    assert brain.warnings == ("brain.toml: not TOML: Invalid value (at line 2, column 7); defaults are used",)
    assert (brain.config["memory.topN"], brain.config.problems) == (10, [])


def test_everything_that_is_wrong_is_a_warning_and_the_rest_works(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {NOTE: "", "00.Shared/decisions/bad.md": "no frontmatter"})
    pending(repo, "00.Shared/decisions/mine.md")
    pending(repo, "00.Shared/decisions/worse.md", "---\nid: x\n")
    (repo / ".aiflow").mkdir()
    (repo / ".aiflow/state.json").write_text("{")
    brain = open_brain(str(repo), {})
    assert brain.warnings == (
        ".aiflow/state.json: not a JSON object that can be read; it is ignored",
        "00.Shared/decisions/bad.md:1: no frontmatter (begin the file with a line --- and the fourteen keys)",
        "_pending/00.Shared/decisions/worse.md:1: the frontmatter is not closed (close it with a line ---)",
    )
    assert (brain.tree.size, brain.drafts and brain.drafts.segment.docs) == (1, 1)


def test_a_branch_that_is_not_there_is_said(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {NOTE: ""})
    brain = open_brain(str(repo), {"BRAIN_MEMORY_BRANCH": "mian"})
    assert (brain.tree.size, brain.warnings) == (0, ("BRAIN_MEMORY_BRANCH: memory.branch: no branch 'mian' is here",))


@pytest.mark.parametrize("root", ["", "docs/メモリ", "99.Memory/"])
def test_the_memory_root_may_be_any_folder(tmp_path: Path, root: str) -> None:
    folder = root.rstrip("/")
    repo = make_repo(tmp_path / "repo", {f"{folder}/{NOTE}".lstrip("/"): memory_text(NOTE)})
    assert ids(repo, {"BRAIN_MEMORY_ROOT": root}) == ["mem-global-use-git"]


@pytest.mark.parametrize(("content", "found"), [('{"a": 1}', {"a": 1}), ("[]", []), ("{", None), (None, None)])
def test_the_state_is_what_the_file_holds(tmp_path: Path, content: str | None, found: object) -> None:
    (tmp_path / ".aiflow").mkdir()
    if content:
        (tmp_path / ".aiflow/state.json").write_text(content)
    assert read_state(find_workspace(str(tmp_path))) == found

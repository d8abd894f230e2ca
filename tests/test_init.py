"""``brain init``: the skeleton, and the connection of a workspace."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from brain.cli import main
from brain.connect import set_member
from brain.errors import BrainError, ConfigError
from brain.scaffold import check_root, ci_include, skeleton
from brain.settings import load_config, parse_toml
from brain.workspace import open_brain
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, make_repo


def run(*args: str | Path) -> int:
    return main([str(arg) for arg in args])


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


@pytest.mark.parametrize("name", ["plain", "with space", "bộ nhớ 記憶"])
def test_init_makes_the_whole_skeleton_and_says_what_comes_next(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repo(tmp_path / name)
    assert run("-C", repo, "init") == 0
    out, err = capsys.readouterr()
    assert files_of(repo) == {path: text.encode() for path, text in sorted(skeleton(ROOT).items())}
    assert out.splitlines()[0] == "made: 99.Memory/.gitignore"
    assert out.splitlines()[-1].startswith("next: git add 99.Memory .gitlab .gitlab-ci.yml && git commit")
    assert err == ""
    command = out.splitlines()[-1].removeprefix("next: ").partition(";")[0].replace('"', "").split(" && ")
    git(repo, *command[0].split()[1:])
    git(repo, "commit", "-q", "-m", "memory", "--", ROOT, ".gitlab", ".gitlab-ci.yml")
    assert git(repo, "status", "--porcelain") == ""
    assert open_brain(str(repo), {}).config["recall.scorer"] == "hybrid"


def test_init_twice_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repo(tmp_path / "r")
    run("-C", repo, "init")
    before = files_of(repo)
    capsys.readouterr()
    assert run("-C", repo, "init") == 0
    assert files_of(repo) == before
    assert "made:" not in capsys.readouterr().out
    commit(repo, {}, "memory")
    run("-C", repo, "init")
    assert capsys.readouterr().out.splitlines()[-1] == "next: brain remember"


def test_init_fills_up_and_writes_over_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repo(
        tmp_path / "r",
        {
            f"{ROOT}/brain.toml": "mine",
            "CODEOWNERS": "* @me\n",
            f"{ROOT}/.gitignore": "x\n",
            f"{ROOT}/03.Retro/T-1.md": "x",
        },
    )
    assert run("-C", repo, "init", "--json") == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert facts["there"] == [f"{ROOT}/.gitignore", f"{ROOT}/brain.toml", f"{ROOT}/03.Retro/.gitkeep"]
    assert (repo / ROOT / "brain.toml").read_text() == "mine"
    assert not (repo / ".gitlab/CODEOWNERS").exists()
    assert not (repo / ROOT / "03.Retro/.gitkeep").exists()
    assert "CODEOWNERS is there" in err
    draft = repo / ROOT / "_pending/x.md"
    draft.parent.mkdir()
    draft.write_text("x")
    assert "_pending" not in git(repo, "status", "--porcelain", "-uall")


def test_a_pipeline_of_the_teams_own_is_left_and_the_lines_to_add_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repo(tmp_path / "r", {".gitlab-ci.yml": "test: {script: make}\n"})
    assert run("-C", repo, "init", "--root", "docs/bộ nhớ") == 0
    out, err = capsys.readouterr()
    assert (repo / ".gitlab-ci.yml").read_text() == "test: {script: make}\n"
    assert ci_include("docs/bộ nhớ").rstrip() in err
    assert '      root: "docs/bộ nhớ"\n      # The wheel' in err
    assert "made: .gitlab/project-brain.yml" in out
    assert out.splitlines()[-1].startswith("next: git add 'docs/bộ nhớ' .gitlab && git commit")
    commit(repo, {".gitlab-ci.yml": "test: {script: make}\n" + ci_include("docs/bộ nhớ")})
    run("-C", repo, "init", "--root", "docs/bộ nhớ")
    assert ".gitlab-ci.yml is there" not in capsys.readouterr().err


def test_jobs_that_come_as_a_component_need_no_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    include = "include: [{component: $CI_SERVER_FQDN/g/project-brain/memory@1}]\n"
    repo = make_repo(tmp_path / "r", {".gitlab-ci.yml": include})
    assert run("-C", repo, "init") == 0
    assert capsys.readouterr().err == ""
    assert not (repo / ".gitlab/project-brain.yml").exists()
    assert (repo / ".gitlab-ci.yml").read_text() == include


def test_what_init_writes_is_valid() -> None:
    files = skeleton("99.Memory")
    config = load_config(parse_toml(files["99.Memory/brain.toml"]), None, {})
    assert config.problems == []
    uncommented = "\n".join(
        line.removeprefix("# ") if " = " in line else line for line in files["99.Memory/brain.toml"].splitlines()
    )
    config = load_config(parse_toml(uncommented), None, {})
    assert (config.problems, config["people.pm"], config["review.language"]) == ([], ["pm-username"], "en")
    assert all(line.startswith("#") for line in files[".gitlab/CODEOWNERS"].splitlines())
    assert files["99.Memory/MEMORY.md"] == "# Memory index\n"


def test_outside_a_repo_init_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-C", tmp_path, "init") == 4
    assert "hint: run git init" in capsys.readouterr().err
    bare = tmp_path / "bare"
    git(tmp_path, "init", "-q", "--bare", str(bare))
    assert run("-C", bare, "init") == 3
    assert "bare" in capsys.readouterr().err
    assert run("-C", tmp_path / "nowhere", "init") == 3


def test_a_linked_worktree_gets_its_own_skeleton(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "a"})
    git(repo, "worktree", "add", "-q", str(tmp_path / "w"))
    assert run("-C", tmp_path / "w", "init") == 0
    assert (tmp_path / "w" / ROOT / "brain.toml").exists()
    assert not (repo / ROOT).exists()


def test_another_folder_name_is_remembered_in_the_workspace(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    assert run("-C", repo, "init", "--root", "docs/brain memory") == 0
    assert open_brain(str(repo), {}).memory_root == str(repo / "docs/brain memory")
    assert "/docs/brain\\ memory/" in (repo / ".gitlab/CODEOWNERS").read_text()


@pytest.mark.parametrize("name", ["", "/abs", "a/../b", ".", ".git", "a\\b", "a//b", "-x", "a\nb", "a/", " a", "a:b"])
def test_a_root_that_is_no_plain_folder_is_refused(name: str) -> None:
    with pytest.raises(BrainError):
        check_root(name)


def test_a_file_in_the_way_and_a_folder_without_rights_are_clear_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repo(tmp_path / "r", {ROOT: "a file"})
    assert run("-C", repo, "init") == 3
    other = make_repo(tmp_path / "s", {f"{ROOT}/brain.toml/x": "a folder"})
    assert run("-C", other, "init") == 3
    assert "brain.toml: something that is no file" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repo(tmp_path / "r")
    repo.chmod(0o555)
    assert run("-C", repo, "init") == 3
    repo.chmod(0o755)
    assert "Permission denied" in capsys.readouterr().err


def test_a_skeleton_that_is_only_upstream_is_not_made_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    origin = make_repo(tmp_path / "o", {"a": "a"})
    mine = clone(origin, tmp_path / "m")
    run("-C", origin, "init")
    commit(origin, {}, "memory")
    assert run("-C", mine, "init") == 6
    assert "git pull" in capsys.readouterr().err
    assert not (mine / ROOT).exists()


def test_a_workspace_is_connected_to_a_repo_on_this_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory, code = make_memory_repo(tmp_path / "docs repo"), make_repo(tmp_path / "code", {"a": "a"})
    state = code / ".aiflow/state.json"
    state.parent.mkdir()
    state.write_bytes(b'\xef\xbb\xbf{\r\n  "memory": {\r\n    "topN": 12\r\n  },\r\n  "x":[1,2]\r\n}')
    assert run("-C", code, "init", "--repo", "../docs repo") == 0
    assert capsys.readouterr().out == f"connected: {memory}\nnext: brain remember\n"
    wanted = (
        f'\xef\xbb\xbf{{\r\n  "memory": {{\r\n    "topN": 12,\r\n    "repo": "{memory}"\r\n  }},\r\n  "x":[1,2]\r\n}}'
    )
    assert state.read_bytes() == wanted.encode("latin-1")
    assert open_brain(str(code), {}).repo.work_tree == str(memory)
    assert run("-C", code, "init") == 0
    assert capsys.readouterr().out == f"was connected: {memory}\nnext: brain remember\n"
    assert not (code / ROOT).exists()


def test_a_url_is_cloned_once_beside_the_workspace_or_where_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    origin = make_memory_repo(tmp_path / "o" / "Docs")
    code = make_repo(tmp_path / "w" / "code", {"a": "a"})
    url = f"file://{origin}"
    assert run("-C", code, "init", "--repo", url) == 0
    assert (tmp_path / "w" / "Docs" / ROOT).is_dir()
    assert run("-C", code, "init", "--repo", url, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["changed"] is False
    assert run("-C", code, "init", "--repo", url, "--into", "../other place") == 0
    assert open_brain(str(code), {}).repo.work_tree == str(tmp_path / "w" / "other place")
    (tmp_path / "w" / "full").mkdir()
    (tmp_path / "w" / "full" / "x").write_text("x")
    assert run("-C", code, "init", "--repo", url, "--into", "../full") == 6
    assert "--into" in capsys.readouterr().err


def test_a_password_in_a_url_is_never_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = make_repo(tmp_path / "code", {"a": "a"})
    assert run("-C", code, "init", "--repo", "http://oauth2:glpat-secret@127.0.0.1:1/a.git") == 4
    out, err = capsys.readouterr()
    assert "glpat-secret" not in out + err
    assert "127.0.0.1:1/a.git" in err


def test_git_ignores_what_names_this_machine_and_nothing_else(tmp_path: Path) -> None:
    memory, code = (
        make_memory_repo(tmp_path / "docs"),
        make_repo(tmp_path / "code", {"số [1]/.aiflow/x": "", ".aiflow/y": ""}),
    )
    before = git(code, "rev-parse", "HEAD")
    for folder in (code, code / "số [1]"):
        (folder / ".aiflow/context.json").write_text("{}")
        assert run("-C", folder, "init", "--repo", memory) == 0
        assert run("-C", folder, "init", "--repo", memory) == 0
    left = git(code, "-c", "core.quotePath=false", "status", "--porcelain", "--untracked-files=all").splitlines()
    assert left == ["?? .aiflow/context.json", '?? "số [1]/.aiflow/context.json"']
    assert (code / ".git/info/exclude").read_text("utf-8").count("state.json") == 2
    assert git(code, "rev-parse", "HEAD") == before


def test_a_state_file_that_the_team_committed_or_ignores_itself_is_left_to_it(tmp_path: Path) -> None:
    memory = make_memory_repo(tmp_path / "docs")
    shared = make_repo(tmp_path / "shared", {".aiflow/state.json": "{}"})
    ignoring = make_repo(tmp_path / "ignoring", {".gitignore": ".aiflow/\n"})
    for code, left in ((shared, [" M .aiflow/state.json"]), (ignoring, [])):
        assert run("-C", code, "init", "--repo", memory) == 0
        assert git(code, "status", "--porcelain").split("\n") == (left or [""])
        exclude = code / ".git/info/exclude"
        assert "state.json" not in (exclude.read_text() if exclude.exists() else "")
    (tmp_path / "no repo").mkdir()
    assert run("-C", tmp_path / "no repo", "init", "--repo", memory) == 0


@pytest.mark.parametrize(
    "state", ["{", "[]", '{"memory": "x"}', "\x00", '{"memory": [1]}', '{"memory": {"repo": "a", "repo": "b"}}']
)
def test_a_broken_state_file_is_left_alone(state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory, code = make_memory_repo(tmp_path / "docs"), make_repo(tmp_path / "code", {".aiflow/state.json": state})
    assert run("-C", code, "init", "--repo", memory) == 3
    assert (code / ".aiflow/state.json").read_text() == state
    assert "state.json:1: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{}", '{"memory": {"repo": "R"}}'),
        ("{ }\n", '{"memory": {"repo": "R"}}\n'),
        ('{"a":1}', '{"a":1,"memory":{"repo":"R"}}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"memory": {\n\t\t"repo": "R"\n\t}\n}\n'),
        ('{"memory": {}}', '{"memory": {"repo": "R"}}'),
        ('{"memory": {"repo" :  "old" , "x": 1}}', '{"memory": {"repo" :  "R" , "x": 1}}'),
        ('{"memory.repo": "old"}', '{"memory.repo": "R"}'),
        ('{"memory": {"repo": "R"}}', '{"memory": {"repo": "R"}}'),
    ],
)
def test_one_setting_changes_and_no_other_byte(old: str, new: str) -> None:
    assert set_member(old, "memory.repo", "R", "state.json") == new


def test_a_path_that_is_no_utf8_survives_in_the_state_file() -> None:
    text = set_member("{}", "memory.repo", "/tmp/\udcff", "state.json")
    assert text.isascii()
    assert json.loads(text)["memory"]["repo"] == "/tmp/\udcff"
    assert set_member("{}", "memory.repo", "/tmp/受注", "s") == '{"memory": {"repo": "/tmp/受注"}}'
    with pytest.raises(ConfigError):
        set_member("{}}", "memory.repo", "x", "state.json")


def test_wrong_uses_say_what_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = make_repo(tmp_path / "code", {"a": "a"})
    assert run("-C", code, "init", "--into", "x") == 3
    assert run("-C", code, "init", "--repo", tmp_path) == 3
    assert "no git repository" in capsys.readouterr().err
    assert run("-C", code, "init", "--repo", make_repo(tmp_path / "empty", {"a": "a"})) == 0
    assert "run brain init in" in capsys.readouterr().out


def test_a_bare_memory_repo_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory, code = make_memory_repo(tmp_path / "docs"), make_repo(tmp_path / "code", {"a": "a"})
    git(tmp_path, "clone", "-q", "--bare", str(memory), str(tmp_path / "bare"))
    assert run("-C", code, "init", "--repo", tmp_path / "bare") == 0
    assert "drafts need a clone" in capsys.readouterr().err


def test_an_environment_that_wins_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, code = make_memory_repo(tmp_path / "docs"), make_repo(tmp_path / "code", {"a": "a"})
    monkeypatch.setenv("BRAIN_MEMORY_REPO", str(memory))
    assert run("-C", code, "init", "--repo", memory) == 0
    assert "BRAIN_MEMORY_REPO is set, and wins" in capsys.readouterr().err


def test_a_dead_remote_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory, code = make_memory_repo(tmp_path / "docs"), make_repo(tmp_path / "code", {"a": "a"})
    git(memory, "remote", "add", "origin", str(tmp_path / "gone"))
    assert run("-C", code, "init", "--repo", memory) == 0
    assert "could not be fetched" in capsys.readouterr().err

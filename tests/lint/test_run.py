"""Whole commits, changes and folders: real git, and objects made with plumbing where a disk could not hold them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from brain.errors import GitError
from brain.git.refs import get_repo
from brain.lint.run import Job, lint_all, lint_change, lint_disk
from brain.workspace import find_workspace
from tests.lint.support import COMMIT, TODAY, memory
from tests.support.repos import ROOT, commit, git, make_repo

if TYPE_CHECKING:
    from pathlib import Path

    from brain.lint.engine import Report

AREA = f"{ROOT}/00.Shared/domain/F-002_Order"
PW = "vR7" + "#kQ2" + "xLm9!z"
LONG = "The stock export must finish before six because the Osaka books close then, and nobody can post after that.\n\n**Apply:** x.\n"


def job(repo: Path) -> Job:
    return Job(get_repo(str(repo)), ROOT, TODAY, find_workspace(str(repo)))


def found(report: Report) -> set[tuple[str, str]]:
    return {(one.path.removeprefix(AREA + "/"), one.rule.name) for one in report.findings}


def slug(name: str, body: str = "", **fields: str | None) -> str:
    values = {"id": f"mem-F002-{name}", **fields}
    return memory(body, **values) if body else memory(**values)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(
        tmp_path / "m", {f"{ROOT}/brain.toml": "# settings\n", "src/export.py": "x\n", f"{AREA}/a.md": slug("a")}
    )


def plumb(repo: Path, mode: str, path: str, content: str) -> None:
    """Commit one entry that need not exist on disk."""
    oid = content if mode == "160000" else git(repo, "hash-object", "-w", "--stdin", stdin=content)
    git(repo, "update-index", "-z", "--index-info", stdin=f"{mode} {oid}\t{path}\0")
    git(repo, "commit", "-q", "-m", "plumbed")


def test_a_good_commit_has_no_findings(repo: Path) -> None:
    assert lint_all(job(repo)).findings == ()


def test_only_what_a_change_brings_is_judged(repo: Path) -> None:
    commit(repo, {f"{AREA}/old.md": slug("old", id="mem-F002-wrong")})
    base = git(repo, "rev-parse", "HEAD")
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {f"{AREA}/b.md": slug("b", source=None), f"{AREA}/a.md": None})
    report = lint_change(job(repo), base)
    assert (found(report), report.files) == ({("b.md", "field-missing")}, 1)


def test_what_the_base_did_meanwhile_is_not_this_changes_doing(repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {f"{AREA}/b.md": slug("b")})
    git(repo, "checkout", "-q", "main")
    commit(repo, {f"{AREA}/c.md": slug("c", source=None)})
    git(repo, "checkout", "-q", "topic")
    assert lint_change(job(repo), "main").findings == ()


@pytest.mark.parametrize(
    ("mode", "path", "content", "name"),
    [
        ("120000", f"{AREA}/link.md", "../../../../../etc/passwd", "symlink"), ("120000", f"{ROOT}/00.Shared/domain/F-007_Link", "../../../src", "symlink"),
        ("120000", "src/link.py", "../../outside", "symlink"), ("160000", f"{AREA}/module", COMMIT, "submodule-entry"),
        ("100755", f"{AREA}/b.md", slug("b"), "executable-bit"), ("100644", f"{AREA}/A.md", slug("A"), "path-case-collision"),
        ("100644", f"{AREA}/new\nline.md", slug("b"), "name-characters"), ("100644", f"{AREA}/col:on.md", slug("b"), "name-characters"),
        ("100644", f"{ROOT}/.gitattributes", "*.md binary\n", "foreign-file"), ("100644", f"{ROOT}/_pending/00.Shared/domain/F-002_Order/d.md", slug("d"), "pending-committed"),
        ("100644", f"{ROOT}/00.Shared/architecture/F-002_Order/a.md", slug("a"), "id-duplicate"), ("100644", f"{ROOT}/00.Shared/domain/F002/b.md", slug("b", scope="F002"), "short-code-collision"),
    ],
)  # fmt: skip
def test_objects_that_attack_are_seen_in_git(repo: Path, mode: str, path: str, content: str, name: str) -> None:
    plumb(repo, mode, path, content)
    for report in (lint_all(job(repo)), lint_change(job(repo), "HEAD~1")):
        assert (path.removeprefix(AREA + "/"), name) in found(report)


def test_a_name_of_odd_bytes_is_seen(repo: Path) -> None:
    oid = git(repo, "hash-object", "-w", "--stdin", stdin=slug("b"))
    path = os.fsencode(f"{AREA}/bytes-") + b"\xff.md"
    tree = b"".join([f"100644 {oid}\t".encode(), path, b"\0"])
    (repo / "index-info").write_bytes(tree)
    os.system(f"cd '{repo}' && git update-index -z --index-info < index-info")
    git(repo, "commit", "-q", "-m", "odd")
    assert (os.fsdecode(path).removeprefix(AREA + "/"), "name-not-utf8") in found(lint_all(job(repo)))


def test_a_huge_blob_is_refused_unread(repo: Path) -> None:
    commit(repo, {f"{AREA}/b.md": "x" * (10 << 20)})
    assert found(lint_change(job(repo), "HEAD~1")) == {("b.md", "file-too-big")}


def test_a_secret_that_a_later_commit_takes_out_is_still_told(repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {f"{AREA}/b.md": slug("b", f"The password is {PW}.\n\n**Apply:** x.\n")})
    first = git(repo, "rev-parse", "HEAD")
    commit(repo, {f"{AREA}/b.md": slug("b")})
    (finding,) = lint_change(job(repo), "main").findings
    assert (finding.rule.name, finding.message) == (
        "secret-value",
        f"a password of 13 characters (in commit {first[:12]}, taken out since)",
    )


ALLOW = "[[lint.allow]]\nfingerprint = '{}'\nreason = 'a test account'\n"


def test_an_allowance_counts_from_the_base_and_a_change_cannot_allow_itself(repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {f"{AREA}/b.md": slug("b", f"The password is {PW}.\n\n**Apply:** x.\n")})
    (finding,) = lint_change(job(repo), "main").findings
    commit(repo, {f"{ROOT}/brain.toml": ALLOW.format(finding.fingerprint)})
    report = lint_change(job(repo), "main")
    assert [(one.rule.name, one.allowed) for one in report.findings] == [
        ("secret-value", ""), ("not-a-memory", ""), ("allowance-added", "")
    ]  # fmt: skip
    alone = {one.rule.name: one.allowed for one in lint_change(job(repo), "HEAD~1").findings}
    assert alone == {"allowance-added": "", "steering-file": ""}
    git(repo, "checkout", "-q", "main")
    commit(repo, {f"{ROOT}/brain.toml": ALLOW.format(finding.fingerprint)})
    git(repo, "checkout", "-q", "-b", "next")
    commit(repo, {f"{AREA}/b.md": slug("b", f"The password is {PW}.\n\n**Apply:** x.\n")})
    (allowed,) = lint_change(job(repo), "main").findings
    assert (allowed.allowed, allowed.blocks) == ("a test account", False)


def test_refs_are_looked_up_where_the_repo_is_at_hand(repo: Path) -> None:
    refs = (
        "[src/export.py, src/none.py, src/Export.py, 'src/**/*.py', 'lib/x.py', 'docs:src/none.py', 'src/', 'src/*.rs']"
    )
    commit(repo, {f"{AREA}/b.md": slug("b", refs=refs)})
    messages = [one.message.split(":")[0] for one in lint_all(job(repo)).findings if one.rule.name == "ref-not-found"]
    assert messages == ["ref 'docs", "ref 'src/*.rs'", "ref 'src/Export.py'", "ref 'src/none.py'"]


def test_a_ref_through_a_link_is_told(repo: Path) -> None:
    (repo / "src" / "link").symlink_to("../lib")
    commit(repo, {"lib/x.py": "x\n", f"{AREA}/b.md": slug("b", refs="[src/link/x.py]")})
    assert ("b.md", "ref-symlink") in found(lint_all(job(repo)))


def test_the_index_is_what_the_approved_memories_give(repo: Path) -> None:
    from brain.index.build import read_memory
    from brain.memory_index import render_index

    text = slug("b", LONG, status="approved", reviewed_by="pm")
    place = f"{AREA}/b.md".removeprefix(ROOT + "/")
    good = render_index([read_memory(place, text.encode())])
    commit(repo, {f"{AREA}/b.md": text, f"{ROOT}/MEMORY.md": good})
    assert found(lint_all(job(repo))) == set()
    commit(repo, {f"{ROOT}/MEMORY.md": good + "- by hand\n"})
    assert found(lint_all(job(repo))) == {(f"{ROOT}/MEMORY.md", "index-edited")}
    assert found(lint_change(job(repo), "HEAD~1")) == {(f"{ROOT}/MEMORY.md", "index-edited")}


def test_a_change_that_leaves_the_index_alone_is_not_blamed_for_it(repo: Path) -> None:
    commit(repo, {f"{ROOT}/MEMORY.md": "by hand\n"})
    commit(repo, {f"{AREA}/b.md": slug("b")})
    assert found(lint_change(job(repo), "HEAD~1")) == set()


def test_duplicates_are_told_against_the_approved(repo: Path) -> None:
    commit(repo, {f"{AREA}/b.md": slug("b", LONG, status="approved", reviewed_by="pm")})
    commit(repo, {f"{AREA}/c.md": slug("c", LONG.replace("six", "seven"))})
    assert found(lint_change(job(repo), "HEAD~1")) == {("c.md", "near-duplicate")}


def test_a_memory_that_is_replaced_is_there(repo: Path) -> None:
    commit(repo, {f"{AREA}/b.md": slug("b", supersedes="[mem-F002-a, mem-F002-none]")})
    (finding,) = lint_change(job(repo), "HEAD~1").findings
    assert (finding.rule.name, finding.severity, finding.message) == (
        "supersedes-unknown", "warning", "supersedes: there is no memory mem-F002-none",
    )  # fmt: skip


def test_a_copy_with_other_tags_is_told(repo: Path) -> None:
    commit(repo, {f"{AREA}/b.md": slug("b", LONG, status="approved", reviewed_by="pm")})
    commit(repo, {f"{AREA}/c.md": slug("c", LONG.replace("six", "seven"), tags="[payment]")})
    assert found(lint_change(job(repo), "HEAD~1")) == {("c.md", "near-duplicate")}


def test_drafts_on_disk_are_judged_beside_what_is_committed(repo: Path) -> None:
    draft = repo / ROOT / "_pending" / "00.Shared" / "architecture" / "F-002_Order" / "a.md"
    draft.parent.mkdir(parents=True)
    draft.write_text(slug("a"), encoding="utf-8")
    report = lint_disk(job(repo), [str(repo / ROOT / "_pending")], "")
    assert {one.rule.name for one in report.findings} == {"id-duplicate"}


@pytest.mark.parametrize("kind", ["pipe", "folder", "link"])
def test_what_is_no_file_on_disk_is_not_opened(repo: Path, kind: str) -> None:
    path = repo / AREA / "odd.md"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/etc/passwd")
    name = "symlink" if kind == "link" else "not-a-regular-file"
    assert found(lint_disk(job(repo), [str(path)], "")) == {("odd.md", name)}


def test_an_unknown_base_says_which(repo: Path) -> None:
    with pytest.raises(GitError, match="no commit 'nowhere'"):
        lint_change(job(repo), "nowhere")


def test_many_files_are_judged_by_several_processes_alike(repo: Path) -> None:
    from brain.lint.workers import PARALLEL_FROM

    count = PARALLEL_FROM + 20
    commit(repo, {f"{AREA}/f{n}.md": slug(f"f{n}", confidence="high" if n % 50 == 0 else "0.5") for n in range(count)})
    calls: list[tuple[int, int]] = []
    report = lint_all(Job(get_repo(str(repo)), ROOT, TODAY, None, "", lambda done, of: calls.append((done, of))))
    assert sorted(one.path for one in report.findings) == sorted(f"{AREA}/f{n}.md" for n in range(0, count, 50))
    assert calls[-1] == (report.files, report.files)


def test_the_command_prints_and_exits(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from brain.cli import main

    monkeypatch.chdir(repo)
    assert main(["lint", "--all"]) == 0
    assert capsys.readouterr() == ("", "brain: 2 files: 0 errors, 0 warnings\n")
    (repo / AREA / "b.md").write_text(slug("b", source=None), encoding="utf-8")
    assert main(["lint", "--json", f"{AREA}/b.md"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert [(one["code"], one["line"]) for one in facts["findings"]] == [("M040", 15)]
    assert main(["lint"]) == 0
    assert "brain lint --all" in capsys.readouterr().err
    assert main(["lint", "nowhere.md"]) == 3
    assert "no such file or folder" in capsys.readouterr().err
    with pytest.raises(SystemExit) as usage:
        main(["lint", "--all", "x.md"])
    assert usage.value.code == 2

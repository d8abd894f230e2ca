"""Every kind of malformed file in the shared suite: good ones are read, broken ones are one warning, nothing crashes.

The suite (``../shared/eval/malformed/gen.py``) says what *lint* is to find. Reading is more lenient on purpose: it
refuses what it cannot understand or what lies about its place, and leaves judgements on a text to lint, which guards
the way in. ``READ_ON_PURPOSE`` and ``NOT_LOOKED_AT`` list each kind that lint refuses and that reading does not, with
the reason.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from brain.drafts import load_drafts
from brain.git.refs import find_repo
from brain.index import cache
from brain.index.cache import Tree, load_tree
from brain.memory_index import render_index
from brain.text import JOINER, count_words
from tests.support.repos import make_repo

GENERATOR = Path(__file__).parents[2] / "shared/eval/malformed/gen.py"
ROOT = "99.Memory/"
pytestmark = pytest.mark.skipif(
    not GENERATOR.exists(), reason="the shared malformed suite is not beside this repository"
)

READ_ON_PURPOSE = {
    "encoding-bom": "an editor put it there; it hides nothing from us, and a draft of its user should not vanish",
    "control-character": "taken out where the text is shown", "hidden-character": "taken out where the text is shown", "html-comment": "shown as text inside its fence",
    "line-too-long": "cut by the budget", "body-words": "cut by the budget", "field-too-long": "the file's limit bounds it", "hook-too-long": "cut in the index line", "hook-markup": "neutralised in the index line",
    "merge-conflict-marker": "a body is any text", "prompt-injection": "a judgement on a text; it is fenced as data", "body-empty": "says nothing and does no harm", "body-no-statement": "a judgement on a text",
    "apply-missing": "the advice may be plain without it", "apply-empty": "the advice may be plain without it", "body-fence-not-closed": "our own fence is longer than any in the text",
    "yaml-key-not-text": "an unknown key means nothing to us, whatever its type elsewhere", "id-format": "white space around a value is none of it", "id-duplicate": "both are shown with their paths; only a view of the whole tree can tell",
    "approved-without-reviewer": "who reviewed is the forge's to say", "tag-format": "compared as it is; it just matches nothing", "tags-too-many": "the file's limit bounds them", "field-missing": "an empty list of tags is one",
    "date-in-future": "reading has no clock", "ref-outside-repo": "a path that no tree holds: unknown, never opened", "ref-scheme": "a path that no tree holds", "refs-too-many": "the file's limit bounds them",
    "ref-alias-unknown": "unknown is what the staleness check says", "ref-symlink": "never followed: objects are compared", "name-reserved": "a checkout on Windows suffers, git objects do not", "name-characters": "capitals and a trailing dot",
    "name-too-long": "git objects do not mind", "path-case-collision": "git objects do not mind", "short-code-collision": "only a view of the whole tree can tell",
}  # fmt: skip
NOT_LOOKED_AT = {
    "pending-committed": "drafts are read from disk, never from a commit", "foreign-file": "no memory, and nothing of ours", "name-extension": "no .md file, no memory", "id-duplicate": "what lies in _deprecated is history",
}  # fmt: skip
REFUSED_IN_PART = {"field-missing", "id-format", "name-characters", "ref-scheme", "tag-format", "yaml-key-not-text"}
"""Of these kinds, the cases that are no YAML or not of the schema are refused all the same."""
DRAFTS_PASSED_OVER = {".hidden.md"}


def quoted(path: str) -> bytes:
    """Return a path as git fast-import reads any path."""
    return b'"' + b"".join(b"\\%03o" % byte for byte in os.fsencode(path)) + b'"'


def approved(content: bytes) -> bytes:
    """Approve a memory, so that its status does not keep it from being read."""
    return content.replace(b"status: pending", b"status: approved", 1).replace(
        b'reviewed_by: ""', b"reviewed_by: pm", 1
    )


def commit_all(repo: Path, blobs: list[tuple[str, str, Any]]) -> None:
    """Commit the suite's objects, also what no disk could hold, everything approved."""
    stream = [b"commit refs/heads/main\ncommitter a <a@b> 1767225600 +0000\ndata 0\n"]
    for mode, path, data in blobs:
        if mode == "160000":
            stream.append(b"M 160000 %s %s\n" % (data.encode(), quoted(path)))
        else:
            content = approved(data)
            stream.append(b"M %s inline %s\ndata %d\n%s\n" % (mode.encode(), quoted(path), len(content), content))
    subprocess.run(
        ["git", "-C", str(repo), "fast-import", "--quiet"], input=b"".join(stream), check=True, capture_output=True
    )


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """Return the suite's repository and its cases below the memory root."""
    spec = importlib.util.spec_from_file_location("malformed_gen", GENERATOR)
    assert spec
    assert spec.loader
    module = sys.modules["malformed_gen"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.build(tmp_path_factory.mktemp("malformed") / "out", 10)
    commit_all(make_repo(made.repo), made.blobs)
    return made.repo, [
        {**case, "path": case["path"].removeprefix(ROOT)} for case in made.cases if case["path"].startswith(ROOT)
    ]


@pytest.fixture(scope="module")
def tree(suite: tuple[Path, list[dict[str, Any]]]) -> Tree:
    repo = find_repo(str(suite[0]))
    assert repo
    start = time.monotonic()
    found = load_tree(repo, "99.Memory")
    assert time.monotonic() - start < 10
    return found


@pytest.fixture(scope="module")
def fates(suite: tuple[Path, list[dict[str, Any]]], tree: Tree) -> dict[str, str]:
    """Return path → ``read``, ``skipped`` with its warning, or nothing for what was not looked at."""
    repo = find_repo(str(suite[0]))
    assert repo
    pointer = cache._Cache(repo, "99.Memory").read()
    assert pointer
    rows = [
        *((memory.path, "read") for part in tree.parts for memory in part.memories()),
        *map(tuple, pointer["skipped"]),
    ]
    assert [path for path, times in Counter(path for path, _ in rows).items() if times > 1] == []
    return dict(rows)


def test_every_good_file_is_read(suite: tuple[Path, list[dict[str, Any]]], fates: dict[str, str]) -> None:
    good = [case for case in suite[1] if case["verdict"] != "error"]
    assert len(good) > 40
    assert {case["path"]: fates.get(case["path"]) for case in good if fates.get(case["path"]) != "read"} == {}


def test_every_broken_file_is_one_warning_that_names_file_line_and_mend(
    suite: tuple[Path, list[dict[str, Any]]], fates: dict[str, str]
) -> None:
    bad = [case for case in suite[1] if case["verdict"] == "error" and case.get("only") != "disk"]
    kept = {
        case["path"]: case["code"]
        for case in bad
        if case["code"] not in {*READ_ON_PURPOSE, *NOT_LOOKED_AT} and fates.get(case["path"], "read") == "read"
    }
    assert kept == {}
    warnings = [(case["path"], fates[case["path"]]) for case in bad if fates.get(case["path"], "read") != "read"]
    assert len(warnings) > 150
    for path, warning in warnings:
        name, line, why = warning.removeprefix(
            path if path.isprintable() else path.encode("unicode_escape", "surrogatepass").decode()
        ).split(":", 2)
        assert (name, line.isdigit(), why.endswith(")"), " (" in why, warning.isprintable()) == (
            "",
            True,
            True,
            True,
            True,
        ), warning


def test_what_is_read_on_purpose_is_read(suite: tuple[Path, list[dict[str, Any]]], fates: dict[str, str]) -> None:
    bad = [case for case in suite[1] if case["verdict"] == "error"]
    read = {case["code"] for case in bad if fates.get(case["path"]) == "read"}
    silent = {case["code"] for case in bad if case["path"] not in fates and case.get("only") != "disk"}
    assert (read, silent) == (set(READ_ON_PURPOSE), set(NOT_LOOKED_AT))
    both = {case["code"] for case in bad if case["code"] in read and fates.get(case["path"], "read") != "read"}
    assert both == REFUSED_IN_PART


def test_words_are_counted_as_the_suite_counts(suite: tuple[Path, list[dict[str, Any]]], tree: Tree) -> None:
    bodies = {memory.path: memory.body for part in tree.parts for memory in part.memories()}
    counted = {case["path"]: case["words"] for case in suite[1] if "words" in case and case["path"] in bodies}
    assert len(counted) > 12
    assert {path: count_words(bodies[path]) for path in counted} == counted


def test_the_index_of_all_that_was_read_has_a_line_each(tree: Tree) -> None:
    memories = [memory for part in tree.parts for memory in part.memories()]
    lines = [line for line in render_index(memories).splitlines() if line.startswith("- ")]
    assert len(lines) == len(memories)
    assert all(line.replace(JOINER, "").isprintable() for line in lines)


def test_drafts_of_every_kind_are_read_or_one_warning(suite: tuple[Path, list[dict[str, Any]]], tmp_path: Path) -> None:
    memory_root = tmp_path / "root"
    (memory_root / "_pending").mkdir(parents=True)
    for area in ("00.Shared", "01.Lessons", "04.Other"):
        shutil.copytree(
            suite[0] / ROOT / area,
            memory_root / "_pending" / area,
            symlinks=True,
            ignore=lambda _, names: [name for name in names if name == "pipe.md"],
        )
    os.mkfifo(memory_root / "_pending/00.Shared/domain/F-002_Order/pipe.md")
    start = time.monotonic()
    drafts = load_drafts(str(memory_root), str(tmp_path / "cache"))
    assert time.monotonic() - start < 5
    assert drafts
    read = {drafts.segment.memory(number).path for number in range(drafts.segment.docs)}
    assert {drafts.segment.memory(number).status for number in range(drafts.segment.docs)} == {"pending"}
    on_disk = [
        case
        for case in suite[1]
        if "skipped" not in case and case.get("only") != "git" and os.path.lexists(suite[0] / ROOT / case["path"])
    ]
    unread = {case["path"] for case in on_disk if case["verdict"] != "error"} - read
    assert unread == set()
    warned = [warning.removeprefix("_pending/").partition(".md:")[0] + ".md" for warning in drafts.skipped]
    assert [path for path, times in Counter(warned).items() if times > 1] == []
    quiet = {
        case["path"]
        for case in on_disk
        if case["path"].endswith(".md") and (memory_root / "_pending" / case["path"]).is_file()
    } - read
    assert {
        path
        for path in quiet
        if path.isprintable()
        and path not in warned
        and path.rpartition("/")[2] not in DRAFTS_PASSED_OVER
        and path.count("/") < 5
    } == set()

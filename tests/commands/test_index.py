"""``brain index``: whole, of a function or folder, written and checked (SPEC §1.3)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.program import CODE, Run, program
from tests.support.repos import ROOT, commit, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = "- [mem-global-juchu](00.Shared/glossary/juchu.md) — 受注 is an order entry (glossary, global, coding)\n"
EXPORT = (
    "- [mem-F004-export](00.Shared/domain/F-004_Stock/export.md) — 在庫の出力は夜間に行う (fact, F-004_Stock, all)\n"
)
RETRY = "- [mem-F003-retry](01.Lessons/dev/F-003_Payment/retry.md) — Retry a payment at most twice (lesson, F-003_Payment, coding)\n"
WHOLE = (
    f"# Memory index\n\n## 00.Shared/domain\n\n{EXPORT}\n## 00.Shared/glossary\n\n{ENTRY}\n## 01.Lessons/dev\n\n{RETRY}"
)


def test_the_index_lists_what_is_approved_upstream(run: Run, docs: Path) -> None:
    (docs / ROOT / "00.Shared/glossary/juchu.md").unlink()
    commit(docs, {f"{ROOT}/03.Retro/T-1.md": "F-003"})
    assert run("index")[0] == 0
    git(docs, "revert", "-n", "HEAD")
    commit(docs, {f"{ROOT}/03.Retro/T-1.md": "F-003"})
    assert run("index") == (0, WHOLE, "")


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["F-003"], RETRY), (["f003"], RETRY), (["F-003_Payment"], RETRY), (["F-003", "F-004"], EXPORT + RETRY), (["global"], ENTRY), (["_global"], ENTRY),
        (["00.Shared/glossary"], ENTRY), (["00.Shared/domain/F-004_Stock/"], EXPORT), (["01.Lessons"], RETRY), (["F-004_Stock", "00.Shared"], EXPORT + ENTRY),
    ],
)  # fmt: skip
def test_the_index_of_a_function_or_of_a_folder_the_digest_names(run: Run, names: list[str], lines: str) -> None:
    status, out, err = run("index", *names)
    assert (status, sorted(out.splitlines()), err) == (0, sorted(lines.splitlines()), "")


@pytest.mark.parametrize("name", ["F-9", "F", "", "/", "00", "_", "../..", "/etc", "F-003\x1b[31m", "支払い"])
def test_one_with_nothing_is_exit_1_and_is_told_what_there_is(run: Run, name: str) -> None:
    status, out, err = run("index", name, "F-003")
    assert (status, out) == (1, RETRY)
    shown = name.replace("\x1b", "")
    assert err.startswith(f"brain: no approved memory is of the function or in the folder '{shown}'"[:60])
    assert err.endswith("\nhint: there are: F-003_Payment, F-004_Stock, global\n")
    assert "\x1b" not in err


def test_write_then_check_agree(run: Run, docs: Path) -> None:
    path = docs / ROOT / "MEMORY.md"
    assert run("index", "--check") == (1, "", f"brain: {path} is not what the tree says; run brain index --write\n")
    assert run("index", "--write") == (0, "", f"brain: wrote {path}\n")
    assert path.read_text("utf-8") == WHOLE
    assert run("index", "--check") == (0, "", "")
    assert run("index", "--write") == (0, "", "")
    path.write_bytes(WHOLE.replace("\n", "\r\n").encode())
    assert run("index", "--check")[0] == 1


def test_a_bare_repo_has_no_file_to_write(docs: Path, tmp_path: Path) -> None:
    git(docs, "clone", "-q", "--bare", str(docs), str(tmp_path / "bare"))
    done = program("index", "--write", folder=tmp_path / "bare")
    assert (done.returncode, done.stdout, done.stderr.decode()) == (
        3,
        b"",
        "brain: the memory repo is bare: there is no MEMORY.md to write\nhint: run it in a clone\n",
    )
    assert program("index", folder=tmp_path / "bare").stdout.decode() == WHOLE


def test_the_reader_may_stop_early(run: Run, docs: Path) -> None:
    commit(
        docs,
        {
            f"{ROOT}/00.Shared/decisions/d{n}.md": memory_text(f"00.Shared/decisions/d{n}.md", hook="word " * 20)
            for n in range(900)
        },
    )
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; '{sys.executable}' -m brain -C '{run.folder}' index | head -c 10"],
        capture_output=True,
        check=False,
        env={**os.environ, **CODE},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"# Memory i", b"")

"""``brain stale``: for people, and for machines by JSON lines (issue item 3)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.program import Run, program
from tests.support.repos import commit, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path


def test_the_stale_ones_are_listed_and_counted(run: Run, code: Path) -> None:
    first = git(code, "rev-parse", "--short=7", "HEAD~1")
    assert run("stale") == (
        1,
        f"mem-F003-retry\n  may be stale: src/pay.py changed since {first}: verify before you rely on it\n",
        "brain: 1 of 3 stale\n",
    )


def test_ids_narrow_it_down(run: Run) -> None:
    assert run("stale", "mem-global-juchu") == (0, "", "brain: 0 of 1 stale\n")
    assert run("stale", "mem-F003-retry")[0] == 1
    assert run("stale", "zzz")[0] == 1
    assert run("stale", "zzz")[2].startswith("brain: no memory 'zzz'")


def test_what_moved_is_named(run: Run, code: Path) -> None:
    git(code, "mv", "src/支払い.py", "src/payment.py")
    commit(code, {})
    _, out, _ = run("stale")
    assert "src/支払い.py changed since" in out
    assert "now src/payment.py: verify" in out


def test_json_is_a_line_a_memory_by_id(run: Run) -> None:
    status, out, err = run("stale", "--json")
    assert (status, err) == (1, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"id": "mem-F003-retry", "refs": {"src/pay.py": {"state": "stale", "reason": "changed", "new_path": ""}}}, {"id": "mem-F004-export", "refs": {}}, {"id": "mem-global-juchu", "refs": {}},
    ]  # fmt: skip


def test_what_cannot_be_checked_is_said_and_is_not_stale(run: Run, docs: Path) -> None:
    path = "00.Shared/decisions/far.md"
    commit(docs, {f"99.Memory/{path}": memory_text(path, refs=("elsewhere:a.py",))})
    assert run("stale", "mem-global-far") == (
        0,
        "mem-global-far\n  not checked: elsewhere:a.py (repo-missing)\n",
        "brain: 0 of 1 stale\n",
    )


def ask(run: Run, *rows: dict[str, Any], repo: Path | None = None) -> list[dict[str, Any]]:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    status, out, err = run("stale", "--stdin", *(["--repo", str(repo)] if repo else []), stdin=text)
    assert (status, err) == (0, "")
    return [json.loads(line) for line in out.split("\n")[:-1]]


def test_rows_are_answered_in_order(run: Run, code: Path) -> None:
    first = git(code, "rev-parse", "HEAD~1")
    rows = [
        {"rid": "a", "commit": first, "refs": ["src/pay.py", "src/支払い.py"]}, {"rid": "b", "commit": first, "refs": ["src/支払い.py"]}, {"rid": "c", "commit": "f" * 40, "refs": ["src/pay.py"]},
        {"rid": "d", "commit": first, "head": first, "refs": ["src/pay.py"]}, {"rid": "e", "commit": "HEAD", "refs": []}, {"rid": "f\u2028", "commit": first, "refs": ["elsewhere:x", "src/pay.py"]},
    ]  # fmt: skip
    expected = [
        {"rid": "a", "stale": True, "per_ref": {"src/pay.py": True, "src/支払い.py": False}}, {"rid": "b", "stale": False, "per_ref": {"src/支払い.py": False}},
        {"rid": "c", "stale": "unknown", "per_ref": {"src/pay.py": "unknown"}}, {"rid": "d", "stale": False, "per_ref": {"src/pay.py": False}}, {"rid": "e", "stale": False, "per_ref": {}},
        {"rid": "f\u2028", "stale": True, "per_ref": {"elsewhere:x": "unknown", "src/pay.py": True}},
    ]  # fmt: skip
    assert ask(run, *rows) == expected
    assert ask(run, *rows, repo=code) == expected


def test_a_bare_repo_will_do_and_no_memory_repo_is_needed(code: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare ü"
    git(code, "clone", "-q", "--bare", str(code), str(bare))
    row = json.dumps(
        {"rid": "1", "commit": git(code, "rev-parse", "HEAD~1"), "refs": ["src/支払い.py", "src/pay.py"]}
    ).encode()
    done = program("stale", "--stdin", "--repo", str(bare), folder=tmp_path, input=row, env={"LC_ALL": "C"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode()) == {
        "rid": "1",
        "stale": True,
        "per_ref": {"src/支払い.py": False, "src/pay.py": True},
    }


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "line 2: not JSON: "),
        ("[]", "line 2: not an object"),
        ('{"rid": 1}', "line 2: refs is not a list of texts"),
        ('{"rid": "a", "refs": []}', "line 2: commit is missing"),
        ('{"rid": 1, "commit": "x", "refs": []}', "line 2: rid is not a text"),
    ],
)
def test_a_bad_row_is_named_by_its_line(run: Run, line: str, what: str) -> None:
    status, out, err = run("stale", "--stdin", stdin="\n" + line + "\n")
    assert (status, out) == (3, "")
    assert err.startswith(f"brain: {what}")
    assert "hint: a row is " in err


def test_a_repo_that_is_none_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    for repo in (tmp_path / "plain", tmp_path / "gone"):
        assert run("stale", "--stdin", "--repo", str(repo), stdin="") == (
            3,
            "",
            f"brain: --repo: no git repository at {repo}\nhint: name a clone of the code repo\n",
        )
    assert run("stale", "--stdin", stdin="") == (0, "", "")

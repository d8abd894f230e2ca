"""``brain recall``: the text, the table, and the machine interface that scripts rely on (issue item 3)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.program import CODE, Run, program
from tests.support.repos import commit, git, memory_text

if TYPE_CHECKING:
    from pathlib import Path

TERMS = ("function", "workflow", "tags", "confidence", "decay", "pending", "affinity", "text", "files")


def terms(**amounts: float) -> dict[str, float]:
    return {**dict.fromkeys(TERMS, 0.0), **amounts}


LESSON = {
    "id": "mem-F003-retry",
    "score": 8.8,
    "terms": terms(function=3.0, workflow=2.0, tags=2.0, confidence=0.8, affinity=1.0),
    "stale": True,
}
DRAFT = {
    "id": "mem-F003-draft",
    "score": 7.9,
    "terms": terms(function=3.0, workflow=2.0, tags=2.0, confidence=0.4, pending=-0.5, affinity=1.0),
    "stale": False,
}
TICKET: dict[str, Any] = {"functionId": "F-003", "keywords": ["Payment"], "workflow": "coding"}


def test_the_text_is_what_an_assistant_gets(run: Run) -> None:
    status, out, err = run(
        "recall",
        "Fix the payment",
        "--task",
        "T-1",
        "--function",
        "F-003",
        "--workflow",
        "coding",
        "--keyword",
        "retry",
    )
    assert (status, err) == (0, "")
    assert out == out[: out.index("Notes of")] + "\n".join((
        out[out.index("Notes of") : out.index("\n\n## ")], "",
        "## mem-F003-retry (lesson, F-003_Payment, source: TICKET-1)", "⚠ may be stale: src/pay.py changed since " + out.partition("since ")[2][:7] + ": verify before you rely on it",
        "```markdown", "Retry a payment at most twice.", "", "**Apply:** count the tries.", "```", "",
        "## mem-F003-draft (lesson, F-003_Payment, source: TICKET-1)", "⚠ not approved yet (your draft)",
        "```markdown", "Mine.", "", "**Apply:** wait.", "```", "</project-brain>", "",
    ))  # fmt: skip
    assert out.startswith('<project-brain part="memories">\n# Team memories for T-1 Fix the payment\n\n')


def test_nothing_relevant_is_exit_1_and_no_text(run: Run) -> None:
    assert run("recall", "office chairs") == (1, "", "brain: nothing relevant\n")
    status, out, err = run("recall", "office chairs", "--json")
    assert (status, json.loads(out), err) == (1, {"memories": [], "tokens": 0, "keywords": []}, "")


def test_index_prints_both_texts(run: Run) -> None:
    status, out, _ = run("recall", "payment", "--index")
    assert status == 0
    assert (
        out.index('<project-brain part="index">')
        < out.index("# Team memory index: 3 approved")
        < out.index('<project-brain part="memories">')
    )


@pytest.mark.parametrize("how", ["file", "stdin", "flags", "environment", "workspace"])
def test_a_ticket_comes_from_anywhere(run: Run, how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    args: list[str] = []
    stdin = None
    if how == "file":
        (tmp_path / "ticket ü.json").write_text("\ufeff" + json.dumps(TICKET))
        args = ["--ticket", str(tmp_path / "ticket ü.json")]
    elif how == "stdin":
        args, stdin = ["--ticket", "-"], json.dumps(TICKET)
    elif how == "flags":
        args = ["--function", "F-003", "--keyword", "Payment", "--workflow", "coding"]
    elif how == "environment":
        for name, text in (("FUNCTIONID", "F-003"), ("KEYWORDS", "Payment"), ("WORKFLOW", "coding")):
            monkeypatch.setenv(f"BRAIN_TICKET_{name}", text)
    else:
        (run.folder / ".aiflow/context").mkdir()
        (run.folder / ".aiflow/context/current.json").write_text(json.dumps(TICKET))
    status, out, err = run("recall", "--json", *args, stdin=stdin)
    found = json.loads(out)
    assert (status, err, found["memories"][:2], found["keywords"]) == (0, "", [LESSON, DRAFT], ["payment"])
    assert list(found) == ["memories", "tokens", "keywords"]
    assert list(found["memories"][0]["terms"]) == list(TERMS)


def test_flags_win_over_the_ticket_file(run: Run) -> None:
    _, out, _ = run(
        "recall",
        "--ticket",
        "-",
        "--json",
        "--keyword",
        "none",
        "--function",
        "F-9",
        "--workflow",
        "x",
        "Stock export",
        stdin=json.dumps(TICKET),
    )
    found = json.loads(out)
    assert [row["id"] for row in found["memories"]] == ["mem-F004-export"] or found["memories"][0][
        "id"
    ] == "mem-F004-export"


def test_tokens_are_those_of_the_text(run: Run) -> None:
    from brain.tokens import estimate

    text = run("recall", "--ticket", "-", stdin=json.dumps(TICKET))[1]
    assert (
        json.loads(run("recall", "--ticket", "-", "--json", stdin=json.dumps(TICKET))[1])["tokens"]
        == estimate(text)
        > 0
    )


def tickets(*rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def test_many_tickets_get_a_line_each_in_order(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tickets.jsonl"
    file.write_text(
        tickets({"qid": "a", "ticket": TICKET}, {"qid": 7, "ticket": {"title": "nothing like it"}})
        + "\r\n \n"
        + tickets({"ticket": {"title": "受注"}}),
        "utf-8",
    )
    status, out, err = run("recall", "--tickets", str(file), "--json", "--limit", "2")
    found = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [list(row) for row in found] == [["qid", "memories", "tokens"]] * 3
    assert found[0] == {"qid": "a", "memories": [LESSON, DRAFT], "tokens": found[0]["tokens"]}
    assert found[1] == {"qid": 7, "memories": [], "tokens": 0}
    assert (found[2]["qid"], [row["id"] for row in found[2]["memories"]]) == (None, ["mem-global-juchu"])


def test_a_limit_of_0_gives_every_relevant_one_in_rank_order(run: Run) -> None:
    for limit, expected in (("0", 3), ("1", 1), ("2", 2), ("99", 3)):
        out = run(
            "recall",
            "--tickets",
            "-",
            "--json",
            "--limit",
            limit,
            stdin=tickets({"ticket": {**TICKET, "title": "受注"}}),
        )[1]
        scores = [row["score"] for row in json.loads(out)["memories"]]
        assert (len(scores), scores) == (expected, sorted(scores, reverse=True))


def test_the_other_line_ends_of_unicode_may_stand_in_a_line(run: Run) -> None:
    rows = tickets({"qid": "a\u2028b\x85c", "ticket": {"title": "受注\u2029x"}})
    assert [json.loads(line)["qid"] for line in run("recall", "--tickets", "-", stdin=rows)[1].split("\n")[:-1]] == [
        "a\u2028b\x85c"
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", "FILE:2: no JSON: "), ("[1]", "FILE:2: no JSON object\n"), ('{"qid": 1}', "FILE:2: ticket: no JSON object\n"), ('{"ticket": [1]}', "FILE:2: ticket: no JSON object\n"),
        ('{"ticket": "x"}', "FILE:2: ticket: no JSON: "), ('{"ticket": "{}"}', ""), ("[" * 100_000, "FILE:2: no JSON: "), ("9" * 5000, "FILE:2: no JSON: "),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_by_file_and_line(run: Run, tmp_path: Path, text: str, where: str) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(tickets({"ticket": {}}) + text + "\n")
    status, out, err = run("recall", "--tickets", str(file), "--json")
    assert len(out.splitlines()) == 1 + (where == "")
    if where:
        assert err.startswith(f"brain: {where.replace('FILE', str(file))}")
        assert err.endswith('hint: write on each line {"qid": …, "ticket": {"title": …}}\n')
    assert status == (3 if where else 0)


def test_values_that_cannot_be_used_are_a_warning_with_their_line(run: Run) -> None:
    status, out, err = run(
        "recall",
        "--tickets",
        "-",
        stdin=tickets({"ticket": {"title": ["x"], "keywords": {"a": 1}, "files": "a,b", "functionId": None}}),
    )
    assert (status, json.loads(out)["memories"]) == (0, [])
    assert (
        err
        == "brain: warning: -:1: ticket: title is no text; it is ignored\nbrain: warning: -:1: ticket: keywords is no list; it is ignored\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory"),
        (b"\xff", "not UTF-8"),
        (b"", "no JSON: "),
        (b"[]", "no JSON object\n"),
        ("dir", "Is a directory"),
    ],
)
def test_a_ticket_file_that_cannot_be_used_is_an_error(run: Run, tmp_path: Path, content: Any, message: str) -> None:
    file = tmp_path / "t.json"
    if content == "dir":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content)
    status, out, err = run("recall", "--ticket", str(file))
    assert (status, out) == (3, "")
    assert err.startswith(f"brain: {file}: {message}")
    assert "hint: " in err


@pytest.mark.parametrize("limit", ["-1", "x", "1.5", "٣", ""])
def test_a_limit_that_is_no_number_is_a_usage_error(run: Run, limit: str) -> None:
    status, out, err = run("recall", f"--limit={limit}", "x")
    assert (status, out) == (2, "")
    assert "is no whole number from 0" in err


@pytest.mark.parametrize(("now", "decay"), [("2026-07-30", 0.0), ("2026-07-31", -1.0), ("2026-07-31T09:00:00Z", -1.0)])
def test_now_fixes_the_clock(run: Run, now: str, decay: float) -> None:
    out = run("recall", "--ticket", "-", "--json", "--now", now, stdin=json.dumps(TICKET))[1]
    assert json.loads(out)["memories"][0]["terms"]["decay"] == decay


def test_a_day_that_is_none_is_an_error(run: Run) -> None:
    assert run("recall", "x", "--now", "2026-02-30") == (
        3,
        "",
        "brain: --now: '2026-02-30' is not a date\nhint: write YYYY-MM-DD\n",
    )


def test_stale_is_true_false_or_unknown(run: Run, docs: Path, code: Path) -> None:
    head = git(code, "rev-parse", "HEAD")
    states = {"fresh": ("src/pay.py",), "gone": ("elsewhere:x",), "none": (), "both": ("elsewhere:x", "src/new.py")}
    first = git(code, "rev-parse", "HEAD~1")
    commit(code, {"src/new.py": "x"})
    files = {}
    for name, refs in states.items():
        path = f"01.Lessons/dev/_global/{name}.md"
        files[f"99.Memory/{path}"] = memory_text(
            path, refs=refs, verified_commit=first if name == "both" else head, tags=("here",)
        )
    path = "01.Lessons/dev/_global/marked.md"
    files[f"99.Memory/{path}"] = memory_text(path, stale=True, tags=("here",))
    commit(docs, files)
    out = run("recall", "--keyword", "here", "--json")[1]
    assert {row["id"][11:]: row["stale"] for row in json.loads(out)["memories"]} == {
        "fresh": False,
        "gone": "unknown",
        "none": False,
        "both": True,
        "marked": True,
    }


def test_explain_is_a_table_of_terms_and_reasons(run: Run, docs: Path) -> None:
    new = "00.Shared/decisions/new.md"
    commit(
        docs,
        {
            f"99.Memory/{new}": memory_text(
                new, tags=("zzz",), workflows=("none",), supersedes=("mem-global-juchu",), body="word " * 1500
            )
        },
    )
    status, out, err = run(
        "recall",
        "Payment of 受注",
        "--function",
        "F-003",
        "--workflow",
        "coding",
        "--keyword",
        "ZZZ",
        "--explain",
        "--limit",
        "3",
    )
    assert (status, err) == (0, "")
    assert (
        out
        == """\
keywords: order-entry*, payment*, zzz  (* read from the title or description)
id                score    function    workflow        tags  confidence       decay     pending    affinity
mem-F003-retry     8.80       +3.00       +2.00       +2.00       +0.80           .           .       +1.00  stale
mem-F003-draft     7.90       +3.00       +2.00       +2.00       +0.40           .       -0.50       +1.00  draft
mem-global-new     2.80           .           .       +2.00       +0.80       -1.00           .       +1.00  no-room
-- left out: mem-global-juchu, replaced by mem-global-new --
"""
    )
    out = run("recall", "Payment", "--function", "F-003", "--workflow", "coding", "--explain", "--limit", "1")[1]
    assert [line[:28] for line in out.splitlines()[2:]] == [
        "mem-F003-retry     8.80     ",
        "-- left out: beyond the 1 th",
        "mem-F003-draft     7.90     ",
    ]


def test_explain_lists_the_next_best_and_counts_the_rest(run: Run, docs: Path) -> None:
    commit(
        docs,
        {
            f"99.Memory/00.Shared/decisions/d{n:02}.md": memory_text(f"00.Shared/decisions/d{n:02}.md", tags=("many",))
            for n in range(40)
        },
    )
    lines = run("recall", "--keyword", "many", "--explain")[1].splitlines()
    assert len(lines) == 2 + 10 + 1 + 20 + 1
    assert (lines[12], lines[-1]) == (
        "-- left out: beyond the 10 that this ticket gets --",
        "-- left out: 10 more below these --",
    )


def test_explain_of_nothing_says_what_was_looked_for(run: Run) -> None:
    assert run("recall", "office", "--explain") == (1, "keywords: none\n", "brain: nothing relevant\n")


def test_the_scorer_may_be_chosen(run: Run) -> None:
    title = "The stock export at night"
    for scorer, text in (("rule", 0.0), ("hybrid", 8.0)):
        (row,) = [
            row
            for row in json.loads(
                run("recall", "Entry of an order", "--keyword", "order-entry", "--json", "--scorer", scorer)[1]
            )["memories"]
            if "juchu" in row["id"]
        ]
        assert row["terms"]["text"] == text
    assert run("recall", title, "--scorer", "magic")[0] == 2


def test_the_ticket_may_be_about_files(run: Run) -> None:
    out = run(
        "recall", "--file", "src/支払い.py", "--file", "src/pay.py", "--file", "x", "--json", "--scorer", "hybrid"
    )[1]
    (row,) = json.loads(out)["memories"]
    assert (row["id"], row["terms"]["files"]) == ("mem-F003-retry", round(4 * 2 / 3, 6))


def test_what_the_branch_changed_counts_where_the_ticket_names_no_file(run: Run, code: Path) -> None:
    git(code, "switch", "-q", "-c", "feature")
    commit(code, {"src/支払い.py": "two\n"})
    (row,) = json.loads(run("recall", "--json", "--scorer", "hybrid")[1])["memories"]
    assert (row["id"], row["terms"]["files"], row["stale"]) == (
        "mem-F003-retry",
        4.0 / 2,
        True,
    )  # .aiflow/state.json is committed too
    assert run("recall", "--json", "--scorer", "rule")[0] == 1


def test_a_broken_ticket_of_the_workspace_is_a_warning(run: Run) -> None:
    (run.folder / ".aiflow/context").mkdir()
    (run.folder / ".aiflow/context/current.json").write_text("{")
    status, _, err = run("recall", "payment")
    assert (status, err) == (
        0,
        f"brain: warning: {run.folder}/.aiflow/context/current.json: not a JSON object that can be read; it is ignored\n",
    )


def test_no_memory_repo_is_said_with_the_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    status, out, err = Run(tmp_path / "empty", capsys, monkeypatch)("recall", "x")
    assert (status, out) == (3, "")
    assert err.startswith("brain: no memory repo: ")
    assert "hint: run brain init" in err


def test_it_runs_in_a_c_locale_from_a_folder_with_any_name(run: Run, docs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "空 đơn"
    git(docs, "clone", "-q", "--bare", str(docs), str(folder))
    rows = tickets({"qid": "支", "ticket": {"title": "受注"}}).encode()
    for locale in ({"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}):
        done = program("recall", "--tickets", "-", "--json", folder=folder, input=rows, env=locale)
        assert (done.returncode, done.stderr) == (0, b"")
        found = json.loads(done.stdout.decode("utf-8"))
        assert (found["qid"], [row["id"] for row in found["memories"]]) == ("支", ["mem-global-juchu"])
    done = program("recall", "在庫 stock-export", folder=folder, env={"LC_ALL": "C"})
    assert (done.returncode, "在庫の出力は夜間に行う。" in done.stdout.decode()) == (0, True)


def test_closed_ends_are_no_bug(run: Run) -> None:
    command = f"'{sys.executable}' -m brain -C '{run.folder}' recall payment"
    for line, status in (
        (f"{command} >&-", 0),
        (f"{command} --ticket - <&-", 3),
        (f"{command} --index --limit 0 | true", 0),
        (f"{command} >/dev/full", 3),
    ):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, check=False, env={**os.environ, **CODE}
        )
        assert (done.returncode, b"Traceback" in done.stderr, line) == (status, False, line), done.stderr


def test_the_same_ticket_gives_the_same_bytes_twice(run: Run) -> None:
    first = run("recall", "--ticket", "-", "--explain", stdin=json.dumps(TICKET))
    assert run("recall", "--ticket", "-", "--explain", stdin=json.dumps(TICKET)) == first

"""``brain remember``: one draft, where its approved file will lie, whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from brain.cli import main
from brain.frontmatter import split
from brain.guess import language_of
from brain.layout import find_place
from brain.memory import parse_memory
from brain.workspace import open_brain
from tests.support.program import C_LOCALE
from tests.support.repos import PROGRAM, ROOT, commit, git, make_memory_repo, make_repo, memory_text, pending

LESSON = "01.Lessons/dev/F-003_Payment/retry.md"
TEXT = "A refused payment is tried again on the next working day."


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a memory repo with one approved lesson, which is the workspace too."""
    return make_memory_repo(tmp_path / "docs", {LESSON: memory_text(LESSON, tags=("payment", "retry"), hits=3)})


def run(repo: Path, *args: str) -> int:
    return main(["-C", str(repo), "remember", *args])


def drafts(repo: Path) -> dict[str, str]:
    folder = repo / ROOT / "_pending"
    return {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def only_draft(repo: Path) -> dict[str, object]:
    """Return the frontmatter of the one draft, as any YAML reader sees it."""
    (text,) = drafts(repo).values()
    return dict(yaml.safe_load(split(text, "")[0]))


def program(repo: Path, *args: str | bytes, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-m", "brain", "-C", str(repo), "remember", *args]
    return subprocess.run(argv, env={**os.environ, **PROGRAM, **env}, capture_output=True, check=False, input=stdin)


def test_a_text_becomes_a_draft_and_every_guess_is_said(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_NOW", "2026-05-04")
    assert run(repo, TEXT, "--apply", "plan the retry job for it") == 0
    out, err = capsys.readouterr()
    path = "01.Lessons/dev/_global/a-refused-payment-is-tried-again-on-the-next.md"
    assert out == f"mem-global-a-refused-payment-is-tried-again-on-the-next\t{ROOT}/_pending/{path}\n"
    assert drafts(repo) == {
        path: f"""---
id: mem-global-a-refused-payment-is-tried-again-on-the-next
type: lesson
workflows: [coding, review]
tags: [payment, retry, refused]
scope: global
confidence: 0.6
source: manual 2026-05-04
status: pending
hits: 0
created: 2026-05-04
reviewed_by:
refs: []
verified_commit:
stale: false
---

{TEXT}

**Apply:** plan the retry job for it
"""
    }
    assert [line.partition(" (")[0] for line in err.splitlines()] == [
        "brain: guessed: type lesson", "brain: guessed: role dev", "brain: guessed: workflows coding, review",
        "brain: guessed: tags payment, retry, refused",
    ]  # fmt: skip


def test_options_say_what_is_not_to_be_guessed(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = git(repo, "rev-parse", "HEAD")
    options = ["--type", "fact", "--area", "domain", "--scope", "F-003", "--slug", "retry-day", "--tags", "Thanh toán,retry,retry",
               "--workflows", "create-spec,coding", "--confidence", "0.9", "--source", "T-9 / MR !3", "--refs", f"docs:{ROOT}/brain.toml",
               "--hook", "Refused payments: next day", "--aliases", "支払い, payment"]  # fmt: skip
    assert run(repo, TEXT, *options) == 0
    assert list(drafts(repo)) == ["00.Shared/domain/F-003_Payment/retry-day.md"]
    fields = only_draft(repo)
    assert {key: fields[key] for key in ("id", "tags", "workflows", "confidence", "source", "refs", "verified_commit", "hook", "aliases")} == {
        "id": "mem-F003-retry-day", "tags": ["thanh-toan", "retry"], "workflows": ["create-spec", "coding"], "confidence": 0.9,
        "source": "T-9 / MR !3", "refs": [f"docs:{ROOT}/brain.toml"], "verified_commit": head,
        "hook": "Refused payments: next day", "aliases": ["支払い", "payment"],
    }  # fmt: skip
    assert capsys.readouterr().err.splitlines()[0] == "brain: scope F-003 is the folder F-003_Payment"


@pytest.mark.parametrize(
    ("text", "options", "area"),
    [
        ("We decided to keep prices as whole yen.", [], "00.Shared/decisions"),
        ("SKU means stock keeping unit in all our documents.", [], "00.Shared/glossary"),
        ("受注とは、顧客からの注文を受けることである。", [], "00.Shared/glossary"),
        ("キャッシュを必ず消すこと。", [], "01.Lessons/dev/_global"),
        ("Quyết định: giá lưu bằng số nguyên.", [], "00.Shared/decisions"),
        ("Prices are whole yen.", ["--area", "domain"], "00.Shared/domain/_global"),
        ("Prices are whole yen.", ["--role", "qa"], "01.Lessons/qa/_global"),
        ("Prices are whole yen.", ["--type", "instinct"], "02.Instincts/approved/_global"),
    ],
)
def test_the_place_follows_from_type_area_role_or_the_text(
    repo: Path, text: str, options: list[str], area: str
) -> None:
    assert run(repo, text, *options) == 0
    assert os.path.dirname(next(iter(drafts(repo)))) == area


def test_the_ticket_gives_scope_role_and_source(repo: Path) -> None:
    context = repo / ".aiflow/context/current.json"
    context.parent.mkdir(parents=True)
    context.write_text('{"taskId": "T-77", "functionId": "F-003", "workflow": "create-testcase", "gate": "Gate 2"}')
    assert run(repo, TEXT, "--role", "qa") == 0
    assert next(iter(drafts(repo))).startswith("01.Lessons/qa/F-003_Payment/")
    assert only_draft(repo)["source"] == "T-77 / gate 2"


def test_a_function_that_can_name_no_folder_is_not_dropped_silently(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = repo / ".aiflow/context/current.json"
    context.parent.mkdir(parents=True)
    context.write_text('{"functionId": "Thanh toán"}')
    assert run(repo, TEXT, "--role", "qa") == 0
    assert "brain: the ticket's function 'Thanh toán' cannot name a folder: global is taken (--scope)" in (
        capsys.readouterr().err.splitlines()
    )


def test_a_text_without_ascii_is_named_by_its_tags_or_its_hash_and_that_is_said(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(repo, "支払いの再試行は２回まで。", "--tags", "payment,limit") == 0
    assert "guessed: slug payment-limit" in capsys.readouterr().err
    assert run(repo, "在庫は夜間に締める。") == 0
    assert "the text gives no slug in ASCII: it is called note-" in capsys.readouterr().err
    assert len(drafts(repo)) == 2


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("在庫を確認する。", "**適用:** x"),
        ("Kiểm tra tồn kho trước khi xuất đơn.", "**Áp dụng:** x"),
        (TEXT, "**Apply:** x"),
    ],
)
def test_the_apply_line_speaks_the_texts_language(repo: Path, text: str, label: str) -> None:
    assert run(repo, text, "--apply", "x", "--slug", "a", "--tags", "zz") == 0
    assert next(iter(drafts(repo).values())).endswith(f"\n\n{text}\n\n{label}\n")


def test_an_apply_line_that_is_there_is_kept(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, f"{TEXT}\n\n**Apply:** wait", "--apply", "x") == 0
    assert "--apply is left out" in capsys.readouterr().err
    assert next(iter(drafts(repo).values())).endswith("**Apply:** wait\n")


def test_what_will_not_pass_review_is_said_before_writing(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, "word " * 151, "--slug", "long") == 0
    err = capsys.readouterr().err
    assert "warning: 151 words, 150 at most" in err
    assert "warning: no apply line" in err


def test_an_approved_id_is_not_proposed_twice(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, TEXT, "--scope", "F-003", "--slug", "retry", "--force") == 6
    assert "--update mem-F003-retry" in capsys.readouterr().err
    assert run(repo, TEXT, "--type", "fact", "--area", "domain", "--scope", "F-003", "--slug", "retry") == 6
    assert drafts(repo) == {}


def test_a_draft_is_never_written_over(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, TEXT, "--slug", "x") == 0
    before = drafts(repo)
    assert run(repo, "Something else entirely, about fonts.", "--slug", "x", "--force") == 6
    assert "there is a draft mem-global-x already" in capsys.readouterr().err
    assert drafts(repo) == before


def test_an_unreadable_draft_is_not_written_over_either(repo: Path) -> None:
    pending(repo, "01.Lessons/dev/_global/x.md", "broken")
    assert run(repo, TEXT, "--slug", "x") == 6
    assert list(drafts(repo).values()) == ["broken"]


def test_a_near_duplicate_stops_it_unless_forced(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = "Retry the payment at most twice.\n\n**Apply:** count the tries."
    assert run(repo, again, "--tags", "payment", "--json") == 6
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["written"], found["path"], [other["id"] for other in found["similar"]]) == (
        False,
        "",
        ["mem-F003-retry"],
    )
    assert "--update mem-F003-retry" in err
    assert drafts(repo) == {}
    assert run(repo, again, "--tags", "payment", "--force", "--json") == 0
    assert json.loads(capsys.readouterr().out)["written"] is True


def test_an_update_keeps_place_and_every_other_byte(repo: Path) -> None:
    odd = memory_text(LESSON, tags=("payment",), hits=3).replace(
        "tags: [payment]", "tags:   # hand-made\n  - 'payment'\nx-own: 1"
    )
    odd = odd.replace("\n", "\r\n")
    commit(repo, {f"{ROOT}/{LESSON}": odd.encode()}, "odd")
    assert run(repo, "--update", "mem-F003-retry", "--tags", "payment,limit", "--apply", "") == 0
    expected = (
        odd.replace("  - 'payment'\r\n", "  - 'payment'\r\n  - limit\r\n")
        .replace("status: approved", "status: pending")
        .replace("reviewed_by: pm", "reviewed_by:")
    )
    assert drafts(repo) == {LESSON: expected}
    assert run(repo, "Retry a card payment once.", "--update", "mem-F003-retry", "--apply", "count") == 0
    text = drafts(repo)[LESSON]
    assert text.endswith("---\r\n\r\nRetry a card payment once.\r\n\r\n**Apply:** count\r\n")
    assert text.startswith(expected.partition("\r\n---\r\n")[0])


def test_an_update_of_what_is_proposed_to_go_is_a_draft_that_proposes_no_removal(repo: Path) -> None:
    text = memory_text(LESSON, removal="soft", removal_reason="old")
    commit(repo, {f"{ROOT}/{LESSON}": text}, "a removal that nobody approved")
    assert run(repo, "Retry a card payment once.", "--update", "mem-F003-retry", "--apply", "count") == 0
    assert "removal" not in drafts(repo)[LESSON]


def test_an_update_of_nothing_or_to_the_same_is_an_error(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, TEXT, "--update", "mem-global-nothing") == 1
    assert run(repo, "--update", "mem-F003-retry", "--tags", "payment,retry") == 3
    assert "nothing would change" in capsys.readouterr().err
    assert run(repo, TEXT, "--update", "mem-F003-retry", "--slug", "y") == 3
    assert "--slug would move" in capsys.readouterr().err


def test_an_assistants_confidence_is_held_in_its_bounds(repo: Path) -> None:
    assert run(repo, TEXT, "--by-assistant", "--confidence", "0.95") == 0
    assert only_draft(repo)["confidence"] == 0.7
    assert run(repo, "--update", "mem-F003-retry", "--by-assistant", "--confidence", "0.1", "--force") == 0
    assert "confidence: 0.3\n" in drafts(repo)[LESSON]


@pytest.mark.parametrize("value", ["1.5", "-0.1", "nan"])
def test_a_confidence_outside_its_range_is_refused(repo: Path, value: str) -> None:
    assert run(repo, TEXT, f"--confidence={value}") == 3


def test_refs_in_several_repos_get_a_commit_each_and_missing_ones_a_warning(
    tmp_path: Path, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = make_repo(
        tmp_path / "code", {"src/pay.py": "x", ".aiflow/state.json": json.dumps({"memory": {"repo": str(repo)}})}
    )
    refs = ["src/*.py", f"docs:{ROOT}/brain.toml", "src/gone.py", "other:x"]
    assert run(code, TEXT, *(part for ref in refs for part in ("--refs", ref))) == 0
    assert only_draft(repo)["verified_commit"] == {
        "code": git(code, "rev-parse", "HEAD"),
        "docs": git(repo, "rev-parse", "HEAD"),
    }
    err = capsys.readouterr().err
    assert "warning: ref src/gone.py: commit" in err
    assert "warning: ref other:x: there is no repo" in err
    assert "src/*.py" not in err


HOSTILE = ["x\n---\nstatus: approved", "a: b", "# x", "'\"", "{a: b}", "[a]", "!!python/object", "&a *b", "- x", "null", "1e5", "0o7", "2026-01-01",
           "%TAG", "a\\nb", "x #y", "@x", "`x`", "---", "...", "é: ", "> x", "| y", "? z", "12:30", "a\u2028b", "~", "a, b]", "\x1b[31m"]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("option", ["--source", "--hook", "--aliases", "--refs", "--workflows"])
def test_no_value_can_write_frontmatter(repo: Path, value: str, option: str) -> None:
    status = run(repo, TEXT, "--slug", "x", f"{option}={value}")
    if status:
        assert (status, drafts(repo)) == (3, {})
        return
    (path, text), *_ = drafts(repo).items()
    place = find_place(path)
    assert place
    memory = parse_memory(text, place)
    key = option[2:]
    found = getattr(memory, key)
    parts = value.split(",") if key in ("aliases", "workflows") else [value]
    assert list(found if isinstance(found, tuple) else [found]) == [part.strip() for part in parts]
    fields = yaml.safe_load(split(text, "")[0])
    assert (fields["status"], fields["id"], len(fields)) == (
        "pending",
        "mem-global-x",
        14 if key not in ("hook", "aliases") else 15,
    )


@pytest.mark.parametrize(
    "body", ["---\nstatus: approved\n---\nx", "Text\n---\nstatus: approved\n---\n", "a\r\n---\r\nb", "...\nx"]
)
def test_rules_in_the_body_are_only_body(repo: Path, body: str) -> None:
    assert run(repo, "--slug", "x", "--", body) == 0
    brain = open_brain(str(repo), {})
    assert brain.drafts
    memory = brain.drafts.segment.memory(0)
    assert (memory.status, memory.body) == ("pending", body.replace("\r\n", "\n").strip())


@pytest.mark.parametrize(
    "options",
    [
        ["--slug", "../x"], ["--slug", "X"], ["--slug", "a/b"], ["--scope", "../.."], ["--scope", "_x"], ["--scope", "a b"], ["--tags", "a b/c"],
        ["--tags", "在庫"], ["--role", "qa", "--type", "fact"], ["--area", "domain", "--type", "lesson"],
    ],
)  # fmt: skip
def test_values_that_cannot_be_used_are_refused_before_anything_is_written(
    repo: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(repo, TEXT, *options) == 3
    assert "hint: " in capsys.readouterr().err
    assert not (repo / ROOT / "_pending").exists()


def test_invisible_characters_are_taken_out_and_that_is_said(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(repo, f"{TEXT}\u200b\u202e", "--slug", "x") == 0
    assert "invisible characters were taken out" in capsys.readouterr().err
    assert TEXT + "\n" in next(iter(drafts(repo).values()))


def test_drafts_are_ignored_by_git_before_the_first_one_is_there(repo: Path) -> None:
    assert run(repo, TEXT) == 0
    assert git(repo, "status", "--porcelain", "-uall") == ""
    assert (repo / ".git/info/exclude").read_text().endswith(f"/{ROOT}/_pending/\n")


def test_a_rule_that_lets_drafts_into_git_stops_it(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / ROOT / ".gitignore").write_text("!_pending/\n!_pending/**\n")
    assert run(repo, TEXT) == 3
    assert "a draft could be pushed by accident" in capsys.readouterr().err
    assert drafts(repo) == {}


def test_a_place_that_cannot_be_written_is_a_clear_error(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / ROOT / "_pending").write_text("a file")
    assert run(repo, TEXT) == 3
    assert "_pending" in capsys.readouterr().err


def test_a_file_where_a_folder_belongs_is_a_clear_error(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / ROOT / "_pending").mkdir()
    (repo / ROOT / "_pending/01.Lessons").write_text("a file")
    assert run(repo, TEXT) == 3
    assert "_pending/01.Lessons" in capsys.readouterr().err


def test_of_two_at_once_one_writes_and_one_is_told(repo: Path) -> None:
    argv = [sys.executable, "-m", "brain", "-C", str(repo), "remember", "--slug", "x", "--force"]
    texts = [f"Note {number}: fonts are loaded late." for number in range(4)]
    running = [
        subprocess.Popen([*argv, text], env={**os.environ, **PROGRAM}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for text in texts
    ]
    ended = sorted((process.communicate()[1].count(b"Traceback"), process.returncode) for process in running)
    assert ended == [(0, 0), (0, 6), (0, 6), (0, 6)]
    assert len(drafts(repo)) == 1


def test_text_comes_from_standard_input(repo: Path) -> None:
    done = program(repo, "--slug", "a", stdin=f"\ufeff{TEXT}\r\nMore.\r\n".encode())
    assert (done.returncode, done.stdout.decode()) == (
        0,
        f"mem-global-a\t{ROOT}/_pending/01.Lessons/dev/_global/a.md\n",
    )
    assert drafts(repo)["01.Lessons/dev/_global/a.md"].endswith(f"\n\n{TEXT}\nMore.\n")
    assert (
        program(
            repo,
            "-",
            "--slug",
            "b",
            stdin="Đơn hàng bị khóa.".encode(),
            **C_LOCALE,
        ).returncode
        == 0
    )
    assert "Đơn hàng bị khóa." in drafts(repo)["01.Lessons/dev/_global/b.md"]
    assert program(repo, "-", stdin=b"\xff\xfe").returncode == 3
    assert program(repo, stdin=b"").returncode == 1
    assert len(drafts(repo)) == 2


def test_no_locale_and_no_open_input_can_break_it(repo: Path) -> None:
    done = program(repo, "支払いは翌営業日に再試行する。".encode(), "--slug", "a", stdin=b"", **C_LOCALE)
    assert (done.returncode, done.stderr.count(b"Traceback")) == (0, 0)
    assert "支払いは翌営業日に再試行する。" in drafts(repo)["01.Lessons/dev/_global/a.md"]
    for env in ({}, C_LOCALE):
        done = program(repo, b"\xff\xfe bytes", stdin=b"", **env)
        assert (done.returncode, done.stderr.count(b"Traceback")) == (3, 0)
    argv = f'exec "{sys.executable}" -m brain -C "{repo}" remember <&-'
    done = subprocess.run(["sh", "-c", argv], env={**os.environ, **PROGRAM}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"brain: the text is empty: nothing was written\n")


def editor(tmp_path: Path, script: str) -> str:
    path = tmp_path / "my editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"'{path}' --flag"


def test_the_editor_gets_a_template_whose_comments_are_stripped(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "VISUAL", editor(tmp_path, f'[ "$1" = --flag ] && grep -q "One fact" "$2" && sed -i "1i {TEXT}" "$2"')
    )
    assert run(repo, "--edit", "--slug", "x") == 0
    assert next(iter(drafts(repo).values())).endswith(f"---\n\n{TEXT}\n")


@pytest.mark.parametrize(("script", "status"), [("true", 1), (': > "$2"', 1), ("exit 1", 3), ('rm "$2"', 3)])
def test_an_editor_that_leaves_nothing_writes_nothing(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, status: int
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, script))
    assert run(repo, "--edit") == status
    assert drafts(repo) == {}


@pytest.mark.parametrize("name", ["no-such-editor", "'open quote", "  "])
def test_an_editor_that_is_not_there_is_a_clear_error(repo: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("VISUAL", name)
    assert run(repo, "--edit") == 3


def test_without_a_memory_repo_it_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, TEXT) == 3
    assert "run brain init" in capsys.readouterr().err


def test_a_bare_memory_repo_takes_no_drafts(
    repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(tmp_path / "bare"))
    monkeypatch.setenv("BRAIN_MEMORY_REPO", str(tmp_path / "bare"))
    assert run(tmp_path, TEXT) == 3
    assert "bare" in capsys.readouterr().err


def test_a_language_is_told_by_its_script() -> None:
    assert [language_of(text) for text in ("", "naïve café", "Áp dụng cho đơn hàng", "API の再試行")] == [
        "en",
        "en",
        "vi",
        "ja",
    ]


def test_a_slug_says_no_device_and_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_memory_repo(tmp_path / "docs")
    assert run(repo, TEXT, "--slug", "con") == 3
    assert "Windows" in capsys.readouterr().err
    secret = "glpat-" + "x7Kq2mVn8Rt4Lp9Wz3Yb"
    run(repo, f"Deploy token {secret} opens staging.", "--force")
    said = capsys.readouterr()
    assert "deploy-token" in said.out + said.err
    assert secret.lower() not in (said.out + said.err).lower()


GONE = "01.Lessons/dev/F-003_Payment/gone.md"
GONE_BODY = "Refunds are booked on the day of the order.\n\n**Apply:** use the order's date."


@pytest.fixture
def with_removed(repo: Path) -> Path:
    """Return the memory repo with a memory that was softly removed."""
    text = memory_text(
        GONE, GONE_BODY, tags=("refund",), status="deprecated", removal="soft", removal_reason="wrong since the audit"
    )
    return commit(repo, {f"{ROOT}/_deprecated/{GONE}": text})


def test_what_was_removed_before_is_told_and_stops_it_unless_forced(
    with_removed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = (GONE_BODY, "--tags", "refund", "--slug", "refund-day")
    assert run(with_removed, *again, "--json") == 6
    out, err = capsys.readouterr()
    day = git(with_removed, "log", "-1", "--format=%cs")
    assert f"warning: mem-F003-gone, 100% like it, was removed on {day} by pm: wrong since the audit\n" in err
    assert (
        "nothing was written: mem-F003-gone, removed before, says nearly the same\nhint: brain restore mem-F003-gone brings it back, or --force"
        in err
    )
    found = json.loads(out)
    assert (found["written"], found["rejected"]) == (
        False, [{"id": "mem-F003-gone", "similarity": 1.0, "removed": True, "when": day, "by": "pm", "reason": "wrong since the audit", "url": None}],
    )  # fmt: skip
    assert drafts(with_removed) == {}
    assert run(with_removed, *again, "--force") == 0
    assert len(drafts(with_removed)) == 1


def test_an_update_that_is_like_something_removed_is_told_and_written(
    with_removed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(with_removed, GONE_BODY, "--update", "mem-F003-retry", "--tags", "refund") == 0
    assert "warning: mem-F003-gone, 100% like it, was removed on" in capsys.readouterr().err
    assert list(drafts(with_removed)) == [LESSON]


def test_the_id_of_a_removed_memory_is_not_given_again(with_removed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(with_removed, TEXT, "--scope", "F-003", "--slug", "gone", "--tags", "day") == 6
    assert "nothing was written: mem-F003-gone, removed before, has that id\n" in capsys.readouterr().err
    assert drafts(with_removed) == {}

"""``brain sync``: what it costs, what it drafts, and that nothing comes twice (SPEC §3)."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from brain.sources.cursor import synced_commits
from brain.workspace import open_brain
from tests.support.program import CODE, SHEBANG
from tests.support.repos import ROOT, commit, git

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.program import Run

RECORD = """# 7. One queue for each tenant

## Status

Accepted

## Context

A shared queue let one tenant hold up all others.

## Decision

Each tenant has a queue of its own. A worker takes from the longest one.
"""
GLOSSARY = """# Glossary

| 日本語 | Tiếng Việt | English | Definition |
|---|---|---|---|
| 受注 | đơn đặt hàng | sales order | A customer's order that was accepted. |
| 出荷 | xuất hàng | shipment | Goods that left the warehouse. |
"""
ADR, TERMS, PROSE = "docs/adr/0007-queue.md", "docs/用語 list/glossary.md", "docs/prose.md"
QUEUE = "00.Shared/decisions/one-queue-for-each-tenant.md"
ORDER, SHIPMENT = "00.Shared/glossary/sales-order.md", "00.Shared/glossary/shipment.md"
MODEL = r"""
import json, os, re, sys, time
prompt = sys.stdin.buffer.read().decode()
with open(os.environ["CALLS"], "a") as calls:
    calls.write(re.search(r'The document "([^"]*)"', prompt)[1] + "\n")
mark = re.findall(r"^DOCUMENT-[0-9a-f]{16}$", prompt, re.M)[-1]
text = prompt.split("\n" + mark + "\n")[1]
rows = re.findall(r"^Fact (\w+): (.*)$", text, re.M)
mode = os.environ.get("MODE", "")
if mode == "hang":
    time.sleep(60)
if mode == "garbage":
    print("I am sorry, Dave.")
elif mode == "killed":
    os.kill(os.getpid(), 9)
else:
    pieces = [{"type": "fact", "part": "domain", "title": name, "text": said, "apply": "know it.", "tags": [name]} for name, said in rows]
    print(json.dumps({"pieces": pieces}))
"""


@pytest.fixture
def shop(run: Run) -> Run:
    """Return the workspace, with documents."""
    git(run.folder, "remote", "add", "origin", "https://git.example.com/team/shop.git")
    commit(run.folder, {ADR: RECORD, TERMS: GLOSSARY, "README.md": "# Shop\n\nIt sells.\n", "src/a.py": "# x\n"})
    return run


@pytest.fixture
def model(shop: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a program as the model, and return the file that lists what it was asked about."""
    program, calls = tmp_path / "a model", tmp_path / "calls"
    program.write_text(SHEBANG + MODEL)
    program.chmod(0o755)
    monkeypatch.setenv("BRAIN_MODEL_COMMAND", json.dumps([str(program)]))
    monkeypatch.setenv("CALLS", str(calls))
    commit(shop.folder, {PROSE: "# Notes\n\nFact noon: Orders close at noon on Fridays.\n", "README.md": None})
    return calls


def drafts(docs: Path) -> dict[str, str]:
    folder = docs / ROOT / "_pending"
    found = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}
    return {path: text for path, text in found.items() if not path.endswith("/draft.md")}


def sync(run: Run, *args: str) -> dict[str, Any]:
    """Run it and return what it says as JSON."""
    status, out, err = run("sync", "--yes", "--json", *args)
    assert status in (0, 1), err
    found: dict[str, Any] = json.loads(out)
    assert status == bool(found["failed"])
    return found


def approve(docs: Path) -> None:
    """Make every draft approved."""
    for path, text in drafts(docs).items():
        (docs / ROOT / "_pending" / path).unlink()
        commit(
            docs,
            {
                f"{ROOT}/{path}": text.replace("status: pending", "status: approved").replace(
                    "reviewed_by:", "reviewed_by: pm"
                )
            },
        )


def test_it_says_the_cost_and_does_not_start_unasked(shop: Run, docs: Path) -> None:
    head = git(shop.folder, "rev-parse", "HEAD")[:12]
    status, out, err = shop("sync")
    assert (status, out) == (3, "")
    assert err.splitlines() == [
        f"brain: shop at {head}: 3 of 3 documents to read (read for the first time); the built-in readers know 2",
        "brain: cost: no model is asked", "brain: nobody is there to say that it is to start", "hint: add --yes, or --dry-run to look",
    ]  # fmt: skip
    assert drafts(docs) == {}
    status, out, err = shop("sync", "--dry-run")
    assert (status, out.count("new\t")) == (0, 3)
    assert err.endswith("brain: would be 3 new and 0 updated drafts\n")
    assert drafts(docs) == {}
    assert sync(shop, "--dry-run")["written"] is False


def test_a_person_is_asked_and_sees_how_far_it_is(shop: Run, docs: Path) -> None:
    def talk(answer: bytes) -> bytes:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "brain", "-C", str(shop.folder), "sync"], env={**os.environ, **CODE}, stdin=theirs, stdout=theirs, stderr=theirs,
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, answer)
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:  # a terminal ends so
            pass
        process.wait()
        os.close(ours)
        return said

    assert b"nothing was read" in talk(b"\n")
    assert drafts(docs) == {}
    said = talk(b"y\n")
    assert b"Start? [y/N]" in said
    assert b"3/3 " in said
    assert len(drafts(docs)) == 3


def test_documents_become_drafts_with_their_source_and_a_second_run_has_nothing_to_do(shop: Run, docs: Path) -> None:
    head = git(shop.folder, "rev-parse", "HEAD")
    found = sync(shop)
    assert [(row["action"], row["id"]) for row in found["drafts"]] == [
        ("new", "mem-global-one-queue-for-each-tenant"), ("new", "mem-global-sales-order"), ("new", "mem-global-shipment"),
    ]  # fmt: skip
    assert set(drafts(docs)) == {QUEUE, ORDER, SHIPMENT}
    text = drafts(docs)[QUEUE]
    assert f"source: shop:{ADR}#decision @ {head[:12]}\nstatus: pending\n" in text
    assert "confidence: 0.5\n" in text
    assert text.endswith("**Apply:** keep to “One queue for each tenant”.\n")
    assert shop("lint", "--drafts")[0] in (0, 2)
    assert synced_commits(open_brain(str(shop.folder), {}).repo) == {"shop": head}
    before = drafts(docs)
    again = sync(shop)
    assert (again["documents"], again["drafts"]) == (0, [])
    git(docs, "gc", "-q")
    (docs / ".git/brain/sync").rename(docs / ".git/brain/gone")  # another machine, or a cleaned one
    again = sync(shop)
    assert (again["documents"], again["drafts"], again["same"]) == (3, [], 3)
    assert drafts(docs) == before


def test_a_changed_document_updates_its_memory_and_its_other_ones_stay(shop: Run, docs: Path) -> None:
    sync(shop)
    before = drafts(docs)
    commit(shop.folder, {TERMS: GLOSSARY.replace("left the warehouse", "left the warehouse gate")})
    found = sync(shop)
    assert [(row["action"], row["id"]) for row in found["drafts"]] == [("update", "mem-global-shipment")]
    assert (found["documents"], found["same"]) == (1, 1)
    assert drafts(docs).keys() == before.keys()
    assert "warehouse gate" in drafts(docs)[SHIPMENT]
    assert drafts(docs)[ORDER] == before[ORDER]


def test_an_approved_memory_gets_an_update_draft_and_is_not_touched(shop: Run, docs: Path) -> None:
    sync(shop)
    approve(docs)
    approved = (docs / ROOT / QUEUE).read_text("utf-8")
    assert sync(shop)["documents"] == 0
    commit(shop.folder, {ADR: RECORD.replace("from the longest one", "from the oldest one")})
    assert [(row["action"], row["id"]) for row in sync(shop)["drafts"]] == [
        ("update", "mem-global-one-queue-for-each-tenant")
    ]
    assert set(drafts(docs)) == {QUEUE}
    assert "from the oldest one" in drafts(docs)[QUEUE]
    assert (docs / ROOT / QUEUE).read_text("utf-8") == approved
    commit(shop.folder, {ADR: RECORD.replace("from the longest one", "from the newest one")})
    assert [row["action"] for row in sync(shop)["drafts"]] == ["update"]
    assert "from the newest one" in drafts(docs)[QUEUE]


def test_a_reviewers_words_stay_while_the_document_does(shop: Run, docs: Path) -> None:
    sync(shop)
    approve(docs)
    text = (docs / ROOT / QUEUE).read_text("utf-8")
    commit(docs, {f"{ROOT}/{QUEUE}": text.replace("A worker takes", "Every worker takes")})
    (docs / ".git/brain/sync").rename(docs / ".git/brain/gone")
    assert sync(shop)["drafts"] == []


def test_a_draft_that_a_person_changed_is_left_to_them(shop: Run, docs: Path) -> None:
    sync(shop)
    path = docs / ROOT / "_pending" / QUEUE
    mine = path.read_text("utf-8").replace("A worker takes", "Mine: a worker takes")
    path.write_text(mine, "utf-8")
    commit(shop.folder, {ADR: RECORD.replace("from the longest one", "from the oldest one")})
    found = sync(shop)
    assert found["drafts"] == []
    assert "so did you change the draft mem-global-one-queue" in found["left"][0]["why"]
    assert path.read_text("utf-8") == mine


def test_a_renamed_document_is_the_same_one(shop: Run, docs: Path) -> None:
    sync(shop)
    approve(docs)
    git(shop.folder, "mv", ADR, "docs/adr/0008-kolejka.md")
    git(shop.folder, "mv", TERMS, "docs/terms glossary.md")
    commit(shop.folder, {"docs/terms glossary.md": GLOSSARY.replace("left the warehouse", "left the warehouse gate")})
    found = sync(shop)
    assert [(row["action"], row["id"]) for row in found["drafts"]] == [("update", "mem-global-shipment")]
    (docs / ".git/brain/sync").rename(docs / ".git/brain/gone")
    assert sync(shop)["drafts"] == []
    assert set(drafts(docs)) == {SHIPMENT}


def test_what_was_dropped_or_removed_comes_again_only_changed(shop: Run, docs: Path) -> None:
    sync(shop)
    approve(docs)
    (docs / ROOT / "_deprecated/00.Shared/decisions").mkdir(parents=True)
    git(docs, "mv", f"{ROOT}/{QUEUE}", f"{ROOT}/_deprecated/{QUEUE}")
    gone = (docs / ROOT / "_deprecated" / QUEUE).read_text("utf-8").replace("status: approved", "status: deprecated")
    commit(docs, {f"{ROOT}/_deprecated/{QUEUE}": gone, f"{ROOT}/{ORDER}": None})
    commit(shop.folder, {ADR: RECORD.replace("all others", "everyone"), TERMS: GLOSSARY + "\nMore.\n"})
    assert sync(shop)["drafts"] == []
    (docs / ".git/brain/sync").rename(docs / ".git/brain/gone")
    found = sync(shop)
    assert [row["id"] for row in found["drafts"]] == ["mem-global-sales-order"]  # nobody said why it went
    assert any("mem-global-one-queue-for-each-tenant" in row["why"] for row in found["left"])
    commit(shop.folder, {ADR: RECORD.replace("Each tenant has a queue of its own", "No two tenants share one queue")})
    (row,) = sync(shop)["drafts"]
    assert re.fullmatch(r"mem-global-one-queue-for-each-tenant-[0-9a-f]{4}", row["id"])


def test_a_copy_is_named_and_not_drafted(shop: Run, docs: Path) -> None:
    commit(shop.folder, {"old/adr/0007-queue.md": RECORD})
    found = sync(shop)
    assert len(found["drafts"]) == 3
    assert [row["why"] for row in found["left"]] == ["mem-global-one-queue-for-each-tenant says nearly the same"]


def test_what_lint_refuses_is_not_written_and_said(shop: Run, docs: Path) -> None:
    token = "-".join(("gl" + "pat", "Xk3" + "TzQ9wLr7VnB2mYc5H"))
    commit(shop.folder, {ADR: RECORD.replace("Each tenant", f"With {token} each tenant")})
    found = sync(shop)
    assert [row["id"] for row in found["drafts"]] == ["mem-global-sales-order", "mem-global-shipment"]
    (row,) = found["left"]
    assert re.match(r"M4\d\d ", row["why"])
    assert token not in json.dumps(found)


def test_paths_and_repos_bound_what_is_read(shop: Run, docs: Path, tmp_path: Path) -> None:
    commit(
        shop.folder,
        {
            "vendor/adr/1.md": RECORD,
            ".hidden/glossary.md": GLOSSARY,
            "big.md": "x" * (600 << 10),
            "bin.md": b"\xff\x00",
        },
    )
    assert [row["source"] for row in sync(shop, "docs/adr", "--dry-run")["drafts"]] == [ADR]
    found = sync(shop, "--dry-run")
    assert {row["source"] for row in found["drafts"]} == {ADR, TERMS}
    assert {row["place"] for row in found["left"]} == {"big.md", "bin.md"}
    assert [row["source"] for row in sync(shop, "vendor", "--dry-run")["drafts"]] == ["vendor/adr/1.md"]
    assert shop("sync", "nowhere", "--yes")[0] == 3
    assert "only what is committed is read" in shop("sync", "nowhere", "--yes")[2]
    assert "is not in" in shop("sync", str(tmp_path), "--yes")[2]
    commit(docs, {"01.Spec/glossary.md": GLOSSARY})
    found = sync(shop, "--repo", "docs")
    assert (found["repo"], [row["source"] for row in found["drafts"]]) == ("docs", ["01.Spec/glossary.md"] * 2)


def test_a_document_in_a_functions_folder_is_that_functions(shop: Run, docs: Path) -> None:
    lessons = "# R\n\n## Lessons learned\n\n- The client had no timeout at all. Always set one of five seconds.\n"
    commit(shop.folder, {"docs/F-003_Payment/retro.md": lessons})
    found = sync(shop)
    assert "mem-F003-the-client-had-no-timeout-at-all" in [row["id"] for row in found["drafts"]], found["left"]


def test_a_model_drafts_what_the_readers_do_not_know_at_a_cost_that_is_said(shop: Run, docs: Path, model: Path) -> None:
    status, _, err = shop("sync")
    assert status == 3
    cost = re.search(r"brain: cost: 1 by .*a model, about ([\d,]+) tokens", err)
    assert cost
    assert 500 < int(cost[1].replace(",", "")) < 3000
    assert not model.exists()
    found = sync(shop)
    assert (found["asked"], found["drafts"][1]["id"]) == (1, "mem-global-noon")
    assert model.read_text().split("\n") == [PROSE, ""]
    text = drafts(docs)["00.Shared/domain/_global/noon.md"]
    assert "confidence: 0.4\n" in text
    assert text.endswith("Orders close at noon on Fridays.\n\n**Apply:** know it.\n")
    assert sync(shop)["asked"] == 0
    commit(shop.folder, {PROSE: "# Notes\n\nFact noon: Orders close at ten, and on Mondays they do not open.\n"})
    assert [(row["action"], row["id"]) for row in sync(shop)["drafts"]] == [("update", "mem-global-noon")]
    assert "close at ten" in drafts(docs)["00.Shared/domain/_global/noon.md"]


def test_without_the_model_its_documents_wait(shop: Run, docs: Path, model: Path) -> None:
    sync(shop)
    commit(shop.folder, {PROSE: "# Notes\n\nFact noon: Orders close at ten, and on Mondays they do not open.\n"})
    assert sync(shop, "--no-model")["waiting"] == [PROSE]
    assert sync(shop)["asked"] == 1


def test_what_was_read_without_a_model_is_asked_once_there_is_one(
    shop: Run, docs: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sync(shop, "--no-model")["documents"] == 3
    assert (sync(shop)["documents"], model.read_text()) == (1, f"{PROSE}\n")
    monkeypatch.delenv("BRAIN_MODEL_COMMAND")
    assert shop("sync", "--model", "--yes")[0] == 3


@pytest.mark.parametrize(
    ("mode", "why"),
    [("garbage", "no JSON: 'I am sorry, Dave.'"), ("hang", "no answer within 0.5 s"), ("killed", "killed by signal 9")],
)
def test_a_model_that_fails_is_named_and_asked_again_the_next_time(
    shop: Run, docs: Path, model: Path, monkeypatch: pytest.MonkeyPatch, mode: str, why: str
) -> None:
    monkeypatch.setenv("MODE", mode)
    monkeypatch.setenv("BRAIN_MODEL_DEADLINE", "0.5" if mode == "hang" else "30")
    status, _, err = shop("sync", "--yes")
    assert status == 1
    (warning,) = [line for line in err.splitlines() if line.startswith("brain: warning: docs/prose.md: not done")]
    assert why in warning
    assert set(drafts(docs)) == {QUEUE, ORDER, SHIPMENT}
    monkeypatch.setenv("MODE", "")
    monkeypatch.setenv("BRAIN_MODEL_DEADLINE", "30")
    assert [row["id"] for row in sync(shop)["drafts"]] == ["mem-global-noon"]


def test_the_memory_repo_cannot_name_a_program(shop: Run, docs: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    commit(docs, {f"{ROOT}/brain.toml": f'[model]\ncommand = ["touch", {json.dumps(str(mark))}]\n', ".keep": "x"})
    status, _, err = shop("sync", "--yes")
    assert status == 3
    assert "model.command: is each person's own" in err
    assert not mark.exists()


def test_two_at_once_do_not_mix(shop: Run, docs: Path) -> None:
    import fcntl

    (docs / ".git/brain/sync").mkdir(parents=True)
    with open(docs / ".git/brain/sync/lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert shop("sync", "--yes")[0] == 6


def test_it_works_in_a_plain_locale(shop: Run, docs: Path) -> None:
    env = {**os.environ, **CODE, "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "brain", "-C", str(shop.folder), "sync", "--yes"], env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{TERMS}#受注" in done.stdout.decode()

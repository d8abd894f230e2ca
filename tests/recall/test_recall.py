"""Recall whole, out of git: what is read, the two texts, retros, and that the same input gives the same bytes (SPEC §4)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brain.layout import find_place
from brain.memory import parse_memory
from brain.recall.recall import checksum, index_text, memories_text, recall
from brain.recall.render import HOST_ROOM, UNBOUNDED
from brain.settings import load_config
from brain.tokens import estimate
from brain.value import replace
from brain.workspace import open_brain
from tests.recall import oracle
from tests.support.recall import F3, TODAY, brain_of, ids, memory, ticket_of
from tests.support.repos import ROOT, clone, commit, git, make_memory_repo, memory_text, pending

if TYPE_CHECKING:
    from brain.memory import Memory
    from brain.workspace import Brain

LESSON = f"01.Lessons/dev/{F3}/retry.md"
KEYED: dict[str, Any] = {"keywords": ["payment"]}


def recalled(repo: Path, env: dict[str, str] | None = None, **ticket: Any) -> list[str]:
    return ids(open_brain(str(repo), env or {}), **(ticket or KEYED))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a clone of a memory repo with one lesson."""
    return clone(make_memory_repo(tmp_path / "origin", {LESSON: ""}), tmp_path / "docs")


def test_an_approved_memory_is_recalled(docs: Path) -> None:
    assert recalled(docs) == ["mem-F003-retry"]


def test_a_dirty_work_tree_changes_nothing(docs: Path) -> None:
    (docs / ROOT / LESSON).write_text("broken")
    (docs / ROOT / "01.Lessons/dev/_global").mkdir()
    (docs / ROOT / "01.Lessons/dev/_global/new.md").write_text(memory_text("01.Lessons/dev/_global/new.md"))
    git(docs, "add", "-A")
    assert recalled(docs) == ["mem-F003-retry"]


def test_another_branch_checked_out_changes_nothing(docs: Path) -> None:
    git(docs, "switch", "-q", "-c", "mine")
    commit(
        docs,
        {
            f"{ROOT}/{LESSON}": None,
            f"{ROOT}/brain.toml": "[memory]\ntopN = 1\n",
            f"{ROOT}/00.Shared/decisions/x.md": memory_text("00.Shared/decisions/x.md"),
        },
    )
    assert recalled(docs) == ["mem-F003-retry"]


def test_a_clone_that_does_not_say_which_branch_is_the_default_reads_the_remotes_main(docs: Path) -> None:
    git(docs, "remote", "set-head", "origin", "-d")
    commit(docs, {f"{ROOT}/{LESSON}": None})
    assert recalled(docs) == ["mem-F003-retry"]


def test_commits_on_the_local_default_branch_are_not_upstream(docs: Path) -> None:
    commit(docs, {f"{ROOT}/{LESSON}": None})
    assert recalled(docs) == ["mem-F003-retry"]


def test_a_linked_folder_changes_nothing(docs: Path, tmp_path: Path) -> None:
    shutil.move(str(docs / ROOT), str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere" / LESSON).unlink()
    (docs / ROOT).symlink_to(tmp_path / "elsewhere")
    assert recalled(docs) == ["mem-F003-retry"]


def test_a_deleted_work_tree_changes_nothing(docs: Path) -> None:
    shutil.rmtree(docs / ROOT)
    assert recalled(docs) == ["mem-F003-retry"]


def test_a_half_merged_index_changes_nothing(docs: Path) -> None:
    for branch, body in (("one", "One."), ("two", "Two.")):
        git(docs, "switch", "-q", "-c", branch, "origin/main")
        commit(docs, {f"{ROOT}/{LESSON}": memory_text(LESSON, body=body)})
    failed = subprocess.run(["git", "-C", docs, "merge", "one"], capture_output=True, check=False)
    assert failed.returncode == 1
    assert "<<<<<<<" in (docs / ROOT / LESSON).read_text()
    brain = open_brain(str(docs), {})
    (found,) = recall(brain, ticket_of(**KEYED), TODAY).chosen
    assert found.memory.body.startswith("Retry a payment at most twice.")


def test_a_bare_repo_is_enough(docs: Path, tmp_path: Path) -> None:
    git(docs, "clone", "-q", "--bare", str(docs), str(tmp_path / "bare"))
    assert recalled(tmp_path / "bare") == ["mem-F003-retry"]
    assert recalled(tmp_path, {"BRAIN_MEMORY_REPO": str(tmp_path / "bare")}) == ["mem-F003-retry"]


NOT_RECALLED = {
    "pending": ("00.Shared/decisions/a.md", {"status": "pending", "reviewed_by": ""}),
    "deprecated": ("00.Shared/decisions/a.md", {"status": "deprecated"}),
}


@pytest.mark.parametrize("why", NOT_RECALLED)
def test_what_is_not_approved_on_main_is_not_recalled(tmp_path: Path, why: str) -> None:
    path, fields = NOT_RECALLED[why]
    repo = make_memory_repo(tmp_path / "docs", {LESSON: "", path: memory_text(path, **fields)})
    assert recalled(repo) == ["mem-F003-retry"]


@pytest.mark.parametrize(
    "folder", ["_deprecated/00.Shared/decisions", "_pending/00.Shared/decisions", "03.Retro", "00.Shared", "04.Other/x"]
)
def test_what_lies_elsewhere_on_main_is_not_recalled(tmp_path: Path, folder: str) -> None:
    repo = make_memory_repo(tmp_path / "docs", {LESSON: ""})
    commit(repo, {f"{ROOT}/{folder}/a.md": memory_text("00.Shared/decisions/a.md")})
    git(repo, "rm", "-rq", "--cached", f"{ROOT}/_pending") if folder.startswith("_pending") else None
    if folder.startswith("_pending"):
        git(repo, "reset", "-q", "--hard")
        shutil.rmtree(repo / ROOT / "_pending")
    assert recalled(repo) == ["mem-F003-retry"]


def test_a_link_on_main_is_not_followed(docs: Path, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    (origin / ROOT / "00.Shared/decisions").mkdir(parents=True)
    (origin / ROOT / "00.Shared/decisions/retry.md").symlink_to(origin / ROOT / LESSON)
    (origin / ROOT / "00.Shared/decisions/text.md").symlink_to(memory_text("00.Shared/decisions/text.md"))
    commit(origin, {})
    git(docs, "fetch", "-q")
    brain = open_brain(str(docs), {})
    assert ids(brain, **KEYED) == ["mem-F003-retry"]
    assert [warning.partition(":")[0] for warning in brain.warnings] == [
        "00.Shared/decisions/retry.md",
        "00.Shared/decisions/text.md",
    ]


def test_a_bad_file_hides_no_good_one(docs: Path, tmp_path: Path) -> None:
    commit(
        tmp_path / "origin",
        {f"{ROOT}/01.Lessons/dev/{F3}/bad.md": "---\nid: [\n", f"{ROOT}/01.Lessons/dev/{F3}/worse.md": b"\xff\xfe"},
    )
    git(docs, "fetch", "-q")
    assert recalled(docs) == ["mem-F003-retry"]


def test_drafts_of_this_machine_are_recalled_beside(docs: Path) -> None:
    pending(docs, "01.Lessons/qa/_global/mine.md", confidence=0.5)
    brain = open_brain(str(docs), {})
    assert ids(brain, **KEYED) == ["mem-F003-retry", "mem-global-mine"]
    text = memories_text(recall(brain, ticket_of(**KEYED), TODAY), brain.config, room=HOST_ROOM).text
    assert "## mem-global-mine (lesson, global, source: TICKET-1)\n⚠ not approved yet (your draft)\n" in text
    assert "## mem-F003-retry (lesson, F-003_Payment, source: TICKET-1)\n```" in text


def test_settings_of_the_team_and_of_the_workspace_are_in_force(docs: Path, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    files = {f"{ROOT}/00.Shared/decisions/d{n}.md": memory_text(f"00.Shared/decisions/d{n}.md") for n in range(9)}
    commit(
        origin,
        {**files, f"{ROOT}/brain.toml": '[memory]\ntopN = 4\n[profiles]\ncoding = ["decisions"]\n[weights]\ntag = 7\n'},
    )
    git(docs, "fetch", "-q")
    found = recall(open_brain(str(docs), {}), ticket_of(**KEYED), TODAY)
    assert (len(found.chosen), found.chosen[0].terms["tags"]) == (4, 7.0)
    (docs / ".aiflow").mkdir()
    (docs / ".aiflow/state.json").write_text(
        json.dumps({"memory": {"topN": 2, "injectBudget": 150, "profiles": {"coding": []}}})
    )
    brain = open_brain(str(docs), {})
    assert len(ids(brain, **KEYED)) == 2
    assert {
        item.terms["affinity"] for item in recall(brain, ticket_of(workflow="coding", **KEYED), TODAY, 0).chosen
    } == {0.0, 1.0}  # the lesson
    text = memories_text(recall(brain, ticket_of(**KEYED), TODAY), brain.config, room=UNBOUNDED).text
    assert estimate(text) <= 150
    assert len(ids(open_brain(str(docs), {"BRAIN_MEMORY_TOPN": "3"}), **KEYED)) == 3


def texts_of(brain: Brain, ticket: dict[str, Any]) -> list[Any]:
    """Return all that a ticket gets, as bytes and numbers."""
    asked = ticket_of(**ticket)
    found = recall(brain, asked, TODAY, rank_all=True)
    rows = [(item.memory.id, item.score, item.terms) for item in (*found.chosen, *found.left)]
    texts = [
        text.text
        for room in (HOST_ROOM, UNBOUNDED)
        for text in (
            index_text(brain, asked, room=room),
            memories_text(found, brain.config, room=room),
        )
    ]
    return [
        rows,
        texts,
        found.replaced,
        sorted(found.query.keywords),
        [item.memory.id for item in recall(brain, asked, TODAY, 7).chosen],
    ]


TICKETS: list[dict[str, Any]] = [
    {"title": "Retry the payment of word7", "keywords": ["payment"], "functionId": "F-003", "workflow": "coding"},
    {"title": "受注 word3", "description": "word9 word11 ghost", "workflow": "create-spec", "files": ["src/a3.py"]},
    {"workflow": "gen-doc", "functionIds": ["F-1"], "keywords": ["tag1"]},
    {"title": "word12 word13 word14", "functionId": "F-77", "files": ["src/gone.py", "src/a5.py"]},
]


def many(count: int) -> dict[str, str]:
    found = {LESSON: memory_text(LESSON, tags=("payment",))}
    for n in range(count):
        path = f"00.Shared/domain/F-{n % 5}/m{n:04}.md" if n % 3 else f"00.Shared/decisions/m{n:04}.md"
        found[path] = memory_text(
            path, tags=(f"tag{n % 7}", "payment") if n % 4 else (f"tag{n % 7}",), confidence=(0.3, 0.5, 0.8)[n % 3], created=("2026-01-01", "2026-05-01", "2026-05-02")[n % 3],
            workflows=(("coding", "gen-doc") if n % 2 else ("create-spec",)), body=f"The word{n % 17} of number {n}.", refs=(f"src/a{n % 9}.py",) if n % 5 == 0 else (),
            aliases=("受注",) if n == 30 else (), supersedes=(f"mem-{'global' if (n + 3) % 3 == 0 else f'F{(n + 3) % 5}'}-m{n + 3:04}",) if n % 50 == 0 else (),
        )  # fmt: skip
    return found


def changes(count: int) -> dict[str, str | None]:
    """Return a difference: new ones, changed ones, gone ones, one that no longer replaces, a function's last one moved."""
    new = {
        f"00.Shared/decisions/n{n}.md": memory_text(
            f"00.Shared/decisions/n{n}.md", tags=("payment",), confidence=0.8, created="2026-05-02", body=f"word{n} new"
        )
        for n in range(4)
    }
    found: dict[str, str | None] = {f"{ROOT}/{path}": text for path, text in new.items()}
    paths = sorted(many(count))
    for path in paths[:3]:
        found[f"{ROOT}/{path}"] = None
    for path in paths[3:8]:
        found[f"{ROOT}/{path}"] = memory_text(path, tags=("payment", "tag1"), confidence=0.5, body="word7 changed")
    found[f"{ROOT}/00.Shared/decisions/m0000.md"] = memory_text(
        "00.Shared/decisions/m0000.md", tags=("tag0",), body="replaces nothing now"
    )
    found[f"{ROOT}/00.Shared/domain/F-77/only.md"] = None
    found[f"{ROOT}/00.Shared/glossary/ghost.md"] = memory_text(
        "00.Shared/glossary/ghost.md", tags=("plain",), body="no alias now"
    )
    found[f"{ROOT}/03.Retro/T-2.md"] = None
    found[f"{ROOT}/03.Retro/T-3.md"] = "created: 2026-05-05\n\nF-1 again\n"
    return found


@pytest.mark.parametrize(("count", "scorer"), [(60, "rule"), (60, "hybrid"), (1100, "hybrid")])
def test_cold_warm_incremental_and_another_clone_give_the_same_bytes(tmp_path: Path, count: int, scorer: str) -> None:
    extra = {
        "00.Shared/domain/F-77/only.md": memory_text(
            "00.Shared/domain/F-77/only.md",
            body="word12 word13 word14",
            refs=("src/gone.py", "src/a5.py"),
            tags=("tag1",),
        ),
        "00.Shared/glossary/ghost.md": memory_text(
            "00.Shared/glossary/ghost.md", tags=("payment",), aliases=("ghost",)
        ),
    }
    origin = make_memory_repo(tmp_path / "origin", {**many(count), **extra}, f'[recall]\nscorer = "{scorer}"\n')
    commit(origin, {f"{ROOT}/03.Retro/T-{n}.md": f"created: 2026-05-0{n}\n\nF-1 lesson {n}\n" for n in (1, 2)})
    old = clone(origin, tmp_path / "old")

    def answers(repo: Path) -> list[Any]:
        return [texts_of(open_brain(str(repo), {}), ticket) for ticket in TICKETS]

    cold = answers(old)
    assert answers(old) == cold
    assert len(open_brain(str(old), {}).tree.parts) == (2 if count > 1000 else 1)
    commit(origin, changes(count))
    git(old, "fetch", "-q")
    incremental = answers(old)
    assert len(open_brain(str(old), {}).tree.parts) == (3 if count > 1000 else 2)
    assert incremental != cold
    assert answers(old) == incremental
    assert answers(clone(origin, tmp_path / "somewhere else" / "ở đây")) == incremental
    assert len(open_brain(str(tmp_path / "somewhere else" / "ở đây"), {}).tree.parts) == (2 if count > 1000 else 1)


def test_a_large_store_in_several_segments_is_ranked_as_the_specification_says(tmp_path: Path) -> None:
    origin = make_memory_repo(tmp_path / "origin", many(1100))
    open_brain(str(origin), {})
    commit(
        origin,
        changes(1100)
        | {
            f"{ROOT}/00.Shared/domain/F-77/only.md": memory_text("00.Shared/domain/F-77/only.md"),
            f"{ROOT}/03.Retro/T-2.md": "x",
        },
    )
    pending(origin, "00.Shared/decisions/mine.md", tags=("payment",), confidence=0.8, created="2026-05-02", body="mine")
    brain = open_brain(str(origin), {})
    assert len(brain.tree.parts) == 3
    store: list[Memory] = []
    for file in sorted((origin / ROOT).rglob("*.md")):
        path = file.relative_to(origin / ROOT).as_posix()
        place = find_place(path.removeprefix("_pending/"))
        if place:
            item = parse_memory(file.read_text("utf-8"), place)
            store.append(replace(item, status="pending") if path.startswith("_pending/") else item)
    approved, drafts = ([item for item in store if item.status == status] for status in ("approved", "pending"))
    for ticket in TICKETS:
        asked = {
            **ticket,
            "functionIds": ticket.get("functionIds", []) + ([ticket["functionId"]] if "functionId" in ticket else []),
        }
        rows = oracle.rank(approved, drafts, asked, TODAY, hybrid=False)
        assert ids(brain, 0, **ticket) == [name for name, _ in rows]
        assert ids(brain, 10, **ticket) == [name for name, _ in rows][:10]


def test_nothing_relevant_is_no_text(docs: Path) -> None:
    brain = open_brain(str(docs), {})
    found = recall(brain, ticket_of(title="office chairs"), TODAY)
    assert (found.chosen, found.left, memories_text(found, brain.config, room=HOST_ROOM).text) == ([], [], "")


def test_an_empty_store_is_no_text(tmp_path: Path) -> None:
    brain = open_brain(str(make_memory_repo(tmp_path / "docs")), {})
    found = recall(brain, ticket_of(**KEYED), TODAY)
    assert (
        memories_text(found, brain.config, room=HOST_ROOM).text,
        index_text(brain, ticket_of(), room=HOST_ROOM).text,
    ) == ("", "")


def test_the_memories_stand_in_score_order_with_the_ticket_above(tmp_path: Path) -> None:
    store = [memory(f"00.Shared/decisions/m{n}.md", tags=("a",), confidence=n / 10) for n in range(10)]
    brain = brain_of(tmp_path, store)
    found = recall(brain, ticket_of(taskId="T-9", title="Refund", keywords=["a"]), TODAY)
    text = memories_text(found, brain.config, room=HOST_ROOM)
    assert [line.split()[1] for line in text.text.splitlines() if line.startswith("## ")] == [
        f"mem-global-m{n}" for n in range(9, -1, -1)
    ]
    assert text.text.splitlines()[1] == "# Team memories for T-9 Refund"
    assert (list(text.pieces), text.left) == ([f"mem-global-m{n}" for n in range(9, -1, -1)], [])


def test_the_budget_is_a_ceiling_and_the_hosts_limit_too(tmp_path: Path) -> None:
    store = [memory(f"00.Shared/decisions/m{n:02}.md", tags=("a",), body="受注の" * 200) for n in range(10)]
    brain = brain_of(tmp_path, store, settings={"memory": {"injectBudget": 9000}})
    found = recall(brain, ticket_of(keywords=["a"]), TODAY)
    free, cut = (memories_text(found, brain.config, room=room) for room in (UNBOUNDED, HOST_ROOM))
    assert len(free.text.encode()) > 9500
    assert estimate(free.text) <= 9000
    assert len(cut.text.encode()) <= 9500
    assert (len(free.pieces), len(free.left), len(cut.pieces), len(cut.left)) == (10, 0, 4, 6)
    small = memories_text(found, load_config({"memory": {"injectBudget": 900}}, None, {}), room=UNBOUNDED)
    assert estimate(small.text) <= 900
    assert small.left == [f"mem-global-m{n:02}" for n in range(len(small.pieces), 10)]


def test_what_was_told_is_not_said_again_unless_it_changed(tmp_path: Path) -> None:
    one, two = (memory(f"00.Shared/decisions/{name}.md", tags=("a",), hook="two  spaces") for name in ("one", "two"))
    brain = brain_of(tmp_path, [one, two])
    found = recall(brain, ticket_of(keywords=["a"]), TODAY)
    text, index = memories_text(found, brain.config, room=HOST_ROOM), index_text(brain, ticket_of(), room=HOST_ROOM)
    told = {name: checksum(piece) for name, piece in text.pieces.items()}
    told_lines = {name: checksum(piece) for name, piece in index.pieces.items()}
    assert memories_text(found, brain.config, room=HOST_ROOM, told=told).text == ""
    assert index_text(brain, ticket_of(), room=HOST_ROOM, told=told_lines).text == ""
    changed = brain_of(tmp_path, [one, replace(two, body="Changed.", hook="changed")])
    again = memories_text(recall(changed, ticket_of(keywords=["a"]), TODAY), changed.config, room=HOST_ROOM, told=told)
    assert list(again.pieces) == [two.id]
    assert list(index_text(changed, ticket_of(), room=HOST_ROOM, told=told_lines).pieces) == [two.id]


def test_a_draft_of_a_memory_is_another_piece(tmp_path: Path) -> None:
    item = memory("00.Shared/decisions/one.md", tags=("a",))
    brain = brain_of(tmp_path, [item], drafts=[replace(item, body="Other.")])
    text = memories_text(recall(brain, ticket_of(keywords=["a"]), TODAY), brain.config, room=HOST_ROOM)
    assert list(text.pieces) == ["mem-global-one", "mem-global-one (draft)"]


def crowd(count: int) -> list[Memory]:
    own = [memory(f"00.Shared/domain/{F3}/own{n}.md") for n in range(3)]
    common = [memory(f"01.Lessons/dev/_global/all{n}.md") for n in range(2)]
    flat = [memory(f"00.Shared/glossary/g{n:03}.md") for n in range(7)]
    return own + common + flat + [memory(f"00.Shared/domain/F-{n % 4 + 10}/x{n:03}.md") for n in range(count)]


def test_the_index_is_whole_while_it_fits(tmp_path: Path) -> None:
    brain = brain_of(tmp_path, crowd(10), settings={"memory": {"indexBudget": 3000}})
    text = index_text(brain, ticket_of(functionId="F-003"), room=HOST_ROOM)
    assert len(text.pieces) == 22
    assert "Other folders" not in text.text


def test_above_its_budget_the_index_lists_own_and_global_and_counts_the_rest(tmp_path: Path) -> None:
    brain = brain_of(tmp_path, crowd(200), dead=[[199, 200, 201]])
    text = index_text(brain, ticket_of(functionId="f003"), room=HOST_ROOM)
    assert set(text.pieces) == {f"mem-F003-own{n}" for n in range(3)} | {f"mem-global-all{n}" for n in range(2)}
    counts = dict(line[2:].split(": ") for line in text.text.partition("number of memories:\n")[2].splitlines()[:-1])
    alive = [item.path.rpartition("/")[0] for part in brain.tree.parts for item in part.memories()]
    assert counts == {
        f"00.Shared/domain/F-{n}": str(alive.count(f"00.Shared/domain/F-{n}")) for n in (10, 11, 12, 13)
    } | {"00.Shared/glossary": "7"}
    assert "brain index FUNCTION" in text.text
    assert estimate(text.text) <= 1500


def test_an_index_whose_lines_are_few_but_long_is_counted_too(tmp_path: Path) -> None:
    brain = brain_of(tmp_path, crowd(100))
    text = index_text(brain, ticket_of(functionId="F-003"), room=HOST_ROOM)
    assert len(text.pieces) == 5
    assert "- 00.Shared/domain/F-10: 25\n" in text.text


def test_a_flat_memory_of_the_tickets_function_is_listed_too(tmp_path: Path) -> None:
    own = replace(memory("00.Shared/decisions/own.md"), own_scope=F3)
    brain = brain_of(tmp_path, [*crowd(200), own])
    text = index_text(brain, ticket_of(functionId="F-003"), room=HOST_ROOM)
    assert own.id in text.pieces
    assert "00.Shared/decisions: " not in text.text


@pytest.mark.parametrize("budget", [0, 100, 150, 200, 400, 1500])
def test_the_index_is_never_over_its_budget(tmp_path: Path, budget: int) -> None:
    for count in (0, 200):
        brain = brain_of(tmp_path, crowd(count), settings={"memory": {"indexBudget": budget}})
        for ticket in (ticket_of(), ticket_of(functionIds=["F-10", "F-11", "F-003"])):
            assert estimate(index_text(brain, ticket, room=UNBOUNDED).text) <= budget


def test_where_not_all_of_the_own_fit_the_tickets_come_before_global_and_the_best_first(tmp_path: Path) -> None:
    own = [memory(f"00.Shared/domain/{F3}/own{n:02}.md", confidence=n / 100) for n in range(60)]
    common = [memory(f"01.Lessons/dev/_global/all{n:02}.md", confidence=1.0) for n in range(60)]
    brain = brain_of(tmp_path, own[::2] + common, own[1::2], settings={"memory": {"indexBudget": 800}})
    text = index_text(brain, ticket_of(functionId="F-003"), room=HOST_ROOM)
    assert 5 < len(text.pieces) < 60
    assert list(text.pieces) == [f"mem-F003-own{n:02}" for n in range(59, 59 - len(text.pieces), -1)]


RETROS = {
    "T-1": "created: 2026-05-01\n\nWe changed F-003_Payment.\n", "T-2": "created: 2026-05-03\n\nf003 was slow.\n", "T-3": "created: 2026-05-02\n\n(F-003) again.\n",
    "T-4": "created: 2026-05-09\n\nF-0031 and F-03 only, XF-003.\n", "T-5": "no date, F-003.\n",
}  # fmt: skip


@pytest.mark.parametrize(("workflow", "functions", "expected"), [
    ("gen-doc", ["F-003"], ["T-2", "T-3"]), ("", ["F-003_Other"], ["T-2", "T-3"]), ("anything", ["F-003"], ["T-2", "T-3"]), ("gen-doc", ["F-0031"], ["T-4"]),
    ("gen-doc", [], []), ("coding", ["F-003"], []), ("review", ["F-003"], []), ("create-spec", ["F-003"], []), ("create-testcase", ["F-003"], []), ("execute-test", ["F-003"], []),
])  # fmt: skip
def test_only_gen_doc_and_unknown_look_at_the_latest_two_retros_of_the_function(
    tmp_path: Path, workflow: str, functions: list[str], expected: list[str]
) -> None:
    brain = brain_of(tmp_path, [memory(LESSON)], [memory("00.Shared/decisions/a.md")], retros=RETROS)
    found = recall(brain, ticket_of(workflow=workflow, functionIds=functions), TODAY)
    assert [path for path, _ in found.retros] == [f"03.Retro/{name}.md" for name in expected]
    text = memories_text(found, brain.config, room=HOST_ROOM).text
    assert [name for name in RETROS if f"## 03.Retro/{name}.md (raw retrospect, not reviewed)" in text] == sorted(
        expected
    )


def test_retros_come_after_the_memories_and_are_cut_to_the_budget(tmp_path: Path) -> None:
    long = "created: 2026-05-01\n\nF-003\n" + "\n".join(f"line {n} of what we learned" for n in range(200))
    brain = brain_of(tmp_path, [memory(LESSON)], retros={"T-1": long, "T-2": long})
    text = memories_text(recall(brain, ticket_of(functionId="F-003"), TODAY), brain.config, room=HOST_ROOM)
    assert list(text.pieces) == ["mem-F003-retry", "03.Retro/T-2.md", "03.Retro/T-1.md"]
    assert text.text.count("\n…\n```\n") == 2
    assert estimate(text.text) <= 2000
    full = brain_of(
        tmp_path, [memory(f"01.Lessons/dev/{F3}/m{n}.md", body="word " * 150) for n in range(10)], retros={"T-1": long}
    )
    text = memories_text(recall(full, ticket_of(functionId="F-003"), TODAY), full.config, room=HOST_ROOM)
    assert "03.Retro" not in text.text
    assert "Left out for room" in text.text

"""Another version's files: each store is made anew or refused with the mend, and nothing of what people wrote is lost.

Every store meets a file of an earlier version, of a later one, and one that was cut short.
"""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brain.drafts import load_drafts
from brain.edit import edit_memory
from brain.errors import BrainError
from brain.git.refs import get_repo
from brain.index.cache import load_tree
from brain.layout import find_place
from brain.memory import parse_memory
from brain.semantic.build import build_vectors, find_vectors
from brain.semantic.postgres.schema import DatabaseError
from brain.semantic.postgres.store import Store
from brain.settings import load_config, parse_toml
from brain.sources.cursor import Cursor, load_cursor, save_cursor
from brain.stale.answers import FRESH, Answer
from brain.stale.overlay import SUFFIX, load_answers, save_answers
from brain.submit.push import Link
from brain.telemetry import EVENTS, READ, record, telemetry_dir
from brain.tend.counts import Counts, Use, render_counts
from brain.tend.local import FILE, Origin, count_up, read_ledger
from brain.tend.publish import fetch, publish, read_total
from brain.workspace import open_brain
from brain_api.deliveries import Deliveries, Delivery
from brain_api.journal import Journal
from tests.semantic.database import make_server
from tests.semantic.hashed import Hashed
from tests.submit.team import NOON, RETRY, STOCK, Team
from tests.support.program import Run
from tests.support.repos import ROOT, git, make_memory_repo, memory_text, pending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = {RETRY: "", STOCK: memory_text(STOCK, "在庫の出力は夜間に行う。\n\n**適用:** 朝は避ける。")}
EARLIER, LATER, CUT = "earlier", "later", "cut short"
WHENCE = (EARLIER, LATER, CUT)
REF = "refs/brain/telemetry/m1"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_memory_repo(tmp_path / "repo", HERE)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    team = Team(tmp_path)
    yield team
    team.server.close()


@pytest.fixture
def run(team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name, text in team.env.items():
        monkeypatch.setenv(name, text)
    return Run(team.ada.folder, capsys, monkeypatch)


def of_version(whence: str, text: str) -> str:
    """Return a JSON text with the number of another version of its form, or half of it."""
    if whence == CUT:
        return text[: len(text) * 2 // 3]
    number = json.loads(text)["format"]
    return json.dumps({**json.loads(text), "format": number + (1 if whence == LATER else -1)}, separators=(",", ":"))


def binary_of_version(whence: str, content: bytes) -> bytes:
    """Return a file of ours (magic, header's size and checksum, header) with another version's number, or half of it."""
    if whence == CUT:
        return content[: len(content) * 2 // 3]
    size = int.from_bytes(content[8:12], "little")
    head = content[16 : 16 + size]
    number = json.loads(head)["format"]
    other = head.replace(b'"format": %d' % number, b'"format": %d' % (number + (1 if whence == LATER else -1)))
    assert (len(other), other == head) == (len(head), False)
    return content[:12] + zlib.crc32(other).to_bytes(4, "little") + other + content[16 + size :]


# what is derived is made anew


def indexed(repo: Path) -> list[str]:
    tree = load_tree(get_repo(str(repo)), ROOT)
    return sorted(part.segment.record(number)[0] for part in tree.parts for number in range(part.segment.docs))


@pytest.mark.parametrize("whence", WHENCE)
def test_the_index_is_made_anew(repo: Path, whence: str) -> None:
    assert indexed(repo) == sorted(HERE)
    (pointer,) = (repo / ".git/brain").glob("index-*.json")
    text = of_version(whence, pointer.read_text().partition("\n")[2])
    pointer.write_text(f"{zlib.crc32(text.encode())}\n{text}")
    assert indexed(repo) == sorted(HERE)
    (segment, *_) = (repo / ".git/brain").glob("*.segment")
    segment.write_bytes(binary_of_version(whence, segment.read_bytes()))
    assert indexed(repo) == sorted(HERE)


@pytest.mark.parametrize("whence", WHENCE)
def test_drafts_are_read_anew(repo: Path, tmp_path: Path, whence: str) -> None:
    cache = tmp_path / "cache"
    pending(repo, NOON)
    root = str(repo / ROOT)
    load_drafts(root, str(cache))
    cache.write_bytes(binary_of_version(whence, cache.read_bytes()))
    drafts = load_drafts(root, str(cache))
    assert drafts
    assert drafts.segment.record(0)[0] == NOON


@pytest.mark.parametrize("whence", WHENCE)
def test_staleness_is_asked_anew(tmp_path: Path, whence: str) -> None:
    keys = {("a" * 40, f"src/{number}.py"): Answer(FRESH, "") for number in range(9)}
    save_answers(str(tmp_path), "b" * 40, keys, "1")
    file = tmp_path / f"{'b' * 40}{SUFFIX}"
    if whence == CUT:
        file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])
    else:  # the number is in its name
        file.rename(file.with_suffix(".stale0" if whence == EARLIER else ".stale2"))
    assert load_answers(str(tmp_path), "b" * 40, list(keys), "1").items() < keys.items()
    save_answers(str(tmp_path), "b" * 40, keys, "1")
    assert load_answers(str(tmp_path), "b" * 40, list(keys), "1") == keys


@pytest.mark.parametrize("whence", WHENCE)
def test_vectors_are_made_anew(repo: Path, whence: str) -> None:
    def build() -> tuple[str, int]:
        built = build_vectors(open_brain(str(repo), {}), Hashed(), lambda _done, _total: None)
        return built.path, built.embedded

    path, count = build()
    assert (count, build()) == (len(HERE), (path, 0))
    Path(path).write_bytes(binary_of_version(whence, Path(path).read_bytes()))
    assert find_vectors(path) is None
    assert build() == (path, len(HERE))


@pytest.mark.parametrize("whence", WHENCE)
def test_a_sync_begins_anew(repo: Path, whence: str) -> None:
    memory = get_repo(str(repo))
    save_cursor(memory, Cursor("shop", "c" * 40))
    (file,) = (repo / ".git/brain/sync").glob("*.json")
    file.write_text(of_version(whence, file.read_text()))
    assert load_cursor(memory, "shop") == Cursor("shop")


def test_tables_of_an_earlier_version_are_brought_up_to_date_and_of_a_later_one_left_alone() -> None:
    server = make_server()
    server.start()
    try:
        import psycopg

        Store(server.dsn).close()
        with psycopg.connect(server.dsn, autocommit=True) as link:
            link.execute("DROP TABLE brain.projects")
            link.execute("DELETE FROM brain.version WHERE number = 2")
            Store(server.dsn).close()
            assert link.execute("SELECT count(*) FROM brain.projects").fetchone() == (0,)
            link.execute("INSERT INTO brain.version VALUES (99)")
            with pytest.raises(DatabaseError, match="of version 99") as caught:
                Store(server.dsn)
            assert "update Project Brain" in caught.value.hint
            assert link.execute("SELECT max(number) FROM brain.version").fetchone() == (99,)
    finally:
        server.stop()
        shutil.rmtree(Path(server.data).parent, ignore_errors=True)


# what people did is kept


@pytest.mark.parametrize("whence", WHENCE)
def test_what_was_submitted_is_not_touched_and_said(team: Team, run: Run, whence: str) -> None:
    text = team.ada.draft(NOON).read_text("utf-8")
    assert run("submit", "--ticket", "T-1")[0] == 0
    file = team.ada.folder / ".git/brain/submitted/T-1.json"
    file.write_text(of_version(whence, file.read_text("utf-8")))
    before = file.read_bytes()
    status, out, err = run("status")
    assert (status, "submitted:" in out) == (0, False)
    assert f"{file}: it cannot be understood; update Project Brain" in err
    status, _, err = run("submit", "--ticket", "T-1")
    assert (status, "it cannot be understood" in err) == (3, True)
    assert file.read_bytes() == before
    assert git(team.ada.folder, "show", f"refs/brain/submitted/T-1:{ROOT}/{NOON}") + "\n" == text


@pytest.mark.parametrize("whence", WHENCE)
def test_uses_are_counted_once(team: Team, tmp_path: Path, whence: str) -> None:
    state, link, origin = str(tmp_path / "state"), Link(str(team.ada.folder), "origin", {}), Origin("shop", 0.05)

    def publish_all() -> int:
        ledger = count_up(state, origin)
        publish(link, ledger.machine, ledger.counts)
        fetch(link)
        return read_total(link.repo).uses["mem-F003-retry"].hits

    for number in range(3):
        record(state, EVENTS, READ, ids=["mem-F003-retry"], session=f"s{number}")
    assert publish_all() == 3
    file, machine = Path(telemetry_dir(state), FILE), read_ledger(state).machine
    file.write_text(of_version(whence, file.read_text()))
    assert publish_all() == 3
    record(state, EVENTS, READ, ids=["mem-F003-retry"], session="s3")
    assert (publish_all(), read_ledger(state).machine) == (4, machine)


def test_counts_that_a_later_version_published_are_not_replaced(team: Team) -> None:
    link = Link(str(team.ada.folder), "origin", {})
    publish(link, "m1", Counts({"mem-F003-retry": Use(7)}, {}))
    later = of_version(LATER, render_counts(Counts({"mem-F003-retry": Use(9)}, {})))
    blob = git(team.origin, "hash-object", "-w", "--stdin", stdin=later)
    tree = git(team.origin, "mktree", stdin=f"100644 blob {blob}\tcounts.json\n")
    commit = git(team.origin, "commit-tree", "-m", "later", tree)
    git(team.origin, "update-ref", REF, commit)
    with pytest.raises(BrainError, match="counts of a later version") as caught:
        publish(link, "m1", Counts({"mem-F003-retry": Use(8)}, {}))
    assert "update Project Brain" in caught.value.hint
    assert git(team.origin, "rev-parse", REF) == commit
    assert publish(link, "m2", Counts({"mem-F003-retry": Use(8)}, {})).moved, "others go on"


def test_webhooks_that_wait_are_read_across_versions(tmp_path: Path) -> None:
    path = tmp_path / "deliveries.jsonl"
    Journal(str(path)).append([
        {"key": "earlier", "at": 1.0, "kind": "push"}, {"key": "later", "at": 2.0, "kind": "push", "shade": "red"},
        {"key": "none", "colour": 3}, {"format": 9},
    ])  # fmt: skip
    path.write_bytes(path.read_bytes() + b'12345678 {"key":"cut')
    found = Deliveries(str(path))
    assert found.pending() == [Delivery("earlier", 1.0, "push"), Delivery("later", 2.0, "push")]
    assert found.accept(Delivery("new", 3.0, "push"))
    assert [one.key for one in Deliveries(str(path)).pending()] == ["earlier", "later", "new"]


# what people write

OTHER: dict[str, tuple[str, Callable[[str], str]]] = {
    "a later version's key": ("colour: red", lambda text: text.replace("\nstatus:", "\ncolour: red\nstatus:")),
    "no list of refs yet": ("", lambda text: text.replace("\nrefs: []", "")),
    "keys in another order": ("", lambda text: text.replace("tags: [payment]\n", "").replace("hits: 0\n", "hits: 0\ntags: [payment]\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_memories_of_another_version_are_read_and_keep_what_is_not_known(name: str) -> None:
    kept, change = OTHER[name]
    text, place = change(memory_text(RETRY)), find_place(RETRY)
    assert place
    assert text != memory_text(RETRY)
    memory = parse_memory(text, place)
    assert (memory.id, memory.tags, memory.hits) == ("mem-F003-retry", ("payment",), 0)
    changed = edit_memory(text, {"status": "deprecated"}, RETRY)
    assert kept in changed
    assert changed == text.replace("status: approved", "status: deprecated")


def test_settings_of_another_version_are_told_with_the_mend_and_the_rest_counts() -> None:
    team = parse_toml('[memory]\ntopN = 7\nshade = "red"\n[recal]\nscorer = "rule"\n[people]\npm = ["pam"]\n')
    config = load_config(team, {"memory": {"indexBudget": 900, "later": 1}, "another tool's": {"x": 1}}, {})
    assert (config["memory.topN"], config["memory.indexBudget"], config["people.pm"]) == (7, 900, ["pam"])
    assert [(problem.key, bool(problem.hint)) for problem in config.problems] == [
        ("memory.shade", True), ("recal.scorer", True), ("memory.later", True),
    ]  # fmt: skip

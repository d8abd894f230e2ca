"""The cache: whichever way an index came about it says the same, and nothing that happens to it shows."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brain.errors import GitError
from brain.git.refs import Repo, find_repo
from brain.index import cache
from brain.index.cache import Tree, cache_dir, load_tree
from brain.index.segment import TIMES_BITS, Segment, SegmentError
from brain.layout import AREA_TYPES
from brain.memory import Memory
from tests.support.repos import PROGRAM, ROOT, clone, commit, git, make_memory_repo, make_repo, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterable

A, B, C = "01.Lessons/dev/F-1/a.md", "00.Shared/decisions/b.md", "00.Shared/glossary/c.md"


def at(path: Path) -> Repo:
    repo = find_repo(str(path))
    assert repo
    return repo


def load(path: Path, root: str = ROOT) -> Tree:
    return load_tree(at(path), root)


def memories(tree: Tree) -> list[Memory]:
    return sorted((memory for part in tree.parts for memory in part.memories()), key=lambda memory: memory.path)


def bodies(tree: Tree) -> dict[str, str]:
    return {memory.place.slug: memory.body.partition("\n")[0] for memory in memories(tree)}


def put(**texts: str | None) -> dict[str, str | None]:
    """Return files of decisions by slug: a body, or None to remove it."""
    return {
        f"{ROOT}/00.Shared/decisions/{slug}.md": memory_text(f"00.Shared/decisions/{slug}.md", body=body)
        if body is not None
        else None
        for slug, body in texts.items()
    }


def keys_of(segment: Segment) -> list[str]:
    keys, start = [], 0
    for end in segment._block_ends:
        block = bytes(segment._blocks[start:end])
        size = int.from_bytes(block[4:8], sys.byteorder)
        keys.append(block[8 : 8 + size].decode("utf-8", "surrogatepass"))
        start = end
    return keys


def said(tree: Tree, keys: Iterable[str] = ()) -> dict[str, Any]:
    """Return all that recall asks of a tree, however many segments it is in; without ``keys``, by every key it has."""
    postings: dict[str, set[tuple[str, int]]] = defaultdict(set)
    sums = {"languages": [0, 0, 0], "length": 0, "places": defaultdict(int)}
    for part in tree.parts:
        segment = part.segment
        for key in keys or keys_of(segment):
            shift = TIMES_BITS if key.startswith("word") else 0
            for entry in segment.postings(key):
                if entry >> shift not in part.dead:
                    postings[key].add((segment.record(entry >> shift)[0], entry & ((1 << shift) - 1)))
        sums["languages"] = [
            total + alive - dead
            for total, alive, dead in zip(
                sums["languages"], segment.header["languages"], part.dead_languages, strict=True
            )
        ]
        sums["length"] += segment.header["length"] - part.dead_length
        for area, folder, _ in segment.header["places"]:
            sums["places"][f"{area}/{folder}"] += len(part.numbers(f"place:{area}/{folder}"))
    retros = {
        segment_record
        for part in tree.parts
        for number in part.numbers("retro:")
        for segment_record in [part.segment.record(number)]
    }
    places = {place: count for place, count in sums["places"].items() if count}
    return {
        "memories": memories(tree), "size": tree.size, "postings": {key: found for key, found in postings.items() if found}, "retros": retros, "settings": tree.settings, "skipped": tree.skipped,
        "languages": sums["languages"], "length": sums["length"], "places": places, "commit": tree.commit, "ref": tree.ref,
    }  # fmt: skip


def cold(path: Path) -> Tree:
    """Return the tree as one who has no cache reads it; the cache there is stays."""
    folder = Path(cache_dir(at(path)))
    aside = folder.with_name("brain-aside")
    if folder.exists():
        folder.rename(aside)
    try:
        return load(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if aside.exists():
            aside.rename(folder)


# One commit after another


def change(chance: random.Random, paths: set[str]) -> dict[str, str | bytes | None]:
    """Return a random change: some files added, changed, broken, mended, moved or removed."""
    files: dict[str, str | bytes | None] = {}
    for _ in range(chance.randint(1, 5)):
        kind = chance.choice(
            ["put", "put", "put", "put", "remove", "move", "bad", "settings", "retro", "pending", "else"]
        )
        name = chance.choice("abcdefgh")
        path = chance.choice(
            [
                f"01.Lessons/dev/F-1/{name}.md",
                f"01.Lessons/qa/_global/{name}.md",
                f"00.Shared/decisions/{name}.md",
                f"00.Shared/glossary/{name}.md",
                f"02.Instincts/approved/F-2_X/{name}.md",
            ]
        )
        fields = {
            "body": chance.choice(["Stock exports run at 18:00.", "在庫の出力は18時まで。", "Xuất tồn kho phải xong."]) + chance.choice(["", " Twice. Twice."]), "tags": tuple(chance.sample(["order", "stock", "api", "node.js"], 2)),
            "aliases": tuple(chance.sample(["受注", "đơn hàng", "sales order", "在庫"], chance.randint(0, 2))), "confidence": chance.choice([0.5, 0.7]), "hits": chance.randint(0, 1),
            "supersedes": tuple(chance.sample(["mem-global-a", "mem-F1-b"], chance.randint(0, 1))), "refs": tuple(chance.sample(["src/a.py", "src/*.py", "src/b/"], 1)),
        }  # fmt: skip
        there = sorted(paths | {name.removeprefix(f"{ROOT}/") for name, text in files.items() if text is not None})
        if kind == "put":
            files[f"{ROOT}/{path}"] = memory_text(path, **fields)
        elif kind == "pending":
            files[f"{ROOT}/{path}"] = memory_text(path, status="pending", **fields)
        elif kind == "bad":
            files[f"{ROOT}/{path}"] = chance.choice(
                [
                    b"\xff",
                    "no frontmatter",
                    memory_text(path).replace("0.8", "much"),
                    memory_text(path).replace("id: ", "id: x"),
                ]
            )
        elif kind == "settings":
            files[f"{ROOT}/brain.toml"] = chance.choice(["", "[memory]\ntopN = 3\n", "[memory]\ntopN = 4\n", "[broken"])
        elif kind == "retro":
            files[f"{ROOT}/03.Retro/{name}.md"] = f"created: 2026-01-0{chance.randint(1, 9)}\n\nF-1 {chance.random()}\n"
        elif kind == "else":
            files[
                chance.choice(
                    [
                        f"src/{name}.py",
                        f"{ROOT}/README.md",
                        f"{ROOT}/MEMORY.md",
                        f"{ROOT}/_pending/{path}",
                        f"{ROOT}/_deprecated/{path}",
                    ]
                )
            ] = name
        elif there:
            old = chance.choice(there)
            files[f"{ROOT}/{old}"] = None
            if kind == "move":
                files[f"{ROOT}/{path}"] = memory_text(path, **fields)
    return files


@pytest.mark.parametrize("seed", range(8))
def test_step_by_step_and_all_at_once_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(cache, "LEAST_DIFFERENCE", chance.choice([3, 200]))
    monkeypatch.setattr(cache, "MOST_SEGMENTS", chance.choice([1, 2, 4]))
    monkeypatch.setattr(cache, "PARALLEL_FROM", chance.choice([2, 1000]))
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: "", C: ""})
    load(repo)
    commits = [git(repo, "rev-parse", "HEAD")]
    for _ in range(12):
        if chance.random() < 0.2:  # back to what was there, as a revert or a branch that is reset
            git(repo, "reset", "-q", "--hard", chance.choice(commits))
        else:
            paths = {str(path.relative_to(repo / ROOT)) for path in (repo / ROOT).rglob("*.md")}
            files = change(chance, paths)
            commit(repo, {name: text for name, text in files.items() if text is not None or (repo / name).exists()})
            commits.append(git(repo, "rev-parse", "HEAD"))
        if chance.random() < 0.8:  # a session starts only now and then
            stepwise = said(load(repo))
            assert stepwise == said(cold(repo)) == said(load(repo))


def test_settings_and_warnings_of_a_difference_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_SEGMENTS", 1)
    repo = make_memory_repo(tmp_path / "repo", {A: ""}, "[memory]\ntopN = 3\n")
    load(repo)
    first = git(repo, "rev-parse", "HEAD")
    commit(repo, {f"{ROOT}/brain.toml": "[memory]\ntopN = 9\n", f"{ROOT}/{B}": "bad"})
    assert (load(repo).settings, len(load(repo).skipped)) == ({"memory": {"topN": 9}}, 1)
    git(repo, "reset", "-q", "--hard", first)
    tree = load(repo)
    assert (tree.settings, tree.skipped, list(bodies(tree))) == ({"memory": {"topN": 3}}, (), ["a"])


def test_a_commit_that_changes_no_memory_parses_nothing(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    load(repo)
    segments = sorted(path.name for path in (repo / ".git/brain").iterdir())
    commit(repo, {"src/x.py": ""})
    assert load(repo).commit == git(repo, "rev-parse", "HEAD")
    assert sorted(path.name for path in (repo / ".git/brain").iterdir()) == segments


def test_while_nothing_moves_git_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    expected = said(load(repo))
    monkeypatch.setenv("PATH", "/nowhere")
    assert said(load(repo)) == expected


def test_history_that_was_rewritten_and_collected_is_no_trouble(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    load(repo)
    git(repo, "checkout", "-q", "--orphan", "new")
    commit(repo, put(x="new"))
    git(repo, "branch", "-qM", "main")
    git(repo, "reflog", "expire", "--expire=now", "--all")
    git(repo, "gc", "-q", "--prune=now")
    assert said(load(repo)) == said(cold(repo))


def test_the_memories_may_go_and_come_back(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    assert load(repo).size == 1
    git(repo, "rm", "-rq", ROOT)
    commit(repo, {"x": ""})
    assert (load(repo).size, load(repo).settings, load(repo).tree) == (0, {}, "")
    commit(repo, put(x="back"))
    assert bodies(load(repo)) == {"x": "back"}


def test_without_a_commit_the_tree_is_empty(tmp_path: Path) -> None:
    assert load(make_repo(tmp_path / "r")) == Tree(ROOT)


def test_two_roots_of_one_repository_do_not_throw_each_other_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "KEEP_SECONDS", -1)
    repo = make_repo(tmp_path / "r", {f"one/{B}": memory_text(B, body="one"), f"記憶/{B}": memory_text(B, body="two")})
    assert (bodies(load(repo, "one")), bodies(load(repo, "記憶"))) == ({"b": "one"}, {"b": "two"})
    monkeypatch.setenv("PATH", "/nowhere")
    assert (bodies(load(repo, "one")), bodies(load(repo, "記憶"))) == ({"b": "one"}, {"b": "two"})


def test_old_segments_are_removed_once_no_reader_can_want_them(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    load(repo)
    folder = repo / ".git/brain"
    (folder / "x.1.tmp").touch()
    (folder / "fetch.lock").touch()
    old = time.time() - cache.KEEP_SECONDS - 1
    for path in folder.iterdir():
        os.utime(path, (old, old))
    git(repo, "rm", "-rq", ROOT)
    commit(repo, put(x="new"))
    load(repo)
    tree = load(repo)
    names = {part.segment.name for part in tree.parts}
    assert {str(path) for path in folder.iterdir() if path.suffix == ".segment"} == names
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".segment") == [
        "fetch.lock",
        cache._Cache(at(repo), ROOT).pointer_path.rpartition("/")[2],
    ]


# What is committed beside good memories


def plumbing(repo: Path, *rows: tuple[str, str, bytes]) -> None:
    """Commit (mode, path, content) on top, also what no disk could hold."""
    lines = []
    for mode, path, content in rows:
        oid = (
            content.decode()
            if mode == "160000"
            else subprocess.run(
                ["git", "-C", repo, "hash-object", "-w", "--stdin"], input=content, capture_output=True, check=True
            )
            .stdout.decode()
            .strip()
        )
        lines.append(f"{mode} {oid}\t".encode() + os.fsencode(f"{ROOT}/{path}") + b"\0")
    subprocess.run(["git", "-C", repo, "update-index", "-z", "--index-info"], input=b"".join(lines), check=True)
    tree = git(repo, "write-tree", "--missing-ok")
    git(repo, "update-ref", "refs/heads/main", git(repo, "commit-tree", tree, "-p", "HEAD", "-m", "x"))


D = "00.Shared/decisions"
MEND = "(use ASCII letters, digits, '-', '.' and '_' for it)"
ODD = {
    "symlink": (("120000", f"{D}/link.md", b"b.md"), f"{D}/link.md:1: a link or submodule (commit the text itself)"),
    "symlink out": (("120000", f"{D}/out.md", b"/etc/passwd"), f"{D}/out.md:1: a link or submodule (commit the text itself)"),
    "linked folder": (("120000", "00.Shared/domain/F-7", b"../decisions"), "00.Shared/domain/F-7:1: a link or submodule (commit the text itself)"),
    "submodule": (("160000", f"{D}/module", b"4b825dc642cb6eb9a060e54bf8d69288fbee4904"), f"{D}/module:1: a link or submodule (commit the text itself)"),
    "not UTF-8 name": (("100644", f"{D}/{os.fsdecode(bytes([0xFF]))}.md", b"x"), f"{D}/\\udcff.md:1: not a plain name {MEND}"),
    "newline in name": (("100644", f"{D}/a\nb.md", b"x"), f"{D}/a\\nb.md:1: not a plain name {MEND}"),
    "bidi in name": (("100644", f"{D}/rtl-\u202egpj.md", b"x"), f"{D}/rtl-\\u202egpj.md:1: not a plain name {MEND}"),
    "too big": (("100644", f"{D}/big.md", b"x" * 10_000_000), f"{D}/big.md:1: the file is over 16384 bytes, or its content is not here (make it shorter: a memory is one fact, at most 150 words)"),
    "a bit too big": (("100644", f"{D}/big.md", b"x" * 20_000), f"{D}/big.md:1: the file is over 16384 bytes (make it shorter: a memory is one fact, at most 150 words)"),
    "missing object": (("160000", f"{D}/x.md", b"1" * 40), f"{D}/x.md:1: a link or submodule (commit the text itself)"),
    "nowhere": (("100644", f"{D}/deep/x.md", b"x"), f'{D}/deep/x.md:1: no memory may lie here (move it to one of the areas: {", ".join(AREA_TYPES)})'),
    "NUL": (("100644", f"{D}/nul.md", b"---\na: \0\n"), f"{D}/nul.md:2: a NUL byte (save it as UTF-8)"),
    "huge settings": (("100644", "brain.toml", b"#" * 300_000), "brain.toml:1: the file is over 262144 bytes, or its content is not here (make it shorter: a memory is one fact, at most 150 words)"),
    "linked settings": (("120000", "brain.toml", b"x"), "brain.toml:1: a link or submodule (commit the text itself)"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("stepwise", [False, True])
def test_a_bad_entry_is_one_warning_and_hides_nothing(tmp_path: Path, kind: str, stepwise: bool) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""}, "[memory]\ntopN = 3\n")
    if stepwise:
        load(repo)
    row, warning = ODD[kind]
    plumbing(repo, row)
    for _ in range(2):
        tree = load(repo)
        assert (tree.skipped, list(bodies(tree))) == ((warning,), ["b", "a"])
        assert tree.settings == ({} if "settings" in kind else {"memory": {"topN": 3}})


@pytest.mark.parametrize("name", ["collide", "CON", "UPPER", "a" * 200, "dot."])
def test_names_that_lint_forbids_are_read(tmp_path: Path, name: str) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    names = [f"{D}/{name}.md", f"{D}/{name.swapcase()}.md"]
    plumbing(repo, *(("100644", path, memory_text(path).encode()) for path in dict.fromkeys(names)))
    tree = load(repo)
    assert (tree.skipped, {memory.path for memory in memories(tree)}) == ((), {A, *names})


def test_files_that_are_no_memories_are_passed_over_in_silence(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    files = [
        "MEMORY.md",
        "README.md",
        f"{D}/README.md",
        f"{D}/x.txt",
        f"{D}/image.png",
        ".gitattributes",
        "_pending/x.md",
        "_deprecated/x.md",
        "03.Retro/T-1.md",
        "00.Shared/note.markdown",
    ]
    commit(repo, {f"{ROOT}/{name}": "x" for name in files})
    plumbing(repo, ("120000", "CLAUDE.md", b"MEMORY.md"), ("120000", "_pending/link.md", b"x"))
    assert (load(repo).skipped, list(bodies(load(repo)))) == ((), ["a"])


def test_a_name_that_only_ends_like_a_readme_is_a_memory(tmp_path: Path) -> None:
    assert [memory.id for memory in memories(load(make_memory_repo(tmp_path / "r", {f"{D}/my-README.md": ""})))] == [
        "mem-global-my-README"
    ]


def test_many_bad_files_are_told_of_in_part_and_all_remembered(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    commit(repo, {f"{ROOT}/{D}/bad{number:03}.md": "x" for number in range(120)})
    assert len(load(repo).skipped) == cache.SHOWN_SKIPPED
    commit(repo, {f"{ROOT}/{D}/bad{number:03}.md": None for number in range(100)})
    assert [warning[:32] for warning in load(repo).skipped] == [
        f"{D}/bad{number:03}.md:1:" for number in range(100, 120)
    ]


def test_an_object_that_is_missing_hides_one_memory(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""})
    oid = git(repo, "rev-parse", f"HEAD:{ROOT}/{B}")
    (repo / ".git/objects" / oid[:2] / oid[2:]).unlink()
    tree = load(repo)
    assert (list(bodies(tree)), [warning.partition(" (")[0] for warning in tree.skipped]) == (
        ["a"],
        [f"{B}:1: the file is over 16384 bytes, or its content is not here"],
    )


def test_a_commit_that_is_missing_is_an_error(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    load(repo)
    (repo / ".git/refs/heads/main").write_text("1" * 40 + "\n")
    with pytest.raises(GitError) as caught:
        load(repo)
    assert (str(caught.value), caught.value.hint) == (
        f"git rev-parse {'1' * 40}: commit 111111111111 is not here",
        "run git fetch",
    )


def test_a_shallow_clone_is_read(tmp_path: Path) -> None:
    origin = commit(make_memory_repo(tmp_path / "o", {A: ""}), put(x="1"))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", str(tmp_path / "r"))
    assert bodies(load(tmp_path / "r")) == bodies(load(origin))


# Damage


def files_of(repo: Path) -> dict[str, Path]:
    return {"pointer" if path.suffix == ".json" else "segment": path for path in (repo / ".git/brain").iterdir()}


def nested(pointer: dict[str, Any], **changes: Any) -> bytes:
    import zlib

    text = json.dumps({**pointer, **changes})
    return f"{zlib.crc32(text.encode())}\n{text}".encode()


DAMAGES: dict[str, Any] = {
    "empty pointer": lambda _pointer, _found: b"", "half a pointer": lambda pointer, _found: pointer[: len(pointer) // 2], "no JSON": lambda _pointer, _found: b"123\n{", "zeros": lambda _pointer, _found: bytes(200),
    "binary": lambda _pointer, _found: b"\xff\xfe" * 50, "another's": lambda _pointer, _found: b"[]", "deep": lambda _pointer, _found: b"1\n" + b"[" * 100_000, "no keys": lambda _pointer, _found: nested({}),
    "another format": lambda _pointer, found: nested(found, format=0), "another root": lambda _pointer, found: nested(found, root="x"), "no list": lambda _pointer, found: nested(found, segments=3), "odd rows": lambda _pointer, found: nested(found, segments=[[1, 2], 3]),
    "no such segment": lambda _pointer, found: nested(found, segments=[["gone.segment", []]]), "odd dead": lambda _pointer, found: nested(found, segments=[[found["segments"][0][0], ["x"]]]), "odd skipped": lambda _pointer, found: nested(found, skipped=[3]),
    "no segments key": lambda _pointer, found: nested({key: value for key, value in found.items() if key != "segments"}), "folder for a segment": lambda _pointer, found: nested(found, segments=[["", []]]),
    "odd base": lambda _pointer, found: nested(found, commit="x", base=3), "odd count": lambda _pointer, found: nested(found, commit="x", base_segments="x"), "no tree": lambda _pointer, found: nested(found, commit="x", tree=7),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_pointer_is_made_anew_in_silence(tmp_path: Path, damage: str) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""})
    expected = said(load(repo))
    path = files_of(repo)["pointer"]
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content, json.loads(content.partition(b"\n")[2])))
    assert said(load(repo)) == expected
    assert said(load(repo)) == expected
    assert path.read_bytes().partition(b"\n")[2][:12] == content.partition(b"\n")[2][:12]


def test_a_pointer_with_a_flipped_bit_is_made_anew(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""}, "[memory]\ntopN = 3\n")
    expected = said(load(repo))
    path = files_of(repo)["pointer"]
    content = path.read_bytes()
    for at_byte in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[at_byte] ^= 1 << (at_byte % 7)
        path.write_bytes(damaged)
        assert said(load(repo)) == expected
        assert load(repo).parts


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:30],
        lambda data: data + b"x",
        lambda data: bytes(len(data)),
        lambda data: data[:100] + b"\xff" + data[101:],
    ],
)
def test_a_damaged_segment_is_made_anew_in_silence(tmp_path: Path, damage: Any) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""})
    expected = said(load(repo))
    path = files_of(repo)["segment"]
    path.write_bytes(damage(path.read_bytes()))
    assert said(load(repo)) == expected
    commit(repo, put(x="more"))
    files_of(repo)["segment"].write_bytes(b"")
    assert said(load(repo)) == said(cold(repo))


def test_damage_deep_in_a_segment_is_found_out_and_the_next_reader_has_it_mended(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: ""})
    expected, hints = said(load(repo)), set()
    for section in ("hashes", "block_ends", "record_ends", "blocks", "records", "place", "confidence"):
        shutil.rmtree(repo / ".git/brain")
        load(repo)
        path = files_of(repo)["segment"]
        data = bytearray(path.read_bytes())
        start, end = Segment(memoryview(bytes(data)), "").header["sections"][section]
        data[(start + end) // 2] ^= 4
        path.write_bytes(data)
        try:
            assert said(load(repo), expected["postings"]) == expected, section
        except SegmentError as error:
            hints.add(error.hint)
        assert said(load(repo)) == expected
    assert hints == {"it is removed and will be made anew: try again"}


def test_a_whole_segment_in_the_place_of_another_is_not_believed(tmp_path: Path) -> None:
    repo, other = make_memory_repo(tmp_path / "repo", {A: "", B: ""}), make_memory_repo(tmp_path / "other", {C: ""})
    expected = said(load(repo))
    load(other)
    shutil.copyfile(files_of(other)["segment"], files_of(repo)["segment"])
    assert said(load(repo)) == expected
    assert said(load(repo)) == expected


@pytest.mark.parametrize("what", ["file for the folder", "folder for the pointer", "link to nowhere", "missing"])
def test_a_place_that_takes_no_cache_costs_time_only(tmp_path: Path, what: str) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    folder = repo / ".git/brain"
    if what == "file for the folder":
        folder.write_text("x")
    elif what == "folder for the pointer":
        Path(cache._Cache(at(repo), ROOT).pointer_path).mkdir(parents=True)
    elif what == "link to nowhere":
        folder.symlink_to("/nowhere/x")
    for body in ("one", "two"):
        commit(repo, put(x=body))
        assert bodies(load(repo)) == {"a": "Retry a payment at most twice.", "x": body}


def test_a_full_disk_costs_time_only(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    load(repo)
    commit(repo, put(**{f"x{number}": "word " * 300 for number in range(30)}))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = sorted(path.name for path in (repo / ".git/brain").iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        assert [load(repo).size for _ in range(2)] == [31, 31]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert sorted(path.name for path in (repo / ".git/brain").iterdir()) == before
    assert said(load(repo)) == said(cold(repo))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_read_only_git_folder_costs_time_only(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    git(repo, "config", "--global", "safe.directory", "*")
    config = Path(os.environ["GIT_CONFIG_GLOBAL"])
    for path in (*repo.parents, config, *config.parents):
        if str(path) not in ("/", "/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    os.seteuid(65534)
    try:
        assert [load(repo).size for _ in range(2)] == [1, 1]
    finally:
        os.seteuid(0)
    assert not (repo / ".git/brain").exists()


# Many at once, and killed

READER = f"""
import sys, time, os
from brain.git.refs import find_repo
from brain.index.cache import load_tree
repo = find_repo(sys.argv[1])
until = time.monotonic() + float(sys.argv[2])
seen = set()
while time.monotonic() < until:
    tree = load_tree(repo, {ROOT!r})
    bodies = {{memory.place.slug: memory.body for part in tree.parts for memory in part.memories()}}
    numbers = {{int(body) for slug, body in bodies.items() if slug.startswith('x')}}
    assert len(numbers) == 1 and len(bodies) == 40 + int(next(iter(numbers))) % 3, bodies
    assert tree.settings == {{'memory': {{'topN': next(iter(numbers))}}}}, tree.settings
    seen |= numbers
print(*sorted(seen))
"""


def state(number: int) -> dict[str, str | None]:
    """Return commit ``number``: every file says the number, and there are as many more files as it leaves by three."""
    more = {f"y{index}": "more" if index < number % 3 else None for index in range(3)}
    return {
        **put(**{f"x{index}": str(number) for index in range(40)}, **more),
        f"{ROOT}/brain.toml": f"[memory]\ntopN = {number}\n",
    }


def test_every_reader_sees_one_commit_whole_while_commits_arrive(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {name: text for name, text in state(0).items() if text is not None})
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(repo), "4"],
            env={**os.environ, **PROGRAM},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    number = 0
    while any(reader.poll() is None for reader in readers):
        number += 1
        commit(repo, {name: text for name, text in state(number).items() if text is not None or (repo / name).exists()})
    answers = [reader.communicate(timeout=60) for reader in readers]
    assert [error for _, error in answers] == [""] * 8
    assert max(len(out.split()) for out, _ in answers) > 1
    assert said(load(repo)) == said(cold(repo))
    assert len(list((repo / ".git/brain").glob("*.tmp"))) == 0


def test_a_build_that_is_killed_at_any_moment_leaves_a_cache_that_works(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: ""})
    commit(repo, put(**{f"z{index}": f"{index} said" for index in range(300)}))
    code = f"import sys\nfrom brain.git.refs import find_repo\nfrom brain.index import cache\ncache.PARALLEL_FROM = 50\nsys.stdout.write('x'); sys.stdout.flush()\ncache.load_tree(find_repo({str(repo)!r}), {ROOT!r})"
    chance = random.Random(7)
    expected = said(cold(repo))
    for number in range(25):
        if number % 2:
            shutil.rmtree(repo / ".git/brain", ignore_errors=True)
        else:
            commit(repo, put(w=str(number)))
            expected = said(cold(repo))
        child = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **PROGRAM}, stdout=subprocess.PIPE)
        assert child.stdout
        child.stdout.read(1)
        time.sleep(chance.random() * 0.12)
        child.kill()
        child.communicate(timeout=20)  # no orphan of it holds the pipe
        assert said(load(repo)) == expected


def watch_children(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that every forked child's id will be in."""
    children: list[int] = []
    fork = os.fork

    def watched() -> int:
        pid = fork()
        if pid:
            children.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", watched)
    return children


def are_gone(children: list[int]) -> bool:
    for pid in children:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return True


@pytest.mark.parametrize("fate", ["killed", "raises", "no fork"])
def test_a_share_whose_process_is_lost_is_built_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fate: str
) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: "", C: "", "00.Shared/decisions/bad.md": "x"})
    expected = said(load(repo))
    monkeypatch.setattr(cache, "PARALLEL_FROM", 2)
    parent, build = os.getpid(), cache._build

    def build_or_die(*args: Any) -> Any:
        if os.getpid() != parent:
            if fate == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            raise MemoryError
        return build(*args)

    def no_fork() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    children = watch_children(monkeypatch)
    monkeypatch.setattr(cache, "_build", build_or_die)
    if fate == "no fork":
        monkeypatch.setattr(os, "fork", no_fork)
    before = len(os.listdir("/proc/self/fd"))
    assert said(cold(repo)) == expected
    assert are_gone(children)
    assert bool(children) == (fate != "no fork")
    assert len(os.listdir("/proc/self/fd")) <= before + 4  # maps aside, nothing stays open


def test_when_this_process_fails_no_child_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make_memory_repo(tmp_path / "repo", {A: "", B: "", C: ""})
    monkeypatch.setattr(cache, "PARALLEL_FROM", 2)
    parent, build = os.getpid(), cache._build

    def fail_here(*args: Any) -> Any:
        if os.getpid() == parent:
            raise GitError(["cat-file"], 128, "fatal: no")
        return build(*args)

    children = watch_children(monkeypatch)
    monkeypatch.setattr(cache, "_build", fail_here)
    with pytest.raises(GitError):
        load(repo)
    assert are_gone(children)
    assert children


def test_a_clone_reads_what_the_remote_had_when_it_was_fetched(tmp_path: Path) -> None:
    origin = make_memory_repo(tmp_path / "o", {A: ""})
    repo = clone(origin, tmp_path / "r")
    commit(repo, put(mine="not yet shared"))
    assert (list(bodies(load(repo))), load(repo).ref) == (["a"], "refs/remotes/origin/main")
    commit(origin, put(theirs="shared"))
    git(repo, "fetch", "-q")
    assert list(bodies(load(repo))) == ["theirs", "a"]

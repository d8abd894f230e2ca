from __future__ import annotations

import unicodedata

from brain.lint.tree import check_tree

AREA = "00.Shared/domain/F-002_Order"


def found(paths: list[str], before: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return sorted((note.rule.name, note.path) for note in check_tree(paths, before))


def test_a_tree_of_different_names_is_fine() -> None:
    assert found([f"{AREA}/a.md", f"{AREA}/b.md", "MEMORY.md"]) == []


def test_paths_that_differ_in_case_collide() -> None:
    pair = [f"{AREA}/collide.md", f"{AREA}/Collide.md"]
    assert found(pair) == [("path-case-collision", path) for path in sorted(pair)]


def test_folders_that_differ_in_case_collide_for_every_file_in_them() -> None:
    paths = ["00.Shared/domain/F-002_Order/a.md", "00.Shared/domain/f-002_order/b.md"]
    assert ("path-case-collision", paths[0]) in found(paths)
    assert ("path-case-collision", paths[1]) in found(paths)


def test_paths_in_two_normal_forms_collide() -> None:
    pair = [f"{AREA}/{unicodedata.normalize(form, 'hàng.md')}" for form in ("NFC", "NFD")]
    assert found(pair) == [("path-normalisation-collision", path) for path in sorted(pair)]


def test_one_id_in_two_areas_is_taken_twice() -> None:
    pair = [f"{AREA}/twin.md", "00.Shared/architecture/F-002_Order/twin.md"]
    assert found(pair) == [("id-duplicate", path) for path in sorted(pair)]


def test_a_removed_memory_keeps_its_id() -> None:
    live, removed = f"{AREA}/x.md", f"_deprecated/{AREA}/x.md"
    assert found([live, removed]) == [("id-duplicate", removed)]
    assert found([live, removed], (removed,)) == [("id-duplicate", live)]


def test_a_removal_is_a_move_and_no_duplicate() -> None:
    assert found([f"_deprecated/{AREA}/x.md"], (f"{AREA}/x.md",)) == []


def test_a_draft_may_have_the_id_of_the_memory_it_changes() -> None:
    assert found([f"{AREA}/x.md", f"_pending/{AREA}/x.md"]) == []
    other = "_pending/00.Shared/architecture/F-002_Order/x.md"
    assert found([f"{AREA}/x.md", other]) == [("id-duplicate", other)]


def test_the_newer_of_two_folders_of_one_short_code_is_to_blame() -> None:
    old, new = f"{AREA}/a.md", "00.Shared/domain/F002/b.md"
    assert found([old, new], (old,)) == [("short-code-collision", new)]
    assert found([old, f"{AREA}/c.md", new]) == [("short-code-collision", new)]
    assert found([old, "00.Shared/architecture/f-002/b.md"], (old,)) == [
        ("short-code-collision", "00.Shared/architecture/f-002/b.md")
    ]
    assert found([old, new]) == [("short-code-collision", path) for path in sorted((old, new))]

"""Where memories may lie, and what a path says (SPEC §1.1)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.layout import (
    AREA_TYPES,
    FOLDER_PATTERN,
    SLUG_PATTERN,
    Place,
    find_place,
    has_plain_name,
    printable,
    short_code,
    slugify,
)


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        (
            "00.Shared/architecture/F-003_Payment/retry.md",
            ("00.Shared/architecture", "fact", "F-003_Payment", "mem-F003-retry"),
        ),
        ("00.Shared/domain/_global/vat.md", ("00.Shared/domain", "fact", "global", "mem-global-vat")),
        ("00.Shared/glossary/juchu.md", ("00.Shared/glossary", "glossary", "global", "mem-global-juchu")),
        ("00.Shared/decisions/use-git.md", ("00.Shared/decisions", "decision", "global", "mem-global-use-git")),
        ("01.Lessons/dev/F-003_Payment/x.md", ("01.Lessons/dev", "lesson", "F-003_Payment", "mem-F003-x")),
        ("01.Lessons/qa/_global/x.md", ("01.Lessons/qa", "lesson", "global", "mem-global-x")),
        ("01.Lessons/ba/F2/x.md", ("01.Lessons/ba", "lesson", "F2", "mem-F2-x")),
        ("01.Lessons/pm/A.b-1_C_D/x.y.md", ("01.Lessons/pm", "lesson", "A.b-1_C_D", "mem-Ab1-x.y")),
        ("02.Instincts/approved/F-1/x.md", ("02.Instincts/approved", "instinct", "F-1", "mem-F1-x")),
    ],
)
def test_a_path_says_area_type_scope_and_id(path: str, facts: tuple[str, ...]) -> None:
    place = find_place(path)
    assert place
    assert (place.area, place.type, place.scope, place.id, place.path) == (*facts, path)
    assert has_plain_name(place)


@pytest.mark.parametrize(
    "path",
    [
        "", "x.md", "MEMORY.md", "00.Shared/x.md", "00.Shared/domain/x.md", "00.Shared/domain/F-1/x.txt", "00.Shared/domain/F-1/x.MD", "00.Shared/domain/F-1/sub/x.md",
        "00.Shared/glossary/F-1/x.md", "00.Shared/domain/F-1/.md", "00.Shared/domain//x.md", "01.Lessons/ops/F-1/x.md", "03.Retro/T-1.md", "_pending/00.Shared/glossary/x.md",
        "_deprecated/00.Shared/glossary/x.md", "99.Memory/00.Shared/glossary/x.md", "/00.Shared/glossary/x.md", "00.shared/glossary/x.md", "00.Shared\\glossary\\x.md",
    ],
)  # fmt: skip
def test_no_memory_lies_anywhere_else(path: str) -> None:
    assert find_place(path) is None


@given(
    st.lists(
        st.sampled_from(
            ["00.Shared", "01.Lessons", "domain", "dev", "glossary", "F-1_X", "_global", "x.md", "", "..", "a.md"]
        ),
        max_size=6,
    ).map("/".join)
)
def test_a_place_is_its_path(path: str) -> None:
    place = find_place(path)
    assert place is None or (place.path == path and place.area in AREA_TYPES)


@pytest.mark.parametrize(
    ("folder", "code"),
    [
        ("F-003_Payment", "F003"),
        ("F003", "F003"),
        ("A.b-1", "Ab1"),
        ("F-1_x_y", "F1"),
        ("_global", ""),
        ("-._", ""),
        ("", ""),
    ],
)
def test_a_short_code_drops_the_name_and_all_punctuation(folder: str, code: str) -> None:
    assert short_code(folder) == code


@given(st.text(max_size=8), st.text(max_size=8))
def test_a_plain_name_is_what_the_patterns_say(folder: str, slug: str) -> None:
    plain = (
        bool(re.fullmatch(FOLDER_PATTERN, folder)) and bool(re.fullmatch(SLUG_PATTERN, slug.lower())) and slug.isascii()
    )
    if folder and slug:
        assert has_plain_name(Place("00.Shared/domain", folder, slug)) == plain


@pytest.mark.parametrize(
    "slug", ["受注", "-rf", ".hidden", "two words", "new\nline", "rtl-\u202egpj", "zw\u200bsp", "a/b", "a)b", "e\u0301"]
)
def test_other_names_are_not_plain(slug: str) -> None:
    assert not has_plain_name(Place("00.Shared/glossary", "", slug))
    assert not has_plain_name(Place("00.Shared/domain", slug, "x"))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a/在庫.md", "a/在庫.md"),
        ("a\nb", "a\\nb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\udcffb", "a\\udcffb"),
        ("a\x1b[0m", "a\\x1b[0m"),
    ],
)
def test_a_path_in_a_message_hides_nothing(path: str, shown: str) -> None:
    assert printable(path) == shown


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Retry a payment at most twice!", "retry-a-payment-at-most-twice"), ("Đơn hàng phải có mã", "don-hang-phai-co-ma"), ("ＡＰＩ　設計 v2", "api-v2"), ("在庫", ""), ("", ""),
        ("a" * 80, "a" * 48), ("one two " * 10, "one-two-one-two-one-two-one-two-one-two-one-two"),
    ],
)  # fmt: skip
def test_a_slug_is_made_of_what_ascii_can_say(text: str, slug: str) -> None:
    assert slugify(text) == slug


@given(st.text())
def test_a_slug_is_always_a_plain_name(text: str) -> None:
    slug = slugify(text)
    assert len(slug) <= 48
    assert slug == "" or re.fullmatch(SLUG_PATTERN, slug)

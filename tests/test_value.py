"""``@value`` is the frozen dataclass it stands for."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from brain.value import replace, value
from tests.support.repos import PROGRAM


@value
class Point:
    """A point."""

    x: int
    y: int = 0

    @property
    def sum(self) -> int:
        return self.x + self.y


@dataclasses.dataclass(frozen=True, order=True)
class Twin:
    x: int
    y: int = 0


@pytest.mark.parametrize(
    ("args", "named"), [((1, 2), {}), ((1,), {}), ((), {"x": 1}), ((1,), {"y": 2}), ((), {"y": 2, "x": 1})]
)
def test_it_is_made_as_a_dataclass_is(args: tuple[int, ...], named: dict[str, int]) -> None:
    point, twin = Point(*args, **named), Twin(*args, **named)
    assert (point.x, point.y, repr(point)) == (twin.x, twin.y, repr(twin).replace("Twin", "Point"))


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((), {"y": 1}), ((1, 2), {"y": 2})],
)
def test_it_is_refused_as_a_dataclass_is(args: tuple[int, ...], named: dict[str, int]) -> None:
    for kind in (Point, Twin):
        with pytest.raises(TypeError):
            kind(*args, **named)


def test_equal_fields_are_equal_records() -> None:
    assert Point(1) == Point(1, 0) != Point(1, 1)
    assert Point(1) != Twin(1)
    assert Point(1) != (1, 0)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2
    assert sorted([Point(2), Point(1, 5), Point(1)]) == [Point(1), Point(1, 5), Point(2)]


def test_a_field_cannot_be_set() -> None:
    with pytest.raises(AttributeError, match=r"Point\.x cannot be set"):
        Point(1).x = 2  # type: ignore[misc]


def test_a_copy_has_some_fields_changed() -> None:
    point = Point(1, 2)
    assert (replace(point, x=5), point) == (Point(5, 2), Point(1, 2))
    with pytest.raises(TypeError):
        replace(point, z=1)


def test_it_can_be_copied_and_pickled() -> None:
    assert copy.deepcopy(Point(1, 2)) == pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    assert Point(1, 2).sum == 3


def test_the_core_of_the_hook_path_imports_nothing_heavy() -> None:
    names = "workspace, drafts, ticket, tags, terms, tokens, memory_index, clock, find, git.fetch, index.cache, json_text, files"
    code = f"import sys; before = set(sys.modules)\nfor name in '{names}'.split(', '): __import__('brain.' + name)\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path.insert(0, {PROGRAM['PYTHONPATH'].split(':')[0]!r})\n{code}",
        ],
        capture_output=True,
        check=True,
        text=True,
    )
    assert (
        set(done.stdout.split())
        & {
            "re",
            "json",
            "dataclasses",
            "typing",
            "subprocess",
            "datetime",
            "inspect",
            "threading",
            "tempfile",
            "yaml",
            "locale",
        }
        == set()
    )

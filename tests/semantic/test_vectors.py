"""The file of vectors: what is written is read; the nearest are the nearest; a damaged file is found out."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from brain.semantic.vectors import Vectors, VectorsError, blob_key, open_vectors
from brain.semantic.write import STRENGTH, Item, Seeds, mean_of, quantize, write_vectors
from brain.terms import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DIM = 30
"""No multiple of eight, nor of four."""


def vector(rng: random.Random) -> list[float]:
    numbers = [rng.gauss(0, 1) for _ in range(DIM)]
    length = sum(number * number for number in numbers) ** 0.5
    return [number / length for number in numbers]


def items_of(count: int, seed: int = 1) -> list[Item]:
    """Return memories whose languages lie apart, as e5 has them."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        spoken = number % 3
        numbers = vector(rng)
        numbers[spoken] += 1.5
        name = f"00.Shared/domain/_global/日本-{number}.md"
        found.append(Item(name, bytes([number % 256]) * 20, bytes([number // 256]) * 20, spoken, quantize(numbers)))
    return found


def seeds_of(seed: int = 2) -> Seeds:
    rng = random.Random(seed)
    return Seeds(tuple(vector(rng) for _ in LANGUAGES), tuple(vector(rng) for _ in LANGUAGES))


def written(items: Sequence[Item], seeds: Seeds) -> Vectors:
    return Vectors(memoryview(write_vectors({"tree": "t"}, items, seeds)), "test")


def by_hand(items: Sequence[Item], seeds: Seeds, asked: Sequence[float], spoken: int) -> list[tuple[float, str]]:
    """Return each memory's cosine without the means, computed from the description alone."""
    means = []
    for one in LANGUAGES:
        own = [item.code.floats() for item in items if item.language == one]
        means.append([STRENGTH * number for number in mean_of([*own, *[list(seeds.memories[one])] * 50])])
    query = [a - STRENGTH * b for a, b in zip(asked, seeds.tickets[spoken], strict=True)]
    rows = []
    for item in items:
        rest = [a - b for a, b in zip(item.code.floats(), means[item.language], strict=True)]
        dot = sum(a * b for a, b in zip(query, rest, strict=True))
        norms = (sum(a * a for a in query) * sum(b * b for b in rest)) ** 0.5
        rows.append((dot / norms, item.path))
    return sorted(rows, reverse=True)


def test_what_is_written_is_read() -> None:
    items = items_of(5)
    found = written(items, seeds_of())
    assert (found.count, found.dim, found.header["tree"]) == (5, DIM, "t")
    for number, item in enumerate(items):
        row = (found.path(number), found.key(number), found.digest(number), found.languages[number], found.code(number))
        assert row == (item.path, item.key, item.digest, item.language, item.code)


def test_a_store_without_memories_has_nothing_near() -> None:
    assert written([], seeds_of()).near([1.0] + [0.0] * (DIM - 1), 0, -1.0) == []


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_nearest_are_the_nearest_without_the_languages_means(spoken: int) -> None:
    items, seeds, asked = items_of(200), seeds_of(), vector(random.Random(7))
    hits = written(items, seeds).near(asked, spoken, 0.1)
    expected = [row for row in by_hand(items, seeds, asked, spoken) if row[0] >= 0.1]
    assert [hit.path for hit in hits] == [path for _, path in expected]
    assert [hit.cosine for hit in hits] == pytest.approx([cosine for cosine, _ in expected], abs=1e-5)


def test_among_many_the_guess_by_signs_does_not_lose_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.semantic.test_vectors.DIM", 384)
    items, seeds = items_of(1000), seeds_of()
    found = written(items, seeds)
    rng = random.Random(9)
    for _ in range(12):
        near = items[rng.randrange(1000)].code.floats()
        asked = quantize([number + rng.gauss(0, 0.05) for number in near]).floats()
        ((_, nearest),) = by_hand(items, seeds, asked, 0)[:1]
        assert found.near(asked, 0, -1.0)[0].path == nearest


def test_a_vector_in_bytes_is_nearly_itself() -> None:
    numbers = vector(random.Random(3))
    assert quantize(numbers).floats() == pytest.approx(numbers, abs=max(map(abs, numbers)) / 250)
    assert quantize(quantize(numbers).floats()) == quantize(numbers)
    assert quantize([0.0] * 4).floats() == [0.0] * 4


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.3, 0.5, 0.9, 0.999])
def test_a_changed_byte_is_found_out_and_the_file_is_gone(share: float, tmp_path: Path) -> None:
    content = bytearray(write_vectors({}, items_of(40), seeds_of()))
    content[int(share * (len(content) - 1))] ^= 0x55
    path = tmp_path / "x.vectors"
    path.write_bytes(content)
    with pytest.raises(VectorsError, match="damaged"):
        open_vectors(str(path)).near([1.0] * DIM, 0, -2.0)
    assert not path.exists()


@pytest.mark.parametrize("size", [0, 10, 24, 400])
def test_a_file_cut_short_is_found_out(size: int, tmp_path: Path) -> None:
    path = tmp_path / "x.vectors"
    path.write_bytes(write_vectors({}, items_of(40), seeds_of())[:size])
    with pytest.raises(VectorsError, match="damaged"):
        open_vectors(str(path))
    assert not path.exists()


def test_the_key_is_gits_own_id() -> None:
    text = "日本語\nđơn hàng\n"
    done = subprocess.run(["git", "hash-object", "--stdin"], input=text.encode(), capture_output=True, check=True)
    assert blob_key(text).hex() == done.stdout.decode().strip()

"""Builds: only what is new is embedded, a kill loses little, models never mix, dropping loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from brain.errors import ConflictError
from brain.index.cache import has_vectors
from brain.semantic import build as building
from brain.semantic.build import build_vectors, drop_vectors, find_vectors
from brain.semantic.embedder import EmbedderError
from brain.semantic.journal import Journal
from brain.semantic.seeds import SEEDS
from brain.semantic.vectors import Code, open_vectors, vectors_path
from brain.workspace import open_brain
from tests.semantic.conftest import EXPORT, ORDER, RETRY
from tests.semantic.hashed import Hashed
from tests.support.repos import PROGRAM, ROOT, commit, memory_text, pending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from brain.workspace import Brain

SEED_TEXTS = 2 * sum(map(len, SEEDS))


def silent(_done: int, _total: int) -> None:
    pass


def build(store: Path, embedder: Hashed | None = None) -> building.Built:
    return build_vectors(open_brain(str(store), {}), embedder or Hashed(), silent)


def paths(built: building.Built) -> list[str]:
    vectors = open_vectors(built.path)
    return sorted(vectors.path(number) for number in range(vectors.count))


def files(brain: Brain) -> list[str]:
    return sorted(name for name in os.listdir(os.path.join(brain.repo.common_dir, "brain")) if "semantic" in name)


def test_every_memory_and_draft_is_in_it_and_is_embedded_once(store: Path) -> None:
    pending(store, "00.Shared/domain/_global/mine.md", body="Mine alone.\n\n**Apply:** wait.")
    first, again = Hashed(), Hashed()
    built = build(store, first)
    assert paths(built) == sorted([RETRY, EXPORT, ORDER, "00.Shared/domain/_global/mine.md"])
    assert (built.count, built.embedded, len(first.texts)) == (4, 4, 4 + SEED_TEXTS)
    assert build(store, again).embedded == 0
    assert again.texts == []


def test_only_what_changed_is_embedded(store: Path) -> None:
    build(store)
    new = "00.Shared/domain/_global/new.md"
    commit(store, {f"{ROOT}/{new}": memory_text(new, "Quite new."), f"{ROOT}/{EXPORT}": None})
    hashed = Hashed()
    built = build(store, hashed)
    assert paths(built) == sorted([RETRY, ORDER, new])
    assert hashed.texts == ["Quite new."]


def test_what_is_not_embedded_may_change_for_nothing(store: Path) -> None:
    build(store)
    file = store / ROOT / RETRY
    commit(store, {f"{ROOT}/{RETRY}": file.read_text().replace("hits: 0", "hits: 7")})
    hashed = Hashed()
    built = build(store, hashed)
    assert (hashed.texts, built.count) == ([], 3)


def test_two_memories_that_say_the_same_are_embedded_once(store: Path) -> None:
    twins = [f"00.Shared/domain/_global/t{number}.md" for number in range(2)]
    commit(store, {f"{ROOT}/{name}": memory_text(name, "The same.") for name in twins})
    assert (build(store).count, build(store).embedded) == (5, 0)


def test_another_model_never_mixes_and_takes_the_place(store: Path, brain: Brain) -> None:
    old = build(store)
    other = Hashed("other/1")
    new = build(store, other)
    assert len(other.texts) == 3 + SEED_TEXTS
    assert not os.path.exists(old.path)
    assert open_vectors(new.path).header["fingerprint"] == "other/1"
    assert [name for name in files(brain) if name.endswith(".vectors")] == [os.path.basename(new.path)]


def test_dropping_loses_nothing(store: Path, brain: Brain) -> None:
    built = build(store)
    assert has_vectors(brain.repo, ROOT)
    assert drop_vectors(brain) == [os.path.basename(built.path)]
    assert not has_vectors(brain.repo, ROOT)
    assert drop_vectors(brain) == []
    assert paths(build(store)) == sorted([RETRY, EXPORT, ORDER])


def test_a_damaged_index_is_made_anew(store: Path) -> None:
    path = build(store).path
    with open(path, "r+b") as file:
        file.seek(40)
        file.write(b"\0\0\0\0")
    assert find_vectors(path) is None
    assert build(store).embedded == 3


class Failing(Hashed):
    """Gives up in the middle."""

    def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:
        if any("number 40" in text for text in texts):
            raise EmbedderError("the model is gone")
        return super().embed(texts, query=query)


def many(store: Path, count: int) -> None:
    names = [f"00.Shared/domain/_global/m{number:02}.md" for number in range(count)]
    commit(store, {f"{ROOT}/{name}": memory_text(name, f"It is number {at} of many.") for at, name in enumerate(names)})


def test_what_a_build_has_when_it_fails_is_kept_for_the_next(store: Path) -> None:
    many(store, 60)
    with pytest.raises(EmbedderError, match="the model is gone"):
        build(store, Failing())
    hashed = Hashed()
    built = build(store, hashed)
    assert built.count == 63
    assert 0 < built.embedded <= 63 - building.BATCH


KILLED = """
import os, sys
from brain.semantic.build import build_vectors
from brain.workspace import open_brain
from tests.semantic.hashed import Hashed
def progress(done, total):
    if done >= 32:
        os.kill(os.getpid(), 9)
build_vectors(open_brain(sys.argv[1], {}), Hashed(), progress)
"""


def test_a_killed_build_goes_on_where_it_was(store: Path, brain: Brain) -> None:
    many(store, 60)
    done = subprocess.run([sys.executable, "-c", KILLED, str(store)], env={**os.environ, **PROGRAM}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not has_vectors(brain.repo, ROOT)
    built = build(store)
    assert (built.count, built.embedded) == (63, 31)
    assert [name.rpartition(".")[2] for name in files(brain)] == ["vectors", "lock"]


FULL = """
import resource, sys
from brain.semantic.build import build_vectors
from brain.workspace import open_brain
from tests.semantic.hashed import Hashed
brain = open_brain(sys.argv[1], {})
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
build_vectors(brain, Hashed(), lambda _done, _total: None)
"""


def test_a_full_disk_is_said_of_which_file_and_loses_no_index(store: Path) -> None:
    before = build(store)
    many(store, 60)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(store)], env={**os.environ, **PROGRAM}, check=False, capture_output=True
    )
    assert done.stderr.decode().rstrip().endswith(f"File too large: '{before.path}.journal'")
    assert open_vectors(before.path).count == 3
    assert build(store).count == 63


def test_one_build_at_a_time(store: Path, brain: Brain) -> None:
    class Nosy(Hashed):
        def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:
            with pytest.raises(ConflictError):
                build(store)
            with pytest.raises(ConflictError):
                drop_vectors(brain)
            return super().embed(texts, query=query)

    assert build(store, Nosy()).count == 3


@pytest.mark.parametrize(("cut", "whole"), [(1, 2), (20, 2), (87, 2), (88, 2), (89, 1)])
def test_a_torn_journal_gives_what_is_whole(cut: int, whole: int, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(str(path), 60)
    for number in range(3):
        journal.add(bytes([number]) * 20, Code(0.5, bytes(60)))
    journal.close(remove=False)
    path.write_bytes(path.read_bytes()[:-cut])
    torn = Journal(str(path), 60)
    assert sorted(code[0] for code in torn.codes) == list(range(whole))
    torn.add(b"\x09" * 20, Code(0.25, bytes(60)))
    torn.close(remove=False)
    again = Journal(str(path), 60)
    assert again.codes == torn.codes
    again.close(remove=True)
    assert not path.exists()


def test_readers_see_the_old_or_the_new_whole(store: Path, brain: Brain) -> None:
    built = build(store)
    assert built.path == vectors_path(brain.repo, ROOT, "hashed/1")
    open_before = open_vectors(built.path)
    many(store, 20)
    build(store)
    assert (open_before.count, open_before.path(0) != "") == (3, True)
    assert open_vectors(built.path).count == 23

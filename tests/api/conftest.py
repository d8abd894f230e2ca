"""A team's repositories with a service over them; the stand-ins come from tests.gitlab.fixture."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api.serving import Served
from tests.conftest import FIXED
from tests.gitlab.fixture import forge, free_forge, paid, premium, premium_forge, team
from tests.support.repos import commit, git, make_memory_repo, make_repo, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator

if find_spec("fastapi") is None:  # the extra api is not installed: there is nothing to test
    collect_ignore_glob = ["test_*.py"]
__all__ = ["forge", "free_forge", "paid", "premium", "premium_forge", "team"]
RETRY, NOON, TERM = (
    "01.Lessons/dev/F-003_Payment/retry.md",
    "01.Lessons/dev/F-003_Payment/noon.md",
    "00.Shared/glossary/order.md",
)
SETTINGS = '[recall]\nscorer = "hybrid"\n'


class World:
    """A memory repo and a code repo, and a service that mirrors both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = make_repo(folder / "code", {"src/pay.py": "tries = 2\n", "src/log.py": "log\n"})
        since = git(self.code, "rev-parse", "HEAD")
        memories = {
            RETRY: memory_text(RETRY, refs=("src/pay.py",), verified_commit=since),
            NOON: memory_text(NOON, "Chỉ ghi mã lỗi. 番号は記録しない。\n\n**Áp dụng:** che số thẻ.", tags=("log",)),
            TERM: memory_text(TERM, "受注 is an order.\n\n**適用:** say order.", workflows=("all",), tags=("order",),
                              aliases=("受注",)),
        }  # fmt: skip
        self.memory = make_memory_repo(folder / "memory", memories, SETTINGS)
        self.served = Served(folder / "service", self.settings())

    def settings(self, more: str = "", poll: str = "0.2") -> str:
        return f"""[projects.shop]
memory = "{self.memory}"
code = "{self.code}"
pollSeconds = {poll}
{more}"""

    def share(self, name: str, text: str | None, message: str = "change") -> str:
        """Commit a memory as a merge does, and return the commit."""
        commit(self.memory, {f"99.Memory/{name}": text}, message)
        return git(self.memory, "rev-parse", "HEAD")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    found = World(tmp_path)
    yield found
    found.served.close()


def sealed_world(factory: pytest.TempPathFactory, more: str = "", **env: str) -> Iterator[World]:
    """Yield a running service that outlives one test, sealed as each test is; ``more`` are settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(factory.mktemp("home")))
        for name, text in {**FIXED, "GIT_CONFIG_GLOBAL": os.devnull}.items():
            patch.setenv(name, text)
        found = World(factory.mktemp("shared"))
        found.served.settings.write_text(found.served.settings.read_text() + more)
        found.served.env.update(env)
        found.served.start()
    yield found
    found.served.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Return a running service for tests that only read."""
    yield from sealed_world(tmp_path_factory)

"""Every test runs sealed: own home, no system git configuration, fixed names and dates, an editor that fails."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXED = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "EDITOR": "false", "VISUAL": "false", "TZ": "UTC",
}  # fmt: skip


# Machines are shared: how long an example takes there says nothing of the code.
settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared machine")


@pytest.fixture(autouse=True, scope="session")
def someone() -> Iterator[None]:
    """Give what is made once for many tests the same names and dates, also where this machine's user has none."""
    with pytest.MonkeyPatch.context() as patch:
        for name, text in FIXED.items():
            patch.setenv(name, text)
        yield


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seal the test from this machine and return its home folder."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "BRAIN_", "XDG_", "LC_")):
            monkeypatch.delenv(name)
    config = home / ".gitconfig"
    config.write_text('[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[protocol "file"]\n\tallow = always\n')
    folders = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_CACHE_HOME": home / ".cache",
        "GIT_CONFIG_GLOBAL": config,
    }
    for name, text in {**FIXED, **{name: str(path) for name, path in folders.items()}, "LANG": "C.UTF-8"}.items():
        monkeypatch.setenv(name, text)
    return home

"""Who holds the lock on a memory repo's sources is called by the command's own name."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from brain.errors import ConflictError
from brain.git.refs import find_repo
from brain.sources.sync import locked
from tests.support.repos import make_memory_repo

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("holds", "waits"), [("brain import", "brain sync"), ("brain sync", "brain import")])
def test_the_one_at_work_is_named_and_no_other(holds: str, waits: str, tmp_path: Path) -> None:
    repo = find_repo(str(make_memory_repo(tmp_path / "docs")))
    assert repo
    with locked(repo, waits):  # an earlier one, whose name does not stay
        pass
    said = re.escape(f"{holds} (process {os.getpid()}) is at work on this memory repo")
    with locked(repo, holds), pytest.raises(ConflictError, match=said), locked(repo, waits):
        pass
    with locked(repo, waits):
        pass

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.lint.advise import advise
from brain.workspace import open_brain
from tests.lint.support import memory
from tests.support.repos import make_memory_repo

if TYPE_CHECKING:
    from pathlib import Path

PATH = "00.Shared/domain/F-002_Order/x.md"


def test_a_draft_is_told_what_the_gate_would_say(tmp_path: Path) -> None:
    repo = make_memory_repo(tmp_path / "m", {PATH: ""}, "[lint]\ndomains = ['fpt-partner.vn']\n")
    brain = open_brain(str(repo), {})
    assert advise(brain, memory(), PATH) == []
    text = memory("Ask linh" + "@fpt-partner.vn or an" + "@other-partner.vn.\n\n**Apply:** x.\n")
    assert [(found.rule.name, found.line, found.column) for found in advise(brain, text, PATH)] == [
        ("personal-email", 18, 28)
    ]

"""What the pages take from the code is what the code says."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("fastapi", reason="the extra api is not installed")
pytest.importorskip("mcp", reason="the extra mcp is not installed")

from brain.lint.reference import all_rules
from brain.settings import SETTINGS
from brain_api.mcp.policy import POLICIES
from tests.docs.made import PAGES, RENEW, ROOT, made_pages
from tests.docs.packages import KNOWN, needed, stated
from tests.docs.programs import all_commands
from tests.docs.rooms import PROGRAMS, arrows, nearest
from tests.test_architecture import ORDER

MADE = made_pages()
FAMILIES = {"MIT": "MIT", "BSD": "BSD", "Apache": "Apache", "LGPL": "LGPL|Lesser", "MPL": "MPL|Mozilla"}


@pytest.mark.parametrize("name", MADE)
def test_a_page_is_the_one_the_code_makes(name: str) -> None:
    path = ROOT / name
    assert path.exists(), f"run: {RENEW}"
    assert path.read_text("utf-8") == MADE[name], f"{name} is old; run: {RENEW}"


def test_nothing_is_missing_from_the_reference() -> None:
    pages = {name: MADE[name] for name in PAGES}
    commands, settings = pages["docs/reference/commands.md"], pages["docs/reference/settings.md"]
    assert [words for words in all_commands() if f"# {words}\n" not in commands] == []
    assert [row.name for row in SETTINGS if f"| `{row.name}` |" not in settings] == []
    assert [name for name in POLICIES if f"\n## {name}\n" not in pages["docs/reference/mcp.md"]] == []
    rules = [rule.name for rows in all_rules().values() for rule in rows]
    assert [name for name in rules if f"`{name}`" not in pages["docs/lint-rules.md"]] == []


def test_the_drawing_says_all_imports_with_the_fewest_arrows() -> None:
    drawn = set(re.findall(r"^  (\w+) --> (\w+)$", MADE["docs/architecture.md"], re.MULTILINE))
    assert drawn == set(nearest())

    def closed(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
        more = {(a, d) for a, b in pairs for c, d in pairs if b == c} | pairs
        return more if more == pairs else closed(more)

    assert closed(drawn) == closed({(room, other) for room, others in arrows().items() for other in others})
    for arrow in drawn:
        assert arrow not in closed(drawn - {arrow}), f"{arrow} is said already"


def test_every_room_has_a_sentence() -> None:
    for room in (*ORDER, *PROGRAMS):
        assert re.search(rf"^\| `(\w+/)?{room}/` \| [^|]{{20,}}\. \|", MADE["docs/architecture.md"], re.MULTILINE), room


def test_every_dependency_has_its_reason_and_no_other_is_named() -> None:
    assert set(needed()) == set(KNOWN)


@pytest.mark.parametrize("name", KNOWN)
def test_a_licence_is_the_one_the_package_states(name: str) -> None:
    says = stated(name)
    if not says:
        pytest.skip("not installed here")
    for family, words in FAMILIES.items():
        if family in KNOWN[name][1]:
            assert re.search(words, says), says

from __future__ import annotations

import re
from pathlib import Path

from brain.lint.reference import FAMILIES, all_rules, render_reference

ROOT = Path(__file__).resolve().parents[2]
RULES = [rule for rules in all_rules().values() for rule in rules]


def test_the_page_is_the_one_the_rules_make() -> None:
    assert (ROOT / "docs" / "lint-rules.md").read_text("utf-8") == render_reference()


def test_codes_and_names_are_unique_and_well_formed() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert all(re.fullmatch(r"M\d{3}", rule.code) and re.fullmatch(r"[a-z0-9-]+", rule.name) for rule in RULES)
    assert all(
        rule.what and rule.why.endswith(".") and rule.mend and rule.severity in ("error", "warning") for rule in RULES
    )


def test_every_module_with_rules_is_on_the_page() -> None:
    named = {f"{module.replace('.', '/')}.py" for _, modules in FAMILIES for module in modules}
    folder = ROOT / "brain" / "lint"
    with_rules = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if re.search(r"^[A-Z_]+ = Rule\(", path.read_text("utf-8"), re.MULTILINE)
    }
    assert with_rules == named


def test_every_rule_is_named_in_a_test() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [rule.name for rule in RULES if f'"{rule.name}"' not in tests] == []

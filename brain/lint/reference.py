"""The rule reference page, made from the rules: ``python -m tests.docs``."""

from __future__ import annotations

from importlib import import_module

from brain.lint.finding import ERROR, Rule

FAMILIES = (
    ("Files", ("encoding",)),
    ("Frontmatter", ("header", "fields")),
    ("Paths and the tree", ("place", "tree")),
    ("Refs", ("refs",)),
    ("Body", ("body",)),
    ("Duplicates, index and settings", ("duplicates", "leads", "engine", "settings", "frame", "steering", "official")),
    ("Secrets", ("secrets.scan", "scanner")),
    ("Personal data", ("personal",)),
    ("Text that attacks", ("hidden", "tags", "links", "drawn", "markup", "words")),
    ("Lint itself", ("judge",)),
)
"""Heading → modules of ``brain.lint``."""

HEAD = """\
# Lint rules

Made from the rules by `python -m tests.docs`; do not edit it by hand.

`brain lint` and `brain-ci lint` judge by the same rules. An **error** blocks a merge request, a *warning* does not.
Words that give orders are a warning alone and an error with a second sign; in quotes or code they stay a warning, as
long as nothing beside them says to do so.
A code never changes its meaning.

A finding that is wrong is let through in `brain.toml`, on the default branch, with a reason:

```toml
[[lint.allow]]
fingerprint = "0123456789abcdef0123"   # stands at the end of the finding's line
reason = "a published test key of the sandbox"
```

It is reported as allowed from then on. Nothing within a memory (`gitleaks:allow` and its like) is obeyed.
"""


def rules_of(module: str) -> list[Rule]:
    """Return the rules of a module of ``brain.lint``, by code."""
    found = {rule.code: rule for rule in vars(import_module(f"brain.lint.{module}")).values() if isinstance(rule, Rule)}
    return sorted(found.values(), key=lambda rule: rule.code)


def all_rules() -> dict[str, list[Rule]]:
    """Return heading → rules; each rule once."""
    seen: set[str] = set()
    families: dict[str, list[Rule]] = {}
    for heading, modules in FAMILIES:
        rules = {rule.code: rule for module in modules for rule in rules_of(module) if rule.code not in seen}
        seen |= rules.keys()
        families[heading] = sorted(rules.values(), key=lambda rule: rule.code)
    return families


def render_reference() -> str:
    """Return the page in markdown."""
    parts = [HEAD]
    for heading, rules in all_rules().items():
        parts.append(f"\n## {heading}\n\n| code | rule | severity | what | why | mend |\n|---|---|---|---|---|---|\n")
        for rule in rules:
            severity = f"**{rule.severity}**" if rule.severity == ERROR else f"*{rule.severity}*"
            cells = (rule.code, f"`{rule.name}`", severity, *(_cell(text) for text in (rule.what, rule.why, rule.mend)))
            parts.append("| " + " | ".join(cells) + " |\n")
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")

from __future__ import annotations

import pytest

from tests.lint.support import BODY, at, lint, memory, names


@pytest.mark.parametrize(
    ("content", "name", "line", "column"),
    [
        (BODY, "frontmatter-missing", 1, 1),
        ("----\nid: x\n----\n\n" + BODY, "frontmatter-missing", 1, 1),
        ("\n" + memory(), "frontmatter-not-first", 1, 1),
        ("---\nid: x\n\n" + BODY, "frontmatter-not-closed", 1, 1),
        ("---\nid: x\n...\n\n" + BODY, "frontmatter-not-closed", 1, 1),
        ("---\n---\n\n" + BODY, "frontmatter-empty", 1, 1),
        ("---\n# nothing\n---\n\n" + BODY, "frontmatter-empty", 1, 1),
        ("---\n- id\n---\n\n" + BODY, "frontmatter-not-a-mapping", 2, 1),
        (memory(tail="note: " + "x" * 5000 + "\n"), "frontmatter-too-big", 2, 1),
        (memory(tail="".join(f"k{n}: [a, b]\n" for n in range(120))), "frontmatter-too-big", 2, 1),
        (memory(source="Ports: use 8080"), "yaml-syntax", 8, 14),
        (memory(source="@orders first"), "yaml-syntax", 8, 9),
        (memory(tags="\n\t- orders"), "yaml-syntax", 6, 1),
        (memory(source='"Stock export'), "yaml-syntax", 12, 15),
        (memory(tail="confidence: 0.1\n"), "yaml-duplicate-key", 16, 1),
        (memory(tail="meta: {a: 1, a: 2}\n"), "yaml-duplicate-key", 16, 14),
        (memory(tags="&t [orders]", tail="also: *t\n"), "yaml-anchor-or-alias", 5, 7),
        (memory(tail="x: !!python/object/apply:os.system ['true']\n"), "yaml-tag", 16, 4),
        (memory(tail="x: " + "[" * 1500 + "]" * 1500 + "\n"), "yaml-too-deep", 16, 1003),
        (memory(tail="".join(" " * n + f"k{n}:\n" for n in range(40))), "yaml-too-deep", 20, 5),
        (memory(tail="1: one\n"), "yaml-key-not-text", 16, 1),
        (memory(tail="on: push\n"), "yaml-key-not-text", 16, 1),
        (memory(tail="? [a, b]\n: c\n"), "yaml-key-not-text", 16, 3),
        ("---\nid: x\ntitle: |\n  a\n---\n  b\nscope: x\n---\n\n" + BODY, "frontmatter-key-missing", 5, 1),
    ],
)
def test_frontmatter_that_blocks(content: str, name: str, line: int, column: int) -> None:
    assert (line, column, "error") in at(lint(content), name)


@pytest.mark.parametrize(
    ("content", "name", "line", "column"),
    [
        (memory().replace("---\n", "---  \n", 1), "fence-trailing-space", 1, 4),
        (memory(tail="# checked with the warehouse\n"), "yaml-comment", 16, 1),
        (memory(source="Fix for #42 in orders"), "yaml-comment-cuts-value", 8, 17),
        (memory("Text.\n\n---\nid: x\nconfidence: 1.0\n---\n\n**Apply:** x.\n"), "second-frontmatter-block", 20, 1),
    ],
)
def test_frontmatter_that_only_warns(content: str, name: str, line: int, column: int) -> None:
    assert [(found.rule.name, found.line, found.column, found.severity) for found in lint(content)] == [
        (name, line, column, "warning")
    ]


@pytest.mark.parametrize(
    "content",
    [
        memory(source='"spec: chapter 3"'),
        memory(tags="\n  - orders\n  - batch"),
        memory(tail="aliases: [受注, đơn hàng, 'sales order']\n"),
        memory(verified_commit="{docs: 4b825dc642cb6eb9a060e54bf8d69288fbee4904}"),
        memory("First half.\n\n---\n\nSecond half.\n\n**Apply:** x.\n"),
        memory("It looks so:\n\n```yaml\n---\nid: x\n---\n```\n\n**Apply:** x.\n"),
    ],
)
def test_forms_of_yaml_that_are_fine(content: str) -> None:
    assert lint(content) == []


def test_one_pass_finds_everything() -> None:
    found = names(lint(memory(source="yes", tags="[Orders, orders, orders]", tail="on: x\nconfidence: 0.2\n")))
    assert {"field-type", "tag-format", "tags-duplicate", "yaml-key-not-text", "yaml-duplicate-key"} <= found


def test_fields_before_broken_yaml_are_judged_and_none_is_called_missing() -> None:
    found = names(lint(memory(id="mem-F002-other", source="Ports: use 8080")))
    assert {"id-not-path", "yaml-syntax"} <= found
    assert "field-missing" not in found

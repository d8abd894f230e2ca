from __future__ import annotations

import pytest

from brain.lint.place import SPECIAL, is_reserved, leaves_repo
from tests.lint.support import COMMIT, at, errors, lint, memory

AREA = "99.Memory/00.Shared/domain/F-002_Order"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (f"{AREA}/CON.md", "name-reserved"), (f"{AREA}/com1.md", "name-reserved"), (f"{AREA}/aux.x.md", "name-reserved"),
        (f"{AREA}/UPPER.md", "name-characters"), (f"{AREA}/trail .md", "name-characters"), (f"{AREA}/dot..md", "name-characters"),
        (f"{AREA}/-rf.md", "name-characters"), (f"{AREA}/.hidden.md", "name-characters"), (f"{AREA}/受注.md", "name-characters"),
        (f"{AREA}/ha\u0300ng.md", "name-characters"), (f"{AREA}/rtl-\u202egpj.md", "name-characters"),
        (f"{AREA}/new\nline.md", "name-characters"), (f"{AREA}/back\\slash.md", "name-characters"),
        (f"{AREA}/{'a' * 200}.md", "name-too-long"),
        (f"{AREA}/x.txt", "name-extension"), (f"{AREA}/x.MD", "name-extension"), (f"{AREA}/x.md ", "name-extension"),
        (f"{AREA}/x", "name-extension"), ("99.Memory/00.Shared/glossary/x.png", "name-extension"),
        (f"{AREA}/bytes-\udcff\udcfe.md", "name-not-utf8"),
        ("99.Memory/00.Shared/domain/F-9 Bad/x.md", "folder-name"), ("99.Memory/00.Shared/domain/con/x.md", "folder-name"),
        ("99.Memory/00.Shared/domain/F-002_\u041erder/x.md", "folder-name"),
        ("99.Memory/00.Shared/domain/loose.md", "path-outside-layout"), (f"{AREA}/sub/x.md", "path-outside-layout"),
        ("99.Memory/00.Shared/glossary/F-002_Order/x.md", "path-outside-layout"),
        ("99.Memory/01.Lessons/ops/F-002_Order/x.md", "path-outside-layout"), ("99.Memory/README.md", "path-outside-layout"),
        ("99.Memory/.gitleaks.toml", "foreign-file"), ("99.Memory/.gitattributes", "foreign-file"), (f"{AREA}/.gitmodules", "foreign-file"),
    ],
)  # fmt: skip
def test_paths_that_block(path: str, name: str) -> None:
    assert (1, 1, "error") in at(lint(memory(), path), name)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("99.Memory/.gitignore", "_pending/\n"), ("99.Memory/brain.toml", ""), ("99.Memory/MEMORY.md", "# Memory index\n"),
        (f"{AREA}/.gitkeep", ""), ("99.Memory/03.Retro/ORD-1024.md", "# Retro\n\nWe learned much.\n"),
        ("99.Memory/_pending/00.Shared/domain/F-002_Order/x.md", memory()), ("src/anything at all", "x"),
        ("99.Memory/00.Shared/domain/_global/x.md", memory(id="mem-global-x", scope="global")),
    ],
)  # fmt: skip
def test_paths_of_the_layout_are_fine(path: str, content: str) -> None:
    assert lint(content, path) == []


def test_a_gitkeep_holds_nothing() -> None:
    assert errors(lint("run this\n", f"{AREA}/.gitkeep")) == {"foreign-file"}


@pytest.mark.parametrize(
    ("mode", "content", "name", "severity"),
    [
        ("120000", "../../../../etc/passwd", "symlink", "error"), ("120000", "ok.md", "symlink", "error"),
        ("160000", COMMIT, "submodule-entry", "error"), (SPECIAL, "", "not-a-regular-file", "error"),
        ("040000", "", "not-a-regular-file", "error"), ("100755", memory(), "executable-bit", "warning"),
    ],
)  # fmt: skip
def test_modes_that_no_memory_has(mode: str, content: str, name: str, severity: str) -> None:
    findings = lint(content, mode=mode)
    assert [(found.rule.name, found.severity) for found in findings] == [(name, severity)]


def test_a_link_elsewhere_in_the_repo_may_stay_within_it() -> None:
    assert lint("../lib/x.py", "src/link.py", mode="120000") == []
    assert errors(lint("../../lib/x.py", "src/link.py", mode="120000")) == {"symlink"}


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "..", "a/../../x", "C:\\x", "\\\\host\\x", ".git/config", "a/.GIT/config"]
)
def test_targets_that_leave_the_repo(target: str) -> None:
    assert leaves_repo("link", target)


@pytest.mark.parametrize("target", ["x", "a/b/../c", "./x", "a//b"])
def test_targets_that_do_not(target: str) -> None:
    assert not leaves_repo("link", target)


def test_reserved_is_the_stem_alone() -> None:
    assert is_reserved("nul")
    assert is_reserved("LPT9.tar")
    assert not is_reserved("console")

"""What the pages say can be typed, followed and found: command lines, links, tests; and the translations say the same."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("fastapi", reason="the extra api is not installed")
pytest.importorskip("mcp", reason="the extra mcp is not installed")

from tests.docs.programs import all_commands, parsers
from tests.docs.story import commands
from tests.test_architecture import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]
OUR = tuple(parsers())
OTHERS = {"cat", "cd", "curl", "echo", "export", "git", "mkdir", "pip", "python", "pytest", "ruff", "mypy", "sha256sum"}
"""Programs of others that pages tell people to type."""
ENDS, FILES = set("|&;()"), (">", ">>", "<", "<<")
"""What ends a simple command in a shell, and what a file's name follows."""
LONGEST_PAGE = 120


def lines_of(name: str) -> list[str]:
    """Return the commands of a page's console blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```", (ROOT / name).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line, _ in commands(block)]


def words_of(line: str) -> list[list[str]]:
    """Return the simple commands of a line, as a shell parts it; files that are read and written are none."""
    parts: list[list[str]] = [[]]
    lexer = shlex.shlex(line.partition("\n")[0], posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = iter(lexer)
    for word in words:
        if word in FILES:
            next(words)
        elif set(word) <= ENDS:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def check(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Hold one of our command lines against its parser."""
    program = Path(words[0]).name
    if program == "brain-hook" and words[1:2] not in (["install"], ["uninstall"], ["doctor"]):
        from brain_hooks.hosts import get_host

        assert words[2] in get_host(words[1]).moments, words
        return
    try:
        parsers()[program].parse_args(words[1:])
    except SystemExit:
        pytest.fail(f"{shlex.join(words)}: {capsys.readouterr().err}")


@pytest.mark.parametrize("name", NAMES)
def test_every_command_line_can_be_typed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for line in lines_of(name):
        for words in words_of(line):
            program = Path(words[0]).name
            if program == "make":
                assert words[1] in targets, line
            elif program in OUR:
                check(words, capsys)
            else:
                assert program in OTHERS, line
                if words[1:2] == ["-m"] and program == "python":
                    assert (ROOT / words[2].replace(".", "/")).is_dir() or words[2] in ("pytest", "pip"), line


@pytest.mark.parametrize("name", NAMES)
def test_every_command_in_a_sentence_is_there_with_its_options(name: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    known = all_commands()
    for found in re.findall(rf"`((?:{'|'.join(OUR)}) [a-z][^`]*)`", text):
        words = found.replace("\\|", "|").split()
        if words[0] == "brain-hook" and words[1] not in ("install", "uninstall", "doctor"):
            continue  # a host and its event
        if not re.fullmatch(r"[a-z-]+", words[1]):
            continue
        command = " ".join(words[:3]) if " ".join(words[:3]) in known else " ".join(words[:2])
        assert command in known, f"{name}: {found}"
        options = set(known[command]._option_string_actions)
        assert {word for word in words if re.match(r"--?[a-zA-Z]", word)} <= options, f"{name}: {found}"


@pytest.mark.parametrize("name", NAMES)
def test_every_make_target_in_a_sentence_is_there(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", (ROOT / name).read_text("utf-8"))) <= targets


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = unquote(target).partition("#")
        if re.match(r"[a-z]+:", path):
            assert path.startswith("https://"), target
            continue
        file = (page.parent / path).resolve() if path else page
        assert file.is_file(), f"{name}: {target}"
        assert file.is_relative_to(ROOT)
        if anchor:
            assert anchor in anchors(file), f"{name}: {target}"


def anchors(page: Path) -> set[str]:
    """Return the names that a page's headings have, as GitLab and GitHub make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_test_that_a_page_names_is_there() -> None:
    named = {name: re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / name).read_text("utf-8")) for name in NAMES}
    assert len(named["docs/security.md"]) > 60
    for page, rows in named.items():
        for file, test in rows:
            assert (ROOT / file).is_file(), f"{page}: {file}"
            assert not test or re.search(rf"^def {test}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), (
                f"{page}: {test}"
            )


def test_every_way_in_of_an_attack_names_a_test() -> None:
    text = (ROOT / "docs/security.md").read_text("utf-8")
    attacks = text[text.index("## A memory") : text.index("## Known limits")]
    rows = [
        line for line in attacks.splitlines() if line.startswith("| ") and not line.startswith(("| tries", "| ---"))
    ]
    assert rows
    assert [row for row in rows if "::test_" not in row] == []


def test_every_page_is_reached_from_the_readme_and_readers_pages_are_short() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([^)#\s]+)", readme))
    assert {name for name in NAMES if name != "README.md"} <= linked
    for reader in ("developer", "tl", "pm", "agent-author", "contributor"):
        assert (ROOT / f"docs/{reader}.md").read_text("utf-8").count("\n") <= LONGEST_PAGE, reader


@pytest.mark.parametrize("language", ["vi", "ja"])
def test_a_translation_has_the_same_commands_and_examples(language: str) -> None:
    names = ("README.md", f"README.{language}.md")
    english, other = (
        [line.partition("    #")[0].partition("  #")[0].rstrip() for line in lines_of(name)] for name in names
    )
    assert english == other
    examples = [
        re.findall(r"^```json\n.*?^```", (ROOT / name).read_text("utf-8"), re.DOTALL | re.MULTILINE) for name in names
    ]
    assert examples[0] == examples[1]
    headings = [len(anchors(ROOT / name)) for name in names]
    assert headings[1] == headings[0] - 1  # all but the sample of what an assistant receives


def test_this_test_reads_a_line_as_a_shell_does() -> None:
    assert words_of("(cat 'a b'; curl x) | brain-api mcp && git -C x log > y <<'END'\nmore\nEND") == [
        ["cat", "a b"], ["curl", "x"], ["brain-api", "mcp"], ["git", "-C", "x", "log"],
    ]  # fmt: skip

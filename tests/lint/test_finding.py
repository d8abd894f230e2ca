from __future__ import annotations

from brain.lint.finding import ERROR, MOST_OF_A_RULE, WARNING, Rule, Sheet, allow, worst
from tests.lint.support import PATH, lint, memory

RULE = Rule("M999", "some-rule", ERROR, "what", "why", "mend")


def marks(text: str, path: str = PATH) -> list[str]:
    return [found.fingerprint for found in lint(text, path)]


def test_a_fingerprint_stays_when_lines_move() -> None:
    one = memory("A <tag> here.\n\n**Apply:** x.\n")
    moved = memory("First.\n\nA <tag> here.\n\n**Apply:** x.\n")
    assert marks(one) == marks(moved)
    assert len(marks(one)) == 1


def test_a_fingerprint_stays_when_a_draft_becomes_a_memory_and_is_removed() -> None:
    text = memory("A <tag> here.\n\n**Apply:** x.\n")
    places = [
        PATH,
        PATH.replace("99.Memory/", "99.Memory/_pending/"),
        PATH.replace("99.Memory/", "99.Memory/_deprecated/"),
    ]
    assert len({tuple(marks(text, path)) for path in places}) == 1


def test_two_alike_have_two_fingerprints() -> None:
    found = marks(memory("A <tag> here.\n\nA <tag> there.\n\n**Apply:** x.\n"))
    assert len(set(found)) == len(found) == 2


def test_another_secret_in_the_same_place_is_another_finding() -> None:
    texts = [memory(f"password: {word}\n\n**Apply:** x.\n") for word in ("vR7#kQ2" + "xLm9!z", "vR7#kQ2" + "xLm9!y")]
    assert marks(texts[0]) != marks(texts[1])


def test_an_allowance_is_said_and_no_longer_blocks() -> None:
    sheet = Sheet("a.md")
    sheet.add(RULE, 2)
    (finding,) = sheet.findings()
    (allowed,) = allow([finding], [{"fingerprint": finding.fingerprint, "reason": " a test key "}])
    assert (finding.blocks, allowed.blocks, allowed.allowed) == (True, False, "a test key")
    assert (worst([finding]), worst([allowed])) == (ERROR, "")


def test_the_same_is_said_once_and_the_worst_of_it() -> None:
    sheet = Sheet("a.md")
    for severity in (WARNING, ERROR, WARNING):
        sheet.add(RULE, 2, severity=severity)
    assert [found.severity for found in sheet.findings()] == [ERROR]


def test_a_file_of_thousands_says_so_a_hundred_times() -> None:
    sheet = Sheet("a.md")
    for line in range(5000):
        sheet.add(RULE, line)
    assert len(sheet.findings()) == MOST_OF_A_RULE

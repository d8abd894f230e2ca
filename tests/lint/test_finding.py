from __future__ import annotations

import pytest

from brain.lint.finding import ERROR, MOST_OF_A_RULE, WARNING, Rule, Sheet, allow, worst
from brain.lint.mask import masked
from tests.lint.support import PATH, TEAM, lint, memory

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


TOKEN = "gl" + "pat-Xk2mQ9vL7wRt4Zp8Nb1c"
PASSWORD = "Xk9mP2" + "vL7qRt"


@pytest.mark.parametrize(
    "fields",
    [
        {"refs": f'["https://deploy:{PASSWORD}@git.corp.jp/x"]'}, {"refs": f'["{TOKEN}:src/x.py"]'}, {"tags": f"[orders, {TOKEN}]"}, {"tags": f"[orders, パス{PASSWORD}]"},
        {"id": f"mem-F002-{TOKEN}"}, {"scope": TOKEN}, {"type": TOKEN}, {"status": TOKEN}, {"workflows": f"[coding, {TOKEN}]"}, {"created": TOKEN},
        {"verified_commit": TOKEN}, {TOKEN: "x"},
    ],
)  # fmt: skip
def test_no_message_prints_what_is_secret(fields: dict[str, str]) -> None:
    findings = lint(memory(**fields))
    assert findings
    for found in findings:
        assert TOKEN[6:].lower() not in (found.message + found.mend).lower()
        assert PASSWORD not in found.message + found.mend


@pytest.mark.parametrize("tail", [f"x: !{TOKEN} a\n", f"{TOKEN}: 1\n{TOKEN}: 2\n", f"x: *{TOKEN}\n"])
def test_no_message_about_yaml_prints_what_is_secret(tail: str) -> None:
    assert all(TOKEN not in found.message for found in lint(memory(tail=tail)))


def test_nor_does_one_about_a_link_or_a_word_or_a_setting() -> None:
    body = f"Password: а{PASSWORD} is it.\n\n[https://{TOKEN}.corp.jp](https://x.tld)\n\n**Apply:** x.\n"
    settings = lint(f"{TOKEN} = 1\n", f"{TEAM.root}/brain.toml")
    for found in (*lint(memory(body)), *settings):
        assert PASSWORD not in found.message
        assert TOKEN.lower() not in found.message.lower()


def test_a_mask_leaves_the_rest_of_a_message() -> None:
    assert masked(f"tags: the tag '{TOKEN}' is wrong") == "tags: the tag '***' is wrong"
    assert masked("the id mem-F002-orders is not the path's") == "the id mem-F002-orders is not the path's"
    assert masked("Host ABCdef123 is no host", {"abcdef123"}) == "Host *** is no host"

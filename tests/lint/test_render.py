from __future__ import annotations

import json
import xml.etree.ElementTree as ET

from brain.lint.engine import Report
from brain.lint.finding import ERROR, WARNING, Finding, Rule
from brain.lint.render import as_code_quality, as_json, as_junit, as_lines, summary

RULE = Rule("M999", "some-rule", ERROR, "what", "why", "mend")
ONE = Finding("99.Memory/a.md", 3, 7, RULE, ERROR, "bad <thing> & more", "mend it", "0" * 20)
TWO = Finding("99.Memory/new\nline\udcff\u202e.md", 1, 1, RULE, WARNING, "odd\x1b[8m", "mend it", "1" * 20)
LET = Finding("99.Memory/a.md", 4, 1, RULE, ERROR, "known", "mend it", "2" * 20, "a test key")
REPORT = Report((ONE, TWO, LET), 2)
CLEAN = Report((), 5)


def test_text_is_one_line_a_finding_without_anything_a_terminal_obeys() -> None:
    assert list(as_lines(REPORT.findings)) == [
        f"99.Memory/a.md:3:7: error M999 some-rule: bad <thing> & more (mend it) [{'0' * 20}]",
        f"99.Memory/new\\nline\\udcff\\u202e.md:1:1: warning M999 some-rule: odd[8m (mend it) [{'1' * 20}]",
        f"99.Memory/a.md:4:1: error M999 some-rule: known (allowed: a test key) [{'2' * 20}]",
    ]
    assert summary(REPORT) == "2 files: 1 error, 1 warning, 1 allowed"
    assert summary(CLEAN) == "5 files: 0 errors, 0 warnings"


def test_json_is_stable() -> None:
    facts = json.loads(as_json(REPORT))
    assert {key: facts[key] for key in ("files", "errors", "warnings", "allowed")} == {
        "files": 2,
        "errors": 1,
        "warnings": 1,
        "allowed": 1,
    }
    assert facts["findings"][0] == {
        "path": "99.Memory/a.md", "line": 3, "column": 7, "code": "M999", "rule": "some-rule", "severity": "error",
        "message": "bad <thing> & more", "mend": "mend it", "fingerprint": "0" * 20,
    }  # fmt: skip
    assert facts["findings"][1]["path"] == TWO.path
    assert facts["findings"][2]["allowed"] == "a test key"
    assert as_json(REPORT).isascii()


def test_code_quality_is_gitlabs_array() -> None:
    rows = json.loads(as_code_quality(REPORT.findings))
    assert rows[0] == {
        "description": "bad <thing> & more: mend it", "check_name": "M999 some-rule", "fingerprint": "0" * 20, "severity": "critical",
        "location": {"path": "99.Memory/a.md", "lines": {"begin": 3}},
    }  # fmt: skip
    assert [row["severity"] for row in rows] == ["critical", "minor", "info"]
    assert as_code_quality(()) == "[]\n"


def test_code_quality_has_each_fingerprint_once() -> None:
    twin = Finding("99.Memory/_pending/a.md", 3, 7, RULE, ERROR, "bad", "mend it", ONE.fingerprint)
    marks = [row["fingerprint"] for row in json.loads(as_code_quality((ONE, twin)))]
    assert len(set(marks)) == 2


def test_junit_has_errors_as_failures() -> None:
    root = ET.fromstring(as_junit(REPORT))
    assert (root.attrib, root[0].attrib["name"]) == ({"tests": "3", "failures": "1"}, "brain lint")
    cases = root.findall("./testsuite/testcase")
    assert [[child.tag for child in case] for case in cases] == [["failure"], ["system-out"], ["system-out"]]
    assert cases[0].attrib == {
        "classname": "99.Memory/a.md", "name": "M999 some-rule 99.Memory/a.md:3:7", "file": "99.Memory/a.md",
    }  # fmt: skip
    assert cases[0][0].attrib == {"message": "bad <thing> & more", "type": "some-rule"}


def test_junit_of_a_clean_run_has_one_case_that_passes() -> None:
    root = ET.fromstring(as_junit(CLEAN))
    assert [case.attrib for case in root.iter("testcase")] == [{"classname": "brain lint", "name": "no findings"}]
    assert root.attrib == {"tests": "1", "failures": "0"}

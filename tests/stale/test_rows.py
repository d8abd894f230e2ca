import gzip
import json
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from brain.errors import BrainError
from brain.stale.rows import Row, answer_rows, parse_rows, render_rows

DATA = Path(__file__).parents[3] / "shared" / "eval" / "stale"
SKELETON = {"vuejs/core": "vue", "pypa/pip": "pip", "traPtitech/traQ": "traq", "mem0ai/mem0": "mem0"}


def test_rows_are_answered_in_order_and_the_worst_ref_decides(history):
    old = history.commit({"a": "1", "b": "1"})
    history.commit({"a": "2"})
    lines = [
        json.dumps({"rid": "1", "commit": old, "refs": ["b", "a"]}),
        "",
        json.dumps({"rid": "2", "commit": old, "refs": ["b", "docs:b"], "head": "HEAD"}),
        json.dumps({"rid": "3", "commit": old, "refs": ["b"], "head": old}),
        json.dumps({"rid": "4", "commit": "nope", "refs": ["b"]}),
        json.dumps({"rid": "5", "commit": old, "refs": ["x:b", "a"]}),
        json.dumps({"rid": "日本", "commit": old, "refs": []}),
    ]
    assert [json.loads(line) for line in render_rows(answer_rows(history.path, list(parse_rows(lines))))] == [
        {"rid": "1", "stale": True, "per_ref": {"b": False, "a": True}},
        {"rid": "2", "stale": "unknown", "per_ref": {"b": False, "docs:b": "unknown"}},
        {"rid": "3", "stale": False, "per_ref": {"b": False}},
        {"rid": "4", "stale": "unknown", "per_ref": {"b": "unknown"}},
        {"rid": "5", "stale": True, "per_ref": {"x:b": "unknown", "a": True}},
        {"rid": "日本", "stale": False, "per_ref": {}},
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "not an object"),
        ('{"rid": "1", "commit": "c"}', "refs is not a list of texts"),
        ('{"rid": "1", "commit": "c", "refs": [1]}', "refs is not a list of texts"),
        ('{"commit": "c", "refs": []}', "rid is missing"),
        ('{"rid": "1", "refs": []}', "commit is missing"),
        ('{"rid": "1", "commit": 5, "refs": []}', "commit is not a text"),
        ('{"rid": "1", "commit": "c", "refs": [], "head": 5}', "head is not a text"),
    ],
)
def test_a_malformed_line_is_named_by_its_number(line, reason):
    good = '{"rid": "1", "commit": "c", "refs": []}'
    with pytest.raises(BrainError, match=rf"^line 3: {reason}") as caught:
        list(parse_rows([good, "", line]))
    assert caught.value.hint.startswith("a row is")


def test_a_head_that_is_null_is_missing():
    assert list(parse_rows(['{"rid": "1", "commit": "c", "refs": ["a"]}'])) == [Row("1", "c", ("a",), "HEAD")]


@pytest.fixture(scope="session")
def skeletons(tmp_path_factory):
    """Return the folder of the evaluation's repositories; their tags stand for the commits."""
    if not DATA.is_dir():
        pytest.skip(f"no evaluation data at {DATA}")
    folder = tmp_path_factory.mktemp("skeletons")
    for stream in sorted((DATA / "skeleton").glob("*.fi.gz")):
        repo = str(folder / stream.name.removesuffix(".fi.gz"))
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", repo], check=True)
        importing = ["git", "-C", repo, "-c", "core.ignorecase=false", "fast-import", "--quiet"]
        subprocess.run(importing, input=gzip.decompress(stream.read_bytes()), check=True)
    return folder


def test_every_row_of_the_evaluation_agrees_with_git(skeletons):
    by_repo = defaultdict(list)
    for line in (DATA / "dev" / "rows.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        by_repo[row["repo"]].append(row)
    wrong = []
    for repo, rows in by_repo.items():
        asked = [Row(r["rid"], f"c/{r['commit'][:12]}", tuple(r["refs"]), f"c/{r['head'][:12]}") for r in rows]
        for row, answer in zip(rows, answer_rows(str(skeletons / SKELETON[repo]), asked), strict=True):
            known = row["stale"] is not None
            want = {
                "rid": row["rid"],
                "stale": row["stale"] if known else "unknown",
                "per_ref": row["per_ref"] if known else dict.fromkeys(row["refs"], "unknown"),
            }
            if answer != want:
                wrong.append((want, answer))
    assert sum(map(len, by_repo.values())) > 800
    assert wrong == []

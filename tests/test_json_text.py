"""The light JSON is the package's."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.json_text import parse_json, render_json
from tests.support.repos import PROGRAM

jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)
BAD = [
    "",
    " ",
    "{",
    '{"a" 1}',
    '"x',
    '{"a": "\n"}',
    "[1,]",
    "nul",
    "1 2",
    "{'a': 1}",
    "+1",
    "01",
    "\ufeff1",
    "\x00",
    '"\\x"',
    "9" * 5000,
    "}",
]


@given(jsons)
@example({"a": [1e400, -0.0, "\ud800", "\u2028", "在庫"]})
def test_it_renders_what_json_renders(found: object) -> None:
    assert render_json(found) == json.dumps(found)
    assert parse_json(render_json(found)) == json.loads(json.dumps(found))


@given(st.one_of(st.text(), st.text(alphabet='{}[]",:0123456789.eE+- \n\ttruefalsn\\u')))
def test_it_reads_what_json_reads_and_nothing_else(text: str) -> None:
    try:
        expected = repr(json.loads(text))
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            parse_json(text)
    else:
        assert repr(parse_json(text)) == expected


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


def test_it_is_a_value_error_also_where_json_was_never_imported() -> None:
    code = f"import sys\nfrom brain.json_text import parse_json\nassert 'json' not in sys.modules\nfor text in {BAD!r}:\n    try:\n        parse_json(text)\n    except ValueError:\n        print(end='.')"
    done = subprocess.run([sys.executable, "-c", code], env=PROGRAM, capture_output=True, check=False, text=True)
    assert (done.stdout, done.stderr) == ("." * len(BAD), "")


def test_too_deep_is_a_recursion_error() -> None:
    with pytest.raises(RecursionError):
        parse_json("[" * 100_000)


def test_what_json_cannot_hold_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="set is no JSON value"):
        render_json({"a": {1}})

"""Edits of JSON text: what is put in comes out again to the byte, and nothing else moves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain import jsonedit
from brain.errors import ConfigError
from brain.jsonedit import END

CONFIGS = Path(__file__).parent / "data" / "configs"

blanks = st.text(" \t\r\n", max_size=3)
keys = st.text('abé"\\\n', max_size=3)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def texts(draw: st.DrawFn, value: Any) -> str:
    """Write a value with white space of any kind wherever JSON allows it."""
    if isinstance(value, list):
        inside = ",".join(draw(blanks) + draw(texts(item)) + draw(blanks) for item in value)
        return f"[{inside or draw(blanks)}]"
    if isinstance(value, dict):
        members = (
            f"{draw(blanks)}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{draw(blanks)}:{draw(blanks)}{draw(texts(item))}{draw(blanks)}"
            for key, item in value.items()
        )
        return f"{{{','.join(members) or draw(blanks)}}}"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, Any]:
    value = draw(st.dictionaries(keys, values, max_size=4) | st.lists(values, max_size=4))
    laid_out = st.one_of(
        texts(value), st.just(json.dumps(value)), st.just(json.dumps(value, indent=2)),
        st.just(json.dumps(value, indent="\t").replace("\n", "\r\n")), st.just(json.dumps(value, separators=(",", ":"))),
    )  # fmt: skip
    return draw(st.sampled_from(["", "\ufeff"])) + draw(blanks) + draw(laid_out) + draw(blanks), value


def places(value: Any, path: jsonedit.Path = ()) -> list[jsonedit.Path]:
    """Return where something can be inserted: each list's end, each object's new key, below nulls and new keys."""
    if isinstance(value, list):
        found = [(*path, END)] + [place for at, item in enumerate(value) for place in places(item, (*path, at))]
        return [*found, (*path, END, "new")]
    if isinstance(value, dict):
        below = [place for key, item in value.items() for place in places(item, (*path, key))]
        return [*below, (*path, "new"), (*path, "new", "deep", END)]
    return [(*path, "new"), (*path, END)] if value is None and path else []


def added(value: Any, path: jsonedit.Path, new: Any) -> Any:
    """Return the value with ``new`` in its place: the same law in plain Python."""
    if not path:
        return new
    key, *rest = path
    if key == END:
        return [*(value or []), added(None, tuple(rest), new)]
    if isinstance(key, int):
        return [added(item, tuple(rest), new) if at == key else item for at, item in enumerate(value)]
    return {**(value or {}), key: added((value or {}).get(key), tuple(rest), new)}


def place_of(value: Any, path: jsonedit.Path) -> jsonedit.Path:
    """Return the path with each END as the index that it had."""
    real: list[str | int] = []
    for part in path:
        real.append(len(value or []) if part == END else part)
        doc = jsonedit.parse(json.dumps(value), "x")
        node = jsonedit.find(doc, (real[-1],))
        value = jsonedit.value_of(doc, node) if node else None
    return tuple(real)


@given(documents(), values, st.data())
def test_what_is_inserted_is_there_and_comes_out_to_the_byte(
    document: tuple[str, Any], new: Any, data: st.DataObject
) -> None:
    text, value = document
    path = data.draw(st.sampled_from(places(value)))
    longer = jsonedit.insert(jsonedit.parse(text, "x"), path, new)
    assert json.loads(longer.removeprefix("\ufeff")) == added(value, path, new)
    assert jsonedit.remove(jsonedit.parse(longer, "x"), place_of(value, path)) == text


@given(documents(), values, st.data())
def test_a_replaced_value_is_there_and_the_rest_is_as_before(
    document: tuple[str, Any], new: Any, data: st.DataObject
) -> None:
    text, value = document
    items = list(enumerate(value)) if isinstance(value, list) else list(value.items())
    if not items:
        return
    key, old = data.draw(st.sampled_from(items))
    changed = jsonedit.replace(jsonedit.parse(text, "x"), (key,), new)
    wanted = {**value, key: new} if isinstance(value, dict) else [new if at == key else item for at, item in items]
    assert json.loads(changed.removeprefix("\ufeff")) == wanted
    back = jsonedit.replace(jsonedit.parse(changed, "x"), (key,), old)
    assert json.loads(back.removeprefix("\ufeff")) == value


@given(documents(), st.data())
def test_any_one_item_can_be_taken_out(document: tuple[str, Any], data: st.DataObject) -> None:
    text, value = document
    if len(value) < 2:
        return
    key = data.draw(st.sampled_from(list(range(len(value))) if isinstance(value, list) else list(value)))
    shorter = jsonedit.remove(jsonedit.parse(text, "x"), (key,))
    pairs = enumerate(value) if isinstance(value, list) else value.items()
    left = [(name, item) for name, item in pairs if name != key]
    assert json.loads((shorter or "").removeprefix("\ufeff")) == (
        dict(left) if isinstance(value, dict) else [item for _, item in left]
    )


@given(documents())
def test_a_document_is_read_as_json_reads_it(document: tuple[str, Any]) -> None:
    doc = jsonedit.parse(document[0], "x")
    assert doc.root is not None
    assert jsonedit.value_of(doc, doc.root) == document[1]


@given(st.text('{}[]",:\\ntruefalsu0123.eE+-/* \n', max_size=12))
def test_what_json_refuses_is_refused(text: str) -> None:
    try:
        wanted = json.loads(text)
    except json.JSONDecodeError:
        wanted = ConfigError
    try:
        doc = jsonedit.parse(text, "x")
        found = jsonedit.value_of(doc, doc.root) if doc.root else ConfigError
    except ConfigError:
        found = ConfigError
    assert found == wanted


LAYOUTS = [
    # text, path, value, the whole result
    ('{"a":1}', ("b",), [1, {}], '{"a":1,"b":[1,{}]}'),
    ('{"a": 1}', ("b", "c"), 2, '{"a": 1, "b": {"c": 2}}'),
    ('{\n  "a": 1\n}\n', ("b",), [2], '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'),
    ('{\r\n\t"a": 1\r\n}', ("b",), [2], '{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t2\r\n\t]\r\n}'),
    ('{\n    "a": [1, 2]\n}', ("a", END), 3, '{\n    "a": [1, 2, 3]\n}'),
    ('{\n "a": [\n  1,\n  2]}', ("a", END), 3, '{\n "a": [\n  1,\n  2,\n  3]}'),
    ('{\n  "a": {}\n}', ("a", "b"), 1, '{\n  "a": {"b": 1  }\n}'),
    ('{"a": [ ]}', ("a", END), 1, '{"a": [ 1  ]}'),
    ('{"a": null}', ("a", "b"), 1, '{"a": {"b": 1   }}'),
    ("", ("a",), 1, '{"a": 1   }'),
    ("\ufeff\n", ("a",), 1, '\ufeff{"a": 1   }\n'),
    ("{}", ("a", END), 1, '{"a": [\n  1\n]  }'),
]


@pytest.mark.parametrize(("text", "path", "value", "wanted"), LAYOUTS)
def test_new_text_is_laid_out_as_the_file_is(text: str, path: jsonedit.Path, value: Any, wanted: str) -> None:
    longer = jsonedit.insert(jsonedit.parse(text, "x"), path, value)
    assert longer == wanted
    there = place_of(json.loads(text.strip("\ufeff\n") or "null"), path)
    assert jsonedit.remove(jsonedit.parse(longer, "x"), there) == text


def test_containers_that_we_made_go_and_none_is_left() -> None:
    text = '{"a": {\n "b": [ 1 ] } }'
    assert jsonedit.remove(jsonedit.parse(text, "x"), ("a", "b", 0)) is None


COMMENTED = [
    ('{\n  "a": 1 // ms\n}', ("b",), 2, '{\n  "a": 1, // ms\n  "b": 2\n}'),
    ('{\n  "a": 1, // ms  \n  // end\n}', ("b",), 2, '{\n  "a": 1, // ms\n  "b": 2,  \n  // end\n}'),
    ('[1 /* x */]', (END,), 2, "[1, /* x */ 2]"),
    ('[1 // x\n]', (END,), 2, "[1, // x\n2\n]"),
    ('[ // nothing\n]', (END,), 2, "[ // nothing\n2  ]"),
    ('[1,]', (END,), 2, "[1, 2,]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "path", "value", "wanted"), COMMENTED)
def test_comments_and_trailing_commas_stay_where_the_host_allows_them(
    text: str, path: jsonedit.Path, value: Any, wanted: str
) -> None:
    longer = jsonedit.insert(jsonedit.parse(text, "x", comments=True), path, value)
    assert longer == wanted
    there = ("b",) if path == ("b",) else (text.count("1"),)
    assert jsonedit.remove(jsonedit.parse(longer, "x", comments=True), there) == text


@pytest.mark.parametrize("name", ["gemini.settings.comments.jsonc", "opencode.jsonc"])
def test_a_real_commented_file_comes_back_to_the_byte(name: str) -> None:
    text = (CONFIGS / name).read_bytes().decode()
    doc = jsonedit.parse(text, name, comments=True)
    for path in (
        ("mcp", "brain"),
        ("hooks", "AfterTool", END),
        ("hooks", "SessionStart", END),
        ("plugin", END),
    ):
        longer = jsonedit.parse(jsonedit.insert(doc, path, {"command": "brain-hook"}), name, comments=True)
        assert all(comment in longer.text for comment in re.findall(r"(?m)// \w.*$|/\*.*\*/", text))
        home = jsonedit.find(longer, path[:-1])
        assert home is not None
        last = (*path[:-1], len(home.items) - 1) if path[-1] == END else path
        assert jsonedit.remove(longer, last) == text


REFUSED = [
    ('{\n  "a": 1,\n}', "x:2: a comma before '}'", "take the comma out: strict JSON allows none here"),
    ("[1, 2,\n]", "x:1: a comma before ']'", "take the comma out: strict JSON allows none here"),
    ('{\n// note\n"a": 1}', "x:2: a comment, where JSON allows none", "take the comment out"),
    ('{"a": 1} /* x */', "x:1: a comment, where JSON allows none", "take the comment out"),
    ('{"a": 1}\n{}', "x:2: something follows the end of the value", "take it out"),
    ('{"a": "b\n"}', "x:1: a string that does not end, or holds a bad escape", "mend it"),
    ('{"a": "\\x"}', "x:1: a string that does not end, or holds a bad escape", "mend it"),
    (
        "{'a': 1}",
        "x:1: \"'a'\", where a key in double quotes belongs",
        "mend the JSON there; the file was left as it is",
    ),
    ('{"a" 1}', "x:1: '1', where ':' belongs", "mend the JSON there; the file was left as it is"),
    ('{"a": True}', "x:1: 'True', where a value belongs", "mend the JSON there; the file was left as it is"),
    (
        '{"a": 1',
        "x:1: the end of the file, where ',' or '}' belongs",
        "mend the JSON there; the file was left as it is",
    ),
    ("[1 2]", "x:1: '2', where ',' or ']' belongs", "mend the JSON there; the file was left as it is"),
    ("[,]", "x:1: ',', where a value belongs", "mend the JSON there; the file was left as it is"),
    ("[" * 300, "x:1: nested deeper than 200 levels", "this is no settings file"),
]


@pytest.mark.parametrize(("text", "message", "hint"), REFUSED)
def test_what_is_not_json_is_refused_by_line_and_mend(text: str, message: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        jsonedit.parse(text, "x")
    assert (str(caught.value), caught.value.hint) == (message, hint)


MISFITS = [
    ('{\n"a": []}', ("a", "b"), "x:2: a is a list, where an object belongs"),
    ('{"a": {"b": {}}}', ("a", "b", END), "x:1: a.b is an object, where a list belongs"),
    ('{"a": "text"}', ("a", END), "x:1: a is a string, where a list belongs"),
    ('{"a": 5}', ("a", END), "x:1: a is a number, where a list belongs"),
    ('{"a": false}', ("a", END), "x:1: a is another value, where a list belongs"),
    ("[]", ("a",), "x:1: the outermost value is a list, where an object belongs"),
    ('{"a": 1,\n "a": 2}', ("b",), "x:2: the key 'a' stands twice in one object"),
]


@pytest.mark.parametrize(("text", "path", "message"), MISFITS)
def test_a_value_of_another_type_is_never_overwritten(text: str, path: jsonedit.Path, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        jsonedit.insert(jsonedit.parse(text, "x"), path, 1)
    assert str(caught.value) == message
    assert caught.value.hint.endswith("the file was left as it is")


def test_what_is_not_there_cannot_be_edited_and_what_is_there_not_inserted() -> None:
    doc = jsonedit.parse('{"a": [1]}', "x")
    assert jsonedit.find(doc, ("a", 1)) is None
    assert jsonedit.find(doc, ("a", "b", 0)) is None
    with pytest.raises(KeyError):
        jsonedit.remove(doc, ("a", 1))
    with pytest.raises(KeyError):
        jsonedit.replace(doc, ("b",), 1)
    with pytest.raises(ValueError, match="there already"):
        jsonedit.insert(doc, ("a",), 1)


def test_equal_keys_that_nobody_touches_are_left_alone() -> None:
    text = '{"a": {"x": 1, "x": 2}, "b": []}'
    assert jsonedit.insert(jsonedit.parse(text, "x"), ("b", END), 1) == '{"a": {"x": 1, "x": 2}, "b": [1  ]}'


def test_a_number_of_thousands_of_digits_is_read() -> None:
    doc = jsonedit.parse("[" + "1" * 5000 + "]", "x")
    assert doc.root is not None
    assert jsonedit.value_of(doc, doc.root) == [float("inf")]

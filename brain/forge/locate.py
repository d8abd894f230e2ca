"""Which GitLab and which project a remote means (facts.md §10): settings, CI, other tools' files, the remote itself."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote, urlsplit

from brain.errors import ConfigError
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brain.settings import Config

TOKEN = "BRAIN_GITLAB_TOKEN"  # noqa: S105 - the name of a variable
SHARED_TOKENS = ("GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN")
"""glab's; they are for one server, which ``HOSTS`` names if it is not the one at hand."""
HOSTS = ("GITLAB_HOST", "GITLAB_URI", "GL_HOST")
MOST_SUB_PATH = 2
"""Folders at the start of a remote's path that may be GitLab's own sub-path."""
WEB = ("http", "https")


class Secret(str):
    """A text that does not show itself where a value is printed for a person."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'" if self else "''"


@value
class Address:
    """A remote's address, taken apart. ``scheme`` is http, https or ssh; ``port`` "" is the scheme's own."""

    scheme: str
    host: str
    port: str
    path: str
    user: str = ""

    @property
    def server(self) -> str:
        """The web server it means: of an SSH address neither scheme nor port can be known."""
        return f"{self.scheme}://{self.host}{self.port}" if self.scheme in WEB else f"https://{self.host}"


@value
class Location:
    """Where to ask: pairs of GitLab's address and project there, the likeliest first; the token, "" for none."""

    places: tuple[tuple[str, str], ...]
    token: Secret
    ca: str
    timeout: float
    token_name: str = TOKEN


def parse_address(url: str) -> Address | None:
    """Return a remote's address, or None where it is a folder or of another kind.

    >>> parse_address("ssh://git@git.example.com:2222/team/docs.git")
    Address(scheme='ssh', host='git.example.com', port=':2222', path='team/docs', user='git')
    """
    if "://" not in url:
        found = re.fullmatch(r"(?:([^@/:]+)@)?(\[[^]]+\]|[^@/:]{2,}):(?!/?/)?(.+)", url)
        return Address("ssh", found[2].lower(), "", _project_path(found[3]), found[1] or "") if found else None
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    scheme = "ssh" if parts.scheme in ("ssh", "git+ssh", "ssh+git") else parts.scheme
    if scheme not in (*WEB, "ssh") or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(scheme, host, port, _project_path(parts.path), unquote(parts.username or ""))


def _project_path(path: str) -> str:
    return unquote(path).strip("/").removesuffix(".git").strip("/")


def locate(url: str, config: Config, env: Mapping[str, str]) -> Location | None:
    """Return where the project of a remote's URL is to be asked for, or None where nothing tells.

    The order is: settings, CI's own variables, python-gitlab's and glab's files for that host, the remote.

    Raises:
        ConfigError: The memory repo's own settings name a server its remote is not on: a token would go there.
    """
    address = parse_address(url)
    base, project = config["gitlab.url"].rstrip("/").removesuffix("/api/v4"), config["gitlab.project"].strip("/")
    ca = config["gitlab.ca"]
    if base:
        _check_own(base, address, config, env)
        places = [(base, project or (_below(base, address) if address else ""))]
    elif address:
        found = list(_known(address, env))
        ca = ca or next((known.ca for known in found if known.ca), "")
        places = [(known.url, known.project) for known in found] or list(_guesses(address))
        places = [(server, project or path) for server, path in places]
    else:
        places = []
    places = list(dict.fromkeys((server, path) for server, path in places if path))
    if not places:
        return None
    name, token = _token(env, places[0][0])
    return Location(tuple(places), token, os.path.expanduser(ca), config["gitlab.timeoutSeconds"] or 20.0, name)


def _check_own(base: str, address: Address | None, config: Config, env: Mapping[str, str]) -> None:
    """Refuse a server that the memory repo names and that is not the remote's, nor CI's, nor a domain above it."""
    named = (urlsplit(base).hostname or "").lower()
    hosts = [host for host in (address and address.host, env.get("CI_SERVER_HOST", "").lower()) if host]
    if "gitlab.url" not in config.shared or any(host == named or host.endswith(f".{named}") for host in hosts):
        return
    there = hosts[0] if hosts else "this machine"
    why = f"names {named or base}, and the repo lies on {there}: your token would go there"
    raise ConfigError(
        config.source("gitlab.url"), "gitlab.url", why, f"if that is right: export BRAIN_GITLAB_URL={base}"
    )


@value
class _Known:
    url: str
    project: str
    ca: str = ""


def _known(address: Address, env: Mapping[str, str]) -> Iterator[_Known]:
    """Yield what CI or another tool's settings say of that host."""
    api = env.get("CI_API_V4_URL", "").removesuffix("/api/v4")
    if api and env.get("CI_SERVER_HOST", "").lower() == address.host:
        path = _below(api, address)
        own = path == env.get("CI_PROJECT_PATH") and env.get("CI_PROJECT_ID", "").isdigit()
        yield _Known(api, env["CI_PROJECT_ID"] if own else path)
    for read in (_python_gitlab, _glab):
        found = read(address, env)
        if found:
            yield found


def _below(base: str, address: Address) -> str:
    """Return the project's path: the remote's, less GitLab's own sub-path where the remote is a web address."""
    sub = urlsplit(base).path.strip("/")
    under = address.scheme in WEB and sub and address.path.startswith(sub + "/")
    return address.path[len(sub) + 1 :] if under else address.path


def _guesses(address: Address) -> Iterator[tuple[str, str]]:
    """Yield server and project, from no sub-path on; a project has a group, so two parts are left at least."""
    parts = address.path.split("/")
    most = min(MOST_SUB_PATH, len(parts) - 2) if address.scheme in WEB else 0
    for count in range(max(0, most) + 1):
        yield "/".join([address.server, *parts[:count]]), "/".join(parts[count:])


def _token(env: Mapping[str, str], server: str) -> tuple[str, Secret]:
    """Return the token for a server and the variable it came from; it is never in a file."""
    if env.get(TOKEN):
        return TOKEN, Secret(env[TOKEN].strip())
    named = next((env[name] for name in HOSTS if env.get(name)), "")
    host = urlsplit(named if "://" in named else f"https://{named}").hostname if named else None
    if host in (None, urlsplit(server).hostname):
        for name in SHARED_TOKENS:
            if env.get(name):
                return name, Secret(env[name].strip())
    return TOKEN, Secret("")


def _python_gitlab(address: Address, env: Mapping[str, str]) -> _Known | None:
    """Read python-gitlab's file: the section whose address has that host."""
    from configparser import ConfigParser, Error

    own = [env["PYTHON_GITLAB_CFG"]] if env.get("PYTHON_GITLAB_CFG") else []
    files = own or ["/etc/python-gitlab.cfg", os.path.join(env.get("HOME", ""), ".python-gitlab.cfg")]
    parser = ConfigParser(interpolation=None)
    try:
        parser.read(files, "utf-8")
    except (Error, UnicodeDecodeError):
        return None
    for name in parser.sections():
        url = parser.get(name, "url", fallback="").rstrip("/")
        if url and _host(url) == address.host:
            ca = parser.get(name, "ssl_verify", fallback="")
            return _Known(url, _below(url, address), ca if "/" in ca else "")
    return None


def _glab(address: Address, env: Mapping[str, str]) -> _Known | None:
    """Read glab's file: what it says of that host."""
    import yaml

    home = env.get("XDG_CONFIG_HOME") or os.path.join(env.get("HOME", ""), ".config")
    folder = env.get("GLAB_CONFIG_DIR") or os.path.join(home, "glab-cli")
    try:
        with open(os.path.join(folder, "config.yml"), encoding="utf-8") as file:
            found = yaml.safe_load(file.read(1 << 18))
    except (OSError, ValueError, yaml.YAMLError, RecursionError):
        return None
    hosts = found.get("hosts") if isinstance(found, dict) else None
    host = (
        hosts.get(address.host + (address.port if address.scheme in WEB else "")) if isinstance(hosts, dict) else None
    )
    if not isinstance(host, dict):
        return None
    sub = str(host.get("subfolder") or env.get("GITLAB_SUBFOLDER") or "").strip("/")
    api = host.get("api_host") or urlsplit(address.server).netloc
    url = f"{host.get('api_protocol') or 'https'}://{api}/{sub}".rstrip("/")
    return _Known(url, _below(url, address), str(host.get("ca_cert") or env.get("GLAB_CA_CERT") or ""))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""

"""What is installed beside the hooks: an entry for our MCP server, and a short instruction (SPEC §11).

Both where the host is known to look for them (hosts/contracts.md §3-§11): an entry in a file of its own, in the file
that has the hooks too, or in ``config.toml``; the instruction in the project's ``CLAUDE.md``, ``AGENTS.md`` or
``GEMINI.md``, between two comments. Uninstall takes out exactly that.
"""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from importlib import resources, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain import jsonedit
from brain.errors import BrainError, ConfigError
from brain_hooks.block import Block, decoded
from brain_hooks.change import Plan, read_file
from brain_hooks.install import installed, settings_path
from brain_hooks.places import OWN_NAME
from brain_hooks.tomlhooks import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain_hooks.places import Scope

SERVER = "brain-api"
ENTRY: dict[str, Any] = {"command": SERVER, "args": ["mcp"]}
SERVERS = ("mcpServers", OWN_NAME)
FILES: dict[str, dict[Scope, str]] = {
    "claude": {"project": ".mcp.json"},
    "cursor": {"project": ".cursor/mcp.json", "user": ".cursor/mcp.json"},
    "gemini": {"project": ".gemini/settings.json", "user": ".gemini/settings.json"},
    "codex": {"project": ".codex/config.toml", "user": ".codex/config.toml"},
}
"""Files with MCP servers, by host and scope; the first folder of the user's is what the host's variable names."""
COMMENTED = ("gemini",)
TEXTS = {
    "claude": "CLAUDE.md", "gemini": "GEMINI.md", "codex": "AGENTS.md", "cursor": "AGENTS.md", "copilot": "AGENTS.md",
    "vscode": "AGENTS.md", "opencode": "AGENTS.md",
}  # fmt: skip
"""Where each host reads instructions for a project."""
NO_SERVER = f"no MCP entry: {SERVER} with the extra `mcp` is not on the PATH here; install it, and run this again"
TOML = Block(
    "# >>> project brain mcp >>> (brain-hook uninstall takes these lines out)",
    f"[mcp_servers.{OWN_NAME}]\ncommand = {json.dumps(SERVER)}\nargs = {json.dumps(ENTRY['args'])}",
    "# <<< project brain mcp <<<",
)


def instructions() -> Block:
    """Return the lines that tell an assistant of the memory, between comments."""
    return Block(
        "<!-- >>> project brain >>> (brain-hook uninstall takes these lines out) -->",
        resources.files("brain_hooks").joinpath("files/instructions.md").read_text("utf-8"),
        "<!-- <<< project brain <<< -->",
        gap=1,
    )


def has_server() -> bool:
    """Say whether a host that starts our MCP server from this PATH would get it."""
    return bool(shutil.which(SERVER)) and util.find_spec("mcp") is not None


def add_beside(plans: Sequence[Plan], host: str, scope: Scope, root: Path, env: Mapping[str, str]) -> list[Plan]:
    """Return the plans with those after which entry and instruction are there too.

    Raises:
        ConfigError: A file is not what the host would read; the error says the mend.
        BrainError: A file cannot be read.
    """
    found = list(plans)
    file = servers_file(host, scope, root, env)
    if file and has_server():
        found = _merged(found, file, lambda content: _with_entry(content, file, host))
    if host in TEXTS and scope == "project":
        text = root / TEXTS[host]
        found = _merged(found, text, lambda content: instructions().put_into(decoded(content or b"", text)))
    return found


def take_beside(plans: Sequence[Plan], host: str, scope: Scope, root: Path, env: Mapping[str, str]) -> list[Plan]:
    """Return the plans with those after which neither is there; an instruction that another host needs stays.

    Raises:
        ConfigError: A file is not what the host would read; the error says the mend.
        BrainError: A file cannot be read.
    """
    found = list(plans)
    file = servers_file(host, scope, root, env)
    if file:
        found = _merged(found, file, lambda content: _without_entry(content, file, host))
    if host in TEXTS and scope == "project" and not _needed_by_others(host, root, env):
        text = root / TEXTS[host]
        found = _merged(found, text, lambda content: _without_text(content, text))
    return found


def servers_file(host: str, scope: Scope, root: Path, env: Mapping[str, str]) -> Path | None:
    """Return the file with the host's MCP servers, None where it has none in that scope."""
    name = FILES.get(host, {}).get(scope, "")
    if not name:
        return None
    return root / name if scope == "project" else settings_path(host, scope, root, env).with_name(Path(name).name)


def entry_in(host: str, scope: Scope, root: Path, env: Mapping[str, str]) -> str:
    """Return what a host's file has by our name: ``yes``, ``no``, the other command it starts, or why it is not read.

    "" where the host has no file of servers that we know, in that scope.

    Raises:
        ConfigError: The environment names no home.
    """
    file = servers_file(host, scope, root, env)
    if not file:
        return ""
    try:
        content = read_file(file)
        found = _entry_of(decoded(content, file), file, host) if content else None
    except BrainError as error:
        return str(error)
    if found is None:
        return "no"
    command, words = (found.get("command"), found.get("args")) if isinstance(found, dict) else (found, None)
    same = command == SERVER and words == ENTRY["args"]
    return "yes" if same else " ".join(map(str, [command, *words] if isinstance(words, list) else [command]))


def _entry_of(text: str, path: Path, host: str) -> Any:
    """Return what stands under our name in a file of servers, None where nothing does."""
    if path.suffix == ".toml":
        servers = parse_toml(text, path).get("mcp_servers")
        return servers.get(OWN_NAME) if isinstance(servers, dict) else None
    doc = jsonedit.parse(text, str(path), comments=host in COMMENTED)
    node = jsonedit.find(doc, SERVERS)
    return jsonedit.value_of(doc, node) if node else None


def _merged(plans: list[Plan], path: Path, change: Any) -> list[Plan]:
    """Return the plans with one more change of a file; a file that has a plan already keeps the one."""
    place = next((number for number, plan in enumerate(plans) if plan.path == path), -1)
    before = plans[place].before if place >= 0 else read_file(path)
    now = plans[place].after if place >= 0 else before
    text = change(now)
    after = text.encode() if text is not None else None
    if after is None and path.is_symlink():
        after = b""
    if place >= 0:
        said = plans[place].summary if plans[place].changed or after == before else _said(before, after, path)
        plans[place] = Plan(path, before, after, said)
        return plans
    return [*plans, Plan(path, before, after, _said(before, after, path))]


def _said(before: bytes | None, after: bytes | None, path: Path) -> str:
    is_more = len(after or b"") >= len(before or b"")
    return f"{'installed in' if is_more else 'removed from'} {path}"


def _with_entry(content: bytes | None, path: Path, host: str) -> str:
    if path.suffix == ".toml":
        return _with_table(decoded(content or b"", path), path)
    if content is None:
        return f"{json.dumps({SERVERS[0]: {SERVERS[1]: ENTRY}}, indent=2)}\n"
    doc = jsonedit.parse(decoded(content, path), str(path), comments=host in COMMENTED)
    if jsonedit.find(doc, SERVERS):  # ours, or what somebody made of it
        return doc.text
    return jsonedit.insert(doc, SERVERS, ENTRY)


def _without_entry(content: bytes | None, path: Path, host: str) -> str | None:
    if content is None:
        return None
    text = decoded(content, path)
    if path.suffix == ".toml":
        return TOML.take_out_of(text) or None
    doc = jsonedit.parse(text, str(path), comments=host in COMMENTED)
    node = jsonedit.find(doc, SERVERS)
    is_ours = node is not None and jsonedit.value_of(doc, node) == ENTRY
    return jsonedit.remove(doc, SERVERS) if is_ours else text


def _with_table(text: str, path: Path) -> str:
    """Return the TOML with our table, where nobody has one of its name.

    Raises:
        ConfigError: It is no TOML, or spells its servers so that ours cannot stand behind them.
    """
    bare = TOML.take_out_of(text)
    wanted = parse_toml(bare, path)
    servers = wanted.setdefault("mcp_servers", {})
    if isinstance(servers, dict) and OWN_NAME in servers:
        return text
    after = TOML.put_into(text)
    if isinstance(servers, dict):
        servers[OWN_NAME] = ENTRY
    try:
        found = tomllib.loads(after.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        found = {}
    if found != wanted:
        hint = "write them as [mcp_servers.NAME] tables; the file was left as it is"
        raise ConfigError(str(path), "mcp_servers", "they are spelled inline, so no more can be added", hint)
    return after


def _without_text(content: bytes | None, path: Path) -> str | None:
    if content is None:
        return None
    return instructions().take_out_of(decoded(content, path)) or None


def _needed_by_others(host: str, root: Path, env: Mapping[str, str]) -> bool:
    """Say whether another host whose hooks are here reads the same file of instructions."""
    own = os.path.realpath(root / TEXTS[host])
    mine = settings_path(host, "project", root, env)
    for other, name in TEXTS.items():
        path = settings_path(other, "project", root, env)
        if path != mine and os.path.realpath(root / name) == own and installed(path, other) in ("yes", "old"):
            return True
    return False

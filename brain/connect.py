"""Connect a workspace to a memory repo: clone it, and name it in the workspace's ``state.json`` (SPEC §2, §3)."""

from __future__ import annotations

import json
import os

from brain.errors import BrainError, ConfigError, GitError
from brain.files import write_file
from brain.git.fetch import without_userinfo
from brain.git.run import try_git
from brain.workspace import STATE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from brain.git.refs import Repo
    from brain.workspace import Workspace


def is_url(text: str) -> bool:
    """Say whether ``text`` names a repository elsewhere: ``scheme://…`` or ``user@host:path``."""
    host, colon, _ = text.partition(":")
    return "://" in text or bool(colon and "@" in host and "/" not in host)


def clone(url: str, folder: str, start: str) -> None:
    """Clone ``url`` into ``folder``, which must not exist or be empty.

    Raises:
        GitError: Git said no; neither URL nor message shows a secret.
    """
    result = try_git(start, "clone", "--quiet", "--", url, folder)
    if result.status:
        stderr = without_userinfo(result.err.decode("utf-8", "replace"))
        reason = next((line for line in stderr.splitlines() if line.startswith("fatal:")), stderr)
        shown = ["clone", without_userinfo(url), folder]
        raise GitError(shown, result.status, reason, "check the address and your access to it")


def default_clone_folder(workspace: Workspace, url: str) -> str:
    """Return where a memory repo is cloned to unless said otherwise: beside the workspace, under its name."""
    name = url.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    return os.path.join(os.path.dirname(workspace.root), name or "memory")


def remote_url(repo: Repo, remote: str = "origin") -> str:
    """Return the remote's URL as it is configured; "" if there is none."""
    found = try_git(repo.path, "config", "--get", f"remote.{remote}.url")
    return found.out.decode("utf-8", "replace").strip()


def connect(workspace: Workspace, settings: Mapping[str, str]) -> bool:
    """Write settings (``memory.repo``) into the workspace's state.json; say if that changed it.

    Raises:
        BrainError: The file is no JSON object, or cannot be written.
    """
    path = os.path.join(workspace.state_dir, STATE_FILE)
    before = _read_state(path)
    bare = before.removeprefix("\ufeff")
    text = bare if bare.strip() else "{}\n"
    for name, new in settings.items():
        text = set_member(text, name, new, path)
    if text == bare:
        return False
    try:
        write_file(os.path.realpath(path), before[: len(before) - len(bare)] + text)
    except OSError as error:
        raise BrainError(f"{error.filename or path}: {error.strerror}", "check its permissions") from None
    return True


def _read_state(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise ConfigError(path, "", f"cannot be read: {error}", "save it as UTF-8, or move it away") from None


def set_member(text: str, name: str, new: str, path: str) -> str:
    """Return a JSON object's text with the setting ``memory.repo`` set to ``new``; no other byte changes.

    Raises:
        ConfigError: It is no JSON object, or ``memory`` in it is none.
    """
    try:
        json.loads(text)
        dotted = _find(text, [name])
        start, end, left = _find(text, name.split(".")) if dotted[2] else dotted
    except (ValueError, RecursionError) as error:
        raise ConfigError(path, name, f"no JSON object: {error}", "mend the file, or move it away") from None
    if not left:
        return text if json.loads(text[start:end]) == new else text[:start] + _json(new) + text[end:]
    member: Any = new
    for key in reversed(left[1:]):
        member = {key: member}
    return _insert(text, start, left[0], member)


def _find(text: str, names: list[str]) -> tuple[int, int, list[str]]:
    """Return where a member's value stands; or where the innermost object that is there opens, and what is missing."""
    at = end = _skip(text, 0)
    for depth, name in enumerate(names):
        if text[at] != "{":
            raise ValueError(f"{'.'.join(names[:depth]) or 'it'} is no object")
        span = next(((start, end) for key, start, end in reversed(_members(text, at)) if key == name), None)
        if span is None:
            return at, at, names[depth:]
        at, end = span
    return at, end, []


def _members(text: str, at: int) -> list[tuple[str, int, int]]:
    """Return key, start and end of the value of each member of the object that opens at ``at``."""
    decoder, members = json.JSONDecoder(), []
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, at = decoder.raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        _, end = decoder.raw_decode(text, start)
        members.append((key, start, end))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return members


def _json(new: Any) -> str:
    """Return JSON for people, with escapes only where UTF-8 cannot hold a path's bytes."""
    shown = json.dumps(new, ensure_ascii=False)
    return shown if shown.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in shown) else json.dumps(new)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _insert(text: str, at: int, name: str, new: Any) -> str:
    """Put a member behind the last of the object that opens at ``at``, laid out like its first."""
    members = _members(text, at)
    member = f"{_json(name)}: {_json(new)}"
    if not members:
        return text[: at + 1] + member + text[_skip(text, at + 1) :]
    lead = text[at + 1 : _skip(text, at + 1)] or " "
    end = members[-1][2]
    return text[:end] + "," + lead + member + text[end:]

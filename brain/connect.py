"""Connect a workspace to a memory repo: clone it, and name it in the workspace's ``state.json`` (SPEC §2, §3)."""

from __future__ import annotations

import os

from brain import jsonedit
from brain.errors import BrainError, ConfigError, GitError
from brain.files import write_file
from brain.git.fetch import cause_of, without_userinfo
from brain.git.refs import find_repo
from brain.git.run import try_git
from brain.scaffold import ignore_here
from brain.workspace import STATE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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
        reason = cause_of(result.err.decode("utf-8", "replace"))
        shown = ["clone", without_userinfo(url), folder]
        raise GitError(shown, result.status, reason, "check the address and your access to it")


def default_clone_folder(workspace: Workspace, url: str) -> str:
    """Return where a memory repo is cloned to unless said otherwise: beside the workspace, under its name."""
    name = url.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    return os.path.join(os.path.dirname(workspace.root), name or "memory")


def remote_url(repo: Repo) -> str:
    """Return the URL of ``origin`` as it is configured; "" if there is none."""
    found = try_git(repo.path, "config", "--get", "remote.origin.url")
    return found.out.decode("utf-8", "replace").strip()


def connect(workspace: Workspace, settings: Mapping[str, str]) -> bool:
    """Write settings (``memory.repo``) into the workspace's state.json; say if that changed it.

    They name folders of this machine: git ignores the file from then on, in this clone, unless the team committed it.

    Raises:
        BrainError: The file is no JSON object, or cannot be written.
    """
    path = os.path.join(workspace.state_dir, STATE_FILE)
    before = _read_state(path)
    bare = before.removeprefix("\ufeff")
    text = bare if bare.strip() else "{}\n"
    for name, new in settings.items():
        text = set_member(text, name, new, path)
    changed = text != bare
    try:
        if changed:
            write_file(os.path.realpath(path), before[: len(before) - len(bare)] + text)
    except OSError as error:
        raise BrainError(f"{error.filename or path}: {error.strerror}", "check its permissions") from None
    if changed or before:
        _ignore(workspace, path)
    return changed


def _ignore(workspace: Workspace, path: str) -> None:
    """Have git ignore the workspace's own file where it lies in a work tree."""
    repo = find_repo(workspace.state_dir)
    if repo and repo.work_tree:
        below = os.path.relpath(path, repo.work_tree).replace(os.sep, "/")
        if not below.startswith("../"):
            ignore_here(repo, below)


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
        ConfigError: It is no JSON object, or ``memory`` in it is none; the error names the line and the mend.
    """
    doc = jsonedit.parse(text, path)
    dotted = jsonedit.find(doc, (name,))
    place = (name,) if dotted else tuple(name.split("."))
    node = jsonedit.find(doc, place)
    if node:
        return text if jsonedit.value_of(doc, node) == new else jsonedit.replace(doc, place, new)
    for depth in range(len(place)):  # an object without members is as good as none
        empty = jsonedit.find(doc, place[:depth])
        if empty and empty.kind == "object" and not empty.items:
            return jsonedit.replace(doc, place[:depth], jsonedit.wrap(place[depth:], new))
    return jsonedit.insert(doc, place, new)

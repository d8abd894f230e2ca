"""The kit repo, whose rules and skills all projects get: where it is, and what of this memory was promoted to it."""

from __future__ import annotations

import os
import re
from hashlib import sha256

from brain.errors import GitError
from brain.forge.locate import parse_address
from brain.git.fetch import without_userinfo
from brain.git.refs import get_repo
from brain.git.run import git, try_git
from brain.index.cache import cache_dir
from brain.settings import load_config
from brain.submit.gather import open_remote
from brain.tend.mirror import mirror
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.git.refs import Repo
    from brain.submit.gather import Doors
    from brain.workspace import Brain

ORIGIN = "<!-- brain:promoted {project} {id} -->"
"""What in a file of the kit says which memory it was."""
FOUND = re.compile(r"<!-- brain:promoted (\S+) (mem-\S+) -->")
REMOTE = "origin"


@value
class Kit:
    """The kit's repo here, and the ways to it."""

    repo: Repo
    doors: Doors


def project_of(brain: Brain) -> str:
    """Return what this memory repo is called in the kit: its path on the server, without spaces."""
    url = try_git(brain.repo.path, "remote", "get-url", brain.config["memory.remote"]).out
    address = parse_address(os.fsdecode(url).strip())
    path = (
        address.path if address else os.path.basename(os.fsdecode(url).strip().removesuffix("/").removesuffix(".git"))
    )
    return "-".join(path.split()) or "memory"


def open_kit(brain: Brain, where: str, env: Mapping[str, str]) -> Kit:
    """Return the kit repo at a folder, a URL, or an alias of ``repos``.

    Raises:
        GitError: It cannot be cloned, or has no remote.
    """
    where = brain.config["repos"].get(where, where)
    folder = os.path.join(brain.workspace.root, os.path.expanduser(where))
    repo = get_repo(folder) if os.path.isdir(folder) else _cloned(brain, where)
    config = load_config({}, None, {})  # the memory repo's own project and address are not the kit's
    for name in ("gitlab.ca", "gitlab.timeoutSeconds", "gitlab.url"):
        config.put(name, brain.config[name], brain.config.source(name))
    return Kit(repo, open_remote(repo, REMOTE, config, env))


def _cloned(brain: Brain, url: str) -> Repo:
    """Return our own bare clone of a kit that this machine has no clone of."""
    folder = os.path.join(cache_dir(brain.repo), "kits", sha256(url.encode()).hexdigest()[:12])
    cause = mirror(brain.repo.path, url, folder)
    if cause:
        hint = "name a clone of the kit, its URL, or an alias of repos"
        raise GitError(["clone", without_userinfo(url)], 1, cause, hint)
    return get_repo(folder)


def find_promoted(kit: Kit, project: str) -> dict[str, str]:
    """Return memory id → file, of the memories of a project that the kit's default branch has.

    Raises:
        GitError: The remote cannot be reached.
    """
    heads = kit.doors.link.heads("")
    kit.doors.link.fetch(heads, "")
    return promoted_at(kit, project, heads.base)


def promoted_at(kit: Kit, project: str, commit: str) -> dict[str, str]:
    """Return memory id → file, of the memories of a project that a commit of the kit has, by id."""
    words = f"<!-- brain:promoted {project} "
    args = ("grep", "-z", "--no-color", "-I", "--full-name", "-F", "-e", words, commit)
    found = try_git(kit.repo.path, *args)
    if found.status not in (0, 1):  # 1 is: nothing there
        git(kit.repo.path, *args)
    promoted = {}
    for name, _, text in (line.partition(b"\0") for line in found.out.split(b"\n") if line):
        for owner, memory_id in FOUND.findall(text.decode("utf-8", "replace")):
            if owner == project:
                promoted[memory_id] = os.fsdecode(name).removeprefix(f"{commit}:")
    return dict(sorted(promoted.items()))

"""Where a project's memory comes from: mirrors of its repositories, or a workspace of this machine."""

from __future__ import annotations

import os

from brain.errors import BrainError, GitError
from brain.forge.locate import TOKEN, locate
from brain.git.refs import find_commit, find_repo, find_upstream
from brain.index.cache import load_tree
from brain.settings import load_config
from brain.tend.counts import NOTHING, grown
from brain.value import replace
from brain.workspace import Brain, Workspace, open_brain
from brain_api.mirror import REMOTE, Access, Mirror

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from brain.forge.locate import Location
    from brain.tend.counts import Counts
    from brain_api.settings import ProjectSettings

    class Source(Protocol):
        """What a project needs of either."""

        def refresh(self) -> tuple[str, ...]:
            """Bring what is new; return what could not be brought, and why."""

        def stamp(self) -> tuple[str, ...]:
            """Return what changes when there is something new to read; it costs no process."""

        def open(self) -> Brain:
            """Return the approved memory as it is now."""

        def bring_counts(self) -> None:
            """Bring the counts of all machines; they may be as old as they are."""

        def publish_counts(self, machines: Mapping[str, Counts]) -> tuple[str, ...]:
            """Bring counts of machines that told them here to where all are; return what could not be, and why."""

        def doubt(self) -> None:
            """Take note that what is here could not be read."""


class Mirrored:
    """Mirrors in a folder of the project's own: the memory repo, and the code repos that refs lead into."""

    def __init__(self, settings: ProjectSettings, folder: str, env: Mapping[str, str]) -> None:
        self.settings, self.folder = settings, folder
        where = locate_project(settings, folder)
        server = where.places[0][0] if where else settings.gitlab
        access = Access(env, str(settings.token), server, settings.ca)
        self.memory = Mirror(settings.memory, os.path.join(folder, "memory.git"), access, settings.branch)
        named = {"": settings.code, **settings.repos}
        self.code = {
            alias: Mirror(url, os.path.join(folder, "repos", alias or CODE_FOLDER), access)
            for alias, url in named.items() if url
        }  # fmt: skip

    def refresh(self) -> tuple[str, ...]:
        """Bring what is new; return what could not be brought, and why."""
        rows = (("memory", self.memory), *(((alias or "code"), mirror) for alias, mirror in self.code.items()))
        return tuple(filter(None, (_refreshed(name, mirror) for name, mirror in rows)))

    def stamp(self) -> tuple[str, ...]:
        """Return the heads of all mirrors."""
        return (self.memory.head(), *(mirror.head() for mirror in self.code.values()))

    def open(self) -> Brain:
        """Return the approved memory as it is now.

        Raises:
            BrainError: There is none yet, or it cannot be read.
        """
        repo, settings = self.memory.repo, self.settings
        if repo is None:
            raise BrainError("the memory repo was not mirrored yet")
        tree = load_tree(repo, settings.root, REMOTE, self.memory.default())
        found = tree.settings if isinstance(tree.settings, dict) else {}
        team = {key: part for key, part in found.items() if key.partition(".")[0] not in OWN_SETTINGS}
        wrong = team.get("error")
        config = load_config({} if isinstance(wrong, str) else team, None, {})
        own = {"repos": dict(settings.repos), "memory": {"root": settings.root}, "semantic": dict(settings.semantic)}
        config.layer(own, "the service's settings")
        warnings = (*([f"{wrong}; defaults are used"] if isinstance(wrong, str) else []), *tree.skipped)
        code = self.code.get("")
        top = os.path.join(self.folder, "repos", WORKSPACE_FOLDER)  # clones are looked for beside it, by their alias
        workspace = Workspace(top, os.path.join(top, ".aiflow"), (), code.repo if code else None)
        return Brain(workspace, repo, "", tree, None, config, warnings)

    def bring_counts(self) -> None:
        """Bring the counts of all machines.

        Raises:
            GitError: They could not be brought.
        """
        from brain.tend.publish import FETCHED  # only here: the service starts without it

        self.memory.bring(*FETCHED)

    def publish_counts(self, machines: Mapping[str, Counts]) -> tuple[str, ...]:
        """Bring counts of machines that told them here to the memory repo; return what could not be, and why."""
        repo = self.memory.repo
        if repo is None or not machines:
            return ()
        from brain.tend.publish import publish, read_machines

        there = read_machines(repo.path)
        more = {name: counts for name, counts in machines.items() if grown(there.get(name, NOTHING), counts) != NOTHING}
        causes: list[str] = []
        for name, counts in more.items():
            try:
                publish(self.memory.link(), name, counts)
            except GitError as error:  # what one is refused, all are
                return (*causes, str(error))
            except BrainError as error:
                causes.append(str(error))
        return tuple(causes)

    def doubt(self) -> None:
        """Have the memory's mirror made anew."""
        self.memory.broken = True


OWN_SETTINGS = ("repos", "gitlab", "semantic")
"""Of a team's brain.toml, what would make this machine read folders or call addresses: not for the team to say."""
CODE_FOLDER, WORKSPACE_FOLDER = "_code", "_workspace"
"""No alias begins with an underscore."""


def _refreshed(name: str, mirror: Mirror) -> str:
    try:
        mirror.refresh()
    except BrainError as error:
        return f"{name}: {error}"
    except OSError as error:
        return f"{name}: {error.strerror or error}"
    return ""


def locate_project(settings: ProjectSettings, home: str) -> Location | None:
    """Return where GitLab has the project: by the service's settings and the remote alone."""
    config = load_config({}, None, {})
    config.layer(
        {"gitlab": {"url": settings.gitlab, "project": settings.gitlab_project, "ca": settings.ca}}, "settings"
    )
    return locate(settings.memory, config, {TOKEN: settings.token, "HOME": home})


class Local:
    """A workspace of this machine, served as it is: what its memory repo has approved, without its drafts."""

    def __init__(self, folder: str, env: Mapping[str, str]) -> None:
        self.folder, self.env = folder, env

    def refresh(self) -> tuple[str, ...]:
        """Return nothing: fetching is the workspace's own affair."""
        return ()

    def stamp(self) -> tuple[str, ...]:
        """Return the heads of the memory's and the workspace's repos."""
        brain = self._brain
        if brain is None:
            return ()
        upstream = find_upstream(brain.repo, brain.config["memory.remote"], brain.config["memory.branch"])
        own = find_repo(self.folder)
        return (upstream[1] if upstream else "", (find_commit(own, "HEAD") or "") if own else "")

    def open(self) -> Brain:
        """Return the approved memory as it is now.

        Raises:
            BrainError: The workspace is not connected to a memory repo.
        """
        self._brain = replace(open_brain(self.folder, self.env), drafts=None)
        return self._brain

    def bring_counts(self) -> None:
        """Do nothing: those that were fetched last are here."""

    def publish_counts(self, machines: Mapping[str, Counts]) -> tuple[str, ...]:
        """Return nothing: the workspace publishes its own."""
        del machines
        return ()

    def doubt(self) -> None:
        """Do nothing: the workspace's repo is not ours to make anew."""

    _brain: Brain | None = None

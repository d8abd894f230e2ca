"""Where an assistant works: the folder, its ``.aiflow/``, its code repo, and the memory repo it is connected to."""

from __future__ import annotations

import os
import zlib

from brain.drafts import Drafts, load_drafts
from brain.errors import BrainError, NoMemoryRepoError
from brain.files import read_json
from brain.git.objects import find_tree
from brain.git.refs import Repo, find_repo, find_upstream
from brain.index.cache import Part, Tree, cache_dir, has_vectors, load_tree
from brain.layout import SETTINGS_FILE
from brain.settings import Config, load_config
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATE_DIR = ".aiflow"
STATE_FILE = "state.json"


@value
class Workspace:
    """A folder and what belongs to it.

    ``state_dir`` is the ``.aiflow`` whose settings and telemetry count, ``ticket_dirs`` those a ticket may lie in,
    nearest first; none needs to exist.
    """

    root: str
    state_dir: str
    ticket_dirs: tuple[str, ...]
    code_repo: Repo | None


@value
class Brain:
    """A workspace with its memory: what every command works on."""

    workspace: Workspace
    repo: Repo
    memory_root: str
    tree: Tree
    drafts: Drafts | None
    config: Config
    warnings: tuple[str, ...] = ()

    @property
    def parts(self) -> list[Part]:
        """The parts of the tree, and this machine's drafts behind them where there are any."""
        return [*self.tree.parts, *([Part(self.drafts.segment)] if self.drafts else [])]

    @property
    def skipped(self) -> tuple[str, ...]:
        """A line for each memory and draft that cannot be read."""
        return (*self.tree.skipped, *(self.drafts.skipped if self.drafts else ()))

    @property
    def other_warnings(self) -> list[str]:
        """The warnings that are not about what cannot be read."""
        return [warning for warning in self.warnings if warning not in self.skipped]


def find_workspace(start: str) -> Workspace:
    """Return the workspace of ``start``: the nearest folder upward with an ``.aiflow``, else the work tree.

    A linked worktree without settings of its own has the main one's, and its own ticket if it has one.
    """
    repo = find_repo(start)
    top = repo.work_tree if repo and repo.work_tree else os.path.abspath(start)
    root = _find_upward(start, STATE_DIR) or top
    main = _main_worktree(repo)
    if main and os.path.isdir(os.path.join(main, STATE_DIR)):
        root = max(root, top, key=len)  # both lie on the way up from ``start``
        shared, own = os.path.join(main, STATE_DIR), os.path.join(root, STATE_DIR)
        if not os.path.exists(os.path.join(own, STATE_FILE)):
            return Workspace(root, shared, (own, shared), repo)
    own = os.path.join(root, STATE_DIR)
    return Workspace(root, own, (own,), repo)


def read_state(workspace: Workspace) -> object:
    """Return ``.aiflow/state.json``, or None where it is missing or no JSON."""
    return read_json(os.path.join(workspace.state_dir, STATE_FILE))


def open_brain(start: str, env: Mapping[str, str], flags: Mapping[str, object] | None = None) -> Brain:
    """Return the memory that the workspace at ``start`` is connected to.

    Args:
        start: A folder of the workspace.
        env: The environment.
        flags: Settings given on the command line, by name.

    Raises:
        BrainError: There is no memory repo, or it cannot be read.
    """
    workspace = find_workspace(start)
    state = read_state(workspace)
    warnings = []
    if state is None and os.path.exists(os.path.join(workspace.state_dir, STATE_FILE)):
        warnings.append(f"{STATE_DIR}/{STATE_FILE}: not a JSON object that can be read; it is ignored")
    where = load_config({}, state, env)
    where.layer(flags or {}, "command line")
    repo = find_memory_repo(workspace, where)
    tree = load_tree(repo, where["memory.root"], where["memory.remote"], where["memory.branch"])
    memory_root = os.path.join(repo.work_tree, where["memory.root"]) if repo.work_tree else ""
    team, more = _team_settings(tree, memory_root)
    config = load_config(team, state, env)
    config.layer(flags or {}, "command line")
    drafts = None
    if memory_root:
        drafts = load_drafts(
            memory_root, os.path.join(cache_dir(repo), f"drafts-{zlib.crc32(os.fsencode(memory_root)):08x}")
        )
    if where["memory.branch"] and not tree.commit:
        warnings.append(f"{where.source('memory.branch')}: memory.branch: no branch {where['memory.branch']!r} is here")
    warnings += [*more, *tree.skipped, *(drafts.skipped if drafts else ())]
    return Brain(workspace, repo, memory_root, tree, drafts, config, tuple(warnings))


def find_memory_repo(workspace: Workspace, config: Config) -> Repo:
    """Return the memory repo: the one that is set, else the workspace's own if it holds the memory root.

    Raises:
        NoMemoryRepoError: Neither is there.
        BrainError: The one that is set is no repository.
    """
    named = config["memory.repo"]
    if named:
        path = os.path.join(workspace.root, os.path.expanduser(named))
        repo = find_repo(path) if os.path.isdir(path) else None
        if repo is None:
            raise BrainError(
                f"{config.source('memory.repo')}: memory.repo: no git repository at {path}",
                "clone the memory repo there, or run brain init --repo PATH",
            )
        return repo
    own = workspace.code_repo
    if own and _holds(own, config):
        return own
    raise NoMemoryRepoError(workspace.root, config["memory.root"])


def _holds(repo: Repo, config: Config) -> bool:
    """Say whether a repository has the memory root, on disk or (bare, sparse, elsewhere checked out) upstream."""
    root = config["memory.root"]
    if repo.work_tree and os.path.isdir(os.path.join(repo.work_tree, root)):
        return True
    upstream = find_upstream(repo, config["memory.remote"], config["memory.branch"])
    return upstream is not None and find_tree(repo.path, upstream[1], root) is not None


def _team_settings(tree: Tree, memory_root: str) -> tuple[dict[str, object], list[str]]:
    """Return the approved brain.toml; before there is a commit with one, the file on disk."""
    settings = tree.settings
    if not tree.tree and memory_root:
        try:
            with open(os.path.join(memory_root, SETTINGS_FILE), encoding="utf-8") as file:
                text = file.read()
        except (OSError, ValueError):
            return {}, []
        from brain.index.cache import parse_settings

        settings = parse_settings(text)
    if isinstance(settings, dict) and isinstance(settings.get("error"), str):
        return {}, [f"{settings['error']}; defaults are used"]
    return settings or {}, []


def unmerged_settings(brain: Brain) -> str:
    """Return the path of a brain.toml on disk that says something else than the approved one, "" where none does."""
    from brain.index.cache import parse_settings

    path = os.path.join(brain.memory_root, SETTINGS_FILE) if brain.memory_root and brain.tree.tree else ""
    try:
        with open(path, encoding="utf-8") as file:
            return path if parse_settings(file.read()) != (brain.tree.settings or {}) else ""
    except (OSError, ValueError):
        return ""


def has_meaning(brain: Brain) -> bool:
    """Say whether there is a semantic index to be asked; nothing is loaded where there is none."""
    config = brain.config
    team = config["semantic.store"] == "postgres"
    return bool(config["semantic.enabled"]) and (team or has_vectors(brain.repo, brain.tree.root))


def _find_upward(start: str, name: str) -> str:
    folder = os.path.abspath(start)
    while True:
        if os.path.isdir(os.path.join(folder, name)):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def _main_worktree(repo: Repo | None) -> str:
    if repo and repo.git_dir != repo.common_dir and os.path.basename(repo.common_dir) == ".git":
        return os.path.dirname(repo.common_dir)
    return ""

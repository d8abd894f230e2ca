"""``brain init``: make the memory's skeleton in this repo, or connect this workspace to the team's memory repo."""

from __future__ import annotations

import os

from brain.commands import Context, add_json, print_json, remark
from brain.connect import clone, connect, default_clone_folder, is_url, remote_url
from brain.errors import BrainError, ConflictError
from brain.git.fetch import fetch, without_userinfo
from brain.git.refs import find_repo, get_repo, has_remote
from brain.index.cache import cache_dir
from brain.scaffold import check_root, commit_command, is_committed, make_skeleton
from brain.settings import load_config
from brain.workspace import find_workspace, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.git.refs import Repo
    from brain.settings import Config
    from brain.workspace import Workspace

HELP = "make a memory in this repo, or connect this workspace to the team's"
FETCH_SECONDS = 20.0


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--repo", metavar="PATH|URL", help="the memory repo this workspace is to use")
    parser.add_argument("--into", metavar="DIR", help="where a URL is cloned to (default: beside this workspace)")
    parser.add_argument("--root", metavar="NAME", help="the memories' folder in the memory repo (default: 99.Memory)")
    add_json(parser)


def run(args: Namespace, context: Context) -> int:
    """Make or connect, and say what was done and what comes next."""
    workspace = find_workspace(context.cwd)
    where = load_config({}, read_state(workspace), context.env)
    root = check_root(args.root or where["memory.root"])
    if args.into and not args.repo:
        raise BrainError("--into says where a clone goes, and none is made", "name the memory repo with --repo URL")
    named = where["memory.repo"]
    if args.repo or (named and not _is_here(named, workspace)):
        repo = _other_repo(args.repo or named, args.into, workspace, context)
        return _connect(args, context, workspace, repo, root, where)
    return _make(args, context, workspace, root, where)


def _is_here(named: str, workspace: Workspace) -> bool:
    path = os.path.join(workspace.root, os.path.expanduser(named))
    repo, own = find_repo(path) if os.path.isdir(path) else None, workspace.code_repo
    return bool(repo and own and repo.common_dir == own.common_dir)


def _make(args: Namespace, context: Context, workspace: Workspace, root: str, where: Config) -> int:
    repo = get_repo(context.cwd)
    _fetch(repo, where, context)
    committed = is_committed(repo, root, where["memory.remote"])
    if committed and repo.work_tree and not os.path.lexists(os.path.join(repo.work_tree, root)):
        raise ConflictError(f"{root} is on the upstream branch already, and not checked out here", "run git pull")
    made = make_skeleton(repo, root)
    if root != where["memory.root"] and connect(workspace, {"memory.root": root}):
        remark(f"memory.root = {root} is set in {workspace.state_dir}/state.json")
    remark(*made.remarks)
    done = committed and not made.made
    command = commit_command(root, made, remote=has_remote(repo, where["memory.remote"]))
    next_step = "brain remember" if done else f"{command}; then brain remember"
    if args.json:
        facts = {"repo": repo.path, "root": root, "made": list(made.made), "there": list(made.there)}
        print_json({**facts, "connected": False, "next": next_step})
        return 0
    _print_paths("made", made.made)
    _print_paths("was there", made.there)
    print(f"next: {next_step}")
    return 0


def _print_paths(what: str, paths: tuple[str, ...]) -> None:
    for path in paths:
        print(f"{what}: {path}")


def _other_repo(named: str, into: str | None, workspace: Workspace, context: Context) -> Repo:
    """Return the repo that is named, cloned if it lies elsewhere."""
    path = os.path.abspath(os.path.join(context.cwd, os.path.expanduser(named)))
    if not is_url(named) or os.path.isdir(path):
        repo = find_repo(path) if os.path.isdir(path) else None
        if repo is None:
            raise BrainError(f"there is no git repository at {path}", "clone it there, or give its URL to --repo")
        return repo
    folder = os.path.abspath(os.path.join(context.cwd, into)) if into else default_clone_folder(workspace, named)
    there = find_repo(folder) if os.path.isdir(folder) and os.listdir(folder) else None
    if there and without_userinfo(remote_url(there)) == without_userinfo(named):
        return there
    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        reason = f"{folder} is there already, and no clone of {without_userinfo(named)}"
        raise ConflictError(reason, "name another folder with --into")
    remark(f"cloning {without_userinfo(named)} into {folder}")
    clone(named, folder, context.cwd)
    found = find_repo(folder)
    assert found
    return found


def _connect(args: Namespace, context: Context, workspace: Workspace, repo: Repo, root: str, where: Config) -> int:
    path = repo.work_tree or repo.git_dir
    settings = {"memory.repo": path} if args.repo else {}
    if root != where["memory.root"]:
        settings["memory.root"] = root
    changed = connect(workspace, settings)
    _fetch(repo, where, context)
    source = where.source("memory.repo")
    if args.repo and source.startswith("BRAIN_"):
        remark(f"warning: {source} is set, and wins over what was written")
    if not repo.work_tree:
        remark("the memory repo is bare: it can be read, but drafts need a clone with files")
    has_memory = _has_memory(repo, root, where)
    next_step = "brain remember" if has_memory else f"run brain init in {path}: there is no {root} in it yet"
    if args.json:
        facts = {"repo": path, "root": root, "made": [], "there": [], "connected": True}
        print_json({**facts, "changed": changed, "next": next_step})
        return 0
    print(f"connected: {path}" if changed else f"was connected: {path}")
    print(f"next: {next_step}")
    return 0


def _has_memory(repo: Repo, root: str, where: Config) -> bool:
    on_disk = bool(repo.work_tree) and os.path.isdir(os.path.join(repo.work_tree, root))
    return on_disk or is_committed(repo, root, where["memory.remote"])


def _fetch(repo: Repo, where: Config, context: Context) -> None:
    warning = fetch(repo, where["memory.remote"], FETCH_SECONDS, cache_dir(repo), context.env)
    if warning:
        remark(f"warning: {warning}")

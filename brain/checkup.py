"""What ``brain doctor`` looks at: each check is one fact, and how to mend it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

from brain.clock import DAY
from brain.errors import BrainError
from brain.files import remove_file, write_file
from brain.git.fetch import NO_QUESTIONS, cause_of
from brain.git.objects import find_tree, read_blob
from brain.git.refs import has_remote
from brain.git.run import TIMED_OUT, try_git
from brain.index.cache import cache_dir
from brain.layout import INDEX_FILE, PENDING, SETTINGS_FILE
from brain.memory_index import render_index
from brain.overview import INJECTED, age, read_log
from brain.scaffold import drafts_are_ignored
from brain.settings import load_config, parse_toml
from brain.telemetry import EVENTS, FAILURES, telemetry_dir
from brain.value import value
from brain.workspace import find_memory_repo, find_workspace, open_brain, read_state, unmerged_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from brain.workspace import Brain, Workspace

HOOK = "brain-hook"
OF_EACH = f"{HOOK} doctor tells of each assistant"
OK, WRONG, UNSEEN = "ok", "wrong", "cannot see"
GIT_VERSION = (2, 31)
PYTHON_VERSION = (3, 11)
REMOTE_SECONDS = 5.0
MAX_INDEX_BYTES = 20_000_000


@value
class Check:
    """One answer: what was looked at, ``OK``, ``WRONG`` or ``UNSEEN``, what was found, how to mend it."""

    name: str
    state: str
    detail: str
    mend: str = ""


@value
class Subject:
    """What is looked at; ``brain`` is None where there is no memory that can be read, ``error`` says why."""

    cwd: str
    env: Mapping[str, str]
    now: float
    workspace: Workspace
    brain: Brain | None
    error: BrainError | None


def make_subject(cwd: str, env: Mapping[str, str], now: float) -> Subject:
    """Return the workspace at ``cwd`` with its memory, as far as it can be opened."""
    workspace = find_workspace(cwd)
    try:
        return Subject(cwd, env, now, workspace, open_brain(cwd, env), None)
    except BrainError as error:
        return Subject(cwd, env, now, workspace, None, error)


def check_all(subject: Subject, more: Sequence[Callable[[Subject], Check]] = ()) -> list[Check]:
    """Return every check's answer, in order; ``more`` are checks of other rooms."""
    return [_answer(check, subject) for check in (*CHECKS, *more)]


def _answer(check: Callable[[Subject], Check], subject: Subject) -> Check:
    try:
        return check(subject)
    except BrainError as error:
        return Check(check.__name__.removeprefix("check_"), WRONG, str(error), error.hint)


def check_python(_: Subject) -> Check:
    """Is this Python new enough?"""
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] >= PYTHON_VERSION:
        return Check("python", OK, found)
    return Check("python", WRONG, f"{found} is too old", "use Python 3.11 or newer")


def check_git(subject: Subject) -> Check:
    """Is there a git that is new enough?"""
    try:
        said = try_git(subject.workspace.root, "--version").out.decode("utf-8", "replace").strip()
    except BrainError as error:
        return Check("git", WRONG, str(error), error.hint)
    number = said.removeprefix("git version ").partition(" ")[0].split(".")
    if tuple(int(part) for part in number[:2] if part.isdigit()) < GIT_VERSION:
        return Check("git", WRONG, f"{said} is too old", "install git 2.31 or newer")
    return Check("git", OK, said)


def check_repo(subject: Subject) -> Check:
    """Is there a memory repo that can be read?"""
    if subject.brain:
        return Check("memory repo", OK, subject.brain.repo.path)
    error = subject.error
    return Check("memory repo", WRONG, str(error), error.hint if error else "")


def check_owner(subject: Subject) -> Check:
    """Does git trust the memory repo's folder?"""
    try:
        where = load_config({}, read_state(subject.workspace), subject.env)
        path = find_memory_repo(subject.workspace, where).path
    except BrainError:
        return _unseen("safe.directory")
    result = try_git(path, "rev-parse", "--git-dir")
    if result.status == 0:
        return Check("safe.directory", OK, "git trusts the memory repo")
    reason = cause_of(result.err.decode("utf-8", "replace"))
    mend = f"git config --global --add safe.directory {shlex.quote(path)}, if you trust its owner"
    return Check("safe.directory", WRONG, reason or f"git status {result.status}", mend)


def check_identity(subject: Subject) -> Check:
    """Does git know in whose name to commit?"""
    if subject.brain is None:
        return _unseen("git identity")
    result = try_git(subject.brain.repo.path, "var", "GIT_AUTHOR_IDENT")
    if result.status == 0:
        return Check("git identity", OK, "git knows in whose name to commit")
    mend = "git config --global user.name NAME, and user.email ADDRESS"
    return Check("git identity", WRONG, "git does not know in whose name to commit, and brain submit commits", mend)


def check_upstream(subject: Subject) -> Check:
    """Is there a branch that counts as approved?"""
    brain = subject.brain
    if not brain:
        return _unseen("upstream branch")
    remote = brain.config["memory.remote"]
    if not brain.tree.commit:
        push = f", and push it: git push {remote} HEAD" if has_remote(brain.repo, remote) else ""
        mend = f"commit the memory folder{push}"
        return Check("upstream branch", WRONG, "nothing is committed yet", mend)
    if has_remote(brain.repo, remote) and not brain.tree.ref.startswith("refs/remotes/"):
        detail = f"{brain.tree.ref} counts, though there is a remote {remote!r}"
        return Check("upstream branch", WRONG, detail, f"git fetch {remote}, or set memory.branch")
    return Check("upstream branch", OK, f"{brain.tree.ref} {brain.tree.commit[:12]}")


def check_remote(subject: Subject) -> Check:
    """Does the remote answer?"""
    brain = subject.brain
    if not brain:
        return _unseen("remote")
    remote = brain.config["memory.remote"]
    if not has_remote(brain.repo, remote):
        return Check("remote", UNSEEN, f"there is no remote {remote!r}: only this machine has the memory")
    env = {"GIT_SSH_COMMAND": "ssh -o BatchMode=yes", **subject.env, **NO_QUESTIONS}
    result = try_git(brain.repo.path, "-c", "core.askPass=", "ls-remote", "--quiet", "--heads", remote,
                     timeout=REMOTE_SECONDS, env=env)  # fmt: skip
    if result.status == TIMED_OUT:
        return Check("remote", UNSEEN, f"no answer within {REMOTE_SECONDS:g} s", "check network, VPN or proxy")
    if result.status:
        reason = cause_of(result.err.decode("utf-8", "replace"))
        return Check("remote", WRONG, reason or "no answer", "check the address and your access to it")
    return Check("remote", OK, f"{remote} answers")


def check_root(subject: Subject) -> Check:
    """Is the memory root in the upstream tree?"""
    brain = subject.brain
    if not brain or not brain.tree.commit:
        return _unseen("memory root")
    root = brain.config["memory.root"]
    if brain.tree.tree:
        return Check("memory root", OK, f"{root}, {brain.tree.size} memories")
    return Check("memory root", WRONG, f"{brain.tree.ref} has no {root}", "commit and push it, or set memory.root")


def check_settings(subject: Subject) -> Check:
    """Are the settings in force valid, and those on disk that will be?"""
    brain = subject.brain
    if not brain:
        return _unseen("settings")
    problems = [f"{error} ({error.hint})" if error.hint else str(error) for error in brain.config.problems]
    problems += brain.other_warnings
    if not problems:
        problems = _problems_on_disk(brain)
    if problems:
        return Check("settings", WRONG, "; ".join(problems), "mend the file that is named; brain config helps")
    unmerged = unmerged_settings(brain)
    detail = f"every value is known and valid; {unmerged} differs and counts once it is merged"
    return Check("settings", OK, detail if unmerged else "every value is known and valid")


def _problems_on_disk(brain: Brain) -> list[str]:
    path = os.path.join(brain.memory_root, SETTINGS_FILE)
    try:
        with open(path, encoding="utf-8") as file:
            found = parse_toml(file.read(), path)
    except FileNotFoundError:
        return []
    except (OSError, ValueError, BrainError) as error:
        return [str(error)]
    return [str(problem) for problem in load_config(found, None, {}, path).problems]


def check_skipped(subject: Subject) -> Check:
    """Is every memory file readable?"""
    brain = subject.brain
    if not brain:
        return _unseen("memory files")
    if brain.skipped:
        detail = f"{len(brain.skipped)} not readable: {'; '.join(brain.skipped)}"
        return Check("memory files", WRONG, detail, "mend or remove them")
    return Check("memory files", OK, "all are readable")


def check_index(subject: Subject) -> Check:
    """Is ``MEMORY.md`` what the tree makes it?"""
    brain = subject.brain
    if not brain or not brain.tree.tree:
        return _unseen(INDEX_FILE)
    spec = f"{brain.tree.commit}:{brain.tree.root}/{INDEX_FILE}"
    content = read_blob(brain.repo.path, spec, MAX_INDEX_BYTES)
    expected = render_index(memory for part in brain.tree.parts for memory in part.memories())
    mend = "never edit it: the finalize job makes it, or where there is none brain index --write; then commit it"
    if content is None:
        return Check(INDEX_FILE, WRONG, "it is missing upstream", mend)
    if content != expected.encode():
        return Check(INDEX_FILE, WRONG, "it is not what the memories make it", mend)
    return Check(INDEX_FILE, OK, "it lists what is approved")


def check_drafts(subject: Subject) -> Check:
    """Can no draft get into git by accident?"""
    brain = subject.brain
    if not brain or not brain.memory_root:
        return _unseen("drafts")
    folder = f"{brain.config['memory.root']}/{PENDING}"
    tracked = [name for name in try_git(brain.repo.path, "ls-files", "-z", "--", folder).out.split(b"\0") if name]
    if tracked:
        mend = f"git rm -r --cached {shlex.quote(folder)}, and commit"
        return Check("drafts", WRONG, f"git tracks {len(tracked)} drafts", mend)
    if brain.tree.commit and find_tree(brain.repo.path, brain.tree.commit, folder):
        return Check("drafts", WRONG, f"{folder} is on the upstream branch", "take it out by a merge request")
    if not drafts_are_ignored(brain.repo, brain.config["memory.root"]):
        mend = f"add {PENDING}/ to {brain.config['memory.root']}/.gitignore"
        return Check("drafts", WRONG, f"git does not ignore {folder}", mend)
    return Check("drafts", OK, f"{folder} is ignored and untracked")


def check_cache(subject: Subject) -> Check:
    """Can the cache be written?"""
    if not subject.brain:
        return _unseen("cache")
    folder = cache_dir(subject.brain.repo)
    try:
        write_file(os.path.join(folder, "doctor.probe"), b"")
        remove_file(os.path.join(folder, "doctor.probe"))
        unreadable = [entry.path for entry in os.scandir(folder) if not os.access(entry.path, os.R_OK)]
    except OSError as error:
        return Check("cache", WRONG, f"{error.filename}: {error.strerror}", f"check the permissions of {folder}")
    if unreadable:
        return Check("cache", WRONG, f"cannot be read: {', '.join(unreadable)}", "remove these files; they are rebuilt")
    return Check("cache", OK, folder)


def check_hooks(subject: Subject) -> Check:
    """Did hooks inject memory, and did they fail since?"""
    folder = telemetry_dir(subject.workspace.state_dir)
    injected = [row for row in read_log(os.path.join(folder, EVENTS)) if row["event"] == INJECTED]
    failed = read_log(os.path.join(folder, FAILURES))
    last = injected[0]["time"] if injected else 0
    if failed and failed[0]["time"] > last:
        cause = failed[0].get("cause") or failed[0]["event"]
        return Check("hooks", WRONG, f"the last one failed: {str(cause)[:200]}", "brain status shows when")
    if not injected and not shutil.which(HOOK, path=subject.env.get("PATH")):
        mend = "add the folder that holds it to the PATH that assistants start with: python3 -m site --user-base"
        return Check("hooks", UNSEEN, f"{HOOK} is not on the PATH, so no assistant can start it", mend)
    if not injected:
        mend = f"{HOOK} install HOST, then start a session; {OF_EACH}"
        return Check("hooks", UNSEEN, "no session got memory here yet", mend)
    return Check("hooks", OK, f"memory was injected {age(subject.now - last)} ago; {OF_EACH}")


def check_clock(subject: Subject) -> Check:
    """Is this machine's clock behind what is committed?"""
    if not subject.brain or not subject.brain.tree.commit:
        return _unseen("clock")
    shown = try_git(subject.brain.repo.path, "log", "-1", "--format=%ct", subject.brain.tree.commit).out.strip()
    if shown.isdigit() and int(shown) > subject.now + DAY:
        ahead = age(int(shown) - subject.now)
        return Check("clock", WRONG, f"the newest commit is {ahead} ahead of this clock", "set the clock")
    fixed = subject.env.get("BRAIN_NOW")
    return Check("clock", OK, f"BRAIN_NOW fixes the date to {fixed}" if fixed else "it agrees with the commits")


def check_locale(subject: Subject) -> Check:
    """Say what the locale is; nothing here depends on it."""
    name = next((subject.env[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if subject.env.get(key)), "none set")
    note = "" if "utf-8" in name.lower() or "utf8" in name.lower() else "; brain reads and writes UTF-8 all the same"
    return Check("locale", OK, name + note)


def _unseen(name: str) -> Check:
    return Check(name, UNSEEN, "there is nothing to look at yet")


CHECKS: tuple[Callable[[Subject], Check], ...] = (
    check_python, check_git, check_repo, check_owner, check_identity, check_upstream, check_remote, check_root,
    check_settings, check_skipped, check_index, check_drafts, check_cache, check_hooks, check_clock, check_locale,
)  # fmt: skip

"""The one door to git: runs it in a project's bare repository, with the world's clock and no one's settings."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import subprocess
import zlib
from datetime import UTC, datetime
from pathlib import Path

from tests.gitlab import errors
from tests.gitlab.state import Row, World

COMMIT = re.compile("[0-9a-f]{40}")
TOPS: dict[str, frozenset[str]] = {}
ZERO = "0" * 40
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
HIDDEN = ("environments", "keep-around", "merge-requests", "pipelines", "remotes", "tmp")  # Gitaly's reference.go
UNSEEN = ("keep-around", "remotes", "tmp")
CONFIG = """[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	hooksPath = {hooks}
[gc]
	auto = 0
[http]
	receivepack = true
[receive]
	advertisePushOptions = true
	autogc = false
{hide_push}
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
{hide_fetch}
"""


class GitError(Exception):
    """git ended with a status other than 0."""

    def __init__(self, status: int, out: str, err: str) -> None:
        super().__init__(err.strip() or out.strip())
        self.status, self.out = status, out


def environment(world: World, **more: str) -> dict[str, str]:
    """Return the environment of every git process: sealed, at the world's time."""
    base = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    stamp = f"{int(world.now())} +0000"
    return base | {
        "HOME": str(world.data),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(world.data / "gitconfig"),
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_DATE": stamp,
        "GIT_AUTHOR_NAME": "GitLab",
        "GIT_AUTHOR_EMAIL": "gitlab@localhost",
        "GIT_COMMITTER_NAME": "GitLab",
        "GIT_COMMITTER_EMAIL": "gitlab@localhost",
        "LC_ALL": "C",
        **more,
    }


class Repo:
    """A project's bare repository."""

    def __init__(self, world: World, project: Row) -> None:
        self.world = world
        self.path: Path = world.data / "repos" / f"{project['id']}.git"
        self.env: dict[str, str] = {}

    def run(self, *argv: str, data: bytes | None = None, env: dict[str, str] | None = None) -> bytes:
        """Return what git prints.

        Raises:
            GitError: It failed.
        """
        done = subprocess.run(
            ["git", f"--git-dir={self.path}", *argv],
            input=data or b"",
            capture_output=True,
            check=False,
            env=environment(self.world, **self.env, **(env or {})),
        )
        if done.returncode:
            raise GitError(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        return done.stdout

    def text(self, *argv: str, data: bytes | None = None, env: dict[str, str] | None = None) -> str:
        """Return what git prints as text, without the last newline."""
        return self.run(*argv, data=data, env=env).decode(errors="replace").rstrip("\n")

    def ask(self, *argv: str) -> bool:
        """Return whether git answers yes (status 0)."""
        try:
            self.run(*argv)
        except GitError:
            return False
        return True

    def create(self) -> None:
        """Make the empty repository."""
        for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
            (self.path / folder).mkdir(parents=True, exist_ok=True)
        hide = "\n".join(f"\thideRefs = refs/{name}" for name in HIDDEN)
        unseen = "\n".join(f"\thideRefs = refs/{name}" for name in UNSEEN)
        hooks = self.world.data / "hooks"
        (self.path / "config").write_text(CONFIG.format(hooks=hooks, hide_push=hide, hide_fetch=unseen))
        (self.path / "HEAD").write_text("ref: refs/heads/main\n")

    def remove(self) -> None:
        """Delete the repository."""
        shutil.rmtree(self.path, ignore_errors=True)

    def commit(self, ref: str) -> str | None:
        """Return the commit a name stands for: a branch first, then a tag, then anything; None when nothing."""
        if not ref or ref.startswith("-"):
            return None
        for name in (f"refs/heads/{ref}", f"refs/tags/{ref}", ref):
            try:
                return self.text("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
            except GitError:
                continue
        return None

    def head(self, branch: str) -> str | None:
        """Return the branch's commit, or None."""
        return self.ref(f"refs/heads/{branch}")

    def ref(self, name: str) -> str | None:
        """Return what a full ref name points at, or None; loose refs are read without a process."""
        loose = self.path / name
        if ".." not in name and loose.is_file():
            return loose.read_text().strip()
        if not (self.path / "packed-refs").exists():
            return None
        try:
            return self.text("rev-parse", "--verify", "--quiet", name)
        except GitError:
            return None

    def refs(self, prefix: str = "refs/heads/") -> dict[str, str]:
        """Return full ref names below `prefix` to their objects, sorted by name."""
        out = self.text("for-each-ref", "--format=%(refname) %(objectname)", prefix)
        return dict(line.split(" ", 1) for line in out.splitlines())

    def branches(self) -> dict[str, str]:
        """Return branch names to commits, sorted by name."""
        return {name.removeprefix("refs/heads/"): sha for name, sha in self.refs().items()}

    def move(self, name: str, new: str, old: str | None = None) -> None:
        """Set a ref; `old` is what it must be before.

        Raises:
            GitError: It was something else.
        """
        self.run("update-ref", name, new, *([] if old is None else [old]))

    def delete_ref(self, name: str) -> None:
        """Delete a ref."""
        self.run("update-ref", "-d", name)

    def is_ancestor(self, old: str, new: str) -> bool:
        """Return whether `new` holds `old`."""
        return self.ask("merge-base", "--is-ancestor", old, new)

    def merge_base(self, left: str, right: str) -> str | None:
        """Return the newest common commit, or None."""
        try:
            return self.text("merge-base", left, right)
        except GitError:
            return None

    def merge_tree(self, ours: str, theirs: str, base: str | None = None) -> str | None:
        """Return the tree of a merge, or None when it conflicts."""
        try:
            if base is None:
                return self.text("merge-tree", "--write-tree", ours, theirs).splitlines()[0]
            return self._merge_tree_on(ours, theirs, base)
        except GitError:
            return None

    def _merge_tree_on(self, ours: str, theirs: str, base: str) -> str:
        """Merge with a chosen base: git 2.39 has no --merge-base, so commits with that parent stand in."""
        root = self.commit_tree(self.tree(base), [], "base")
        sides = [self.commit_tree(self.tree(side), [root], "side") for side in (ours, theirs)]
        return self.text("merge-tree", "--write-tree", *sides).splitlines()[0]

    def tree(self, commit: str) -> str:
        """Return a commit's tree."""
        return self.text("rev-parse", f"{commit}^{{tree}}")

    def write(self, kind: str, data: bytes) -> str:
        """Store an object and return its name; written here, since a process for each is what costs most."""
        whole = f"{kind} {len(data)}\0".encode() + data
        name = hashlib.sha1(whole).hexdigest()
        file = self.path / "objects" / name[:2] / name[2:]
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            beside = file.with_name(f"tmp_{secrets.token_hex(8)}")
            beside.write_bytes(zlib.compress(whole, 1))
            beside.rename(file)
        return name

    def commit_tree(
        self, tree: str, parents: list[str], message: str, author: Row | None = None, committer: Row | None = None
    ) -> str:
        """Write a commit and return its name. `author` and `committer` have name, email and perhaps date."""
        body = message if message.endswith("\n") else message + "\n"
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        for role, who in (("author", author), ("committer", committer or author)):
            person = who or {"name": "GitLab", "email": "gitlab@localhost"}
            clean = {name: re.sub(r"[<>\n]", "", person[name] or "-") for name in ("name", "email")}
            lines.append(f"{role} {clean['name']} <{clean['email']}> {self._stamp(person)}")
        return self.write("commit", "\n".join([*lines, "", body]).encode())

    def _stamp(self, person: Row) -> str:
        given = str(person.get("date") or "")
        if re.fullmatch(r"\d+ [+-]\d{4}", given):
            return given
        moment = datetime.fromisoformat(given) if given else datetime.fromtimestamp(int(self.world.now()), UTC)
        return f"{int(moment.timestamp())} {moment.strftime('%z')}"

    def blob(self, commit: str, path: str) -> bytes | None:
        """Return a file's bytes, or None."""
        if COMMIT.fullmatch(commit) and path.split("/", 1)[0] not in self.top(commit):
            return None
        try:
            return self.run("cat-file", "blob", f"{commit}:{path}")
        except GitError:
            return None

    def top(self, commit: str) -> frozenset[str]:
        """Return the names in a commit's root; remembered, since most questions are for files that are not there."""
        known = TOPS.get(commit)
        if known is None:
            names = self.run("ls-tree", "--name-only", "-z", commit).decode(errors="replace").split("\0")
            known = TOPS[commit] = frozenset(names)
        return known

    def patch_id(self, base: str, head: str) -> str:
        """Return the patch's stable id; equal diffs have equal ids, an empty diff has the empty id."""
        diff = self.run("diff", "--no-color", base, head)
        return self.text("patch-id", "--stable", data=diff).split(" ")[0]

    def changed(self, base: str, head: str) -> list[str]:
        """Return the paths that differ, sorted."""
        out = self.run("diff", "--name-only", "-z", "--no-renames", base, head).decode(errors="replace")
        return [path for path in out.split("\0") if path]

    def count(self, span: str) -> int:
        """Return how many commits a range has."""
        return int(self.text("rev-list", "--count", span, "--"))

    def set_head(self, branch: str) -> None:
        """Make `branch` the default."""
        (self.path / "HEAD").write_text(f"ref: refs/heads/{branch}\n")

    def copy_attributes(self, branch: str) -> None:
        """Copy the default branch's root .gitattributes to info/attributes, as Gitaly does."""
        found = self.blob(f"refs/heads/{branch}", ".gitattributes")
        target = self.path / "info" / "attributes"
        if found is None:
            target.unlink(missing_ok=True)
        else:
            target.write_bytes(found)


def repo_of(world: World, project: Row) -> Repo:
    """Return a project's repository."""
    return Repo(world, project)


def must_commit(repo: Repo, ref: str, what: str = "Commit") -> str:
    """Return the commit of a ref.

    Raises:
        ApiError: There is none.
    """
    sha = repo.commit(ref)
    if sha is None:
        raise errors.not_found(what)
    return sha

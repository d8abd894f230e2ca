"""A person's side branch: their retrospects, where ``consolidate`` finds them though nobody submitted (SPEC §9).

The branch holds nothing but ``03.Retro/``. What is there and what is here is joined, so that two machines or two
sessions lose nothing of each other's, and the push says what it expects. A ref keeps what this machine published last:
by it one knows what is new here, and what a person took out here is taken out there.
"""

from __future__ import annotations

import os
import re
import zlib

from brain.errors import ConflictError, GitError
from brain.git.objects import blob_id, find_tree, list_tree, read_blobs
from brain.git.run import git, try_git
from brain.layout import RETRO
from brain.submit.commit import blobs_at, build_tree, write_blob
from brain.submit.judge import is_private
from brain.submit.push import ARRIVED, MOVED
from brain.tend.retros import BRANCHES, MAX_BYTES, NOTED, TICKET
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.submit.push import Link
    from brain.workspace import Brain

HERE = "refs/brain/retros-here/"
"""What this machine published last: user → a tree of its own files, as they were."""
MESSAGE = "memory: retrospects of {user}\n\nThey are harvested by brain consolidate. [skip ci]\n"
"""A push of it starts no pipeline."""
MOST_TRIES = 5
HIDDEN_MAIL = re.compile(r"^\d+[-+](?=[^@]*@users\.noreply\.)")
"""What GitLab and GitHub put before a name in an address that hides the real one."""


@value
class Published:
    """How it ended: the branch, "" where nothing was new; the tickets whose file holds a secret or personal data."""

    branch: str
    private: tuple[str, ...] = ()


def user_of(repo: str) -> str:
    """Return what a person's branch is called: their mail address, as git knows it, up to the ``@``.

    Raises:
        GitError: Git does not know who they are.
    """
    said = git(repo, "var", "GIT_AUTHOR_IDENT").decode("utf-8", "replace")
    mail = said.rpartition("<")[2].partition(">")[0]
    name = HIDDEN_MAIL.sub("", mail).partition("@")[0]
    plain = re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._-]+", "-", name)).removesuffix(".lock")[:60].strip("-.")
    return plain or f"{zlib.crc32(mail.encode()):08x}"


def publish_retros(brain: Brain, link: Link) -> Published:
    """Bring this machine's retrospects to their author's side branch; where none is new, the remote is not asked.

    Raises:
        GitError: The remote cannot be reached, or does not take the branch; git does not know who it is.
        ConflictError: The branch was moved again and again.
    """
    repo, user = brain.repo.path, user_of(brain.repo.path)
    base = _texts(brain, f"{HERE}{user}")
    own, private = _own(brain, base)
    if own == base:
        return Published("", private)
    for _ in range(MOST_TRIES):
        link.mirror(f"+{BRANCHES}{user}*:{NOTED}{user}*")
        tip = try_git(repo, "rev-parse", "--verify", "--quiet", f"{NOTED}{user}").out.decode().strip()
        theirs = _texts(brain, tip)
        joined = _joined(theirs, own, base)
        if joined == theirs or _is_there(brain, link, user, tip, joined):
            git(repo, "update-ref", f"{HERE}{user}", _tree(brain, own))
            return Published(BRANCHES.removeprefix("refs/heads/") + user, private)
    raise ConflictError(f"{BRANCHES}{user} was moved {MOST_TRIES} times meanwhile", "it is published another time")


def _is_there(brain: Brain, link: Link, user: str, tip: str, joined: dict[str, str]) -> bool:
    """Push what the branch is to hold on top of its ``tip`` ("" for none); say whether it arrived, or the tip moved.

    Raises:
        GitError: Neither.
    """
    repo, parent, message = brain.repo.path, ("-p", tip) if tip else (), MESSAGE.format(user=user)
    commit = git(repo, "commit-tree", *parent, _tree(brain, joined), stdin=message.encode()).decode().strip()
    answer = link.push_expecting(f"{BRANCHES}{user}", commit, tip)
    if answer.state not in (ARRIVED, MOVED):
        hint = "the retrospects are kept here, and published another time; capture.sideBranch switches it off"
        raise GitError(["push", f"{BRANCHES}{user}"], 1, f"error: {answer.words}", hint)
    if answer.state == ARRIVED:
        git(repo, "update-ref", f"{NOTED}{user}", commit)
    return answer.state == ARRIVED


def _own(brain: Brain, base: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return ticket → text of what this machine's person wrote, and the tickets of what is private.

    What the default branch has as it is, and what is an older state of it, is nobody's own.
    """
    repo, upstream = brain.repo.path, brain.tree.commit
    files = dict(_files(os.path.join(brain.memory_root, RETRO))) if brain.memory_root else {}
    paths = {f"{brain.config['memory.root']}/{RETRO}/{ticket}.md": ticket for ticket in files}
    head = try_git(repo, "rev-parse", "--verify", "--quiet", "HEAD").out.decode().strip()
    shared = blobs_at(repo, upstream, list(paths)) if upstream else {}
    old = blobs_at(repo, head, list(shared)) if head else {}
    own, private = {}, []
    for path, ticket in paths.items():
        oid = blob_id(files[ticket].encode(), upstream or head or "0" * 40)
        if path in shared and oid in (shared[path], old.get(path)):
            continue
        if files[ticket] != base.get(ticket) and is_private(brain, files[ticket]):
            private.append(ticket)
        else:
            own[ticket] = files[ticket]
    return own, tuple(private)


def _files(folder: str) -> Iterator[tuple[str, str]]:
    """Yield ticket and text of the retrospects in a folder that can be read."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        ticket = entry.name.removesuffix(".md")
        if ticket != entry.name and TICKET.fullmatch(ticket) and entry.is_file(follow_symlinks=False):
            try:
                with open(entry.path, "rb") as file:
                    content = file.read(MAX_BYTES + 1)
                if len(content) <= MAX_BYTES:
                    yield ticket, content.decode()
            except (OSError, UnicodeDecodeError):
                continue


def _texts(brain: Brain, commit: str) -> dict[str, str]:
    """Return ticket → text of the retrospects in a commit or tree; none where there is no such."""
    repo = brain.repo.path
    tree = find_tree(repo, commit, f"{brain.config['memory.root']}/{RETRO}") if commit else None
    entries = [entry for entry in list_tree(repo, tree) if entry.path.endswith(".md")] if tree else []
    contents = read_blobs(repo, [entry.oid for entry in entries], MAX_BYTES * 2)
    return {
        entry.path.removesuffix(".md"): (content or b"").decode("utf-8", "replace")
        for entry, content in zip(entries, contents, strict=True)
    }


def _tree(brain: Brain, texts: dict[str, str]) -> str:
    """Return a tree of nothing but these retrospects."""
    repo, root = brain.repo.path, brain.config["memory.root"]
    empty = git(repo, "mktree", stdin=b"").decode().strip()
    return build_tree(repo, empty, {
        f"{root}/{RETRO}/{ticket}.md": write_blob(repo, text.encode()) for ticket, text in texts.items()
    }) or empty  # fmt: skip


def _joined(theirs: dict[str, str], own: dict[str, str], base: dict[str, str]) -> dict[str, str]:
    """Return what the branch is to hold: its own, with what changed here since ``base``."""
    joined = {**theirs}
    for ticket in own.keys() | base.keys():
        if ticket in own:
            joined[ticket] = join(theirs.get(ticket, ""), own[ticket], base.get(ticket, ""))
        elif theirs.get(ticket) == base[ticket]:  # taken away here, and nobody else wrote there
            joined.pop(ticket)
    return joined


def join(theirs: str, ours: str, base: str) -> str:
    r"""Return a retrospect with what changed from ``base`` to ``ours``, line by line below its headings.

    >>> join("# T\n\n## Learned\n- a\n- b\n", "# T\n\n## Learned\n- b\n- c\n", "# T\n\n## Learned\n- b\n")
    '# T\n\n## Learned\n- a\n- b\n- c\n'
    """
    if theirs in ("", base):
        return ours
    gone = {line for line in base.splitlines() if line.strip()} - set(ours.splitlines())
    blocks = _blocks("\n".join(line for line in theirs.splitlines() if line not in gone))
    known = {*theirs.splitlines(), *base.splitlines()}
    for heading, lines in _blocks(ours).items():
        new = [line for line in lines if line.strip() and line not in known]
        if new:
            if heading not in blocks:
                blocks[next(reversed(blocks))].append("")
            there = blocks.setdefault(heading, [""])
            end = len(there) - next((n for n, line in enumerate(reversed(there)) if line.strip()), 0)
            there[end:end] = new
    rows = [row for heading, lines in blocks.items() for row in ([heading] if heading else []) + lines]
    return "\n".join(rows).rstrip("\n") + "\n"


def _blocks(text: str) -> dict[str, list[str]]:
    """Return heading → the lines below it, in order; "" for what stands before the first."""
    found: dict[str, list[str]] = {"": []}
    heading = ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line
            found.setdefault(heading, [])
        else:
            found[heading].append(line)
    return found

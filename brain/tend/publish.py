"""Bring this machine's counts to the memory repo's remote, and those of all machines from there (SPEC §8).

Each machine has a ref of its own, which nobody fetches who does not ask for it; where a server takes no such refs, a
branch of that name. What is there is joined with what is here before it is replaced, and the push says what it expects.
"""

from __future__ import annotations

from brain.errors import BrainError, ConflictError, GitError
from brain.git.objects import list_refs, read_blobs
from brain.git.run import git
from brain.submit.commit import write_blob
from brain.submit.push import ARRIVED, MOVED, REFUSED
from brain.tend.counts import NOTHING, is_newer, join, parse_counts, render_counts, total
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.submit.push import Answer, Link
    from brain.tend.counts import Counts

REFS, BRANCHES = "refs/brain/telemetry/", "refs/heads/brain-telemetry/"
"""Where machines' counts lie on the remote: the second where the first is refused."""
NOTED = "refs/brain/machines/"
"""Where they lie here, as they are there: ``refs/…`` and ``heads/…``."""
FETCHED = (f"+{REFS}*:{NOTED}refs/*", f"+{BRANCHES}*:{NOTED}heads/*")
FILE = "counts.json"
MAX_BYTES = 16 << 20
MOST_TRIES = 5


@value
class Published:
    """Where counts lie on the remote (full ref name), and whether they had to be brought there."""

    ref: str
    moved: bool


def publish(link: Link, machine: str, counts: Counts) -> Published:
    """Bring a machine's counts to the remote.

    Raises:
        GitError: The remote cannot be reached, or takes neither ref nor branch.
        BrainError: A later version of this program published there.
        ConflictError: The ref was moved again and again.
    """
    first, second = f"{REFS}{machine}", f"{BRANCHES}{machine}"
    for _ in range(MOST_TRIES):
        fetch(link)
        there = {ref: commit for ref, commit in _noted(link.repo).items() if ref in (first, second)}
        _check_format(link.repo, there)
        ours = join(counts, _read(link.repo, list(there.values())))
        done = next((ref for ref, commit in there.items() if _read(link.repo, [commit]) == ours), "")
        if done:
            return Published(done, moved=False)
        commit = _commit(link.repo, ours)
        ref, answer = first, link.push_expecting(first, commit, there.get(first, ""))
        if answer.state == REFUSED:
            ref, answer = second, link.push_expecting(second, commit, there.get(second, ""))
        if answer.state == ARRIVED:
            return Published(ref, moved=True)
        if answer.state != MOVED:
            raise _not_published(ref, answer)
    raise ConflictError(f"{first} was moved {MOST_TRIES} times by others meanwhile", "run it again later")


def fetch(link: Link) -> None:
    """Bring the counts of all machines here.

    Raises:
        GitError: The remote cannot be reached.
    """
    link.mirror(*FETCHED)


def read_machines(repo: str) -> dict[str, Counts]:
    """Return machine → its counts, of those that are here."""
    found: dict[str, list[str]] = {}
    for ref, commit in _noted(repo).items():
        found.setdefault(ref.rpartition("/")[2], []).append(commit)
    return {machine: _read(repo, commits) for machine, commits in sorted(found.items())}


def read_total(repo: str, heard: Mapping[str, Counts] = {}) -> Counts:
    """Return what all machines say together: by their refs that are here, and by what was ``heard`` of them beside."""
    machines = read_machines(repo)
    return total(join(machines.get(name, NOTHING), heard.get(name, NOTHING)) for name in {**machines, **heard})


def _noted(repo: str) -> dict[str, str]:
    """Return the remote's full ref names → commits, as they were when last fetched."""
    real = {"refs": REFS, "heads": BRANCHES}
    rows = ((name.split("/"), oid) for name, oid in list_refs(repo, NOTED).items())
    return {real[kind] + machine: oid for (kind, machine), oid in rows}


def _check_format(repo: str, there: dict[str, str]) -> None:
    contents = read_blobs(repo, [f"{commit}:{FILE}" for commit in there.values()], MAX_BYTES)
    for ref, content in zip(there, contents, strict=True):
        if is_newer((content or b"").decode("utf-8", "replace")):
            hint = "update Project Brain here: the counts are kept, and published then"
            raise BrainError(f"{ref}: it holds counts of a later version, which this one would lose", hint)


def _read(repo: str, commits: list[str]) -> Counts:
    """Return what states of one machine say together."""
    found = NOTHING
    for content in read_blobs(repo, [f"{commit}:{FILE}" for commit in commits], MAX_BYTES):
        found = join(found, parse_counts((content or b"").decode("utf-8", "replace")))
    return found


def _commit(repo: str, counts: Counts) -> str:
    """Return a commit of nothing but the counts: it has no parent, so that what it replaces can be forgotten."""
    blob = write_blob(repo, render_counts(counts).encode())
    tree = git(repo, "mktree", "-z", stdin=f"100644 blob {blob}\t{FILE}\0".encode()).decode().strip()
    author = ("-c", "user.name=Project Brain", "-c", "user.email=brain@localhost", "-c", "commit.gpgSign=false")
    return git(repo, *author, "commit-tree", tree, stdin=b"memory: counts of use\n").decode().strip()


def _not_published(ref: str, answer: Answer) -> GitError:
    hint = "the counts are kept here, and published another time"
    return GitError(["push", ref], 1, f"error: {answer.words}", hint)

"""What ``brain init`` makes: the skeleton of a memory repo (SPEC §3). Nothing that exists is written over."""

from __future__ import annotations

import json
import os
import shlex

from brain.errors import BrainError
from brain.files import create_file, write_file
from brain.git.objects import find_tree
from brain.git.refs import find_upstream
from brain.git.run import try_git
from brain.layout import DEPRECATED, FLAT_AREAS, INDEX_FILE, PENDING, RETRO, SCOPED_AREAS, SETTINGS_FILE
from brain.memory_index import render_index
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.git.refs import Repo

CODEOWNERS = ".gitlab/CODEOWNERS"
CODEOWNERS_PLACES = ("CODEOWNERS", "docs/CODEOWNERS", CODEOWNERS)
"""Where GitLab looks, in this order; the first that exists counts alone."""
TEMPLATE = ".gitlab/merge_request_templates/memory.md"
CI_FILE, CI_JOBS = ".gitlab-ci.yml", ".gitlab/project-brain.yml"
"""What GitLab reads, and our jobs that it includes: a copy of ``brain_ci``'s, so that no other project is needed."""
OURS = "project-brain"
"""What stands in a pipeline that has our jobs: the name of their file, of their project, or of the package."""
CI_TEXT = """\
include:
  - local: {jobs}
    inputs:
      root: {root}
      # The wheel that the jobs install: its address and checksum (Project Brain's docs/tl.md, step 2). None: they stop.
      package: ""
"""
CI_ALONE = """\
      # Every merge request gets a pipeline, so that "Pipelines must succeed" blocks none. Take it away once the project
      # has other jobs in merge request pipelines.
      every_merge_request: true
"""
SETTINGS_TEXT = """\
# Team settings of Project Brain. They count once they are on the default branch: change them by MR.
# `brain config` prints every setting there is, its value and where that came from.
# A line that begins with # does nothing; take the # away and put your own value in.

[recall]
# How memories are ranked. "rule": by function, workflow, tags and confidence alone. "hybrid": besides, words of the
# ticket that stand in a memory, and files of the ticket that a memory's refs cover, count too; and meaning, across
# languages, where `brain semantic build` made an index.
scorer = "hybrid"

[people]
# GitLab usernames. pm approves memories; tl is asked about technical ones, ba about domain and glossary,
# qa about testing, comtor about terms.
# pm = ["pm-username"]
# tl = ["tl-username"]
# ba = ["ba-username"]
# qa = ["qa-username"]
# comtor = ["comtor-username"]

[repos]
# Code repos by the name that refs use (`shop:src/pay.py`): a git URL, or a folder on this machine.
# shop = "https://gitlab.example.com/group/shop.git"

[review]
# Language of merge request texts: "en", "vi" or "ja".
# language = "en"
"""
TEMPLATE_TEXT = """\
## Memories

What was learned, and in which ticket:

## For the approver

- [ ] Each memory says one fact, in at most 150 words, and ends with what to do (`**Apply:**`).
- [ ] It is true, and not known already (see `{root}/{index}`).
- [ ] It stands in the right place: area, role, function.
- [ ] It holds no secret and no personal data.
- [ ] It does not contradict the project's rules.
"""
CODEOWNERS_TEXT = """\
# Who must approve changes of memories. GitLab reads this file from Premium on; on Free it does nothing.
# Put usernames in and take the # away.
# [Memory]
# /{root}/ @pm-username
"""


@value
class Made:
    """What init did: paths it made, paths that were there, and remarks; all relative to the repo."""

    made: tuple[str, ...]
    there: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def check_root(name: str) -> str:
    """Return the folder name if a memory root may be called that.

    Raises:
        BrainError: It may not.
    """
    parts = name.split("/")
    bad = not all(parts) or any(part in (".", "..", ".git") or part.startswith("-") for part in parts)
    if bad or not name.isprintable() or set(name) & set('\\:*?"<>|') or name != name.strip():
        raise BrainError(f"--root {name!r} cannot name a folder of the repo", "use a plain name such as 99.Memory")
    return name


def skeleton(root: str) -> dict[str, str]:
    """Return the files of a new memory repo: path below the repo → text, in the order they are made."""
    folders = [*(f"{area}/_global" for area in SCOPED_AREAS), *FLAT_AREAS, RETRO, DEPRECATED]
    return {
        f"{root}/.gitignore": f"# Drafts are this machine's own; brain submit proposes them.\n{PENDING}/\n",
        f"{root}/{SETTINGS_FILE}": SETTINGS_TEXT,
        f"{root}/{INDEX_FILE}": render_index([]),
        **{f"{root}/{folder}/.gitkeep": "" for folder in sorted(folders)},
        TEMPLATE: TEMPLATE_TEXT.format(root=root, index=INDEX_FILE),
        CODEOWNERS: CODEOWNERS_TEXT.format(root=root.replace(" ", "\\ ")),
        CI_JOBS: _ci_jobs(),
        CI_FILE: ci_include(root) + CI_ALONE,
    }


def ci_include(root: str) -> str:
    """Return the lines of ``.gitlab-ci.yml`` that bring in our jobs."""
    return CI_TEXT.format(jobs=CI_JOBS, root=json.dumps(root, ensure_ascii=False))


def _ci_jobs() -> str:
    from importlib.resources import files

    return files("brain_ci").joinpath("templates/memory.yml").read_text("utf-8")


def make_skeleton(repo: Repo, root: str) -> Made:
    """Make what is missing of the skeleton.

    Raises:
        BrainError: The repository is bare, or a file cannot be written.
    """
    if not repo.work_tree:
        raise BrainError(f"{repo.git_dir} is bare: it has no working tree", "clone it, and run brain init there")
    files = skeleton(root)
    remarks = [*_leave_owners(repo, root, files), *_leave_pipeline(repo, root, files)]
    made: list[str] = []
    there: list[str] = []
    for path, text in files.items():
        (made if _make(os.path.join(repo.work_tree, path), text) else there).append(path)
    made += _ignore_drafts(repo, root)
    return Made(tuple(made), tuple(there), tuple(remarks))


def _leave_owners(repo: Repo, root: str, files: dict[str, str]) -> list[str]:
    """Take our code owners out of ``files`` where the team has its own, and return what it could do with them."""
    owners = _owners_elsewhere(repo, root)
    if not owners:
        return []
    del files[CODEOWNERS]
    return [f"{owners} is there: add a line for /{root}/ to it if the PM is to own the memories"]


def _leave_pipeline(repo: Repo, root: str, files: dict[str, str]) -> list[str]:
    """Take out of ``files`` what the team's own pipeline makes needless, and return what to add to it."""
    pipeline = _pipeline(repo)
    if pipeline is None or CI_JOBS in pipeline:
        return []
    if OURS in pipeline:  # as a component, or from another project
        del files[CI_JOBS]
        return []
    del files[CI_FILE]
    return [f"{CI_FILE} is there: add this to it, beside what it includes already\n{ci_include(root).rstrip()}"]


def _owners_elsewhere(repo: Repo, root: str) -> str:
    """Return the code owners' file that counts, if there is one that does not speak of the memories."""
    for place in CODEOWNERS_PLACES:
        path = os.path.join(repo.work_tree, place)
        if os.path.lexists(path):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    return "" if place == CODEOWNERS and root in file.read() else place
            except OSError:
                return place
    return ""


def _pipeline(repo: Repo) -> str | None:
    """Return the team's own ``.gitlab-ci.yml``, "" where it cannot be read, None where there is none."""
    path = os.path.join(repo.work_tree, CI_FILE)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return "" if os.path.lexists(path) else None


def is_committed(repo: Repo, root: str, remote: str) -> bool:
    """Say whether the upstream branch has the memory root."""
    upstream = find_upstream(repo, remote)
    return bool(upstream and find_tree(repo.path, upstream[1], root))


def _make(path: str, text: str) -> bool:
    """Make a file unless something is there; a .gitkeep only in an empty folder."""
    folder, name = os.path.split(path)
    if name == ".gitkeep" and os.path.isdir(folder) and os.listdir(folder):
        return False
    try:
        create_file(path, text)
    except FileExistsError:
        if not os.path.isfile(path):
            raise BrainError(f"{path}: something that is no file stands there", "move it away") from None
        return False
    except OSError as error:
        raise BrainError(f"{error.filename or path}: {error.strerror}", "check its permissions") from None
    return True


def _ignore_drafts(repo: Repo, root: str) -> list[str]:
    return ["info/exclude in the git directory"] if ensure_ignored(repo, root) else []


def drafts_are_ignored(repo: Repo, root: str) -> bool:
    """Say whether git ignores what lies in the drafts' folder."""
    return _is_ignored(repo, f"{root}/{PENDING}/draft.md")


def _is_ignored(repo: Repo, path: str) -> bool:
    return try_git(repo.path, "check-ignore", "-q", "--no-index", path).status == 0


def ensure_ignored(repo: Repo, root: str) -> bool:
    """Make sure that git ignores drafts, in this clone if the repo itself does not; say if that was needed.

    Raises:
        BrainError: They cannot be ignored.
    """
    if drafts_are_ignored(repo, root):
        return False
    _exclude(repo, f"{root}/{PENDING}/", f"add {PENDING}/ to {root}/.gitignore")
    if not drafts_are_ignored(repo, root):
        raise BrainError(
            f"git does not ignore {root}/{PENDING}/: a draft could be pushed by accident",
            f"add {PENDING}/ to {root}/.gitignore, and take out what re-includes it",
        )
    return True


def ignore_here(repo: Repo, path: str) -> bool:
    """Have git ignore a file of a work tree in this clone alone, unless it is committed or ignored; say if it now is.

    Raises:
        BrainError: The list of what this clone ignores cannot be written.
    """
    tracked = try_git(repo.path, "--literal-pathspecs", "ls-files", "--error-unmatch", "--", path).status == 0
    if tracked or _is_ignored(repo, path):
        return False
    _exclude(repo, path, f"add {path} to .gitignore")
    return True


def _exclude(repo: Repo, path: str, mend: str) -> None:
    """Add a path, from the top of the work tree, to what this clone ignores."""
    file = os.path.join(repo.common_dir, "info", "exclude")
    try:
        with open(file, "rb") as opened:
            before = opened.read()
    except OSError:
        before = b""
    pattern = "".join(f"\\{sign}" if sign in "\\*?[ " else sign for sign in f"/{path}")
    line = ("\n" if before and not before.endswith(b"\n") else "") + f"{pattern}\n"
    try:
        write_file(file, before + line.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise BrainError(f"{file}: {error.strerror}", mend) from None


def commit_command(root: str, made: Made, *, remote: bool) -> str:
    """Return the command that commits what was made, and pushes it where there is a ``remote``; for the repo's top."""
    ours = made.made + made.there
    outside = [".gitlab"] if any(path.startswith(".gitlab/") for path in ours) else []
    outside += [CI_FILE] if CI_FILE in ours else []
    names = " ".join(shlex.quote(name) for name in [root, *outside])
    push = " && git push" if remote else ""
    return f'git add {names} && git commit -m "Add project memory" -- {names}{push}'

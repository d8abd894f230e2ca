"""What ``brain lint`` and ``brain-ci lint`` do: judge a commit, a change, or files on disk."""

from __future__ import annotations

from brain.errors import ConfigError, InvalidMemoryError
from brain.frontmatter import MAX_BYTES
from brain.git.objects import LINK, SUBMODULE, list_tree, read_blobs
from brain.git.refs import find_commit
from brain.layout import DEPRECATED, INDEX_FILE, SETTINGS_FILE, find_place
from brain.lint.duplicates import comparable, folder_of
from brain.lint.engine import Report, Surroundings, assemble, judge_file
from brain.lint.finding import ERROR, WARNING, Sheet, allow, is_confidential, order
from brain.lint.folded import Folded
from brain.lint.frame import check_beside, check_root
from brain.lint.judge import MAX_OTHER_BYTES, SourceFile
from brain.lint.official import check_official
from brain.lint.place import split_layer
from brain.lint.removal import spare_removals
from brain.lint.said import MEND, check_said
from brain.lint.secrets.scan import scan_secrets
from brain.lint.sources import (
    changes_between,
    disk_files,
    history,
    merge_base,
    read_beside,
    read_files,
    resolve,
    sized,
    tree_files,
)
from brain.lint.steering import check_attributes, check_steering, is_attributes
from brain.lint.team import team_of
from brain.lint.words import GIVES_ORDERS
from brain.lint.workers import PARALLEL_FROM, judge_all
from brain.memory import MAX_FILE_BYTES
from brain.settings import load_config, parse_toml
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from brain.git.objects import Entry
    from brain.git.refs import Repo
    from brain.lint.at_hand import RepoAtHand
    from brain.lint.duplicates import Comparable, Known
    from brain.lint.finding import Finding
    from brain.lint.meaning import Asked as Meaning
    from brain.lint.sources import Change, Committed, Sized
    from brain.lint.team import Team
    from brain.settings import Config
    from brain.workspace import Workspace

    Progress = Callable[[int, int], None]


MAX_PASSING_BYTES, MOST_PASSING_BYTES = 1 << 18, 1 << 20
"""The biggest file that is looked at though it came and went within a change, and all such files together."""
LOOKED_AT = ("lint", "repos", "profiles", "memory", "semantic")
"""The settings that lint looks at, and what holds them."""


@value
class Job:
    """What to lint: the memory repo, the memory root in it, today, the workspace (None in a pipeline), the scanner.

    ``scanner`` is the path of the second scanner's program, "" for the own rules alone; ``branch`` is the name of the
    branch that is to be merged, "" where nobody tells.
    """

    repo: Repo
    root: str
    today: str
    workspace: Workspace | None = None
    scanner: str = ""
    progress: Progress | None = None
    branch: str = ""


def lint_all(job: Job, rev: str = "HEAD") -> Report:
    """Return the report of a whole commit, by its own settings."""
    commit = _commit(job, rev)
    every = tree_files(job.repo.path, commit)
    files = [file.entry for file in every]
    judged = [file for file in every if _is_judged(file.entry, job.root)]
    config = config_at(job, commit)
    around = Surroundings(
        _below(files, job.root), committed=_names(files), repos=_finder(job, commit, config, files),
        known=_known(job, files, frozenset()), index=_index_problem(job, files),
    )  # fmt: skip
    report = _report(job, judged, config, around)
    more = [*check_root(files, job.root), *_attributes(job, (file for file in files if file.mode != LINK))]
    return _with_more(report, more, config)


def lint_change(job: Job, base: str, rev: str = "HEAD") -> Report:
    """Return the report of what ``rev`` adds or changes since it left ``base``.

    The settings are those that were there before: a change cannot allow itself.
    """
    commit = _commit(job, rev)
    start = merge_base(job.repo.path, base, commit)
    commits = history(job.repo.path, start, commit)
    change = changes_between(job.repo.path, start, commit, commits)
    files = list_tree(job.repo.path, commit)
    ours = change.added | change.changed
    judged = sized(job.repo.path, [file for file in files if file.path in ours and _is_judged(file, job.root)])
    few = judged if len(judged) < PARALLEL_FROM else []  # many are read by the processes that judge them
    content, ready = read_beside(job.repo.path, _settings_spec(job, start), few, job.root)
    config = _config_of(job, content)
    before = (_names(files) - change.added) | change.removed
    index_changed = f"{job.root}/{INDEX_FILE}" in ours
    around = Surroundings(
        _below(files, job.root), [path[len(job.root) + 1 :] for path in before if path.startswith(job.root + "/")],
        committed=_names(files), repos=_finder(job, commit, config, files), known=_known(job, files, ours), among=True,
        index=_index_problem(job, files) if index_changed else "", meaning=_meaning(job, config, files, ours),
    )  # fmt: skip
    report = _report(job, judged, config, around, ready)
    if report.findings:
        team = team_of(config, job.today)
        report = spare_removals(job.repo.path, start, commit, change.changed, report, team)
    contents = {file.path: file.content for file in ready or _reader(job, judged)(range(len(judged)))}
    beside = check_beside(change, job.root)
    blamed = {finding.path for finding in beside}
    more = [
        *check_root(files, job.root, change.added), *beside,
        *check_steering((ours | change.removed) - blamed, job.root),
        *_attributes(job, (file for file in files if file.path in ours and file.mode != LINK)),
        *_said(job, commits, change, config),
        *check_official(job.repo.path, start, commit, change, contents, job.root, job.branch),
        *_passing(job, commits, {file.oid for file in files}, config, {found.fingerprint for found in report.findings}),
    ]  # fmt: skip
    return _with_more(report, more, config)


def _with_more(report: Report, more: Iterable[Finding], config: Config) -> Report:
    """Return the report with findings beside those of its files, as far as the team allows them."""
    found = allow(more, config["lint.allow"])
    return replace(report, findings=tuple(sorted((*report.findings, *found), key=order))) if found else report


def _attributes(job: Job, files: Iterable[Entry]) -> list[Finding]:
    """Return what files of attributes do to the diffs of memories."""
    asked = [file for file in files if is_attributes(file.path, job.root)]
    contents = read_blobs(job.repo.path, [file.oid for file in asked], MAX_OTHER_BYTES) if asked else ()
    return check_attributes({file.path: text for file, text in zip(asked, contents, strict=True)}, job.root)


def _said(job: Job, commits: Sequence[Committed], change: Change, config: Config) -> list[Finding]:
    """Return what is wrong with what the commits of a change of memories say beside its files."""
    prefix, paths = job.root + "/", (*change.added, *change.changed, *change.removed)
    if not job.branch and not any(path.startswith(prefix) for path in paths):
        return []
    return check_said(commits, job.branch, team_of(config, job.today).domains)


def _passing(
    job: Job, commits: Sequence[Committed], kept: set[str], config: Config, standing: Collection[str]
) -> list[Finding]:
    """Return the secrets, personal data and orders in what commits brought in and others took out: history keeps it.

    ``kept`` are the blobs that are still there, ``standing`` the fingerprints of what is found in them.
    """
    gone = {
        entry.oid: (one.oid, entry)
        for one in commits
        for status, entry in one.rows
        if status != "D" and entry.oid not in kept and entry.mode != SUBMODULE
    }
    prefix, left, rows = job.root + "/", MOST_PASSING_BYTES, []
    every = sized(job.repo.path, [entry for _, entry in gone.values()])
    for one in sorted(every, key=lambda one: (not one.entry.path.startswith(prefix), one.size)):
        if one.size <= min(left, MAX_PASSING_BYTES):
            left -= one.size
            rows.append(one)
    team, found = team_of(config, job.today), []
    contents = read_blobs(job.repo.path, [one.entry.oid for one in rows], MAX_PASSING_BYTES)
    for one, content in zip(rows, contents, strict=True):
        entry, since = one.entry, gone[one.entry.oid][0]
        for finding in _kept_by_history(SourceFile(entry.path, entry.mode, one.size, content), team):
            ours = entry.path.startswith(prefix)
            if finding.fingerprint not in standing and (ours or finding.severity == ERROR):
                message = f"{finding.message} (in commit {since[:12]}, taken out since)"
                severity = finding.severity if is_confidential(finding.rule) else WARNING
                found.append(replace(finding, message=message, mend=MEND, severity=severity))
    return found


def _kept_by_history(file: SourceFile, team: Team) -> list[Finding]:
    """Return the secrets, personal data and orders of a file, secrets too where else nothing is read.

    That is a big file or a link's target; a file outside of the memory folder is asked for secrets alone.
    """
    every = judge_file(file, team).findings
    found = [finding for finding in every if is_confidential(finding.rule) or finding.rule in GIVES_ORDERS]
    if any(is_confidential(finding.rule) for finding in found):
        return found
    content, sheet = file.content or b"", Sheet(file.path)
    code = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    scan_secrets(Folded(content.decode(code, "replace")), sheet)
    return [*found, *(finding for finding in sheet.findings() if is_confidential(finding.rule))]


def lint_disk(job: Job, paths: Iterable[str], settings: str) -> Report:
    """Return the report of files on disk, beside HEAD's; ``settings`` is the commit whose brain.toml counts."""
    files = list(disk_files(job.repo.work_tree or job.repo.path, paths))
    commit = find_commit(job.repo, "HEAD") or ""
    tracked = list_tree(job.repo.path, commit) if commit else []
    names = {file.path for file in files}
    here = [path[len(job.root) + 1 :] for path in names if path.startswith(job.root + "/")]
    old = _below(tracked, job.root)
    config = config_at(job, settings)
    around = Surroundings(
        [*old, *here], old, committed=_names(tracked), repos=_finder(job, commit, config, tracked),
        known=_known(job, tracked, names) if tracked else None, meaning=_meaning(job, config, tracked, names),
    )  # fmt: skip
    team = team_of(config, job.today)
    rows = judge_all(len(files), lambda numbers: (files[number] for number in numbers), team, job.progress)
    report = assemble(rows, team, around)
    return _with_scanner(job, report, files, team)


def _commit(job: Job, rev: str) -> str:
    """Return the commit that ``rev`` names; ``HEAD`` is read without a process."""
    return (find_commit(job.repo, rev) if rev == "HEAD" else None) or resolve(job.repo.path, rev)


def _report(
    job: Job, judged: Sequence[Sized], config: Config, around: Surroundings, ready: Sequence[SourceFile] = ()
) -> Report:
    """Return the report of entries of a tree; ``ready`` is what they hold, where that was read already."""
    team = team_of(config, job.today)
    read = (lambda numbers: (ready[number] for number in numbers)) if ready else _reader(job, judged)
    report = assemble(judge_all(len(judged), read, team, job.progress), team, around)
    return _with_scanner(job, report, read(range(len(judged))), team)


def _with_scanner(job: Job, report: Report, files: Iterable[SourceFile], team: Team) -> Report:
    """Return the report with what the second scanner found, if it is asked for."""
    if not job.scanner:
        return report
    from brain.lint.scanner import scan

    more = allow(scan(job.scanner, files, job.root, report.findings), team.allow)
    return replace(report, findings=tuple(sorted((*report.findings, *more), key=order)))


def _finder(
    job: Job, commit: str, config: Config, files: Sequence[Entry]
) -> Callable[[set[str]], Mapping[str, RepoAtHand]]:
    def find(aliases: set[str]) -> Mapping[str, RepoAtHand]:
        from brain.lint.at_hand import repos_at_hand

        return repos_at_hand(job.repo, commit, job.workspace, config, aliases, files)

    return find


def _meaning(
    job: Job, config: Config, files: Sequence[Entry], without: Collection[str]
) -> Callable[[Sequence[Comparable]], Meaning] | None:
    """Return a function that asks the semantic index about memories, None where there is none to ask."""
    from brain.lint.meaning import check_meaning, has_index

    known = frozenset(_below([file for file in files if file.path not in without], job.root))
    if not known or not has_index(job.repo, config):
        return None
    return lambda proposed: check_meaning(proposed, known, job.repo, job.workspace, config)


def _settings_spec(job: Job, commit: str) -> str:
    return f"{commit}:{job.root}/{SETTINGS_FILE}" if commit else ""


def config_at(job: Job, commit: str) -> Config:
    """Return the team's settings as a commit ("" for none) has them."""
    return _config_of(job, read_beside(job.repo.path, _settings_spec(job, commit), (), job.root)[0])


def _config_of(job: Job, content: bytes | None) -> Config:
    """Return the settings that a brain.toml holds; the defaults where it cannot be read.

    The environment has no say: a pipeline variable must not open the gate.
    """
    text = (content or b"").decode("utf-8", "replace")
    settings = {}
    live = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    if any(word in line for line in live for word in LOOKED_AT):  # else the TOML library need not be loaded
        try:
            settings = parse_toml(text)
        except ConfigError:  # reported where the file is judged
            pass
    config = load_config(settings, None, {})
    config.values["memory.root"] = job.root
    return config


def _is_judged(file: Entry, root: str) -> bool:
    """Say whether a file is ours to judge: below the memory root, or a link that may lead out of the repo."""
    return file.path.startswith(root + "/") or file.mode == "120000"


def _below(files: Iterable[Entry], root: str) -> list[str]:
    return [file.path[len(root) + 1 :] for file in files if file.path.startswith(root + "/")]


def _names(files: Iterable[Entry]) -> frozenset[str]:
    return frozenset(file.path for file in files)


def _reader(job: Job, files: Sequence[Sized]) -> Callable[[Sequence[int]], Iterator[SourceFile]]:
    return lambda numbers: read_files(job.repo.path, [files[number] for number in numbers], job.root)


def _known(job: Job, files: Sequence[Entry], without: Collection[str]) -> Known:
    """Return a function that reads the approved and removed memories with one of some tags, or in some folders."""
    every = _names(files)
    prefix = job.root + "/"

    def is_memory(file: Entry) -> bool:
        layer, bare = split_layer(file.path[len(prefix) :])
        restored = layer and (prefix + bare in every or prefix + bare in without)
        return find_place(bare) is not None and layer in ("", DEPRECATED) and not restored

    def known(tags: frozenset[str], folders: frozenset[str]) -> Iterator[Comparable]:
        others = [file for file in files if file.path.startswith(prefix) and file.path not in without]
        rows = [file for file in others if is_memory(file)]
        contents = read_blobs(job.repo.path, [file.oid for file in rows], MAX_FILE_BYTES)
        wanted = [tag.encode() for tag in tags]
        for file, content in zip(rows, contents, strict=True):
            path, head = file.path[len(prefix) :], (content or b"")[:MAX_BYTES]
            beside = folder_of(path) in folders
            if not beside and not any(tag in head for tag in wanted):  # most need not be parsed
                continue
            item = comparable(content, path)
            if item and (item.status == "approved" or item.removed) and (beside or not tags.isdisjoint(item.tags)):
                yield item

    return known


def _index_problem(job: Job, files: Sequence[Entry]) -> str:
    """Return how a commit's ``MEMORY.md`` differs from what its approved memories give; "" where it does not."""
    from brain.index.build import read_memory
    from brain.memory_index import render_index

    prefix = job.root + "/"
    index = next((file for file in files if file.path == prefix + INDEX_FILE), None)
    if index is None:
        return ""
    rows = [file for file in files if file.path.startswith(prefix) and file.mode.startswith("100")]
    rows = [file for file in rows if find_place(file.path[len(prefix) :])]
    memories = []
    for file, content in zip(rows, read_blobs(job.repo.path, (row.oid for row in rows), MAX_FILE_BYTES), strict=True):
        try:
            memories.append(read_memory(file.path[len(prefix) :], content))
        except InvalidMemoryError:  # reported where the file is judged, and in no index
            continue
    found = next(iter(read_blobs(job.repo.path, [index.oid], 1 << 30)), None) or b""
    return _difference(found.decode("utf-8", "replace"), render_index(memories))


def _difference(found: str, wanted: str) -> str:
    if found == wanted:
        return ""
    rows, right = found.split("\n"), wanted.split("\n")
    number = next(
        (at for at, (one, other) in enumerate(zip(rows, right, strict=False)) if one != other),
        min(len(rows), len(right)),
    )
    return f"{INDEX_FILE} is not what the approved memories give: line {number + 1} differs first"

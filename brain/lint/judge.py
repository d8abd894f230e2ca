"""Judge one file: every rule that needs nothing but the file, its path and the team's settings."""

from __future__ import annotations

from brain.git.objects import LINK
from brain.lint.body import check_body
from brain.lint.encoding import FILE_TOO_BIG, decode
from brain.lint.fields import check_fields, check_removal
from brain.lint.finding import ERROR, Rule, Sheet
from brain.lint.header import cut, read_header
from brain.lint.leads import leads_of
from brain.lint.markdown import mark_code
from brain.lint.place import (
    FOREIGN_FILE,
    INDEX,
    MEMORY,
    OTHER,
    RETROSPECT,
    SETTINGS,
    SYMLINK,
    check_mode,
    check_path,
    find_spot,
    leaves_repo,
    split_layer,
)  # fmt: skip
from brain.lint.refs import check_refs
from brain.lint.scan import scan_memory, scan_text
from brain.memory import MAX_FILE_BYTES
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.leads import Lead
    from brain.lint.place import Spot
    from brain.lint.refs import Asked
    from brain.lint.team import Team

MAX_OTHER_BYTES = 65536
"""A retro, brain.toml, or what should not be there."""

FAILED = Rule(
    "M990", "lint-failed", ERROR, "this file could not be judged",
    "What lint cannot read it does not let through.", "report this with the file, if you may show it",
)  # fmt: skip


@value
class SourceFile:
    """A file to judge: its path below the repo, git mode, size in bytes, and content (None: not read)."""

    path: str
    mode: str
    size: int
    content: bytes | None


@value
class Judgement:
    """What was found in one file, the refs to be looked up, and what it leads to within the tree."""

    sheet: Sheet
    asked: tuple[Asked, ...] = ()
    leads: tuple[Lead, ...] = ()


def judge(file: SourceFile, team: Team) -> Judgement:
    """Return what is wrong with one file; whatever it holds, this returns."""
    below = below_root(file.path, team.root)
    sheet = Sheet(file.path, lasting_path(file.path, team.root))
    if below is None:
        target = (file.content or b"").decode("utf-8", "surrogateescape")
        if file.mode == LINK and leaves_repo(file.path, target):
            sheet.add(SYMLINK, message="a symbolic link that leaves the repository")
        return Judgement(sheet)
    try:
        return _judge(file, below, team, sheet)
    except Exception as error:  # noqa: BLE001 - fails closed: one file that breaks a rule must not hide the others
        sheet.add(FAILED, message=f"this file could not be judged: {type(error).__name__}")
        return Judgement(sheet)


def below_root(path: str, root: str) -> str | None:
    """Return a repo path relative to the memory root, None where it lies outside."""
    return path[len(root) + 1 :] if path.startswith(root + "/") else None


def lasting_path(path: str, root: str) -> str:
    """Return what stays of a path when a draft becomes a memory, or is removed."""
    below = below_root(path, root)
    return path if below is None else split_layer(below)[1]


def _judge(file: SourceFile, below: str, team: Team, sheet: Sheet) -> Judgement:
    spot = find_spot(below)
    check_path(below, spot, sheet)
    if not check_mode(file.mode, sheet) or spot.kind == INDEX:
        return Judgement(sheet)
    is_memory = spot.kind == MEMORY or (below.endswith(".md") and spot.kind != RETROSPECT)
    limit = MAX_FILE_BYTES if is_memory else MAX_OTHER_BYTES
    if file.size > limit or file.content is None:
        sheet.add(FILE_TOO_BIG, message=f"{file.size} bytes, {limit} at most")
        return Judgement(sheet)
    if is_memory:
        return _judge_memory(file.content, spot, team, sheet)
    text = decode(file.content, sheet) if spot.kind == RETROSPECT else file.content.decode("utf-8", "replace")
    if spot.kind == SETTINGS:
        from brain.lint.settings import check_settings

        check_settings(text, sheet)
    elif spot.kind == OTHER and text.strip() and below.endswith(".gitkeep"):
        sheet.add(FOREIGN_FILE, message=".gitkeep only keeps a folder: it holds nothing")
    scan_text(text, sheet, team.domains, markdown=spot.kind == RETROSPECT)
    return Judgement(sheet)


def _judge_memory(content: bytes, spot: Spot, team: Team, sheet: Sheet) -> Judgement:
    text = decode(content, sheet)
    if not text:
        return Judgement(sheet)
    blocks = cut(text, sheet)
    if blocks is None:
        scan_text(text, sheet, team.domains, markdown=True)
        return Judgement(sheet)
    header = read_header(blocks.head, sheet)
    check_fields(header, spot.place, team, sheet)
    check_removal(header.fields, spot.layer, sheet)
    marked = mark_code(blocks.body)
    check_body(marked, blocks.body_line, sheet)
    asked = check_refs(blocks.head, header, team, sheet)
    scan_memory(blocks, header, marked, sheet, team.domains)
    return Judgement(sheet, tuple(asked), tuple(leads_of(header.fields, marked, blocks.body_line)))

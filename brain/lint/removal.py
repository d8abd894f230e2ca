"""A memory whose removal is proposed need not be mended first: what was wrong with it before is no news (SPEC §7)."""

from __future__ import annotations

from brain.git.objects import read_blobs
from brain.layout import REMOVALS, find_place
from brain.lint.engine import judge_file
from brain.lint.fields import text_of
from brain.lint.finding import Sheet
from brain.lint.header import cut, read_header
from brain.lint.judge import SourceFile, below_root
from brain.memory import MAX_FILE_BYTES
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from brain.lint.engine import Report
    from brain.lint.team import Team


def spare_removals(repo: str, start: str, commit: str, changed: Collection[str], report: Report, team: Team) -> Report:
    """Return the report of a change without the findings that a memory to be removed had before the change.

    ``changed`` are the paths that are in both ``start`` and ``commit``, and differ.
    """
    guilty = sorted({one.path for one in report.findings if one.path in changed and one.path.isprintable()})
    paths = [path for path in guilty if find_place(below_root(path, team.root) or "")]
    after = read_blobs(repo, [f"{commit}:{path}" for path in paths], MAX_FILE_BYTES)
    removed = [path for path, content in zip(paths, after, strict=True) if content and _asks_removal(content)]
    before = read_blobs(repo, [f"{start}:{path}" for path in removed], MAX_FILE_BYTES)
    known = {
        finding.fingerprint
        for path, content in zip(removed, before, strict=True)
        for finding in judge_file(SourceFile(path, "100644", len(content or b""), content), team).findings
    }
    kept = tuple(one for one in report.findings if one.path not in removed or one.fingerprint not in known)
    return replace(report, findings=kept)


def _asks_removal(content: bytes) -> bool:
    sheet = Sheet("")
    blocks = cut(content.decode("utf-8", "replace").replace("\r\n", "\n"), sheet)
    return blocks is not None and text_of(read_header(blocks.head, sheet).fields, "removal") in REMOVALS

"""Tell a merge request what lint found. The verdict is the job's exit status: what cannot be told changes nothing."""

from __future__ import annotations

import os

from brain.errors import ForgeError
from brain.forge.gitlab import GitLab
from brain.forge.values import OPENED
from brain.git.objects import read_blob
from brain.index.cache import cache_dir, parse_settings
from brain.layout import SETTINGS_FILE
from brain.lint.sources import merge_base
from brain.memory import MAX_FILE_BYTES
from brain.settings import load_config
from brain_ci.discussions import keep_discussions
from brain_ci.note import MARKER, Pages, render_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.forge.locate import Location
    from brain.git.refs import Repo
    from brain.lint.engine import Report
    from brain_ci.gitlab_env import MergeRequestPipeline


def tell(request: MergeRequestPipeline, report: Report, where: Location, repo: Repo, language: str) -> str:
    """Write the note and the discussions; return why that was not done, "" where it was."""
    gitlab = GitLab(where, os.path.join(cache_dir(repo), "lint-forge.json"))
    try:
        found = gitlab.merge_request(request.iid)
        if found.state != OPENED:
            return f"no note is written: !{request.iid} is {found.state}"
        if found.sha != request.head:
            return f"no note is written: !{request.iid} has another commit than this job, whose pipeline says it"
        if report.files or report.findings or any(MARKER in note.body for note in gitlab.notes(request.iid)):
            pages = Pages(request.project, request.head, request.job)
            gitlab.put_note(request.iid, render_note(report, language, pages), MARKER)
        keep_discussions(gitlab, request.iid, repo.path, report.findings, language)
    except ForgeError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return f"warning: !{request.iid} does not show all of this: {error}{hint}"
    return ""


def team_language(repo: Repo, root: str, base: str) -> str:
    """Return ``review.language`` as it was before the change: the team's, not the author's."""
    spec = f"{merge_base(repo.path, base, 'HEAD')}:{root}/{SETTINGS_FILE}"
    content = read_blob(repo.path, spec, MAX_FILE_BYTES) or b""
    config = load_config(parse_settings(content.decode("utf-8", "replace")), None, {})
    language: str = config["review.language"]
    return language

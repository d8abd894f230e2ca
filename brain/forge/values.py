"""What GitLab says, as values: parsed once, from answers of any version (facts.md §3, §5)."""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OPENED, MERGED, CLOSED = "opened", "merged", "closed"
"""States of a merge request."""


@value
class Person:
    """A user; ``bot`` where the answer says so. ``active`` is False where it is blocked, banned or deactivated."""

    id: int
    username: str
    name: str = ""
    bot: bool = False
    active: bool = True
    email: str = ""


@value
class Project:
    """A project; ``id`` survives renames and moves. An ``empty`` one names a default branch that is not there yet."""

    id: int
    path: str
    url: str
    default_branch: str
    archived: bool = False
    empty: bool = False


@value
class MergeRequest:
    """A merge request. ``sha`` is the head of its source branch; the last two are "" until it is merged.

    With squash and a merge commit both are set, with fast-forward only the squash commit: "the commit of this merge
    request" is either.
    """

    iid: int
    state: str
    title: str
    description: str
    url: str
    source_branch: str
    target_branch: str
    sha: str
    author: Person
    labels: tuple[str, ...] = ()
    assignees: tuple[Person, ...] = ()
    reviewers: tuple[Person, ...] = ()
    draft: bool = False
    source_project: int = 0
    target_project: int = 0
    status: str = ""
    merged_by: Person | None = None
    closed_by: Person | None = None
    merge_commit: str = ""
    squash_commit: str = ""
    auto_merge: bool = False
    """Whether it merges by itself once its pipeline succeeded."""

    @property
    def is_foreign(self) -> bool:
        """Whether it comes from a fork."""
        return self.source_project != self.target_project


@value
class Approval:
    """Who approved, and when (an ISO time; "" where this version does not say)."""

    person: Person
    at: str = ""


@value
class Approvals:
    """Who approved, and whether the project is on a paid tier, where rules can demand approvals."""

    given: tuple[Approval, ...]
    paid: bool


@value
class Version:
    """A head that a merge request had: the commit, where it left the target branch, since when (an ISO time).

    ``start`` is what the target branch was then.
    """

    head: str
    base: str
    created: str
    start: str = ""


@value
class Comment:
    """A comment on a commit."""

    text: str
    author: Person


@value
class Note:
    """A comment; ``system`` ones are GitLab's own."""

    id: int
    body: str
    author: Person
    system: bool
    created: str


NOBODY = Person(0, "")


def parse_person(found: Any) -> Person:
    """Return the user that an answer describes; ``NOBODY`` where it is none."""
    if not isinstance(found, dict):
        return NOBODY
    name, email = str(found.get("username") or ""), str(found.get("commit_email") or found.get("email") or "")
    active = found.get("state") in (None, "active")
    return Person(_number(found, "id"), name, str(found.get("name") or ""), bool(found.get("bot")), active, email)


def parse_project(found: Any) -> Project:
    """Return the project that an answer describes."""
    return Project(
        _number(found, "id"), str(found.get("path_with_namespace") or ""), str(found.get("web_url") or ""),
        str(found.get("default_branch") or ""), bool(found.get("archived")), bool(found.get("empty_repo")),
    )  # fmt: skip


def parse_merge_request(found: Any) -> MergeRequest:
    """Return the merge request that an answer describes."""
    texts = {key: str(found.get(key) or "") for key in ("state", "title", "description", "web_url")}
    return MergeRequest(
        _number(found, "iid"), texts["state"], texts["title"], texts["description"], texts["web_url"],
        str(found.get("source_branch") or ""), str(found.get("target_branch") or ""), str(found.get("sha") or ""),
        parse_person(found.get("author")), tuple(map(_label, found.get("labels") or ())),
        _people(found.get("assignees")), _people(found.get("reviewers")),
        bool(found.get("draft", found.get("work_in_progress"))), _number(found, "source_project_id"),
        _number(found, "target_project_id"), str(found.get("detailed_merge_status") or ""),
        _person_or_none(found.get("merge_user") or found.get("merged_by")), _person_or_none(found.get("closed_by")),
        str(found.get("merge_commit_sha") or ""), str(found.get("squash_commit_sha") or ""),
        bool(found.get("merge_when_pipeline_succeeds")),
    )  # fmt: skip


def parse_note(found: Any) -> Note:
    """Return the note that an answer describes."""
    return Note(
        _number(found, "id"), str(found.get("body") or ""), parse_person(found.get("author")),
        bool(found.get("system")), str(found.get("created_at") or ""),
    )  # fmt: skip


def parse_approvals(found: Any) -> Approvals:
    """Return who approved; ``approved`` is not looked at: it can be true with no approval at all."""
    rows = found.get("approved_by") or ()
    given = tuple(Approval(parse_person(row.get("user")), str(row.get("approved_at") or "")) for row in rows)
    return Approvals(given, found.get("merge_request_approvers_available") is True)


def parse_version(found: Any) -> Version:
    """Return the version of a merge request that an answer describes."""
    keys = ("head_commit_sha", "base_commit_sha", "created_at", "start_commit_sha")
    return Version(*(str(found.get(key) or "") for key in keys))


def parse_comment(found: Any) -> Comment:
    """Return the comment on a commit that an answer describes."""
    return Comment(str(found.get("note") or ""), parse_person(found.get("author")))


def _people(rows: Any) -> tuple[Person, ...]:
    return tuple(map(parse_person, rows or ()))


def _person_or_none(found: Any) -> Person | None:
    return parse_person(found) if isinstance(found, dict) else None


def _label(found: Any) -> str:
    return str(found.get("name") or "") if isinstance(found, dict) else str(found)


def _number(found: Any, key: str) -> int:
    number = found.get(key)
    return number if isinstance(number, int) and not isinstance(number, bool) else 0

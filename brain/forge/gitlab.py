"""One project on GitLab: what submit, finalize and the checks ask of it and tell it (facts.md §3, §5, §11)."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from brain.errors import ForgeError
from brain.files import read_json, write_file
from brain.forge.connection import TRIES, Connection, NotGitLabError
from brain.forge.values import (
    OPENED,
    MergeRequest,
    Note,
    parse_approvals,
    parse_comment,
    parse_merge_request,
    parse_note,
    parse_person,
    parse_project,
    parse_version,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeVar

    from brain.forge.locate import Location
    from brain.forge.values import Approvals, Comment, Person, Project, Version

    T = TypeVar("T")

ANOTHER_ONE = re.compile(r"already exists for this source branch: !(\d+)")
NEWEST_FIRST = {"order_by": "created_at", "sort": "desc"}


class GitLab:
    """One project; it is asked for when first needed. ``cache`` is a file for numbers that do not change."""

    def __init__(self, location: Location, cache: str) -> None:
        self.location, self.facts = location, Facts(cache)
        self._connection = Connection(location, location.places[0][0])
        self._project: Project | None = None

    def project(self) -> Project:
        """Return the project, by its number where that is known, else by its path on each likely server.

        Raises:
            ForgeError: It is not there, or may not be seen.
        """
        if self._project is None:
            self._project = self._project_by_id() or self._project_by_path()
        return self._project

    @property
    def connection(self) -> Connection:
        """The server that has the project: of several likely ones, which it is shows when it is asked for."""
        self.project()
        return self._connection

    def person(self) -> Person:
        """Return whose token it is."""
        return parse_person(self.connection.call("get", "/user"))

    def user_id(self, username: str) -> int:
        """Return a user's number, 0 where there is no such user."""
        users = self.facts.read("users", dict) or {}
        if not isinstance(users.get(username), int):
            rows = self.connection.call("get", "/users", query={"username": username})
            found = next((row for row in map(parse_person, rows) if row.username.lower() == username.lower()), None)
            if not found:
                return 0
            users = {**users, username: found.id}
            self.facts.write("users", users)
        return int(users[username])

    def find_open(self, branch: str) -> MergeRequest | None:
        """Return the open merge request of a branch of this project."""
        found = self.merge_requests(source_branch=branch, state=OPENED)
        return next((request for request in found if not request.is_foreign), None)

    def merge_requests(self, **query: str) -> Iterator[MergeRequest]:
        """Yield merge requests of this project, the newest first: ``state``, ``source_branch``, ``labels``, …."""
        return map(parse_merge_request, self.connection.each(f"{self.at}/merge_requests", {**NEWEST_FIRST, **query}))

    def merge_request(self, iid: int) -> MergeRequest:
        """Return a merge request; asking for it makes GitLab look whether it can be merged."""
        return parse_merge_request(self.connection.call("get", f"{self.at}/merge_requests/{iid}"))

    def create_merge_request(self, branch: str, target: str, fields: Mapping[str, Any]) -> MergeRequest:
        """Return the open merge request of a branch, made if there is none; one that was there is left as it is."""
        body = {"source_branch": branch, "target_branch": target, **fields}
        made = self.post_once(f"{self.at}/merge_requests", body, lambda error: self._opened_meanwhile(error, branch))
        return made if isinstance(made, MergeRequest) else parse_merge_request(made)

    def update_merge_request(self, iid: int, fields: Mapping[str, Any]) -> MergeRequest:
        """Set values of a merge request; ``add_labels`` leaves the others."""
        found = self.connection.call("put", f"{self.at}/merge_requests/{iid}", body=fields)
        return parse_merge_request(found)

    def member(self, user_id: int) -> Person | None:
        """Return a user who belongs to the project, with what their own page says of them; None for anyone else."""
        if not self._found(f"{self.at}/members/all/{user_id}"):
            return None
        found = self._found(f"/users/{user_id}")
        return parse_person(found) if found else None

    def commit_requests(self, commit: str) -> tuple[MergeRequest, ...]:
        """Return the merge requests that a commit came by, or is the merge commit or squash commit of."""
        rows = self.connection.each(f"{self.at}/repository/commits/{commit}/merge_requests", {})
        return tuple(map(parse_merge_request, rows))

    def comments(self, commit: str) -> Iterator[Comment]:
        """Yield what was said of a commit."""
        return map(parse_comment, self.connection.each(f"{self.at}/repository/commits/{commit}/comments", {}))

    def comment(self, commit: str, text: str) -> None:
        """Say something of a commit."""
        self.connection.call("post", f"{self.at}/repository/commits/{commit}/comments", body={"note": text})

    def branches(self, search: str) -> tuple[str, ...]:
        """Return the names of the branches that ``search`` finds: ``^text`` is what they begin with."""
        rows = self.connection.each(f"{self.at}/repository/branches", {"search": search})
        return tuple(str(row.get("name") or "") for row in rows)

    def delete_branch(self, name: str) -> None:
        """Remove a branch if it is there and not protected."""
        try:
            self.connection.call("delete", f"{self.at}/repository/branches/{quote(name, safe='')}")
        except ForgeError as error:
            if error.status not in (403, 404):
                raise

    def versions(self, iid: int) -> tuple[Version, ...]:
        """Return the heads that a merge request had, the newest first."""
        return tuple(map(parse_version, self.connection.each(f"{self.at}/merge_requests/{iid}/versions", {})))

    def approvals(self, iid: int) -> Approvals:
        """Return who approved a merge request, on any tier."""
        return parse_approvals(self.connection.call("get", f"{self.at}/merge_requests/{iid}/approvals"))

    def merge(self, iid: int, sha: str, **fields: Any) -> MergeRequest:
        """Merge if the head is still ``sha``; all values go into the body, not the query, which has a limit.

        Raises:
            ForgeError: 409 the head moved, 405 it cannot be merged (yet), 401 the token may not.
        """
        found = self.connection.call("put", f"{self.at}/merge_requests/{iid}/merge", body={"sha": sha, **fields})
        return parse_merge_request(found)

    def notes(self, iid: int) -> Iterator[Note]:
        """Yield a merge request's notes, the newest first."""
        return map(parse_note, self.connection.each(f"{self.at}/merge_requests/{iid}/notes", NEWEST_FIRST))

    def put_note(self, iid: int, body: str, marker: str) -> Note:
        """Return the one note of ours that holds ``marker``, made or changed so that it says ``body``."""
        text, path = f"{marker}\n{body}", f"{self.at}/merge_requests/{iid}/notes"
        me = self.person().id

        def find() -> Note | None:
            return next((note for note in self.notes(iid) if marker in note.body and note.author.id == me), None)

        old = find() or self.post_once(path, {"body": text}, lambda error: find() if error.unclear else None)
        note = old if isinstance(old, Note) else parse_note(old)
        if note.body == text:
            return note
        return parse_note(self.connection.call("put", f"{path}/{note.id}", body={"body": text}))

    def post_once(self, path: str, body: Mapping[str, Any], find: Callable[[ForgeError], T | None]) -> T | Any:
        """Return what a POST is answered with; where it failed, or its answer was lost, what ``find`` sees there.

        Raises:
            ForgeError: GitLab said no, or did not answer, and it is not there.
        """
        for tries in range(1, TRIES + 1):
            try:
                return self.connection.call("post", path, body=body)
            except ForgeError as error:
                found = find(error)
                if found is not None:
                    return found
                if not error.unclear or tries == TRIES:
                    raise
        raise AssertionError  # the last try returns or raises

    @property
    def at(self) -> str:
        """The project's place in the interface."""
        return f"/projects/{self.project().id}"

    def _found(self, path: str) -> Any:
        """Return what is there, None where nothing is."""
        try:
            return self.connection.call("get", path)
        except ForgeError as error:
            if error.status != 404:
                raise
            return None

    def _project_by_id(self) -> Project | None:
        known = self.facts.read("project", dict) or {}
        if (known.get("server"), known.get("path")) not in self.location.places:
            return None
        self._connection = Connection(self.location, known["server"])
        try:
            return parse_project(self._connection.call("get", f"/projects/{int(known['id'])}"))
        except ForgeError as error:
            if error.status != 404:
                raise
            return None

    def _project_by_path(self) -> Project:
        first: ForgeError | None = None
        for server, path in self.location.places:
            self._connection = Connection(self.location, server)
            try:
                project = parse_project(self._connection.call("get", f"/projects/{quote(path, safe='')}"))
            except NotGitLabError as error:
                first = first or error
                continue
            except ForgeError as error:
                raise _explained(error, path) from None
            self.facts.write("project", {"server": server, "path": path, "id": project.id})
            return project
        assert first
        raise first

    def _opened_meanwhile(self, error: ForgeError, branch: str) -> MergeRequest | None:
        """Return the merge request that was there already, or that the request whose answer was lost made."""
        if error.status == 409:
            named = ANOTHER_ONE.search(error.reason)
            return self.merge_request(int(named[1])) if named else self.find_open(branch)
        return self.find_open(branch) if error.unclear else None


class Facts:
    """What was learnt of a server and lasts, in one file: numbers of project and users, what its edition keeps."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self, key: str, kind: type) -> Any:
        """Return a fact of that kind, None where it is not known."""
        found = read_json(self.path)
        fact = found.get(key) if isinstance(found, dict) else None
        return fact if isinstance(fact, kind) else None

    def write(self, key: str, fact: object) -> None:
        """Remember a fact; a disk that takes none is no harm."""
        found = read_json(self.path)
        try:
            write_file(self.path, json.dumps({**(found if isinstance(found, dict) else {}), key: fact}))
        except OSError:
            pass


def _explained(error: ForgeError, path: str) -> ForgeError:
    if error.status != 404:
        return error
    hint = "check gitlab.url and gitlab.project, and that the token's owner is a member"
    return ForgeError(error.request, 404, f"there is no project {path!r} that this token may see", hint)

"""A few of GitLab's answers over real HTTP, for tests of the client alone: one project, its merge requests and notes."""

from __future__ import annotations

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

USERS = {name: number for number, name in enumerate(("root", "ada", "pam", "tom", "bea", "quinn", "bob"), 1)}
TOKEN = "glpat-secret-of-ada"


class Responder:
    """The server's state. ``faults`` is (verb, part of the path) → what to do to the next such request, in order."""

    def __init__(
        self, repo: Path | None = None, path: str = "team/memory", sub: str = "", *, one_reviewer: bool = False
    ) -> None:
        self.repo, self.path, self.sub, self.one_reviewer = repo, path, sub, one_reviewer
        self.project: dict[str, Any] = {
            "id": 42,
            "path_with_namespace": path,
            "default_branch": "main",
            "archived": False,
            "web_url": f"https://git.example.com/{path}",
        }
        self.requests: list[dict[str, Any]] = []
        self.notes: dict[int, list[dict[str, Any]]] = {}
        self.faults: list[tuple[str, str, str]] = []
        self.seen: list[tuple[str, str, dict[str, str], Any]] = []
        self.token = TOKEN
        self.lock = threading.Lock()
        self.httpd = _Server(("127.0.0.1", 0), _handler(self))
        self.httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.httpd.server_address[1]}{sub}"
        threading.Thread(target=self.httpd.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.httpd.shutdown()
        self.httpd.server_close()

    def next_fault(self, verb: str, path: str) -> str:
        for number, (fault_verb, part, fault) in enumerate(self.faults):
            if fault_verb == verb and part in path:
                del self.faults[number]
                return fault
        return ""

    def answer(self, verb: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        with self.lock:
            parts = [unquote(part) for part in path.removeprefix(f"{self.sub}/api/v4/").split("/")]
            match [verb, *parts]:
                case ["GET", "user"]:
                    return 200, person("ada")
                case ["GET", "users"]:
                    return 200, [person(query["username"])] if query.get("username") in USERS else []
                case [_, "projects", key, *rest] if key in (str(self.project["id"]), self.path):
                    return self.in_project(verb, rest, query, body)
            return 404, {"message": "404 Project Not Found"}

    def in_project(self, verb: str, rest: list[str], query: dict[str, str], body: Any) -> tuple[int, Any]:  # noqa: C901, PLR0911, PLR0912 - a table of routes
        if verb == "GET" and not rest:
            return 200, self.project
        if rest == ["merge_requests"]:
            return (200, self.list(query)) if verb == "GET" else self.create(body)
        request = next((row for row in self.requests if str(row["iid"]) == rest[1]), None)
        if request is None:
            return 404, {"message": "404 Not found"}
        self.refresh(request)
        match [verb, *rest[2:]]:
            case ["GET"]:
                return 200, request
            case ["PUT"]:
                return 200, self.update(request, body)
            case ["GET", "commits"]:
                return 200, [{"id": commit} for commit in self.commits(request)]
            case ["GET", "notes"]:
                return 200, self.notes.get(request["iid"], [])[::-1]
            case ["POST", "notes"]:
                return 201, self.note(request["iid"], "ada", body["body"])
            case ["PUT", "notes", number]:
                note = next(row for row in self.notes[request["iid"]] if str(row["id"]) == number)
                note["body"] = body["body"]
                return 200, note
            case ["GET", "approvals"]:
                return 200, {
                    "approved": True,
                    "approved_by": [{"user": person("pam"), "approved_at": "2026-01-02T03:04:05Z"}],
                }
            case ["PUT", "merge"]:
                return (
                    (200, {**request, "state": "merged"})
                    if body["sha"] == request["sha"]
                    else (409, {"message": "SHA does not match HEAD of source branch: abc"})
                )
        return 405, {"message": "405 Method Not Allowed"}

    def list(self, query: dict[str, str]) -> list[dict[str, Any]]:
        for row in self.requests:
            self.refresh(row)
        rows = [row for row in self.requests if query.get("source_branch") in (None, row["source_branch"])]
        return [row for row in rows if query.get("state") in (None, row["state"])][::-1]

    def create(self, body: Any) -> tuple[int, Any]:
        branch = body["source_branch"]
        other = next(
            (row for row in self.requests if row["source_branch"] == branch and row["state"] == "opened"), None
        )
        if other:
            return 409, {
                "message": [f"Another open merge request already exists for this source branch: !{other['iid']}"]
            }
        if not self.tip(branch):
            return 422, {"message": {"source_branch": ["does not exist"]}}
        iid = len(self.requests) + 1
        row = {
            "iid": iid,
            "state": "opened",
            "web_url": f"{self.project['web_url']}/-/merge_requests/{iid}",
            "author": person("ada"),
            "source_branch": branch,
            "target_branch": body["target_branch"],
            "labels": [],
            "assignees": [],
            "reviewers": [],
            "source_project_id": 42,
            "target_project_id": 42,
            "sha": self.tip(branch),
        }
        self.requests.append(row)
        return 201, self.update(row, body)

    def update(self, row: dict[str, Any], body: Any) -> dict[str, Any]:
        people = {number: name for name, number in USERS.items()}
        for key in ("title", "description"):
            row[key] = body.get(key, row.get(key, ""))
        row["draft"] = row["title"].startswith("Draft: ")
        for key in ("labels", "add_labels"):
            if body.get(key):
                row["labels"] = sorted({*row["labels"], *body[key].split(",")})
        for key, name in (("assignee_ids", "assignees"), ("reviewer_ids", "reviewers")):
            if key in body:
                ids = [number for number in body[key] if number in people]
                row[name] = [person(people[number]) for number in (ids[-1:] if self.one_reviewer else ids)]
        if body.get("state_event") == "close":
            row["state"] = "closed"
        return row

    def refresh(self, row: dict[str, Any]) -> None:
        if row["state"] == "opened":
            row["sha"] = self.tip(row["source_branch"]) or row["sha"]

    def note(self, iid: int, who: str, body: str, *, system: bool = False) -> dict[str, Any]:
        rows = self.notes.setdefault(iid, [])
        rows.append(
            {
                "id": 100 * iid + len(rows),
                "body": body,
                "author": person(who),
                "system": system,
                "created_at": "2026-01-02T03:04:05Z",
            }
        )
        return rows[-1]

    def close_request(self, iid: int, reason: str) -> None:
        self.note(iid, "pam", reason)
        self.note(iid, "pam", "closed", system=True)
        self.requests[iid - 1].update(state="closed", closed_by=person("pam"))

    def merge_request(self, iid: int) -> None:
        """Merge with a squash, and take the branch away, as GitLab does."""
        row = self.requests[iid - 1]
        self.refresh(row)
        row["commits"] = self.commits(row)
        self.git("update-ref", "refs/heads/main", self.squash(row))
        self.git("update-ref", "-d", f"refs/heads/{row['source_branch']}")
        row.update(state="merged", merge_user=person("pam"))

    def squash(self, row: dict[str, Any]) -> str:
        tree = self.git("merge-tree", "--write-tree", "main", row["sha"]).splitlines()[0]
        return self.git("commit-tree", "-p", "main", "-m", row["title"], tree)

    def commits(self, row: dict[str, Any]) -> list[str]:
        return row.get("commits") or self.git("rev-list", f"main..{row['sha']}").split()

    def tip(self, branch: str) -> str:
        return self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}") if self.repo else "f" * 40

    def git(self, *args: str) -> str:
        return subprocess.run(
            ["git", "-C", str(self.repo), *args], capture_output=True, text=True, check=True
        ).stdout.strip()


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Say nothing: connections are cut on purpose."""


def person(name: str) -> dict[str, Any]:
    return {"id": USERS[name], "username": name, "name": name.title()}


def _handler(state: Responder) -> type[BaseHTTPRequestHandler]:  # noqa: C901 - a class of short methods
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            query = dict(parse_qsl(parts.query))
            state.seen.append((self.command, self.path, dict(self.headers), body))
            if not parts.path.startswith(f"{state.sub}/api/v4/"):
                return self.reply(404, b"<html>not here</html>", {"Content-Type": "text/html"})
            fault = state.next_fault(self.command, parts.path)
            if fault.isdigit():
                return self.reply(
                    int(fault),
                    b"Retry later\n" if fault == "429" else b"<html>Bad</html>",
                    {"Retry-After": "0" if not state.project.get("slow") else "3600"},
                )
            if fault.startswith("to:"):
                return self.reply(302, b"", {"Location": fault[3:]})
            if self.headers.get("Authorization") != f"Bearer {state.token}":
                return self.reply(401, b'{"message": "401 Unauthorized"}')
            status, found = state.answer(self.command, parts.path, query, body)
            if fault == "lost":  # it took effect, and the answer is an error of the proxy
                return self.reply(502, b"<html>Bad gateway</html>")
            if fault == "cut":
                self.close_connection = True
                return self.connection.close()
            if isinstance(found, list) and self.command == "GET":
                return self.page(parts, query, found)
            return self.reply(status, json.dumps(found).encode())

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815

        def page(self, parts: Any, query: dict[str, str], rows: list[Any]) -> None:
            size, page = int(query.get("per_page", 20)), int(query.get("page", 1))
            more = len(rows) > size * page
            link = (
                {"Link": f'<http://other.example{parts.path}?per_page={size}&page={page + 1}>; rel="next"'}
                if more
                else {}
            )
            self.reply(200, json.dumps(rows[size * (page - 1) : size * page]).encode(), link)

        def reply(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, text in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler

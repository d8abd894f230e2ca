"""The client: what it sends twice and what not, how long it waits, what its errors say and never say."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from brain.errors import ForgeError
from brain.forge.gitlab import GitLab
from brain.forge.locate import Location, Secret
from tests.forge.responder import TOKEN, Responder

if TYPE_CHECKING:
    from pathlib import Path


def connect(
    server: Responder,
    tmp_path: Path,
    *,
    token: str = TOKEN,
    timeout: float = 5.0,
    project: str = "team/memory",
    url: str = "",
) -> GitLab:
    return GitLab(Location(((url or server.url, project),), Secret(token), "", timeout), str(tmp_path / "forge.json"))


def count(server: Responder, verb: str, part: str) -> int:
    return sum(1 for seen_verb, path, _, _ in server.seen if seen_verb == verb and part in path)


def test_the_project_is_found_once_and_then_by_its_number(server: Responder, tmp_path: Path) -> None:
    assert connect(server, tmp_path).project().id == 42
    assert "/projects/team%2Fmemory" in server.seen[0][1]
    server.path = "moved/elsewhere"
    assert connect(server, tmp_path).project().id == 42
    assert server.seen[-1][1].startswith("/api/v4/projects/42")


def test_a_number_that_is_gone_is_looked_for_again(server: Responder, tmp_path: Path) -> None:
    connect(server, tmp_path).project()
    server.project["id"] = 43
    assert connect(server, tmp_path).project().id == 43


def test_another_project_of_that_server_is_not_taken_for_it(server: Responder, tmp_path: Path) -> None:
    connect(server, tmp_path).project()
    with pytest.raises(ForgeError, match="there is no project 'team/other'"):
        connect(server, tmp_path, project="team/other").project()


def test_a_sub_path_is_found_by_what_answers_json(tmp_path: Path) -> None:
    server = Responder(sub="/git")
    root = server.url.removesuffix("/git")
    places = ((root, "git/team/memory"), (f"{root}/git", "team/memory"))
    gitlab = GitLab(Location(places, Secret(TOKEN), "", 5.0), str(tmp_path / "forge.json"))
    assert gitlab.project().path == "team/memory"
    assert json.loads((tmp_path / "forge.json").read_text())["project"] == {
        "server": f"{root}/git",
        "path": "team/memory",
        "id": 42,
    }
    server.close()


def test_the_token_travels_in_one_header_and_is_in_no_error(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path, token="glpat-wrong")
    with pytest.raises(ForgeError) as caught:
        gitlab.project()
    assert caught.value.status == 401
    assert caught.value.hint == "the token in BRAIN_GITLAB_TOKEN is not valid, has expired, or may not do this"
    assert "glpat" not in f"{caught.value}{caught.value.hint}{gitlab.location!r}"
    assert [name for name, text in server.seen[0][2].items() if "glpat" in text] == ["Authorization"]


def test_a_redirect_to_another_host_does_not_take_the_token_along(server: Responder, tmp_path: Path) -> None:
    got: list[dict[str, str]] = []

    class Thief(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            got.append(dict(self.headers))
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    thief = HTTPServer(("127.0.0.1", 0), Thief)
    threading.Thread(target=thief.handle_request, daemon=True).start()
    server.faults.append(("GET", "/projects", f"to:http://localhost:{thief.server_address[1]}/api/v4/projects/1"))
    with pytest.raises(ForgeError):
        connect(server, tmp_path).project()
    thief.server_close()
    assert len(got) == 1
    assert "glpat" not in str(got)


def test_a_redirected_write_is_an_error_that_says_where_to(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path)
    gitlab.project()
    server.faults.append(("POST", "/merge_requests", f"to:{server.url}/api/v4/projects/42/merge_requests"))
    with pytest.raises(ForgeError, match="redirected") as caught:
        gitlab.create_merge_request("memory/T", "main", {"title": "t"})
    assert "gitlab.url" in caught.value.hint


def test_a_get_and_a_put_are_sent_again_where_the_server_stumbles(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path)
    gitlab.create_merge_request("memory/T", "main", {"title": "t"})
    server.faults += [
        ("GET", "/merge_requests/1", "502"),
        ("GET", "/merge_requests/1", "503"),
        ("PUT", "/merge_requests/1", "lost"),
    ]
    assert gitlab.merge_request(1).title == "t"
    assert gitlab.update_merge_request(1, {"title": "new"}).title == "new"
    server.faults += [("GET", "/merge_requests/1", "502")] * 3
    with pytest.raises(ForgeError) as caught:
        gitlab.merge_request(1)
    assert (caught.value.status, caught.value.unclear, caught.value.exit_code) == (502, True, 5)


@pytest.mark.parametrize("fault", ["lost", "cut"])
def test_a_lost_answer_makes_no_second_merge_request_and_no_second_note(
    server: Responder, tmp_path: Path, fault: str
) -> None:
    gitlab = connect(server, tmp_path)
    server.faults += [("POST", "/merge_requests", fault)]
    assert gitlab.create_merge_request("memory/T", "main", {"title": "t"}).iid == 1
    server.faults += [("POST", "/notes", fault)]
    assert gitlab.put_note(1, "hello", "<!-- brain:x -->").body == "<!-- brain:x -->\nhello"
    assert gitlab.put_note(1, "again", "<!-- brain:x -->").body == "<!-- brain:x -->\nagain"
    assert (len(server.requests), len(server.notes[1]), count(server, "POST", "/merge_requests")) == (1, 1, 2)


def test_a_post_that_took_no_effect_is_sent_again_after_a_look(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path)
    server.faults += [("POST", "/merge_requests", "502")]
    assert gitlab.create_merge_request("memory/T", "main", {"title": "t"}).iid == 1
    assert count(server, "GET", "state=opened") == 1


def test_the_merge_request_that_is_there_is_found_by_its_number_in_the_refusal(
    server: Responder, tmp_path: Path
) -> None:
    gitlab = connect(server, tmp_path)
    gitlab.create_merge_request("memory/T", "main", {"title": "first"})
    assert gitlab.create_merge_request("memory/T", "main", {"title": "second"}).title == "first"


def test_a_short_rate_limit_is_waited_for_and_a_long_one_told(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path)
    gitlab.project()
    server.faults += [("POST", "/merge_requests", "429")]
    assert gitlab.create_merge_request("memory/T", "main", {"title": "t"}).iid == 1
    server.project["slow"] = True
    server.faults += [("GET", "/merge_requests/1", "429")]
    with pytest.raises(ForgeError) as caught:
        gitlab.merge_request(1)
    assert (caught.value.status, caught.value.hint) == (429, "try again in 3600 s")


def test_lists_are_read_to_the_end_whatever_host_the_links_name(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path)
    gitlab.create_merge_request("memory/T", "main", {"title": "t"})
    for number in range(250):
        server.note(1, "bob", str(number))
    assert [note.body for note in gitlab.notes(1)] == [str(number) for number in reversed(range(250))]


def test_nothing_answers(server: Responder, tmp_path: Path) -> None:
    server.close()
    with pytest.raises(ForgeError, match="Connection refused") as caught:
        connect(server, tmp_path).project()
    assert not caught.value.unclear
    assert caught.value.hint.startswith("check network")


def test_no_answer_in_time(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path, timeout=0.2)
    server.lock.acquire()
    with pytest.raises(ForgeError, match=r"no answer within 0\.2 s"):
        gitlab.project()
    server.lock.release()


def test_people_are_looked_up_once(server: Responder, tmp_path: Path) -> None:
    assert [connect(server, tmp_path).user_id(name) for name in ("pam", "pam", "nobody")] == [3, 3, 0]
    assert count(server, "GET", "username=pam") == 1


def test_approvals_and_merging(server: Responder, tmp_path: Path) -> None:
    gitlab = connect(server, tmp_path)
    gitlab.create_merge_request("memory/T", "main", {"title": "t"})
    assert [(row.person.username, row.at) for row in gitlab.approvals(1).given] == [("pam", "2026-01-02T03:04:05Z")]
    assert gitlab.merge(1, "f" * 40, squash=True).state == "merged"
    assert server.seen[-1][1].endswith("/merge")
    assert server.seen[-1][3] == {"sha": "f" * 40, "squash": True}
    with pytest.raises(ForgeError, match="SHA does not match"):
        gitlab.merge(1, "0" * 40)


def test_an_authority_of_one_s_own(server: Responder, tmp_path: Path) -> None:
    import ssl
    import subprocess

    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            str(key),
            "-out",
            str(certificate),
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.httpd.socket = context.wrap_socket(server.httpd.socket, server_side=True)
    places = ((f"https://localhost:{server.httpd.server_address[1]}", "team/memory"),)
    trusted = GitLab(Location(places, Secret(TOKEN), str(certificate), 5.0), str(tmp_path / "forge.json"))
    assert trusted.project().id == 42
    stranger = GitLab(Location(places, Secret(TOKEN), "", 5.0), str(tmp_path / "forge.json"))
    with pytest.raises(ForgeError, match="the certificate is not trusted") as caught:
        stranger.project()
    assert "gitlab.ca" in caught.value.hint

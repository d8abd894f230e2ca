"""A thousand hostile requests and what else people send: it answers, says nothing of its inside, and goes on."""

from __future__ import annotations

import json
import os
import random
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.serving import wait_for

if TYPE_CHECKING:
    from tests.api.conftest import World
    from tests.api.serving import Served

PATHS = (
    "/v1/projects/shop/memories/..%2f..%2fetc%2fpasswd", "/v1/projects/shop/memories/%00", "/v1/projects/shop/memories/%ff%fe",
    "/v1/projects/..%2f..%2f/index", "/v1/projects/shop/../../etc/passwd", "//etc/passwd", "/v1/projects/shop/memories/" + "a" * 9000,
    "/v1/projects/shop/memories/99.Memory%2f.git%2fconfig", "/v1/projects/shop/search?q=%ed%a0%80", "/v1/projects/shop/search?q=%00",
    "/v1/projects/shop/search?q=" + "%E6%B1%BA" * 400, "/v1/projects/shop/memories?limit=-1", "/v1/projects/shop/memories?limit=1e9",
    "/v1/projects/shop/memories?after=%F0%9F%98%80&limit=5", "/v1/projects/shop/index?function=%2e%2e%2f", "/openapi.json%00",
    "/v1/projects/SHOP/index", "/v1/projects/shop/index/", "/%2e%2e/", "/healthz/../metrics", "/v1/projects/shop%0d%0aX: y/index",
)  # fmt: skip
BODIES = (
    b"", b"{", b"null", b"[]", b'"x"', b'{"ticket": null}', b'{"ticket": {"title": 7}}', b'{"ticket": {"title": "\\ud800"}}',
    b'{"ticket": {"title": "a\\u0000b"}}', b'{"ticket": ' + b"[" * 60_000 + b"]" * 60_000 + b"}", b'{"ticket": {}, "limit": 1e999}',
    b'{"ticket": {}, "limit": NaN}', b'{"ticket": {}, "limit": ' + b"9" * 5000 + b"}", b"\xff\xfe{\x00", b"\xef\xbb\xbf{}",
    b'{"ticket": {"functionIds": ["' + b"x" * 600 + b'"]}}', b'{"ticket": {"title": "' + b"a" * 300_000 + b'"}}',
    b'{"ticket": {"keywords": [[[]]]}}', b'{"ticket": {"title": "' + "\u202e\u0007\u200b".encode() + b'"}}',
    b'{"machine": "../../x", "counts": {}}', b'{"machine": "a", "counts": {"\\u0000": 1}}', b'{"machine": "a", "counts": {"x": -1}}',
    b'{"machine": "a", "uses": {"x": {"hits": 1e999}}}', b'{"machine": "a", "weeks": {"9999-12-31": {"tokens": -1}}}',
    b'{"text": "\\u202e", "scope": "../../x", "refs": ["/etc/passwd"]}', b'{"text": "' + b"---\\n" * 5000 + b'"}',
    b'{"ticket": {"title": "x"}, "limit": true}', b'{"a": 1, "a": 2}', b"{}" * 1000, b"--x\r\ncontent-disposition: form-data\r\n\r\n",
)  # fmt: skip
HEADERS = (
    "", *("content-type: application/json",) * 6, "x-odd: \xe9\xff", "content-type: text/plain", "content-type: application/json; charset=utf-16", "content-encoding: gzip",
    "transfer-encoding: chunked", "expect: 100-continue", "authorization: Bearer \xff", "authorization: Basic eDp4", "host: evil.example",
    "x-request-id: a\tb", "if-none-match: " + '"x",' * 500, "accept: " + "a/b," * 2000, "x: " + "y" * 70_000, "content-length: 5",
    "x-forwarded-for: 127.0.0.1", "range: bytes=0-1", "cookie: " + "a=b; " * 500, "upgrade: websocket\r\nconnection: upgrade",
)  # fmt: skip
INSIDE = ("Traceback", "site-packages", "brain_api/", ".py", "/root/", "root:x:", "sqlite", "pydantic")


def exchange(url: str, sent: bytes) -> bytes:
    """Send bytes on a connection of their own and return what comes back before it ends or pauses."""
    parts = urlsplit(url)
    came = b""
    with socket.create_connection((parts.hostname, parts.port), timeout=5) as link:
        try:
            link.sendall(sent)
            link.shutdown(socket.SHUT_WR)
            while chunk := link.recv(65536):
                came += chunk
        except OSError:
            pass
    return came


def held(served: Served) -> int:
    """Return the files and threads that the service holds."""
    assert served.process
    return sum(len(os.listdir(f"/proc/{served.process.pid}/{kind}")) for kind in ("fd", "task"))


def test_a_thousand_hostile_requests_are_answered_and_tell_nothing(shared: World) -> None:
    served, rng = shared.served, random.Random(5)
    lines, seen, before = len(served.lines()), set(), held(served)
    for number in range(1000):
        verb = rng.choice(("GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"))
        path = rng.choice(
            (
                *PATHS,
                "/v1/projects/shop/recall",
                "/v1/projects/shop/hits",
                "/v1/projects/shop/counts",
                "/v1/projects/shop/drafts",
                "/v1/projects/shop/drafts/..%2f..%2fstate.json",
                "/v1/projects/shop/search",
                "/webhooks/gitlab",
            )
        )
        body, header = rng.choice(BODIES), rng.choice(HEADERS)
        bearer = f"authorization: Bearer {served.bearer}\r\n" if number % 4 and "authorization" not in header else ""
        head = f"{verb} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {len(body)}\r\n{bearer}"
        head += f"{header}\r\n\r\n" if header else "\r\n"
        answer = exchange(served.url, head.encode("latin-1", "replace") + body)
        text = answer.decode("utf-8", "replace")
        assert not [word for word in INSIDE if word in text], text[:2000]
        if answer:
            status = int(answer[9:12])
            assert status < 500 or status == 501, f"{head[:300]!r} {body[:80]!r}: {text[:800]}"
            seen.add(status)
            if b"problem+json" in answer and verb != "HEAD":
                assert json.loads(answer.rpartition(b"\r\n\r\n")[2])["status"] == status
    assert {200, 400, 401, 404, 405, 413, 422} <= seen, seen
    assert served.http.get("/v1/projects/shop/index").status_code == 200
    assert [row for row in served.events("bug") if row] == []
    assert served.bearer.rpartition("_")[2] not in "\n".join(served.lines()[lines:])
    wait_for(lambda: held(served) <= before + 16, "that files and threads are given back")
    print("1000 tried, 1000 survived")


@pytest.mark.parametrize("sent", [
    b"\x00" * 1000, b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"A" * 200_000,
    b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 60_000, b"POST /webhooks/gitlab HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n",
    b"POST /v1/projects/shop/recall HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
])  # fmt: skip
def test_what_is_no_http_ends_the_connection_and_nothing_else(shared: World, sent: bytes) -> None:
    answer = exchange(shared.served.url, sent)
    assert not answer or answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert shared.served.http.get("/healthz").status_code == 200


def test_a_body_that_lies_about_its_size_is_cut_off(shared: World) -> None:
    served = shared.served
    head = f"POST /v1/projects/shop/recall HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {served.bearer}\r\nconnection: close\r\n"
    chunks = b"".join(b"8000\r\n" + b" " * 0x8000 + b"\r\n" for _ in range(20)) + b"0\r\n\r\n"
    answer = exchange(served.url, head.encode() + b"transfer-encoding: chunked\r\n\r\n" + chunks)
    assert not answer or answer.startswith(b"HTTP/1.1 413"), answer[:200]  # cut off while it sends, or told
    said = exchange(served.url, head.encode() + b"content-length: 99999999\r\n\r\n{}")
    assert said.startswith(b"HTTP/1.1 413"), said[:200]


def begin(served: Served) -> socket.socket:
    """Begin a request whose body never comes whole."""
    parts = urlsplit(served.url)
    link = socket.create_connection((parts.hostname, parts.port), timeout=30)
    head = (
        "POST /v1/projects/shop/recall HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n"
    )
    link.sendall(f"{head}authorization: Bearer {served.bearer}\r\n\r\n{{".encode())
    return link


def test_more_at_once_than_can_be_is_turned_away_at_once(world: World) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + "\n[limits]\natOnce = 2\nseconds = 90\n")
    served = world.served.start()
    links: list[socket.socket] = []

    def is_busy() -> httpx.Response | None:
        if len(links) < 10:  # one or two may meet a request that is just ending
            links.append(begin(served))
        found = served.http.get(ask)
        return found if found.status_code == 503 else None

    ask = "/v1/projects/shop/index"
    busy = wait_for(is_busy, "that it is busy")
    assert (busy.json()["type"], busy.headers["retry-after"]) == ("urn:project-brain:problem:busy", "1")
    assert served.http.get("/healthz").status_code == 200
    for link in links:
        link.close()
    wait_for(lambda: served.http.get(ask).status_code == 200, "that it is free")


def test_a_body_that_does_not_come_is_not_waited_for(world: World) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + "\n[limits]\nseconds = 1\n")
    with begin(world.served.start()) as link:
        assert link.recv(4096).startswith(b"HTTP/1.1 504")

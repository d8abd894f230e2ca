"""The OpenAI-compatible endpoint, over real HTTP: what is asked, what is answered, and every way it goes wrong."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from brain.semantic.embedder import EmbedderError, embed, fingerprint_of, model_of, open_embedder
from brain.settings import load_config
from tests.semantic.hashed import Hashed

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = "s3cret-token"


class Handler(BaseHTTPRequestHandler):
    """Answers as such servers do, out of order; what else it says is set on the class."""

    seen: list[tuple[str, str, Any]]
    status: int
    body: bytes | None

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append((self.path, self.headers.get("Authorization", ""), asked))
        rows = [
            {"index": at, "embedding": vector} for at, vector in enumerate(Hashed().embed(asked["input"], query=True))
        ]
        body = type(self).body
        content = json.dumps({"data": rows[::-1]}).encode() if body is None else body
        self.send_response(type(self).status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Handler.seen, Handler.status, Handler.body = [], 200, None
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as found:
        threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield found
        found.shutdown()


def settings(server: ThreadingHTTPServer, **more: str) -> Any:
    url = f"http://127.0.0.1:{server.server_port}/v1/"
    return model_of(load_config({"semantic": {"embedder": "endpoint", "model": "e5", "url": url, **more}}, None, {}))


def test_texts_go_with_their_prefixes_and_the_token_and_come_back_in_order(server: ThreadingHTTPServer) -> None:
    model = settings(server)
    endpoint = open_embedder(model, {"BRAIN_SEMANTIC_TOKEN": SECRET})
    vectors = embed(endpoint, ["retry", "在庫"], query=False)
    assert (endpoint.dim, endpoint.fingerprint) == (64, fingerprint_of(model))
    assert list(vectors[0]) == pytest.approx(list(embed(Hashed(), ["passage: retry"], query=False)[0]), abs=1e-6)
    embed(endpoint, ["x"], query=True)
    paths, tokens, asked = zip(*Handler.seen, strict=True)
    assert set(paths) == {"/v1/embeddings"}
    assert set(tokens) == {f"Bearer {SECRET}"}
    assert [row["input"] for row in asked[1:]] == [["passage: retry", "passage: 在庫"], ["query: x"]]
    assert {row["model"] for row in asked} == {"e5"}


def test_without_a_token_none_is_sent(server: ThreadingHTTPServer) -> None:
    open_embedder(settings(server), {})
    assert Handler.seen[0][1] == ""


def test_many_texts_go_in_batches(server: ThreadingHTTPServer) -> None:
    endpoint = open_embedder(settings(server), {})
    assert len(embed(endpoint, [f"text {number}" for number in range(150)], query=False)) == 150
    assert [len(asked["input"]) for _, _, asked in Handler.seen] == [1, 64, 64, 22]


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b"{}", "401"), (404, b"{}", "404"), (500, b"oops", "500"), (200, b"<html>", "no embeddings"),
        (200, b'{"data": [{"index": 0}]}', "no embeddings"), (200, b'{"data": []}', "0 embeddings for 1 texts"),
        (200, b"[" * 100_000, "no embeddings"), (200, b'{"data": [{"index": 0, "embedding": ["x"]}]}', "no embeddings"),
    ],
)  # fmt: skip
def test_a_bad_answer_is_an_error_without_the_token(
    status: int, body: bytes, said: str, server: ThreadingHTTPServer
) -> None:
    Handler.status, Handler.body = status, body
    with pytest.raises(EmbedderError) as caught:
        open_embedder(settings(server), {"BRAIN_SEMANTIC_TOKEN": SECRET})
    assert said in str(caught.value)
    assert SECRET not in f"{caught.value} {caught.value.hint}"


def test_a_server_that_is_not_there_is_an_error(server: ThreadingHTTPServer) -> None:
    model = settings(server)
    server.shutdown()
    server.server_close()
    with pytest.raises(EmbedderError, match=r"http://127\.0\.0\.1:\d+: "):
        open_embedder(model, {})


@pytest.mark.parametrize("token", ["a\nb", "日本"])
def test_a_token_that_no_header_can_hold_is_not_said(token: str, server: ThreadingHTTPServer) -> None:
    with pytest.raises(EmbedderError) as caught:
        open_embedder(settings(server), {"BRAIN_SEMANTIC_TOKEN": token})
    assert token not in str(caught.value)


@pytest.mark.parametrize("url", ["ftp://h/v1", "http://ada:pw@h/v1", "h/v1", "http:///v1"])
def test_an_address_that_is_none_or_holds_a_password_is_refused(url: str, server: ThreadingHTTPServer) -> None:
    with pytest.raises(EmbedderError, match="no plain http address") as caught:
        open_embedder(settings(server, url=url), {})
    assert "pw" not in str(caught.value)

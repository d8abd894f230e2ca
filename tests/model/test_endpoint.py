"""The address that chats, over real HTTP: what is asked, what is answered, and every way it goes wrong."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from brain.errors import BrainError, ConfigError
from brain.model.endpoint import Endpoint
from brain.model.model import ModelError, find_model
from brain.settings import load_config
from brain.workspace import Workspace, find_workspace
from tests.support.repos import commit, make_repo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "s3cret-token"
SAID = json.dumps({"choices": [{"message": {"role": "assistant", "content": "おはよう"}}]}).encode()


class Handler(BaseHTTPRequestHandler):
    """Answers as such servers do; what else it says is set on the class."""

    seen: list[tuple[str, str, Any]]
    status: int
    body: bytes
    location: str
    pause: float

    def do_POST(self) -> None:
        kind = type(self)
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind.seen.append((self.path, self.headers.get("Authorization", ""), asked))
        self.send_response(kind.status)
        if kind.location:
            self.send_header("Location", kind.location)
        self.send_header("Content-Length", str(len(kind.body)))
        self.end_headers()
        try:
            for sign in kind.body:
                self.wfile.write(bytes([sign]))
                if kind.pause:
                    time.sleep(kind.pause)
        except OSError:  # the other side hung up
            pass

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Handler.seen, Handler.status, Handler.body, Handler.location, Handler.pause = [], 200, SAID, "", 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as found:
        threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield found
        found.shutdown()


def endpoint(server: ThreadingHTTPServer, seconds: float = 10) -> Endpoint:
    return Endpoint(f"http://127.0.0.1:{server.server_port}/v1/", "m-1", "MY_KEY", {"MY_KEY": SECRET}, seconds)


def test_a_question_goes_with_its_token_and_the_answer_comes_back(server: ThreadingHTTPServer) -> None:
    model = endpoint(server)
    assert model.answer("chào") == "おはよう"
    (path, token, asked) = Handler.seen[0]
    assert (path, token) == ("/v1/chat/completions", f"Bearer {SECRET}")
    assert asked == {"model": "m-1", "messages": [{"role": "user", "content": "chào"}], "temperature": 0}
    assert model.label == f"m-1 at http://127.0.0.1:{server.server_port}"


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (401, "is the token in MY_KEY right?"),
        (500, ""),
        (404, "does model.endpoint end in /v1, and is model.name known there?"),
    ],
)
def test_a_refusal_is_told_with_its_mend_and_without_the_token(
    server: ThreadingHTTPServer, status: int, hint: str
) -> None:
    Handler.status, Handler.body = status, SECRET.encode()
    with pytest.raises(ModelError, match=str(status)) as caught:
        endpoint(server).answer("x")
    assert caught.value.hint == hint
    assert SECRET not in str(caught.value)


def test_a_redirect_is_not_followed_so_that_no_token_goes_elsewhere(server: ThreadingHTTPServer) -> None:
    Handler.status, Handler.location = 302, f"http://localhost:{server.server_port}/elsewhere"
    with pytest.raises(ModelError, match="302") as caught:
        endpoint(server).answer("x")
    assert "leads elsewhere" in caught.value.hint
    assert len(Handler.seen) == 1


def test_a_slow_server_is_given_up_at_the_deadline_however_steadily_it_drips(server: ThreadingHTTPServer) -> None:
    Handler.pause = 0.1
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"no answer within 0\.5 s"):
        endpoint(server, 0.5).answer("x")
    assert time.monotonic() - started < 3


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"{}", b'{"choices": []}', b'{"choices": [{"message": {"content": null}}]}', b"[" * 9000]
)
def test_what_is_no_answer_is_said(server: ThreadingHTTPServer, body: bytes) -> None:
    Handler.body = body
    with pytest.raises(ModelError, match="message"):
        endpoint(server).answer("x")


def test_nobody_there_and_a_wrong_address_are_said() -> None:
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9"):
        Endpoint("http://127.0.0.1:9/v1", "m", "", {}, 2).answer("x")
    for url in ("ftp://x/v1", "localhost:80", f"https://me:{SECRET}@host/v1", "http://host:99999999/v1"):
        with pytest.raises(BrainError, match=r"model\.endpoint is no plain http address") as caught:
            Endpoint(url, "m", "MY_KEY", {"MY_KEY": SECRET}, 2)
        assert SECRET not in f"{caught.value}{caught.value.hint}"
    with pytest.raises(ConfigError, match="MY_KEY"):
        Endpoint("http://127.0.0.1:9/v1", "m", "MY_KEY", {}, 2)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    repo = make_repo(tmp_path / "code", {"a": "b"})
    (repo / ".aiflow").mkdir()
    return find_workspace(str(repo))


@pytest.mark.parametrize(
    "name", ["model.command", "model.endpoint", "model.name", "model.keyVariable", "model.deadline"]
)
def test_the_memory_repo_can_set_no_model(workspace: Workspace, name: str) -> None:
    values = {"model.command": ["sh", "-c", "x"], "model.deadline": 1}
    config = load_config({"model": {name.partition(".")[2]: values.get(name, "http://evil.example/v1")}}, None, {})
    assert "each person's own" in str(config.problems[0])
    assert config.source(name) == "default"
    assert find_model(config, {}, workspace) is None


def test_the_workspace_and_the_environment_can_and_a_command_goes_first(workspace: Workspace) -> None:
    state = {"model": {"command": ["mine", "-p"], "endpoint": "http://host/v1", "name": "m"}}
    model = find_model(load_config({}, state, {}), {}, workspace)
    assert model
    assert model.label == "mine -p"
    config = load_config({}, state, {"BRAIN_MODEL_COMMAND": "claude -p 'a b'"})
    assert config["model.command"] == ["claude", "-p", "a b"]
    assert load_config({}, None, {"BRAIN_MODEL_COMMAND": '["x", "y z"]'})["model.command"] == ["x", "y z"]
    assert load_config({}, None, {"BRAIN_MODEL_COMMAND": "'x"}).problems
    assert find_model(load_config({}, {"model": {"endpoint": "http://host/v1", "name": "m"}}, {}), {}, workspace)
    with pytest.raises(ConfigError, match=r"model\.name"):
        find_model(load_config({}, {"model": {"endpoint": "http://host/v1"}}, {}), {}, workspace)


def test_settings_that_are_in_git_name_no_program(workspace: Workspace, tmp_path: Path) -> None:
    state = {"model": {"command": ["evil"]}}
    commit(tmp_path / "code", {".aiflow/state.json": json.dumps(state)})
    with pytest.raises(ConfigError, match="the file is in git") as caught:
        find_model(load_config({}, state, {}), {}, workspace)
    assert "BRAIN_MODEL_COMMAND" in caught.value.hint
    assert find_model(load_config({}, state, {"BRAIN_MODEL_COMMAND": "mine"}), {}, workspace)

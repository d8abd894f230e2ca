"""``brain pending take``: from the service into a workspace, once, whoever is killed and whoever else takes too."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from brain.git.refs import find_repo
from brain.index.cache import cache_dir
from brain.sources.taking import FILE
from tests.api.conftest import RETRY
from tests.api.test_drafts import LESSON, URL, post
from tests.support.program import CODE, program
from tests.support.repos import clone, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.api.conftest import World

TEXTS = {
    "mem-F003-close": "受注は17時に締める。過ぎた分は翌日に計上される。",
    "mem-F003-card": "Cổng thanh toán từ chối thẻ hết hạn mà không ghi mã lỗi nào.",
    "mem-F003-ship": "Parcels above thirty kilograms go by the second carrier.",
}


class Person:
    """Somebody with a clone of the memory repo and a token of the service."""

    def __init__(self, world: World, name: str) -> None:
        self.folder = clone(world.memory, world.folder / name)
        token = world.served.token("draft", project="shop", name=name)
        self.env = {"BRAIN_SERVICE_URL": f"{world.served.url}/v1/projects/shop", "BRAIN_SERVICE_TOKEN": token}

    def take(self, *args: str, **env: str) -> tuple[int, str, str]:
        done = program("pending", "take", *args, folder=self.folder, env={**self.env, **env})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def drafts(self) -> dict[str, str]:
        folder = self.folder / "99.Memory/_pending"
        return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.md")}

    @property
    def notes(self) -> Path:
        repo = find_repo(str(self.folder))
        assert repo
        return self.folder / cache_dir(repo) / FILE


def file(world: World) -> dict[str, dict[str, Any]]:
    """File drafts as a program does; return id → what was answered."""
    made = {}
    for name, text in TEXTS.items():
        body = {**LESSON, "text": text, "tags": [name.rpartition("-")[2], "later"], "ticket": {}}
        answer = post(world.served, body, name)
        assert answer.status_code == 201, answer.text
        made[answer.json()["id"]] = answer.json()
    return made


def waiting(world: World) -> list[str]:
    return [row["id"] for row in world.served.http.get(URL).json()["drafts"]]


def count(world: World) -> int:
    found: int = world.served.http.get("/v1/projects/shop/report").json()["queue"]["drafts"]
    return found


def queue(world: World) -> str:
    """Return the page of the queue, as a browser gets it."""
    cookies = {"brain_token": world.served.bearer}
    with httpx.Client(base_url=world.served.url, cookies=cookies, trust_env=False, timeout=30) as http:
        return http.get("/p/shop/queue").text


def test_drafts_are_listed_taken_and_gone_from_the_service(world: World) -> None:
    world.served.start()
    made, mai = file(world), Person(world, "mai")
    assert (count(world), "3 drafts wait" in queue(world)) == (3, True)
    status, out, err = mai.take("--dry-run")
    assert (status, sorted(line.split("\t")[0] for line in out.splitlines()), mai.drafts()) == (0, sorted(made), {})
    assert "3 at the service" in err
    first = next(iter(made))
    status, out, _ = mai.take(first, LC_ALL="C")
    assert (status, out.splitlines()[1]) == (0, f"\t{made[first]['path']}")
    assert sorted(waiting(world)) == sorted(made.keys() - {first})
    assert mai.take()[0] == 0
    below = "99.Memory/_pending/"
    assert mai.drafts() == {row["path"].removeprefix(below): row["text"] for row in made.values()}
    assert (waiting(world), count(world), "drafts wait" in queue(world)) == ([], 0, False)
    assert mai.take() == (0, "", "brain: no drafts wait at the service\n")
    listed = program("pending", folder=mai.folder).stdout.decode()
    assert all(name in listed for name in made)
    linted = program("lint", *(row["path"] for row in made.values()), folder=mai.folder)
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_nothing_here_is_written_over_and_what_stays_says_why(world: World) -> None:
    world.served.start()
    changed = post(
        world.served, {"text": "Retry thrice: the gateway drops two.", "apply": "retry", "update": "mem-F003-retry"}
    )
    assert changed.status_code == 201
    mai = Person(world, "mai")
    own = mai.folder / "99.Memory/_pending" / RETRY
    own.parent.mkdir(parents=True)
    own.write_text(memory_text(RETRY, "My own.\n\n**Apply:** keep it.", status="pending"))
    before = own.read_text()
    status, out, err = mai.take()
    assert (status, out, own.read_text()) == (1, "", before)
    assert "left: mem-F003-retry: another draft mem-F003-retry is here" in err
    assert waiting(world) == ["mem-F003-retry"]
    assert program("pending", "drop", "mem-F003-retry", folder=mai.folder).returncode == 0
    assert mai.take("mem-F003-retry")[0] == 0
    assert (own.read_text(), waiting(world)) == (changed.json()["text"], [])


def test_of_two_who_take_at_once_each_draft_is_one_persons(world: World) -> None:
    world.served.start()
    made, people = file(world), [Person(world, name) for name in ("mai", "ken")]
    threads = [threading.Thread(target=person.take) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    mine, theirs = (person.drafts() for person in people)
    assert mine.keys() & theirs.keys() == set()
    assert len(mine) + len(theirs) == len(made)
    assert waiting(world) == []


@pytest.mark.parametrize("when", ["written", "noted", "taken"])
def test_killed_at_any_point_the_next_run_ends_it(world: World, when: str) -> None:
    """The program is stopped for good right after a step; what it was at is neither doubled nor lost."""
    world.served.start()
    (name, made), *_ = file(world).items()
    mai = Person(world, "mai")
    script = (
        "import os, signal, sys\n"
        "from brain import cli\n"
        "from brain.sources import taking\n"
        f"names = {{'written': (taking, 'file_draft'), 'noted': (taking.Taking, '_note'), 'taken': (taking.Service, 'take')}}\n"
        f"where, what = names[{when!r}]\n"
        "real = getattr(where, what)\n"
        "def die(*given, **named):\n"
        "    real(*given, **named)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "setattr(where, what, die)\n"
        f"sys.exit(cli.main(['-C', {str(mai.folder)!r}, 'pending', 'take', {name!r}]))\n"
    )
    env = {**os.environ, **CODE, **mai.env}
    died = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr
    path = made["path"].removeprefix("99.Memory/_pending/")
    assert mai.drafts() == {path: made["text"]}
    assert (name in waiting(world)) == (when != "taken")
    if when == "noted":  # it was submitted, or dropped, before the next run: it does not come again
        (mai.folder / made["path"]).unlink()
    assert mai.take()[0] == 0
    assert waiting(world) == []
    assert len(mai.drafts()) == (len(TEXTS) - 1 if when == "noted" else len(TEXTS))
    assert {row["open"] for row in json.loads(mai.notes.read_text()).values()} == {False}


def test_what_somebody_else_took_while_we_did_not_hear_is_set_aside(world: World) -> None:
    world.served.start()
    (name, made), *_ = file(world).items()
    mai, ken = Person(world, "mai"), Person(world, "ken")
    with forward(world.served.url) as (url, cut):
        at = f"{url}/v1/projects/shop"
        cut.append(b"DELETE")
        status, _, err = mai.take(name, BRAIN_SERVICE_URL=at)
        assert (status, f"brain: {url}: " in err) == (3, True)
        assert name in waiting(world)
        cut.clear()
        assert ken.take(name)[0] == 0
        assert f"{name}: somebody else took it first" in mai.take(BRAIN_SERVICE_URL=at)[2]
    path = made["path"].removeprefix("99.Memory/_pending/")
    assert path not in mai.drafts()
    assert ken.drafts() == {path: made["text"]}
    assert program("pending", "restore", name, folder=mai.folder).returncode == 0, "nothing is gone for good"
    assert mai.drafts()[path] == made["text"]


@contextlib.contextmanager
def forward(url: str) -> Iterator[tuple[str, list[bytes]]]:
    """Yield an address that passes requests on, and what those begin with that get no answer."""
    cut: list[bytes] = []
    host, _, port = url.partition("://")[2].partition(":")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def go() -> None:
            while True:
                try:
                    asking, _ = server.accept()
                except OSError:
                    return
                with asking, socket.create_connection((host, int(port))) as there:
                    head = asking.recv(65536)
                    if head.startswith(tuple(cut)):
                        continue
                    there.sendall(head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
                    while more := there.recv(65536):
                        asking.sendall(more)

        thread = threading.Thread(target=go, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", cut
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


@pytest.mark.parametrize(("env", "said"), [
    ({"BRAIN_SERVICE_URL": ""}, "BRAIN_SERVICE_URL: is not set"), ({"BRAIN_SERVICE_TOKEN": "wrong"}, "401"),
    ({"BRAIN_SERVICE_TOKEN": ""}, "put a token into BRAIN_SERVICE_TOKEN"), ({"BRAIN_SERVICE_URL": "file:///etc"}, "no plain http"),
    ({"BRAIN_SERVICE_URL": "http://127.0.0.1:9/v1/projects/shop"}, "refused"),
])  # fmt: skip
def test_what_is_missing_is_said_and_no_token_with_it(
    shared: World, tmp_path: Path, env: dict[str, str], said: str
) -> None:
    token = shared.served.token("draft", project="shop")
    base = {"BRAIN_SERVICE_URL": f"{shared.served.url}/v1/projects/shop", "BRAIN_SERVICE_TOKEN": token}
    docs = clone(shared.memory, tmp_path / "docs")
    done = program("pending", "take", folder=docs, env={**base, **env})
    assert (done.returncode, done.stdout) == (3, b"")
    assert said in done.stderr.decode()
    assert token not in done.stderr.decode()


@pytest.mark.parametrize(("row", "text", "why"), [
    ({"path": "../../.bashrc.md"}, "x", "no memory may lie here"), ({"path": RETRY}, "x", "1: "),
    ({"path": RETRY}, memory_text(RETRY, "The key is glpat-Zx81kqPwLm3vTn7RyB4c.\n\n**Apply:** no."), "M4"),
    ({"path": "01.Lessons/dev/../x.md"}, memory_text(RETRY), ""),
])  # fmt: skip
def test_what_a_service_claims_is_believed_only_as_far_as_it_goes(
    world: World, row: dict[str, str], text: str, why: str
) -> None:
    docs = clone(world.memory, world.folder / "mai")
    listed = {"drafts": [{"id": "mem-F003-retry", "path": "", "hook": "\x1b[31mred", "days": 0, "problem": "", **row}]}
    with answering(json.dumps(listed), text) as (url, asked):
        done = program("pending", "take", folder=docs, env={"BRAIN_SERVICE_URL": f"{url}/v1/projects/shop"})
    assert done.returncode == 1, done.stderr
    assert b"left: mem-F003-retry: " in done.stderr
    assert why in done.stderr.decode()
    assert b"\x1b" not in done.stderr + done.stdout
    assert not any(one.startswith("DELETE") for one in asked), "it stays where it is"
    assert [path for path in docs.rglob("*.md") if "_pending" in path.parts] == []
    assert not (docs / ".bashrc.md").exists()


@contextlib.contextmanager
def answering(listed: str, text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a server that lists these drafts, each with this text; and what it was asked."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.requestline)
            body = (listed if self.path.endswith("/drafts") else text).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_DELETE = do_GET  # noqa: N815 - the library's name for it

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_the_memory_repo_cannot_say_where_the_token_goes(world: World) -> None:
    docs = clone(world.memory, world.folder / "mai")
    world.share("brain.toml", '[service]\nurl = "http://evil.example/v1/projects/shop"\n')
    done = program(
        "pending", "take", folder=docs, env={"BRAIN_SERVICE_TOKEN": "s3cret", "BRAIN_RECALL_FETCHSECONDS": "10"}
    )
    assert done.returncode == 3
    assert b"evil.example" not in done.stderr

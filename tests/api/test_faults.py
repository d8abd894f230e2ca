"""What breaks around the service: remotes, disk, processes, repositories. It answers, and mends what is its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api.conftest import NOON, RETRY
from tests.api.serving import Served, wait_for
from tests.api.test_webhook import HOOK, SAMPLES, SECRET, send
from tests.support.repos import git, memory_text

if TYPE_CHECKING:
    from tests.api.conftest import World


def recalled(served: Served, project: str = "shop") -> list[str]:
    body = {
        "ticket": {
            "title": "retry a payment",
            "functionId": "F-003",
            "workflow": "coding",
            "keywords": ["payment", "log"],
        }
    }
    found = served.http.post(f"/v1/projects/{project}/recall", json=body)
    assert found.status_code == 200, found.text
    return [row["id"] for row in found.json()["memories"]]


BOTH = ["mem-F003-retry", "mem-F003-noon"]


def test_a_remote_that_is_away_leaves_what_was_there_and_is_said(world: World) -> None:
    served = world.served.start()
    aside = world.memory.rename(world.folder / "aside")
    wait_for(lambda: served.row()["status"] == "old", "that it is missed")
    assert served.http.get("/readyz").json()["status"] == "old"
    (cause,) = served.row()["cause"]
    assert cause.startswith("memory: git ls-remote origin: fatal: ")
    assert recalled(served) == BOTH
    served.stop()
    served.start()
    assert recalled(served) == BOTH, "after a restart too"
    aside.rename(world.memory)
    wait_for(lambda: served.row()["status"] == "ready", "that it is back")


def test_a_project_whose_remote_never_answers_stops_no_other(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/docs.git"
        world.served.settings.write_text(world.served.settings.read_text() + f'[projects.mill]\nmemory = "{url}"\n')
        served = world.served.start(ready=False)
        wait_for(lambda: served.row("shop")["status"] == "ready", "the other project")
        assert recalled(served) == BOTH
        late = served.http.post("/v1/projects/mill/recall", json={"ticket": {"title": "x"}})
        assert (late.status_code, late.json()["type"]) == (503, "urn:project-brain:problem:not-ready")
        ready = served.http.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "starting")
        new = world.share(NOON, memory_text(NOON, "Noon.\n\n**Apply:** it."))
        wait_for(lambda: served.commit() == new, "a change of the other")
        assert served.stop() == 0


def test_a_full_disk_takes_no_webhook_and_no_count_and_answers_go_on(world: World) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + HOOK)
    world.served.env["HOOK_SECRET"] = SECRET
    served = world.served.start()
    drafts = "/v1/projects/shop/drafts"
    waits = served.http.post(
        drafts, json={"text": "Parcels go by van.", "apply": "call it", "type": "lesson", "scope": "F-003"}
    )
    served.stop()
    journal = served.folder / "data" / "shop" / "deliveries.jsonl"
    full = 1 << 16
    journal.write_bytes(b"0" * (full - 40) + b"\n")
    (served.folder / "data" / "shop" / "hits.jsonl").write_bytes(b"0" * (full - 40) + b"\n")
    (served.folder / "data" / "shop" / "drafts.jsonl").write_bytes(b"0" * (full - 40) + b"\n")
    served.limit = full
    served.log = served.folder / "log2"
    served.start()
    answer = send(served, SAMPLES["open"])
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:project-brain:problem:not-kept")
    counts = {"machine": "ada", "counts": {"mem-F003-noon": 1}}
    assert served.http.post("/v1/projects/shop/hits", json=counts).status_code == 503
    whole = {"machine": "ada", "uses": {"mem-F003-noon": {"hits": 1}}}
    assert served.http.post("/v1/projects/shop/counts", json=whole).status_code == 503
    lesson = {"text": "Close the books at noon.", "apply": "close them", "type": "lesson", "scope": "F-003"}
    keyed = {"url": drafts, "json": lesson, "headers": {"idempotency-key": "k"}}
    taken = {"url": f"{drafts}/{waits.json()['id']}", "headers": {"idempotency-key": "d"}}
    assert served.http.post(**keyed).status_code == 503
    assert served.http.delete(**taken).status_code == 503
    assert [row["id"] for row in served.http.get(drafts).json()["drafts"]] == [waits.json()["id"]]
    assert journal.stat().st_size == full - 39, "nothing is half written"
    assert recalled(served) == BOTH
    served.stop()
    served.limit = 0
    served.start()
    assert send(served, SAMPLES["open"]).json() == {"accepted": True}
    assert served.http.post("/v1/projects/shop/hits", json=counts).json() == {"grown": 1, "unknown": []}
    assert served.http.post(**keyed).status_code == 201
    assert [served.http.delete(**taken).status_code for _ in range(2)] == [204, 204], "asked again, it is done once"


def workers_of(served: Served) -> set[int]:
    assert served.process
    found = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(served.process.pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return {int(line.split()[0]) for line in found.stdout.splitlines() if "spawn_main" in line}


def two_workers(served: Served, without: int = 0) -> set[int]:
    """Return the workers as soon as there are two, none of them that one."""
    found: set[int] = wait_for(
        lambda: len(found := workers_of(served)) == 2 and without not in found and found, "two workers"
    )
    return found


def see_change(world: World, body: str) -> None:
    """Change a memory and wait until it is served."""
    new = world.share(NOON, memory_text(NOON, body))
    wait_for(lambda: world.served.commit() == new, "a change")


def test_a_worker_that_is_killed_is_replaced_and_another_goes_on_keeping(world: World) -> None:
    world.served.settings.write_text("workers = 2\n" + world.served.settings.read_text())
    served = world.served.start()
    for pid in sorted(two_workers(served)):
        os.kill(pid, signal.SIGKILL)
        assert len(two_workers(served, without=pid)) == 2
        see_change(world, f"Noon {pid}.\n\n**Apply:** it.")
    assert recalled(served) == BOTH
    served.stop()
    assert not workers_of(served)


def test_a_branch_that_was_pushed_anew_is_followed(world: World) -> None:
    served = world.served.start()
    git(world.memory, "checkout", "-q", "--orphan", "again")
    git(world.memory, "rm", "-q", "--cached", f"99.Memory/{RETRY}")
    (world.memory / "99.Memory" / RETRY).unlink()
    git(world.memory, "commit", "-q", "-m", "again")
    git(world.memory, "branch", "-q", "-M", "again", "main")
    git(world.memory, "reflog", "expire", "--expire=now", "--all")
    git(world.memory, "gc", "-q", "--prune=now")
    head = git(world.memory, "rev-parse", "main")
    wait_for(lambda: served.commit() == head, "the new history")
    assert recalled(served) == ["mem-F003-noon"]


def test_a_mirror_that_is_broken_is_made_anew(world: World) -> None:
    served = world.served.start()
    served.stop()
    mirror = served.folder / "data" / "shop" / "memory.git"
    shutil.rmtree(mirror / "brain")  # no cache of ours either
    for path in (mirror / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            path.write_bytes(b"broken" + os.urandom(20))
    served.start(ready=False)
    wait_for(lambda: served.row()["status"] == "ready", "a new mirror")
    assert recalled(served) == BOTH


@pytest.mark.parametrize("damage", ["bytes", "gone", "pointer"])
def test_a_cache_that_is_damaged_while_it_is_served_is_made_anew(world: World, damage: str) -> None:
    served = world.served.start()
    cache = served.folder / "data" / "shop" / "memory.git" / "brain"
    for path in [*cache.glob("*.segment"), *cache.glob("index-*.json")]:
        if damage == "gone":
            path.unlink()
        elif damage == "bytes" and path.suffix == ".segment":
            with path.open("r+b") as file:
                file.seek(path.stat().st_size // 3)
                file.write(b"\xff" * (path.stat().st_size // 3))
        elif damage == "pointer" and path.suffix == ".json":
            path.write_text("{")
    assert recalled(served) == BOTH
    served.kill()
    served.start()
    assert recalled(served) == BOTH
    assert served.events("bug") == []


def test_what_a_bad_commit_brings_hides_nothing_that_is_good(world: World) -> None:
    served = world.served.start()
    new = world.share(RETRY, "---\nid: [\n---\n")
    wait_for(lambda: served.commit() == new, "the commit")
    assert recalled(served) == ["mem-F003-noon"]
    assert served.http.get("/v1/projects/shop/report").json()["unreadable"] == 1
    world.share("brain.toml", "[recall\n")
    new = world.share("03.Retro/X.md", "\x00" * 100)
    wait_for(lambda: served.commit() == new, "the next commit")
    assert recalled(served) == ["mem-F003-noon"]


def test_readers_never_see_half_of_a_change(world: World) -> None:
    world.served.settings.write_text(world.served.settings.read_text() + "\n[limits]\nrate = 1000000\n")
    served = world.served.start()
    made: dict[str, str] = {}
    broken: list[str] = []
    done = threading.Event()

    def read() -> None:
        import httpx

        with httpx.Client(base_url=served.url, headers=served.http.headers, trust_env=False, timeout=30) as http:
            while not done.is_set():
                body = {"ticket": {"title": "payment", "functionId": "F-003"}, "limit": 0}
                found = http.post("/v1/projects/shop/recall", json=body).json()
                marks = {line for line in found["context"].splitlines() if line.startswith("mark ")}
                if len(marks) > 1 or (found["commit"] in made and marks != {made[found["commit"]]}):
                    broken.append(json.dumps(found))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        for number in range(12):
            mark = f"mark {number}"
            for name in (RETRY, NOON):
                path = world.memory / "99.Memory" / name
                path.write_text(memory_text(name, f"{mark}\n\n**Apply:** it."))
            git(world.memory, "commit", "-q", "-am", mark)
            made[git(world.memory, "rev-parse", "HEAD")] = mark
        wait_for(lambda: served.commit() == list(made)[-1], "the last change")
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert broken == []


def test_it_stops_when_it_is_told_and_finishes_what_it_is_at(world: World) -> None:
    served = world.served.start()
    assert recalled(served) == BOTH
    assert served.stop() == 0
    assert [row["event"] for row in map(json.loads, filter(lambda line: line.startswith("{"), served.lines()))][
        -1
    ] == "stop"


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path, world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = world.served.run("serve", "--settings", str(world.served.settings), "--port", port)
    assert done.returncode == 3
    assert f"brain-api: 127.0.0.1:{port} cannot be listened on\nhint: take another: --port N\n" in done.stderr

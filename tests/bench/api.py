"""``python -m tests.bench.api``: recall over HTTP at 10,000 memories against the same app answering a constant.

One worker on one core, the load on the other. Three loads, each against a constant of the same size behind the same
guard: tickets that are asked again and again, tickets that are each asked once, and the constant itself. While they run,
a memory changes and a webhook tells it, every second. Beside the wall clock stands the server's processor time a request,
which a machine that is shared does not change. ``--soak SECONDS`` watches the memory of the server instead.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.figures import figure
from tests.bench.stores import FUNCTIONS, Store, build, change, git, some_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastapi import FastAPI

    from brain_api.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
RATE, SECONDS, CONNECTIONS = 300, 10.0, 16
P99_TARGET, SHARE_TARGET = 15.0, 0.5
SECRET = "bench"
SOAK_CLIENTS, SOAK_LOOKS, SOAK_TARGET = 8, 10, 1.1


def make_app(settings: Settings, env: Mapping[str, str]) -> FastAPI:
    """Return the service with one more route: the same guard and body, a constant for an answer."""
    from fastapi import Response

    from brain_api.app import create_app
    from brain_api.models import RecallBody
    from brain_api.routes import Readable

    app = create_app(settings, env)
    constant = b" " * int(env.get("BENCH_SIZE", "7000"))

    async def answer(project: Any, body: Any) -> Response:
        return Response(constant, media_type="application/json")

    answer.__annotations__ = {"project": Readable, "body": RecallBody, "return": Response}
    app.add_api_route("/v1/projects/{project}/constant", answer, methods=["POST"], response_model=None)
    return app


def main() -> int:
    """Measure and print; exit 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench" / "api")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--tickets", type=int, default=100, help="different tickets in the mixed load")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--still", action="store_true", help="no change of the memory while it is measured")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="watch the memory under a mixed load instead")
    parser.add_argument("--serve", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return run_server(args.serve)
    return measure(open_store(args.folder / str(args.size), args.size), args)


def open_store(folder: Path, size: int) -> Store:
    """Return the store, built if it is not there."""
    if not folder.exists():
        return build(folder, size)
    code = folder / "code"
    return Store(folder / "memory", code, git(code, "rev-list", "--reverse", "HEAD").split())


def run_server(path: str) -> int:
    """Serve with the constant beside."""
    from brain_api.run import Factory, serve
    from brain_api.settings import read_settings

    return serve(Factory(read_settings(path, os.environ), dict(os.environ), make_app))


def measure(store: Store, args: argparse.Namespace) -> int:
    """Start the server and put each load on it."""
    folder = args.folder / "service"
    folder.mkdir(parents=True, exist_ok=True)
    env = settings_for(folder, store, args.workers)
    cores = sorted(os.sched_getaffinity(0))
    first, _ = start(folder, env)
    end(first)
    server, port = start(folder, env)  # what the one before made lies there still
    try:
        if args.workers == 1 and len(cores) > 1 and not args.soak:
            pin(server.pid, cores[0])
            pin(os.getpid(), cores[1])
        bench = Bench(port, server.pid, store, args)
        return asyncio.run(bench.soak(args.soak) if args.soak else bench.run())
    finally:
        end(server)


def settings_for(folder: Path, store: Store, workers: int) -> dict[str, str]:
    """Write the server's settings into a folder; return its environment."""
    settings = folder / "api.toml"
    settings.write_text(f'''listen = "127.0.0.1:0"
public = ["read", "hits", "review", "metrics"]
workers = {workers}
[limits]
rate = 1000000
burst = 1000000
atOnce = 200
[projects.bench]
memory = "{store.memory_repo}"
code = "{store.code_repo}"
pollSeconds = 3600
gitlabProject = "team/bench"
secretVariable = "BENCH_SECRET"
''')
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "api"))), "BENCH_SECRET": SECRET}


def start(folder: Path, env: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start the server in a folder and return it with its port, once it is ready."""
    log = folder / "log"
    started = time.monotonic()
    command = [sys.executable, "-m", "tests.bench.api", "--serve", str(folder / "api.toml")]
    with log.open("w") as written:
        server = subprocess.Popen(command, env=env, cwd=ROOT, stderr=written, stdout=written)
    port = asyncio.run(wait_until_ready(log, server))
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; ready {time.monotonic() - started:.2f} s after the start"
    )
    return server, port


def end(server: subprocess.Popen[bytes]) -> None:
    """Stop the server as a system does."""
    server.send_signal(signal.SIGTERM)
    server.wait(20)


def pin(pid: int, core: int) -> None:
    """Bind a process with all its threads to a core."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(thread), {core})


async def wait_until_ready(log: Path, server: subprocess.Popen[bytes]) -> int:
    """Return the port once every project is served."""
    while server.poll() is None:
        line = next((line for line in log.read_text().splitlines() if line.startswith("brain-api: http")), "")
        if line:
            port = int(line.rstrip("/").rpartition(":")[2])
            try:
                client = await Client.open(port)
                status, _ = await client.ask(b"GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n")
                client.close()
                if status == 200:
                    return port
            except OSError:
                pass
        await asyncio.sleep(0.02)
    raise RuntimeError("the server did not start: " + log.read_text()[-2000:])


class Client:
    """One connection that is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> Client:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Return status and body of the answer."""
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + 15
        body = await self.reader.readexactly(int(head[at : head.index(b"\r\n", at)]))
        return int(head[9:12]), body

    def close(self) -> None:
        self.writer.close()


def request(path: str, body: bytes, **headers: str) -> bytes:
    """Return a POST as bytes."""
    lines = [f"POST {path} HTTP/1.1", "host: x", "content-type: application/json", f"content-length: {len(body)}"]
    return (
        "\r\n".join([*lines, *(f"{name.replace('_', '-')}: {text}" for name, text in headers.items()), "", ""]).encode()
        + body
    )


def get(path: str) -> bytes:
    """Return a GET as bytes."""
    return f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode()


def tickets(count: int, seed: int) -> Iterator[bytes]:
    """Yield tickets of ordinary length in the words of the store."""
    rng = random.Random(seed)
    words = some_words(600).split()
    for number in range(count):
        module = rng.randrange(FUNCTIONS)
        ticket = {
            "taskId": f"T-{seed}-{number}", "functionId": f"F-{module:03}_Module{module}", "title": f"Retry {' '.join(rng.sample(words, 6))}",
            "workflow": rng.choice(("coding", "review", "create-spec")), "description": " ".join(rng.sample(words, rng.choice((10, 40)))),
            "keywords": [f"tag{rng.randrange(30)}", f"mod{module}", "export"],
        }  # fmt: skip
        yield json.dumps({"ticket": ticket}).encode()


class Bench:
    """The loads on one server."""

    def __init__(self, port: int, pid: int, store: Store, args: argparse.Namespace) -> None:
        self.port, self.pid, self.store, self.args = port, pid, store, args
        self.mixed = [request("/v1/projects/bench/recall", body) for body in tickets(args.tickets, 1)]
        self.constant = [request("/v1/projects/bench/constant", body) for body in tickets(args.tickets, 1)]
        self.changes = self.turned_away = 0

    async def run(self) -> int:
        """Put each load on it, print a row each, return whether a target was missed."""
        sizes = [len((await self.once(asked))[1]) for asked in self.mixed]  # once each: a service asked day in, day out
        print(
            f"an answer has {sum(sizes) // len(sizes)} bytes; {self.args.tickets} tickets in the mix; memory {self.memory():.0f} MB"
        )
        missed = 0
        print(f"{'':34} {'req/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'cpu ms':>8}")
        changing = None if self.args.still else asyncio.create_task(self.keep_changing())
        constant = await self.flood("constant, as fast as it goes", self.constant)
        mixed = await self.flood("mixed tickets, as fast as it goes", self.mixed)
        steady = await self.pace("mixed tickets, 300 a second", self.mixed)
        await self.pace("constant, 300 a second", self.constant)
        once = [request("/v1/projects/bench/recall", body) for body in tickets(int(RATE * self.args.seconds) + 10, 2)]
        await self.flood("each ticket once, as fast as it goes", once)
        if changing:
            changing.cancel()
            print(f"{self.changes} changes told by webhook meanwhile; memory {self.memory():.0f} MB")
        share = mixed / constant
        missed += figure(f"recall over HTTP at {RATE} a second, p99, ms", steady, P99_TARGET)
        floor = f"{constant:.0f} a second"
        missed += figure("throughput of recall over HTTP", share, SHARE_TARGET, floor, at_least=True)
        print(
            f"share of the constant's throughput {share:.2f} (target {SHARE_TARGET}), p99 {steady:.1f} ms (target {P99_TARGET:g})"
        )
        return int(missed > 0)

    async def soak(self, seconds: float) -> int:
        """Ask a bit of everything while the memory changes each second; say whether the server grows all the time.

        It may fill what it keeps in the first half: what counts is the second.
        """
        changing = None if self.args.still else asyncio.create_task(self.keep_changing())
        started, rows = time.monotonic(), list[float]()
        asking = [asyncio.create_task(self.keep_asking(number, started + seconds)) for number in range(SOAK_CLIENTS)]
        print(f"{'':10} {'MB':>8} {'files, threads':>16}")
        for number in range(SOAK_LOOKS + 1):
            await asyncio.sleep(max(0.0, started + number * seconds / SOAK_LOOKS - time.monotonic()))
            rows.append(self.memory())
            print(f"{number * seconds / SOAK_LOOKS:8.0f} s {rows[-1]:8.0f} {self.held():16}", flush=True)
        asked = sum(await asyncio.gather(*asking))
        if changing:
            changing.cancel()
        late = f", {self.turned_away} turned away or late" if self.turned_away else ""
        print(f"{asked} requests in {seconds:.0f} s{late}, {self.changes} changes told by webhook")
        middle, end = (max(part) for part in (rows[4 : SOAK_LOOKS // 2 + 2], rows[-3:]))
        return figure("memory of the service, end to middle of a soak", end / middle, SOAK_TARGET)

    async def keep_asking(self, seed: int, until: float) -> int:
        """Ask one thing after the other on a connection until a time; return how many."""
        rng, client, number = random.Random(seed), await Client.open(self.port), 0
        words = some_words(600).split()
        while time.monotonic() < until:
            number += 1
            ids = {f"mem-none-{rng.randrange(1000)}": {"hits": number}}
            counts = json.dumps({"machine": f"m{seed}", "uses": ids, "weeks": {"2026-03-02": {"tokens": number}}})
            at, query = "/v1/projects/bench", "%20".join(rng.sample(words, 2))
            (fresh,) = tickets(1, seed * 1_000_000 + number)
            one = rng.choice((
                *(rng.choice(self.mixed) for _ in range(4)), request(f"{at}/recall", fresh), get(f"{at}/search?q={query}"),
                request(f"{at}/counts", counts.encode()), get(f"{at}/memories?limit=20&after=mem-{rng.random()}"),
            ))  # fmt: skip
            one = get(f"{at}/report") if number % 200 == seed else one  # it reads the history: nobody asks for it often
            status, _ = await client.ask(one)
            self.turned_away += status in (503, 504)  # on a machine that others use too, it may be late
            assert status in (200, 503, 504), (status, one[:200])
            await asyncio.sleep(0.02)
        client.close()
        return number

    def held(self) -> int:
        """Return the files and threads that the server holds."""
        return sum(len(os.listdir(f"/proc/{self.pid}/{kind}")) for kind in ("fd", "task"))

    async def once(self, asked: bytes) -> tuple[int, bytes]:
        client = await Client.open(self.port)
        found = await client.ask(asked)
        client.close()
        assert found[0] == 200, found
        return found

    async def flood(self, label: str, asked: list[bytes]) -> float:
        """Ask on all connections as fast as answers come; return requests a second."""
        end, took, number = time.monotonic() + self.args.seconds, list[float](), 0
        cpu, started = self.cpu(), time.monotonic()

        async def go() -> None:
            nonlocal number
            client = await Client.open(self.port)
            while time.monotonic() < end and (number < len(asked) or "once" not in label):
                one = asked[number % len(asked)]
                number += 1
                begun = time.perf_counter()
                status, _ = await client.ask(one)
                took.append(time.perf_counter() - begun)
                assert status == 200, status
            client.close()

        await asyncio.gather(*(go() for _ in range(CONNECTIONS)))
        rate = len(took) / (time.monotonic() - started)
        self.row(label, rate, took, self.cpu() - cpu)
        return rate

    async def pace(self, label: str, asked: list[bytes]) -> float:
        """Ask at a steady rate, whatever comes back; return the 99th percentile in ms, from when each was due."""
        took: list[float] = []
        free: asyncio.Queue[Client] = asyncio.Queue()
        for _ in range(64):
            free.put_nowait(await Client.open(self.port))
        cpu, started = self.cpu(), time.monotonic()

        async def go(due: float, one: bytes) -> None:
            client = await free.get()
            status, _ = await client.ask(one)
            assert status == 200, status
            took.append(time.monotonic() - due)
            free.put_nowait(client)

        tasks = []
        for number in range(int(RATE * self.args.seconds)):
            due = started + number / RATE
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            tasks.append(asyncio.create_task(go(due, asked[number % len(asked)])))
        await asyncio.gather(*tasks)
        rate = len(took) / (time.monotonic() - started)
        while not free.empty():
            free.get_nowait().close()
        return self.row(label, rate, took, self.cpu() - cpu)

    def row(self, label: str, rate: float, took: list[float], cpu: float) -> float:
        """Print a row; return the 99th percentile in ms."""
        took.sort()
        median, late = (took[min(len(took) - 1, int(len(took) * part))] * 1e3 for part in (0.5, 0.99))
        print(f"{label:34} {rate:8.0f} {median:8.2f} {late:8.2f} {cpu / len(took) * 1e3:8.2f}", flush=True)
        return late

    async def keep_changing(self) -> None:
        """Change a memory and tell the service, every second."""
        while True:
            await asyncio.sleep(1.0)
            await asyncio.to_thread(change, self.store, 1, self.changes)
            self.changes += 1
            push = json.dumps(
                {"object_kind": "push", "after": str(self.changes), "project": {"path_with_namespace": "team/bench"}}
            )
            await self.once(
                request("/webhooks/gitlab", push.encode(), x_gitlab_token=SECRET, idempotency_key=f"{time.time_ns()}")
            )

    def cpu(self) -> float:
        """Return seconds of processor time of the server and its children that ended."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return megabytes of the server that are resident."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    raise SystemExit(main())

"""`python -m tests.gitlab --port N --tier free|premium|ultimate --token ROOT_TOKEN [--prefix /gitlab] [--data DIR]`."""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
from pathlib import Path

import uvicorn

from tests.gitlab import auth, ci_runner, git_hooks, pushes, stand_in, table, users, workers
from tests.gitlab.app import App
from tests.gitlab.contract import Contract
from tests.gitlab.routes import Router
from tests.gitlab.state import TIERS, World


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    cli = argparse.ArgumentParser(prog="python -m tests.gitlab", description="A local GitLab for tests.")
    cli.add_argument("--port", type=int, default=8080, help="0 picks a free one and prints it")
    cli.add_argument("--host", default="127.0.0.1")
    cli.add_argument("--tier", choices=TIERS, default="free")
    cli.add_argument("--token", default="root-token", help="root's personal access token")
    cli.add_argument("--prefix", default="", help="sub-path of the deployment, such as /gitlab")
    cli.add_argument(
        "--data", type=Path, help="folder for state and repositories; kept, and taken up at the next start"
    )
    cli.add_argument("--url", help="the address the server names itself by, behind a proxy or tunnel")
    cli.add_argument("--check-contract", action="store_true", help="answer 500 where an answer breaks the contract")
    cli.add_argument("--ci-local", help="node_modules folder that has gitlab-ci-local (and node 22)")
    cli.add_argument("--tls-cert", help="certificate file, for a private CA")
    cli.add_argument("--tls-key", help="key file")
    return cli


def build(args: argparse.Namespace, port: int) -> App:
    """Return the application with its world, as the arguments say."""
    data = args.data or Path(tempfile.mkdtemp(prefix="gitlab-stand-in-"))
    (data / "repos").mkdir(parents=True, exist_ok=True)
    (data / "gitconfig").write_text("[safe]\n\tdirectory = *\n[init]\n\tdefaultBranch = main\n")
    git_hooks.install(data / "hooks")
    world = World(data, args.tier)
    scheme = "https" if args.tls_cert else "http"
    world.prefix = args.prefix.rstrip("/")
    world.address = args.url.rstrip("/") if args.url else f"{scheme}://localhost:{port}{world.prefix}"
    world.meta |= {
        "port": port,
        "tls": bool(args.tls_cert),
        "fixed_url": bool(args.url),
        "ci_local": ci_runner.command(args.ci_local),
    }
    if args.ci_local:
        world.settings["runner"] = "local"
    _first_user(world, args.token)
    pushes.repair(world)
    world.save()
    threads = workers.start(world)
    inner = Router(stand_in.routes(lambda seconds: workers.settle(threads, seconds)))
    return App(world, table.router(), inner, Contract() if args.check_contract else None)


def _first_user(world: World, secret: str) -> None:
    root = world.get("users", 1) or users.create_user(world, "root", "Administrator", "admin@example.com", admin=True)
    if world.one("tokens", token=secret) is None:
        auth.new_token(world, root, "personal", list(auth.API_SCOPES), token=secret, name="root")


def main() -> int:
    """Serve until stopped."""
    args = parser().parse_args()
    link = socket.socket(
        socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # asyncio sets TCP_NODELAY by this alone
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.bind((args.host, args.port))
    port = link.getsockname()[1]
    app = build(args, port)
    print(f"GitLab stand-in ({args.tier}) at {app.world.address} in {app.world.data}", flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", proxy_headers=False, timeout_keep_alive=60, timeout_graceful_shutdown=1,
        ssl_certfile=args.tls_cert, ssl_keyfile=args.tls_key, server_header=False,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[link])
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The ``brain-api`` command: serve, and make and revoke tokens; the program's one boundary."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from brain import __version__, clock
from brain.environment import read_environment
from brain.errors import BrainError, ConfigError, NoMemoryRepoError
from brain.json_text import render_json
from brain.program import say_bug, say_error, say_os_error, use_utf8
from brain.telemetry import make_dir, telemetry_dir
from brain.value import replace
from brain.workspace import find_workspace, open_brain
from brain_api.settings import SCOPES, local_settings, read_settings
from brain_api.tokens import ALL, new_token, read_tokens, revoke, write_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from brain_api.settings import Settings


def build_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    from argparse import ArgumentParser

    parser = ArgumentParser(prog="brain-api", description="Serve a team's memory over HTTP.")
    parser.add_argument("--version", action="version", version=f"brain-api {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    serve = commands.add_parser("serve", help="serve the projects of a settings file, or this folder's memory")
    serve.add_argument(
        "folder", nargs="?", default="", help="a workspace, in place of a settings file (the current folder)"
    )
    serve.add_argument("--settings", metavar="FILE", default="", help="one TOML file for all projects")
    serve.add_argument("--port", type=int, metavar="N", help="in place of the settings' port; 0 takes a free one")
    serve.set_defaults(run=run_serve)
    mcp = commands.add_parser("mcp", help="serve this folder's memory to an assistant, over standard streams (MCP)")
    mcp.add_argument("folder", nargs="?", default="", help="a workspace (the current folder)")
    mcp.set_defaults(run=run_mcp)
    token = commands.add_parser("token", help="make, list and revoke tokens")
    verbs = token.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb, text, run in (("new", "make a token and print it, this once", run_new),
                            ("list", "list tokens: id, name, scopes, projects, days", run_list),
                            ("revoke", "make a token invalid", run_revoke)):  # fmt: skip
        sub = verbs.add_parser(verb, help=text, description=text)
        sub.add_argument(
            "--settings", metavar="FILE", required=True, help="the service's settings, which name the file of tokens"
        )
        sub.set_defaults(run=run)
        if verb == "new":
            sub.add_argument("name", help="whose it is, or what for")
            many = "give it once for each"
            sub.add_argument(
                "--scope", dest="scopes", action="append", choices=SCOPES, help=f"what it may; {many} (read)"
            )
            sub.add_argument(
                "--project", dest="projects", action="append", metavar="NAME", required=True,
                help=f"where; {many}, {ALL} for all",
            )  # fmt: skip
            sub.add_argument("--expires", metavar="DATE", default="", help="the last day it is valid")
        if verb == "revoke":
            sub.add_argument("id", help="its id, as token list shows it")
    return parser


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Import what an extra brings.

    Raises:
        BrainError: It is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("brain", "brain_api"):
            raise
        hint = f"pip install '.[{extra}]' in Project Brain's folder"
        raise BrainError(f"{what} is not installed here: there is no {error.name}", hint) from None


def run_serve(args: Namespace, env: Mapping[str, str], cwd: str) -> int:
    """Serve until a signal ends it."""
    if args.settings and args.folder:
        raise BrainError("serve takes a folder or --settings, not both", "leave one out")
    if args.settings:
        settings = read_settings(args.settings, env)
    else:
        folder = os.path.join(cwd, args.folder)
        if not os.path.isdir(folder):
            raise BrainError(f"{folder} is no folder", "name a workspace, or --settings FILE")
        _check_memory(folder, env)
        kept = telemetry_dir(find_workspace(folder).state_dir)
        make_dir(kept)
        settings = local_settings(folder, os.path.join(kept, "api"))
    if not settings.public and not (settings.tokens and read_tokens(settings.tokens)):
        new = "brain-api token new --settings FILE NAME --project PROJECT --scope read"
        print(f"brain-api: nobody may ask yet: there is no token, and nothing is public ({new})", file=sys.stderr)
    if args.port is not None:
        settings = replace(settings, port=args.port)
    with needing("api", "the service"):  # FastAPI and uvicorn: the other commands need neither
        from brain_api.app import create_app
        from brain_api.run import Factory, serve
    return serve(Factory(settings, env, create_app))


def _check_memory(folder: str, env: Mapping[str, str]) -> None:
    """Refuse a folder that no memory belongs to.

    Raises:
        NoMemoryRepoError: There is none; what else is wrong may be mended while the service runs, and is said there.
    """
    try:
        open_brain(folder, env)
    except NoMemoryRepoError as error:
        raise BrainError(str(error), f"{error.hint}; or name the service's settings: --settings FILE") from None
    except BrainError:
        pass


def run_mcp(args: Namespace, env: Mapping[str, str], cwd: str) -> int:
    """Serve a workspace's memory over standard streams until they are closed."""
    folder = os.path.join(cwd, args.folder)
    if not os.path.isdir(folder):
        raise BrainError(f"{folder} is no folder", "name a workspace")
    with needing("mcp", "MCP"):  # the SDK takes most of a second: the other commands need it not
        from brain_api.mcp.stdio import serve_stdio
    return serve_stdio(folder, env)


def run_new(args: Namespace, env: Mapping[str, str], _cwd: str) -> int:
    """Make a token; its text is printed now and kept nowhere."""
    path, settings = _tokens_of(args, env)
    unknown = sorted(set(args.projects) - {ALL, *settings.projects})
    if unknown:
        raise BrainError(f"no project {unknown[0]!r}", f"there are {', '.join(settings.projects)}")
    today = clock.today(env)
    expires = clock.check_date(args.expires, "--expires") if args.expires else ""
    text, token = new_token(args.name, args.scopes or SCOPES[:1], args.projects, today, expires)
    write_tokens(path, [*read_tokens(path), token])
    print(text)
    print(f"brain-api: token {token.id}: keep it now, it is not shown again", file=sys.stderr)
    return 0


def run_list(args: Namespace, env: Mapping[str, str], _cwd: str) -> int:
    """List the tokens, one JSON object a line, without their hashes."""
    for token in read_tokens(_tokens_of(args, env)[0]):
        print(render_json({name: fact for name, fact in vars(token).items() if name != "hash"}))
    return 0


def run_revoke(args: Namespace, env: Mapping[str, str], _cwd: str) -> int:
    """Revoke a token; the running service sees it at once."""
    path = _tokens_of(args, env)[0]
    write_tokens(path, revoke(read_tokens(path), args.id))
    return 0


def _tokens_of(args: Namespace, env: Mapping[str, str]) -> tuple[str, Settings]:
    settings = read_settings(args.settings, env)
    if not settings.tokens:
        raise ConfigError(args.settings, "tokens", "is missing", 'write tokens = "tokens.jsonl"')
    return settings.tokens, settings


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status (SPEC §13)."""
    use_utf8()
    try:
        arguments = list(sys.argv[1:] if argv is None else argv)
        args = build_parser().parse_args(arguments or ["--help"])
        status: int = args.run(args, read_environment(), os.getcwd())
        sys.stdout.flush()
        return status
    except BrainError as error:
        return say_error("brain-api", error)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return say_os_error("brain-api", error)
    except Exception:  # noqa: BLE001 - the program's one boundary
        return say_bug("brain-api")

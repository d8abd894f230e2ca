"""``brain semantic``: the index of what memories mean, which recall and search use where it is there."""

from __future__ import annotations

import signal
import sys

from brain.commands import Context, add_json, print_json, remark
from brain.semantic.build import build_vectors, drop_vectors
from brain.semantic.embedder import fingerprint_of, model_of, open_embedder
from brain.semantic.status import status_of
from brain.semantic.vectors import open_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from brain.semantic.status import Status
    from brain.workspace import Brain

HELP = "find memories by meaning, across languages: build the index, see its state, drop it"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's actions."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    status = actions.add_parser("status", help="show the index: model, size, what it lacks; exit 1 if it is not whole")
    build = actions.add_parser("build", help="embed what is new; an interrupted build goes on where it was")
    build.add_argument("--threads", type=int, default=0, metavar="N", help="threads the model may use (all)")
    drop = actions.add_parser("drop", help="remove the index; memories are not touched")
    which = drop.add_mutually_exclusive_group()
    which.add_argument("--team", action="store_true", help="take this project out of the team's database too")
    which.add_argument("--old", action="store_true", help="only what other models left of it in the team's database")
    for action in (status, build, drop):
        add_json(action)
    serve = actions.add_parser("serve", help="run a PostgreSQL with pgvector on this machine, until interrupted")
    serve.add_argument("--data", required=True, metavar="DIR", help="its data folder, made where it is not there")
    serve.add_argument("--account", default="", metavar="NAME", help="run it as this account, where you are root")


def run(args: Namespace, context: Context) -> int:
    """Run one action."""
    return {"status": _status, "build": _build, "drop": _drop, "serve": _serve}[str(args.action)](args, context)


def _status(args: Namespace, context: Context) -> int:
    brain = context.open_brain()
    found = status_of(brain)
    facts, lines = found.as_json(), [_sentence(found)]
    if _is_shared(brain):
        from brain.semantic.team import count_team

        facts["team"], facts["teamOld"] = team, old = count_team(brain, found.fingerprint)
        lines.append(f"in the team's database: {team} memories of this project")
        if old:
            lines.append(f"and {old} rows of other models; brain semantic drop --old takes them out")
    if args.json:
        print_json(facts)
    else:
        print("\n".join(lines))
    return 0 if found.is_whole else 1


def _is_shared(brain: Brain) -> bool:
    return bool(brain.config["semantic.store"] == "postgres")


def _sentence(found: Status) -> str:
    if not found.bytes:
        return f"{found.fingerprint}: no index; brain semantic build makes it ({found.missing} to embed)"
    lines = [f"{found.fingerprint}: {found.count} memories, {found.dim} dimensions, {found.bytes / 1e6:.1f} MB"]
    if found.missing:
        lines.append(f"not in it: {found.missing}; brain semantic build embeds them")
    if found.gone:
        lines.append(f"in it, but no longer there: {found.gone}")
    if not found.enabled:
        lines.append("semantic.enabled is false: recall and search do not use it")
    return "\n".join(lines)


def _build(args: Namespace, context: Context) -> int:
    brain = context.open_brain()
    if _is_shared(brain):  # what is missing there is said before an hour of embedding
        from brain.semantic.team import connect, dsn_of

        connect(dsn_of(brain.config))
    embedder = open_embedder(model_of(brain.config), context.env, threads=args.threads)
    built = build_vectors(brain, embedder, _progress)
    facts = {"count": built.count, "embedded": built.embedded, "fingerprint": embedder.fingerprint}
    sentence = f"{built.count} memories in the index, {built.embedded} of them embedded now"
    if _is_shared(brain):
        from brain.semantic.team import fill_team

        facts["sent"] = fill_team(brain, open_vectors(built.path))
        sentence += f", {facts['sent']} sent to the team's database"
    if args.json:
        print_json(facts)
    else:
        print(sentence)
    return 0


def _progress(done: int, total: int) -> None:
    """Say how far a build is: on a terminal in one line that grows, else at each tenth."""
    if not total:
        return
    if sys.stderr.isatty():
        print(f"\rembedding {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done == total or done * 10 // total > max(done - 16, 0) * 10 // total:
        remark(f"embedding {done} of {total}")


def _drop(args: Namespace, context: Context) -> int:
    brain = context.open_brain()
    facts: dict[str, object] = {}
    lines = []
    if args.team or args.old:  # first: if the server is not there, nothing was done
        from brain.semantic.team import drop_team

        kept = fingerprint_of(model_of(brain.config)) if args.old else ""
        facts["team"] = drop_team(brain, kept)
        lines.append(f"took {facts['team']} memories out of the team's database")
    if not args.old:
        facts["dropped"] = names = drop_vectors(brain)
        lines += [f"dropped {name}" for name in names] or ["there was no index on this machine"]
    if args.json:
        print_json(facts)
    else:
        print("\n".join(lines))
    return 0


def _serve(args: Namespace, _context: Context) -> int:
    """Run the server; what is printed is how others connect (``BRAIN_SEMANTIC_DSN``)."""
    from brain.semantic.postgres.server import Server

    server = Server(args.data, args.account)
    signal.signal(signal.SIGTERM, _end)  # what a service manager sends
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is started without one
    server.start()
    print(server.dsn, flush=True)
    remark(f"PostgreSQL {server.pid} runs on {server.data}; interrupt ends it")
    try:
        return 0 if server.wait() == 0 else 1
    finally:
        server.stop()


def _end(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)

"""``make demo``: build a memory repo and a code repo with real history, and show what an assistant receives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.demo.memories import CODE, CODE_LATER, NOTES, TICKET, Note

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / ".demo"
BIN = Path(sys.executable).parent
PEOPLE = {
    "GIT_AUTHOR_NAME": "Mai", "GIT_AUTHOR_EMAIL": "mai@example.invalid", "GIT_COMMITTER_NAME": "Mai",
    "GIT_COMMITTER_EMAIL": "mai@example.invalid", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
}  # fmt: skip


def main() -> int:
    """Build the demo anew and tell its story."""
    shutil.rmtree(DEMO, ignore_errors=True)
    remote, memory, shop = DEMO / "memory.git", DEMO / "memory", DEMO / "shop"
    verified = build_code(shop)
    build_memory(remote, memory, verified)
    tell("A team of three languages keeps ten approved memories in .demo/memory; the code is in .demo/shop.")
    tell("The code moved on since one lesson was verified, and Mai has a draft that nobody approved yet:")
    run(shop, "brain", "init", "--repo", "../memory")
    (shop / ".aiflow" / "context").mkdir(parents=True, exist_ok=True)
    (shop / ".aiflow" / "context" / "current.json").write_text(
        json.dumps(TICKET, ensure_ascii=False, indent=1), "utf-8"
    )
    draft = "Bảng phí của cổng thanh toán tính mỗi lần gửi lại như một giao dịch mới."
    apply = "đếm số lần gửi lại khi ước lượng chi phí."
    run(shop, "brain", "remember", draft, "--apply", apply, "--type", "lesson", "--role", "dev", "--tags", "payment,retry,fees",
        "--source", "SHOP-131 / Gate 3", "--slug", "retries-cost-fees")  # fmt: skip
    tell("An assistant starts on ticket SHOP-131. This is what the session-start hook gives it:")
    payload = json.dumps({"cwd": str(shop), "hook_event_name": "SessionStart", "source": "startup"})
    run(shop, "brain-hook", "text", "SessionStart", stdin=payload)
    tell("Why these, and in this order:")
    run(shop, "brain", "recall", "--explain")
    tell("The same memory answers people, in any of its languages:")
    run(shop, "brain", "search", "thanh toan")
    run(shop, "brain", "search", "二重決済")
    tell("Try it: cd .demo/shop && ../../.venv/bin/brain search refund && ../../.venv/bin/brain status")
    return 0


def build_code(repo: Path) -> str:
    """Make the code repo; return the commit that the memories were verified at."""
    commit(repo, CODE, "payment: first version")
    verified = git(repo, "rev-parse", "HEAD")
    commit(repo, {"src/order/cancel.py": CODE["src/order/cancel.py"] + "    order.save()\n"}, "order: save on cancel")
    commit(repo, CODE_LATER, "payment: fewer attempts")
    return verified


def build_memory(remote: Path, memory: Path, verified: str) -> None:
    """Make the memory repo with a remote, each memory approved in a commit of its own."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(remote)], check=True, env=environment())
    subprocess.run(["git", "init", "-q", "-b", "main", str(memory)], check=True, env=environment())
    git(memory, "remote", "add", "origin", "../memory.git")
    run(memory, "brain", "init", quiet=True)
    commit(memory, {}, "memory: skeleton")
    for note in NOTES:
        commit(memory, {f"99.Memory/{note.path}": text_of(note, verified)}, f"memory({note.source.split(' ')[0]}): +1")
    git(memory, "push", "-q", "-u", "origin", "main")
    run(memory, "brain", "index", "--write", quiet=True)
    commit(memory, {}, "memory: index")
    git(memory, "push", "-q")


def text_of(note: Note, verified: str) -> str:
    """Return the file of an approved memory."""
    sys.path.insert(0, str(ROOT))
    from brain.layout import find_place

    place = find_place(note.path)
    assert place is not None
    aliases = f"aliases: [{note.aliases}]\n" if note.aliases else ""
    return f"""---
id: {place.id}
type: {place.type}
workflows: [{note.workflows}]
tags: [{note.tags}]
scope: {place.scope}
confidence: {note.confidence}
source: {note.source}
status: approved
hits: {note.hits}
created: {note.created}
reviewed_by: linh
refs: [{note.refs}]
verified_commit: {verified if note.refs else ""}
stale: false
{aliases}---

{note.body}
"""


def commit(repo: Path, files: dict[str, str], message: str) -> None:
    """Write files and commit everything."""
    if not (repo / ".git").exists():
        subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True, env=environment())
    for name, text in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text, "utf-8")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)


def git(repo: Path, *args: str) -> str:
    """Return what git prints."""
    done = subprocess.run(["git", *args], cwd=repo, check=True, env=environment(), stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def environment() -> dict[str, str]:
    """Return this process's environment, with the demo's people and without a user's settings."""
    return {name: text for name, text in os.environ.items() if not name.startswith("BRAIN_")} | PEOPLE


def tell(text: str) -> None:
    """Print a line of the story."""
    print(f"\n# {text}", flush=True)


def run(folder: Path, program: str, *args: str, stdin: str = "", quiet: bool = False) -> None:
    """Run one of our programs as a person would, showing the command and what it prints."""
    if not quiet:
        shown = " ".join(f"'{arg}'" if " " in arg else arg for arg in args)
        print(f"\n$ {program} {shown}", flush=True)
    subprocess.run(
        [str(BIN / program), *args], cwd=folder, env=environment(), input=stdin.encode(), check=False,
        stdout=subprocess.DEVNULL if quiet else None, stderr=subprocess.STDOUT if not quiet else subprocess.DEVNULL,
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())

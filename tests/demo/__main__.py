"""``make demo``: build a memory repo and a code repo with real history, and show what an assistant receives."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.demo.loop import play
from tests.demo.memories import CODE, CODE_LATER, NOTES, TICKET, Note
from tests.demo.session import learn
from tests.demo.stage import DEMO, ROOT, commit, environment, git, run, tell

if TYPE_CHECKING:
    from pathlib import Path


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
    play(shop, memory)
    learn(shop)
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
    settings = memory / "99.Memory" / "brain.toml"
    settings.write_text(settings.read_text("utf-8").replace('# pm = ["pm-username"]', 'pm = ["linh"]'), "utf-8")
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


if __name__ == "__main__":
    raise SystemExit(main())

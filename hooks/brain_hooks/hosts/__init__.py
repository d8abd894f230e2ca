"""The hosts: one module each, loaded only for its own calls (hosts/contracts.md)."""

from __future__ import annotations

from brain.errors import BrainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain_hooks.hosts.host import Host

NAMES = (
    "claude", "codex", "gemini", "copilot", "vscode", "cursor", "cline", "cline_cli", "opencode", "kiro", "windsurf",
    "text",
)  # fmt: skip


def get_host(name: str) -> Host:
    """Return the host of that name.

    Raises:
        BrainError: There is none.
    """
    if name not in NAMES:
        raise BrainError(f"unknown host {name!r}", f"hosts: {', '.join(NAMES)}")
    module = __import__(f"brain_hooks.hosts.{name}", fromlist=["HOST"])  # importlib would cost more than the module
    host: Host = module.HOST
    return host

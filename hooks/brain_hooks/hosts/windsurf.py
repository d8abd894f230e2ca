"""Windsurf (hosts/contracts.md §10): nothing a hook prints reaches the model, so it gets a rules file and no hooks."""

from __future__ import annotations

from brain_hooks.hosts.host import Host, Reply, read_event


def encode(_event: str, _reply: Reply) -> str:
    """Return nothing."""
    return ""


HOST = Host("windsurf", {}, read_event, encode)

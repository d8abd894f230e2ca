"""Speak MCP to a program over its standard streams, one question after the other."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Talk:
    """A server that was started and greeted."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, env=env, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.server = self._ask("initialize", HELLO)["serverInfo"]
        self._write({"method": "notifications/initialized", "params": {}})

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def call(self, tool: str, **arguments: Any) -> tuple[Any, float]:
        """Return what a tool answers as structure, and the seconds it took."""
        started = time.perf_counter()
        answer = self._ask("tools/call", {"name": tool, "arguments": arguments})
        return answer.get("structuredContent"), time.perf_counter() - started

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self.number += 1
        self._write({"id": self.number, "method": method, "params": params})
        assert self.process.stdout
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
        raise RuntimeError(f"{method}: the server ended")

"""The server over standard input and output: what a host starts beside an assistant, in a workspace."""

from __future__ import annotations

from functools import cached_property
from signal import SIG_DFL, SIGINT, signal

import anyio
from mcp.server.stdio import stdio_server

from brain.program import say_bug
from brain_api.mcp.server import build, options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from mcp.server.lowlevel import Server

    from brain_api.mcp.server import Place
    from brain_api.mcp.workspace import Desk

    T = TypeVar("T")


class Workspace:
    """One workspace, one call at a time. Its tools are loaded when the first is used: until then nobody waits."""

    hides = False

    def __init__(self, folder: str, env: Mapping[str, str]) -> None:
        self.folder, self.env = folder, env
        self._turn = anyio.CapacityLimiter(1)

    @cached_property
    def desk(self) -> Desk:
        """What the workspace offers."""
        from brain_api.mcp.workspace import Desk

        return Desk(self.folder, self.env)

    def place(self, _ctx: object) -> Place:
        """Return the workspace."""
        return self.desk

    async def work(self, _place: object, task: Callable[[], T]) -> T:
        """Return what a task returns, when those before it are done."""
        return await anyio.to_thread.run_sync(task, limiter=self._turn)

    def bug(self, _error: Exception) -> None:
        """Print where it went wrong, for the host's log."""
        say_bug("brain-api")


def serve_stdio(folder: str, env: Mapping[str, str]) -> int:
    """Serve a workspace until the host closes its end."""
    signal(SIGINT, SIG_DFL)  # the thread that reads would wait for a line more
    try:
        anyio.run(_serve, build(Workspace(folder, env)))
    except* BrokenPipeError:  # the host is gone, and nobody waits for an answer
        pass
    return 0


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, options(server))

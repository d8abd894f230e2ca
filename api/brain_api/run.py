"""Running the app: one process, or several on one socket, until a signal ends them."""

from __future__ import annotations

import ctypes
import logging
import signal
import sys

import uvicorn
from uvicorn.supervisors import Multiprocess

from brain.errors import BrainError
from brain.value import value
from brain_api.log import Log, Relay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from fastapi import FastAPI

    from brain_api.settings import Settings

GRACE_SECONDS = 10
"""What answers get to finish when the service is told to stop."""
MOST_CONNECTIONS = 1000
SWITCH_SECONDS = 0.001
"""How long a thread that works may keep the loop waiting: a fifth of Python's own."""

M_ARENA_MAX, HEAPS = -8, 2
"""glibc's own number for the setting, and how many heaps threads share: with one for each, what reports once needed
stays with every thread that made one (measured over a soak: 294 MB instead of 235 after two minutes)."""


@value
class Factory:
    """What makes the app, in whatever process."""

    settings: Settings
    env: Mapping[str, str]
    make: Callable[[Settings, Mapping[str, str]], FastAPI]

    def __call__(self) -> FastAPI:
        """Return the app."""
        sys.setswitchinterval(SWITCH_SECONDS)
        _share_heaps()
        logging.getLogger().addHandler(Relay(Log()))
        return self.make(self.settings, self.env)


def serve(factory: Factory) -> int:
    """Serve until a signal ends it.

    Raises:
        BrainError: The address cannot be had.
    """
    settings = factory.settings
    config = uvicorn.Config(
        factory, factory=True, host=settings.host, port=settings.port, workers=settings.workers,
        log_config=None, access_log=False, server_header=False, date_header=True, lifespan="on", ws="none",
        http=_protocol(), timeout_graceful_shutdown=GRACE_SECONDS, timeout_keep_alive=30,
        limit_concurrency=MOST_CONNECTIONS, proxy_headers=False,
    )  # fmt: skip
    try:
        socket = config.bind_socket()
    except SystemExit:  # uvicorn's own way to say that it is taken
        raise BrainError(f"{settings.host}:{settings.port} cannot be listened on", "take another: --port N") from None
    host, taken = socket.getsockname()[:2]
    print(f"brain-api: http://{f'[{host}]' if ':' in host else host}:{taken}/", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, _end)  # uvicorn stops by its own, and then hands the signal on
    if settings.workers > 1:
        Multiprocess(config, [socket]).run()
    else:
        uvicorn.Server(config).run(sockets=[socket])
    return 0


def _share_heaps() -> None:
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, HEAPS)
    except (AttributeError, OSError, TypeError):  # another C library, which has its own way
        pass


def _protocol() -> Any:
    try:
        from brain_api.protocol import BoundedProtocol
    except ImportError:  # no httptools: h11 has limits of its own
        return "h11"
    return BoundedProtocol


def _end(*_: object) -> None:
    """End as something that was asked to."""
    raise SystemExit(0)

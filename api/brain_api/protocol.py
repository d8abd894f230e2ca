"""HTTP as uvicorn reads it with httptools, with the limits on headers that it leaves to others."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport

MOST_HEADER_BYTES = 64 * 1024
"""Of a request's line and headers; h11 has the same limit."""
HEADER_SECONDS = 20.0
"""Longest that the first of a connection may take to arrive."""


class BoundedProtocol(HttpToolsProtocol):
    """Closes a connection whose headers are too long, or do not come."""

    _in_headers = True
    _header_bytes = 0
    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEADER_SECONDS, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, while the headers are no longer than they may be; one chunk may go over it."""
        if self._in_headers and self._header_bytes > MOST_HEADER_BYTES:
            self.send_400_response("The headers are too long")
            return
        self._header_bytes += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Begin to count a request's headers."""
        super().on_message_begin()
        self._in_headers, self._header_bytes = True, 0

    def on_headers_complete(self) -> None:
        """Stop counting; the body has its own limit."""
        self._stop_waiting()
        self._in_headers = False
        super().on_headers_complete()

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

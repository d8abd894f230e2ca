"""One request to an address of the user's choice: no redirect is followed, no answer is waited for without end."""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from urllib.parse import urlsplit

from brain.errors import BrainError
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from http.client import HTTPResponse
    from urllib.parse import SplitResult


class PostError(BrainError):
    """The address is none, or nobody answered; the message names the host alone, never a token."""


@value
class Answer:
    """What a server said: HTTP status, its reason, and the body."""

    status: int
    reason: str
    content: bytes


@value
class Address:
    """A plain http(s) address up to ``/v1``, and the token that goes with it ("" for none)."""

    parts: SplitResult
    token: str

    @property
    def where(self) -> str:
        """The address as errors name it."""
        port = f":{self.parts.port}" if self.parts.port else ""
        return f"{self.parts.scheme}://{self.parts.hostname}{port}"


def address_of(url: str, token: str, setting: str, variable: str) -> Address:
    """Return the address that a setting names.

    Raises:
        PostError: It is no plain http address; the hint names the variable that holds a token.
    """
    try:
        parts = urlsplit(url)
        plain = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:  # a port that is none
        plain, parts = None, urlsplit("")
    if not plain or parts.username or parts.password:
        raise PostError(f"{setting} is no plain http address", f"write https://host/v1, and a token into {variable}")
    return Address(parts, token)


def post_json(address: Address, path: str, body: str, seconds: float, limit: int) -> Answer:
    """Return the answer to ``POST address/path`` with JSON; see ``ask``."""
    return ask(address, "POST", path, seconds, limit, {"Content-Type": "application/json"}, body.encode())


def ask(
    address: Address, verb: str, path: str, seconds: float, limit: int, headers: Mapping[str, str],
    body: bytes | None = None,
) -> Answer:  # fmt: skip
    """Return the answer to a request for ``address/path``.

    Args:
        address: Where to.
        verb: HTTP's method.
        path: What follows the address, with its slash.
        seconds: Longest in all, from the first byte sent to the last one read.
        limit: Bytes that are read at most.
        headers: More of them, beside the token's.
        body: What is sent.

    Raises:
        PostError: There is no answer, or none in time.
    """
    headers = {"Accept": "application/json", **headers}
    if address.token:
        headers["Authorization"] = f"Bearer {address.token}"
    kind = HTTPSConnection if address.parts.scheme == "https" else HTTPConnection
    connection = kind(address.parts.hostname or "", address.parts.port, timeout=seconds)
    talk: list[socket.socket] = []  # the connection forgets its socket where the answer is to end it
    late: list[bool] = []
    watch = Timer(seconds, _hang_up, (talk, late))
    watch.daemon = True
    watch.start()
    try:
        connection.connect()
        talk.append(connection.sock)
        connection.request(verb, address.parts.path.rstrip("/") + path, body, headers)
        answer: HTTPResponse = connection.getresponse()
        content = answer.read(limit)
    except (OSError, HTTPException, ValueError) as error:  # ValueError: a token that no header can hold
        reason = type(error).__name__ if isinstance(error, ValueError) else str(error) or type(error).__name__
        raise PostError(f"{address.where}: {f'no answer within {seconds:g} s' if late else reason}") from None
    finally:
        watch.cancel()
        connection.close()
    if late:  # cut off in the middle of a body that had no length
        raise PostError(f"{address.where}: no answer within {seconds:g} s")
    return Answer(answer.status, answer.reason, content)


def _hang_up(talk: list[socket.socket], late: list[bool]) -> None:
    """End a talk that takes too long: the other thread's read ends at once."""
    late.append(True)
    for line in talk:
        try:
            socket.socket.shutdown(line, socket.SHUT_RDWR)  # not a TLS socket's own, which would ask the other side
        except OSError:  # it ended this very moment
            pass

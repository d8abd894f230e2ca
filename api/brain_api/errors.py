"""What can be wrong with a request, beside what the core says."""

from __future__ import annotations

from brain.errors import BrainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class RequestError(BrainError):
    """A request that cannot be answered; ``status`` is HTTP's, ``headers`` go with it."""

    status = 400

    def __init__(self, message: str, hint: str = "", **headers: str) -> None:
        super().__init__(message, hint)
        self.headers = {name.replace("_", "-"): text for name, text in headers.items()}


class BadRequestError(RequestError):
    """The request is not what it should be."""


class UnknownCallerError(RequestError):
    """There is no token, or none that is valid."""

    status = 401

    def __init__(
        self,
        message: str = "a valid token is needed",
        hint: str = "send Authorization: Bearer TOKEN; brain-api token new makes one",
    ) -> None:
        super().__init__(message, hint, WWW_Authenticate="Bearer")


class ForbiddenError(RequestError):
    """The token is valid, and not for this."""

    status = 403


class NoProjectError(RequestError):
    """No project of that name that this caller may know of."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no such project", "check its name, and that the token is for it")


class WrongHostError(RequestError):
    """The request is for another host's name: a page of somebody else's may have led a browser here."""

    status = 421

    def __init__(self) -> None:
        super().__init__("this host's name is not answered to here", "add it to hosts in the settings")


class TooLargeError(RequestError):
    """The body is larger than it may be."""

    status = 413

    def __init__(self, most: int) -> None:
        super().__init__(f"the body is over {most} bytes", "send less at once")


class InvalidRequestError(RequestError):
    """A value of the request is not of its kind."""

    status = 422


class ChangedError(RequestError):
    """What the caller read is not what is there by now."""

    status = 412

    def __init__(self) -> None:
        super().__init__("another text is there by now", "read it again")


class FindingsError(InvalidRequestError):
    """A draft breaks rules of lint; ``members`` go into the problem."""

    def __init__(self, findings: Sequence[Mapping[str, Any]]) -> None:
        first = findings[0]
        super().__init__(f"nothing was written: {first['code']} {first['message']}", str(first["mend"]))
        self.members = {"findings": list(findings)}


class TooManyError(RequestError):
    """The caller asks faster than it may."""

    status = 429

    def __init__(self, seconds: int) -> None:
        super().__init__("too many requests", f"try again in {seconds} s", Retry_After=str(seconds))


class NotReadyError(RequestError):
    """The project's memory was not read yet."""

    status = 503

    def __init__(self, project: str) -> None:
        super().__init__(
            f"the memory of {project} is not here yet", "try again soon; /readyz says how it stands", Retry_After="2"
        )


class BusyError(RequestError):
    """More requests are at work than can be."""

    status = 503

    def __init__(self) -> None:
        super().__init__("too much is asked at once", "try again in a second", Retry_After="1")


class NotKeptError(RequestError):
    """What was sent could not be written to disk: it is not accepted."""

    status = 503

    def __init__(self) -> None:
        super().__init__("it could not be kept", "send it again later", Retry_After="30")


class LateError(RequestError):
    """The answer, or the body, took too long."""

    status = 504

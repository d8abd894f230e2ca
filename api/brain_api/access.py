"""Who asks, and whether they may: bearer tokens, scopes, projects, and how fast."""

from __future__ import annotations

import math
import time
from collections import OrderedDict

from brain import clock
from brain.value import value
from brain_api.errors import ForbiddenError, NoProjectError, TooManyError, UnknownCallerError
from brain_api.settings import REVIEW
from brain_api.tokens import Tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain_api.project import Project, Projects
    from brain_api.settings import Settings
    from brain_api.tokens import Token

MOST_CALLERS = 10_000
"""Callers whose rate is remembered; the one that did not ask for longest is forgotten first."""
BEARER = "bearer "


@value
class Caller:
    """Who asks: the token's id, or "" where none was sent."""

    token: Token | None

    @property
    def id(self) -> str:
        """The token's id, "" for nobody."""
        return self.token.id if self.token else ""


class Rates:
    """A bucket a caller, that fills at a rate and holds a burst."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, float(max(burst, 1))
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now: float) -> None:
        """Take one from a caller's bucket.

        Raises:
            TooManyError: It is empty.
        """
        left, since = self._buckets.pop(caller, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        if left < 1.0:
            self._buckets[caller] = (left, now)
            raise TooManyError(max(1, math.ceil((1.0 - left) / self.rate)))
        self._buckets[caller] = (left - 1.0, now)
        if len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)


class Guard:
    """Decides over each request."""

    def __init__(self, settings: Settings, projects: Projects, env: Mapping[str, str]) -> None:
        self.tokens, self.public, self.projects, self.env = Tokens(settings.tokens), settings.public, projects, env
        self.rates = Rates(settings.limits.rate, settings.limits.burst)

    def caller(self, authorization: str, address: str) -> Caller:
        """Return who asks.

        Raises:
            UnknownCallerError: What was sent is no valid token.
            TooManyError: They ask too fast.
        """
        if not authorization:
            self.rates.take(f"address {address}", time.monotonic())
            return Caller(None)
        given = authorization[len(BEARER) :].strip() if authorization[: len(BEARER)].lower() == BEARER else ""
        token = self.tokens.find(given, clock.today(self.env))
        self.rates.take(f"token {token.id}" if token else f"address {address}", time.monotonic())
        if token is None:
            raise UnknownCallerError("the token is not valid")
        return Caller(token)

    def may(self, caller: Caller, scope: str) -> bool:
        """Say whether a caller has a scope."""
        return scope in self.public or bool(caller.token and scope in caller.token.scopes)

    def lets(self, caller: Caller, scope: str, project: str) -> bool:
        """Say whether a caller has a scope at a project."""
        return scope in self.public or bool(
            caller.token and scope in caller.token.scopes and caller.token.is_for(project)
        )

    def sees(self, caller: Caller, project: str) -> bool:
        """Say whether a caller may know how a project stands: any token for it, or whoever may review without one."""
        return REVIEW in self.public or bool(caller.token and caller.token.is_for(project))

    def check(self, caller: Caller, scope: str) -> None:
        """Let a caller with that scope pass.

        Raises:
            UnknownCallerError: There is no token.
            ForbiddenError: The token has not the scope.
        """
        if not self.may(caller, scope):
            if caller.token is None:
                raise UnknownCallerError
            raise ForbiddenError(
                f"the token has not the scope {scope!r}", "make one that has: brain-api token new --scope"
            )

    def project(self, caller: Caller, scope: str, name: str) -> Project:
        """Return the project if the caller may; one it is not for is as if it were not there.

        Raises:
            UnknownCallerError: There is no token.
            ForbiddenError: The token has not the scope.
            NoProjectError: There is no such project for this caller.
        """
        self.check(caller, scope)
        if not self.lets(caller, scope, name):
            raise NoProjectError
        return self.projects.get(name)

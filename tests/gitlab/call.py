"""One call: who asks, what for, with which parameters; and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.gitlab import errors
from tests.gitlab.state import Row, World

Ids = list[int]
TRUE = {True, "true", "True", "1", "yes", "on", "t"}
FALSE = {False, "false", "False", "0", "no", "off", "f", ""}


@dataclass
class Reply:
    """An answer that is more than a JSON body with the route's status."""

    body: Any = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"


@dataclass
class Call:
    """The request as a handler sees it: path parameters and merged arguments, the caller, the subject."""

    world: World
    verb: str
    path: str
    headers: Mapping[str, str]
    params: dict[str, str] = field(default_factory=dict)
    args: dict[str, Any] = field(default_factory=dict)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    query: str = ""
    user: Row | None = None
    token: Row | None = None
    project: Row = field(default_factory=dict)
    group: Row = field(default_factory=dict)
    mr: Row = field(default_factory=dict)

    @property
    def me(self) -> Row:
        """Return the caller.

        Raises:
            ApiError: Nobody is signed in.
        """
        if self.user is None:
            raise errors.unauthorized()
        return self.user

    @property
    def admin(self) -> bool:
        """Return whether the caller is an administrator."""
        return bool(self.user and self.user["admin"])

    def has(self, name: str) -> bool:
        """Return whether the argument was sent, even as null."""
        return name in self.args

    def text(self, name: str, default: str = "") -> str:
        """Return an argument as text; null and absent are the default."""
        value = self.args.get(name)
        return default if value is None else str(value)

    def int(self, name: str, default: int | None = None) -> Any:
        """Return an argument as a number.

        Raises:
            ApiError: It is not one.
        """
        value = self.args.get(name)
        if value in (None, ""):
            return default
        try:
            return int(value)
        except (TypeError, ValueError):
            raise errors.invalid(name, "is invalid") from None

    def flag(self, name: str, default: bool | None = None) -> Any:
        """Return an argument as a truth value.

        Raises:
            ApiError: It is not one.
        """
        value = self.args.get(name)
        if value is None:
            return default
        if not isinstance(value, (list, dict)):
            if value in TRUE:
                return True
            if value in FALSE:
                return False
        raise errors.invalid(name, "is invalid")

    def listed(self, name: str) -> list[Any]:
        """Return an argument as a list: an array, or a text with commas; [] when absent."""
        value = self.args.get(name)
        if value is None or value == "":
            return []
        if isinstance(value, list):
            return [item for item in value if item not in (None, "")]
        if isinstance(value, dict):
            return list(value.values())
        return [part.strip() for part in str(value).split(",") if part.strip()]

    def ids(self, name: str) -> Ids:
        """Return an argument as a list of numbers."""
        try:
            return [int(item) for item in self.listed(name)]
        except (TypeError, ValueError):
            raise errors.invalid(name, "is invalid") from None

    def number(self, name: str) -> Any:
        """Return a path parameter as a number.

        Raises:
            ApiError: It is not one, which Grape calls invalid.
        """
        try:
            return int(self.params[name])
        except ValueError:
            raise errors.invalid(name, "is invalid") from None

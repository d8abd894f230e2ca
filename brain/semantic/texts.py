"""What of a memory is embedded, and how it is known again."""

from __future__ import annotations

from brain.semantic.embedder import clean
from brain.semantic.vectors import blob_key, sha1
from brain.terms import language, memory_text
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.memory import Memory
    from brain.workspace import Brain


@value
class Source:
    """A memory as it is to be embedded: path, scope, key (blob id), language, text and its digest."""

    path: str
    scope: str
    key: bytes
    language: int
    text: str
    digest: bytes


def embedded_text(memory: Memory) -> str:
    """Return what of a memory is embedded: hook, aliases, body."""
    return clean("\n".join(filter(None, (memory.hook, ", ".join(memory.aliases), memory.body))))


def text_digest(text: str) -> bytes:
    """Return what one text that was embedded is told from another by."""
    return sha1(text.encode())


def read_sources(brain: Brain, *, drafts: bool = True) -> Iterator[Source]:
    """Yield every approved memory, and every draft or none, the best standing of each part first."""
    for part in brain.parts if drafts else brain.tree.parts:
        for number in range(part.segment.docs):
            if number not in part.dead:
                path, record = part.segment.record(number)
                memory = part.segment.memory(number)
                text = embedded_text(memory)
                yield Source(
                    path, memory.scope, blob_key(record), language(memory_text(memory)), text, text_digest(text)
                )

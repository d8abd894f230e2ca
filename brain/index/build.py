"""Parse memories and invert them into a segment."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict

from brain.errors import InvalidMemoryError
from brain.index.segment import HAS_HITS, MAX_TIMES, TIMES_BITS
from brain.index.write import write_segment
from brain.layout import AREA_TYPES, RETRO, find_place, has_plain_name, printable
from brain.memory import MAX_FILE_BYTES, Memory, parse_record, render_memory
from brain.tags import heads, name_keys
from brain.terms import LANGUAGES, language, memory_text, terms, word_key
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

GLOB_SIGNS = frozenset("*?[")
MAX_LENGTH = 65535
"""Terms of a memory that its column can say."""
RETRO_CHARACTERS = 4000


@value
class Retro:
    """A raw retrospect: path, date ("" where it has none), folded text it concerns functions by, text."""

    path: str
    created: str
    text: str


def read_memory(path: str, content: bytes | None, shown: str = "") -> Memory:
    """Return the memory in a file's bytes; see ``read_record``."""
    return _read(path, content, shown)[0]


def read_record(path: str, content: bytes | None, shown: str = "") -> tuple[Memory, str]:
    """Return the memory in a file's bytes, and a text of it that is read again without a YAML library.

    Args:
        path: Where it lies below the memory root.
        content: The bytes; None where they were too many to have been read.
        shown: The path that errors give; ``path`` by default.

    Raises:
        InvalidMemoryError: It is no memory; the error says what and where.
    """
    memory, text, is_plain = _read(path, content, shown)
    return memory, text if is_plain else render_memory(memory)


def _read(path: str, content: bytes | None, shown: str) -> tuple[Memory, str, bool]:
    shown = printable(shown or path)
    place = find_place(path)
    if place is None:
        raise InvalidMemoryError(
            shown, 1, "no memory may lie here", "move it to one of the areas: " + ", ".join(AREA_TYPES)
        )
    if not has_plain_name(place):
        raise InvalidMemoryError(shown, 1, "not a plain name", "use ASCII letters, digits, '-', '.' and '_' for it")
    text = decode(content, shown)
    memory, is_plain = parse_record(text, place, shown)
    return memory, text, is_plain


def decode(content: bytes | None, shown: str, limit: int = MAX_FILE_BYTES) -> str:
    """Return a file's text.

    Raises:
        InvalidMemoryError: It is too large (None: it was not even read), no UTF-8, or holds a NUL.
    """
    if content is None or len(content) > limit:
        what = f"the file is over {limit} bytes" + ("" if content else ", or its content is not here")
        raise InvalidMemoryError(shown, 1, what, "make it shorter: a memory is one fact, at most 150 words")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + content[: error.start].count(b"\n")
        raise InvalidMemoryError(shown, line, "not UTF-8", "save the file as UTF-8") from None
    if "\0" in text:
        raise InvalidMemoryError(shown, 1 + text[: text.index("\0")].count("\n"), "a NUL byte", "save it as UTF-8")
    return text


def build_segment(
    memories: Iterable[tuple[Memory, str]], retros: Iterable[Retro] = (), header: dict[str, object] | None = None
) -> bytes:
    """Return the segment of memories, each with the text it is read from again; more header fields may be given.

    The header says besides: ``places`` (area, folder, number of memories), ``workflow_sets``, ``globs`` (refs with
    wildcards), ``heads`` (first two characters of aliases in Han or Kana), ``superseded`` (id → id that replaces
    it), ``languages`` (memories in each), ``length`` (terms of all together).
    """
    ordered = sorted(memories, key=lambda pair: _standing(pair[0]))
    inverter = _Inverter()
    for number, (memory, _) in enumerate(ordered):
        inverter.add(number, memory)
    records = [(memory.path, text) for memory, text in ordered]
    latest_first = sorted(retros, key=lambda retro: (retro.created, retro.path), reverse=True)
    for number, retro in enumerate(latest_first, len(ordered)):
        inverter.postings["retro:"].append(number)
        records.append((retro.path, retro.text))
    return write_segment(
        {**inverter.header(), **(header or {}), "docs": len(ordered)},
        inverter.columns,
        inverter.all_postings(),
        records,
        set().union(*inverter.words),
    )


def _standing(memory: Memory) -> tuple[float, int, str]:
    return -memory.confidence, -day_number(memory.created), memory.id


def day_number(date: str) -> int:
    """Return YYYYMMDD as a number."""
    return int(date.replace("-", ""))


def _numbers() -> array[int]:
    return array("I")


class _Inverter:
    """Collects columns and postings, one memory after another."""

    def __init__(self) -> None:
        self.postings: defaultdict[str, array[int]] = defaultdict(_numbers)
        self.words: list[defaultdict[str, array[int]]] = [defaultdict(_numbers) for _ in LANGUAGES]
        self.languages = [0 for _ in LANGUAGES]
        self.columns: dict[str, array[Any]] = {
            "place": array("I"), "workflows": array("H"), "confidence": array("d"), "created": array("I"),
            "length": array("H"),
        }  # fmt: skip
        self.places: dict[tuple[str, str], list[int]] = {}
        self.workflow_sets: dict[tuple[str, ...], int] = {}
        self.length = 0
        self.globs: set[str] = set()
        self.heads: set[str] = set()
        self.superseded: dict[str, str] = {}

    def add(self, number: int, memory: Memory) -> None:
        place = (memory.place.area, memory.place.folder or memory.own_scope)
        here = self.places.setdefault(place, [len(self.places), 0])
        here[1] += 1
        text = memory_text(memory)
        words = terms(text)
        columns = self.columns
        columns["place"].append(here[0])
        columns["workflows"].append(self.workflow_sets.setdefault(memory.workflows, len(self.workflow_sets)))
        columns["confidence"].append(memory.confidence)
        columns["created"].append(day_number(memory.created) + (HAS_HITS if memory.hits else 0))
        columns["length"].append(min(len(words), MAX_LENGTH))
        self.length += min(len(words), MAX_LENGTH)
        postings = self.postings
        for key in self.keys(memory):
            postings[key].append(number)
        spoken = language(text)
        self.languages[spoken] += 1
        found = self.words[spoken]
        entry = number << TIMES_BITS
        counts: dict[str, int] = Counter(words)
        if len(words) - len(counts) >= MAX_TIMES and max(counts.values()) > MAX_TIMES:
            counts = {word: min(times, MAX_TIMES) for word, times in counts.items()}
        appended = map(array.append, map(found.__getitem__, counts), map(entry.__or__, counts.values()))
        any(appended)  # runs through them all, since append returns None: half the time of a loop, and most of a build
        for old in memory.supersedes:
            self.superseded[old] = memory.id
        for new in memory.superseded_by:
            self.superseded[memory.id] = new

    def keys(self, memory: Memory) -> set[str]:
        """Return the keys a memory is found by, words aside."""
        place = memory.place
        keys = {f"id:{memory.id}", f"area:{place.area}", f"place:{place.area}/{place.folder or memory.own_scope}"}
        keys.update([f"tag:{tag}" for tag in memory.tags])
        keys.update([f"workflow:{name}" for name in memory.workflows])
        for ref in memory.refs:
            path = _without_lines(ref)
            if not GLOB_SIGNS.isdisjoint(path):
                self.globs.add(path)
            keys.add("ref:" + path.rstrip("/"))
        keys.update(name_keys(memory))
        self.heads.update(heads(memory.aliases))
        return keys

    def all_postings(self) -> dict[str, array[int]]:
        """Return every posting by its key."""
        for spoken, words in zip(LANGUAGES, self.words, strict=True):
            self.postings.update({word_key(spoken, word): found for word, found in words.items()})
        return self.postings

    def header(self) -> dict[str, object]:
        return {
            "places": [[*place, count] for place, (_, count) in self.places.items()],
            "workflow_sets": [list(names) for names in self.workflow_sets],
            "globs": sorted(self.globs), "heads": sorted(self.heads),
            "superseded": self.superseded, "languages": self.languages, "length": self.length,
        }  # fmt: skip


def is_retro(path: str) -> bool:
    """Say whether a path below the memory root is a retrospect's."""
    return path.startswith(RETRO + "/") and path.endswith(".md") and path.count("/") == 1


def read_retro(path: str, content: bytes | None) -> Retro:
    """Return a retrospect: dated by a line ``created: YYYY-MM-DD``, if it has one, and cut."""
    text = (content or b"")[: RETRO_CHARACTERS * 4].decode("utf-8", "replace")[:RETRO_CHARACTERS]
    dates = [line[9:].strip() for line in text.splitlines() if line.startswith("created: ")]
    return Retro(path, next(filter(_is_date, dates), ""), text)


def _is_date(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and text.replace("-", "").isdecimal()


def _without_lines(ref: str) -> str:
    """Return a ref without its lines: ``path#L10-L40`` is about the whole file where files are compared."""
    path, mark, lines = ref.rpartition("#L")
    return path if mark and lines.replace("-L", "").replace("-", "").isdigit() else ref

"""The vectors of one store and one embedder, in one file that is read without being loaded.

Layout (native byte order; the file never leaves the machine)::

    magic | header length | header checksum | header (JSON) | means | seeds | languages | bits | path ends | paths |
    rows

* ``means`` are a mean vector of memories for each language, then one of tickets for each: taken out before a cosine,
  else every query prefers memories in its own language (SPEC §12). ``seeds`` are what they lean on, for the next
  build.
* ``bits`` are the signs of each vector without its language's mean. How many signs differ is a good guess of the angle
  and costs a tenth of a microsecond; the best ``CANDIDATES`` of that guess are then compared by their numbers.
* A *row* is a vector in one byte a dimension, its scale and length, and whose text it is: the *key* is git's id of the
  memory's file as a blob, the *digest* is of what was embedded. A row whose memory says something else by now is never
  used.

One checksum stands over the header, one over all before the rows, one over each row: a damaged file is found out where
it is read, and removed. It can be dropped at any time.
"""

from __future__ import annotations

import mmap
import os
import zlib
from _operator import mul

from brain.errors import BrainError
from brain.files import remove_file
from brain.index.cache import VECTORS, vectors_stem
from brain.json_text import parse_json
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from brain.git.refs import Repo

MAGIC = b"BRAINVC1"
FORMAT = 1
"""Raise with every change of layout."""
ROW_HEAD = 52
"""Bytes of a row before its numbers: checksum, scale, length, key, digest."""
KEY_BYTES = 20
CANDIDATES = 500
"""Rows compared by their numbers: all of a small store's. Of the best ten among 5,266 real vectors 0.991 were in it."""


class VectorsError(BrainError):
    """The file is not a whole one of this format."""


@value
class Hit:
    """A row that is near a query: whose memory it is, its language, and the cosine without the languages' means."""

    path: str
    key: bytes
    digest: bytes
    language: int
    cosine: float


class Vectors:
    """A file of vectors, open for reading.

    ``header`` holds ``fingerprint``, ``dim``, ``count``, and ``tree``, the id of the tree it was built from.
    """

    def __init__(self, data: memoryview, name: str) -> None:
        self.name = name
        try:
            self._open(data)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise self.damaged(str(error)) from error

    def _open(self, data: memoryview) -> None:
        size, checksum = data[8:16].cast("I")
        head = data[16 : 16 + size]
        if data[:8] != MAGIC or zlib.crc32(head) != checksum:
            raise ValueError("the header is not whole")
        self.header = parse_json(str(head, "utf-8"))
        if self.header["format"] != FORMAT or len(data) != self.header["size"]:
            raise ValueError("another format, or cut short")
        sections = {name: data[start:end] for name, (start, end) in self.header["sections"].items()}
        if zlib.crc32(data[16 + size : self.header["sections"]["rows"][0]]) != self.header["checksum"]:
            raise ValueError("the tables are not whole")
        self.dim: int = self.header["dim"]
        self.count: int = self.header["count"]
        self.languages, self._bits, self._rows = sections["languages"], sections["bits"], sections["rows"]
        self.means, self.seeds = sections["means"].cast("f"), sections["seeds"].cast("f")
        self._path_ends, self._paths = sections["path_ends"].cast("I"), sections["paths"]
        self._row_size = ROW_HEAD + padded(self.dim)

    def mean(self, language: int, *, query: bool) -> Sequence[float]:
        """Return the mean vector of a language's memories, or of its tickets."""
        languages = len(self.means) // (2 * self.dim)
        at = (language + (languages if query else 0)) * self.dim
        return self.means[at : at + self.dim].tolist()

    def near(self, vector: Sequence[float], language: int, least: float, *, query: bool = True) -> list[Hit]:
        """Return the rows nearest to a vector whose cosine is at least ``least``, the nearest first.

        Args:
            vector: Of length 1.
            language: The one the text is written in.
            least: What is less says nothing.
            query: Whether the text asks, or says what a memory says.
        """
        asked = centred(vector, self.mean(language, query=query))
        spoken = set(self.languages.tobytes())
        offsets = {one: sum(map(mul, asked, self.mean(one, query=False))) for one in spoken}
        found = []
        for number in self._candidates(asked):
            scale, norm, codes = self._numbers(number)
            cosine = (sum(map(mul, asked, codes)) * scale - offsets[self.languages[number]]) / norm
            if cosine >= least:
                found.append((-cosine, number))
        return [self._hit(number, -minus) for minus, number in sorted(found)]

    def _candidates(self, asked: Sequence[float]) -> Sequence[int]:
        """Return the numbers of the rows whose signs differ least."""
        if self.count <= CANDIDATES:
            return range(self.count)
        signs, width, bits = int.from_bytes(sign_bits(asked), "little"), (self.dim + 7) // 8, bytes(self._bits)
        read = int.from_bytes
        apart = [
            (signs ^ read(bits[at : at + width], "little")).bit_count() for at in range(0, width * self.count, width)
        ]
        most = sorted(apart)[CANDIDATES - 1]
        return [number for number, different in enumerate(apart) if different <= most]

    def _row(self, number: int) -> memoryview:
        row = self._rows[number * self._row_size : (number + 1) * self._row_size]
        if zlib.crc32(row[4:]) != row[:4].cast("I")[0]:
            raise self.damaged(f"row {number}")
        return row

    def _numbers(self, number: int) -> tuple[float, float, memoryview]:
        row = self._row(number)
        scale, norm = row[4:12].cast("f")
        return scale, norm or 1.0, row[ROW_HEAD : ROW_HEAD + self.dim].cast("b")

    def _hit(self, number: int, cosine: float) -> Hit:
        return Hit(self.path(number), self.key(number), self.digest(number), self.languages[number], cosine)

    def path(self, number: int) -> str:
        """Return the path of a row's memory, below the memory root."""
        start = self._path_ends[number - 1] if number else 0
        return os.fsdecode(bytes(self._paths[start : self._path_ends[number]]))

    def key(self, number: int) -> bytes:
        """Return the blob id of the text that a row was made from."""
        return bytes(self._row(number)[12 : 12 + KEY_BYTES])

    def digest(self, number: int) -> bytes:
        """Return the digest of what was embedded."""
        return bytes(self._row(number)[12 + KEY_BYTES : ROW_HEAD])

    def code(self, number: int) -> Code:
        """Return a row's vector as it is kept."""
        scale, _, numbers = self._numbers(number)
        return Code(scale, bytes(numbers))

    def damaged(self, what: str) -> VectorsError:
        """Remove the file, so that it is made anew, and return the error that says why."""
        if os.path.isabs(self.name):  # else it was never a file
            remove_file(self.name)
        return VectorsError(f"{self.name}: damaged: {what}", "it is removed: run brain semantic build")


@value
class Code:
    """A vector in one signed byte a dimension, each times ``scale``."""

    scale: float
    numbers: bytes

    def floats(self) -> list[float]:
        """Return the numbers."""
        return [self.scale * number for number in memoryview(self.numbers).cast("b")]


def vectors_path(repo: Repo, root: str, fingerprint: str) -> str:
    """Return the file of the vectors that an embedder with this fingerprint made of a memory root."""
    return f"{vectors_stem(repo, root)}-{zlib.crc32(fingerprint.encode()):08x}{VECTORS}"


def open_vectors(path: str) -> Vectors:
    """Map a file of vectors.

    Raises:
        OSError: It cannot be read.
        VectorsError: It is no whole one of this format; it is removed.
    """
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 24:
            remove_file(path)
            raise VectorsError(f"{path}: damaged: cut short", "it is removed: run brain semantic build")
        return Vectors(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)), path)


def centred(vector: Sequence[float], mean: Sequence[float]) -> list[float]:
    """Return a vector without a mean, of length 1."""
    rest = [a - b for a, b in zip(vector, mean, strict=True)]
    length = sum(map(mul, rest, rest)) ** 0.5 or 1.0
    return [number / length for number in rest]


def sign_bits(numbers: Sequence[float]) -> bytes:
    """Return a bit a number, the first lowest: 1 where it is above zero."""
    text = "".join(["1" if number > 0 else "0" for number in reversed(numbers)])
    return int(text, 2).to_bytes((len(numbers) + 7) // 8, "little")


def blob_key(text: str) -> bytes:
    """Return git's id (SHA-1) of a text as a blob."""
    content = text.encode("utf-8", "surrogatepass")
    return sha1(b"blob %d\0" % len(content) + content)


def sha1(content: bytes) -> bytes:
    """Return the SHA-1 of some bytes: git's own name for them, no seal."""
    digest: bytes = _sha1(content).digest()  # noqa: S324 - git's ids are SHA-1
    return digest


def padded(size: int) -> int:
    """Return the room that so many bytes take in a row."""
    return -(-size // 4) * 4


try:  # the package hashlib costs a hook 5 ms
    from _sha1 import sha1 as _sha1  # type: ignore[import-not-found]
except ImportError:
    from hashlib import sha1 as _sha1

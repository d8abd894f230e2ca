"""Any model that sentence-transformers loads: a folder on this machine, or a name on a hub.

Importing it takes seconds, so a session start never does; ``brain semantic build`` and the service do.
"""

from __future__ import annotations

import os

from brain.semantic.embedder import EmbedderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.semantic.embedder import Model

BATCH = 32


class Transformer:
    """A sentence-transformers model on the CPU."""

    def __init__(self, model: Model, fingerprint: str, threads: int) -> None:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise EmbedderError(
                "sentence-transformers is not installed", "pip install '.[semantic-st]' in Project Brain's folder"
            ) from None
        if threads:
            torch.set_num_threads(threads)
        try:
            self._model = SentenceTransformer(model.name, device="cpu", local_files_only=os.path.isdir(model.name))
        except (OSError, ValueError) as error:
            first = str(error).strip().splitlines()[0]
            raise EmbedderError(f"model {model.name!r} cannot be loaded: {first}", "name a model folder") from None
        self._prefixes = {True: model.query_prefix, False: model.passage_prefix}
        self.fingerprint = fingerprint
        self.dim = int(self._model.get_embedding_dimension() or 0)

    def embed(self, texts: Sequence[str], *, query: bool) -> Iterator[Sequence[float]]:
        """Yield a vector for each text."""
        asked = [self._prefixes[query] + text for text in texts]
        for row in self._model.encode(asked, batch_size=BATCH, prompt="", show_progress_bar=False):
            yield row.tolist()

"""Keep the vectors of this machine up with the tree: what a pull brought is embedded right after it."""

from __future__ import annotations

from brain.index.cache import has_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.workspace import Brain

MOST = 50
"""Texts that a pull may wait for, some seconds; for more of them somebody runs ``brain semantic build``."""


def refresh_vectors(brain: Brain, env: Mapping[str, str]) -> int | None:
    """Embed what is new where an index was built; return how many, or None where nothing was tried.

    Nothing is tried without an index, with a model that takes seconds to load, or when there is too much to do; an
    endpoint that does not answer leaves the index as it is.
    """
    if not has_vectors(brain.repo, brain.tree.root):
        return None
    from brain.errors import BrainError
    from brain.semantic.build import build_vectors
    from brain.semantic.embedder import is_light, model_of, open_embedder
    from brain.semantic.status import status_of

    try:
        model = model_of(brain.config)
        state = status_of(brain)
        if not is_light(model) or not state.bytes or state.missing > MOST:
            return None
        return build_vectors(brain, open_embedder(model, env), lambda _done, _total: None).embedded
    except BrainError:  # another build runs, or the model is not here now: the next one does it
        return None

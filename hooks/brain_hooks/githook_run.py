"""What the git hook ``post-merge`` does: read the new tree into the index, and check its refs, for the next session."""

from __future__ import annotations

import os

from brain.git.refs import get_repo
from brain.index.cache import load_tree
from brain.recall.doubts import doubts_of
from brain.semantic.refresh import refresh_vectors
from brain.settings import load_config
from brain.workspace import find_workspace, open_brain, read_state
from brain_hooks.place import has_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT = 60.0
"""Seconds git gets in each repo."""


def refresh(folder: str, env: Mapping[str, str]) -> None:
    """Bring index, overlay and vectors up to date for the memory that ``folder`` belongs to, if there is any.

    Raises:
        BrainError: ``folder`` is in no repository, or its memory cannot be read.
    """
    workspace = find_workspace(folder)
    config = load_config({}, read_state(workspace), env)
    own = get_repo(folder)
    if own.work_tree and os.path.isdir(os.path.join(own.work_tree, config["memory.root"])):
        load_tree(own, config["memory.root"], config["memory.remote"], config["memory.branch"])
    if has_memory(workspace, config):
        brain = open_brain(folder, env)
        doubts_of(brain, [memory for part in brain.tree.parts for memory in part.memories()], timeout=TIMEOUT)
        refresh_vectors(brain, env)

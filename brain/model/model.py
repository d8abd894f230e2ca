"""The model that a person has set on this machine, and what it answers; nothing here trusts the answer.

Whose settings: only those of the workspace and the environment. A memory repo's brain.toml cannot name a model (see
``brain.settings.OWN``): whoever merges there would run programs here, or have documents sent to them.
"""

from __future__ import annotations

import os

from brain.errors import BrainError, ConfigError
from brain.git.run import try_git
from brain.workspace import STATE_DIR, STATE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from brain.settings import Config
    from brain.workspace import Workspace

    class Model(Protocol):
        """A model; ``label`` says which, for the person who pays for it."""

        label: str

        def answer(self, prompt: str) -> str:
            """Return what the model says.

            Raises:
                ModelError: It gave no answer, or none in time.
            """


class ModelError(BrainError):
    """The model gave no answer that could be used."""


def find_model(config: Config, env: Mapping[str, str], workspace: Workspace) -> Model | None:
    """Return the model that is set, None where none is; a command goes before an address.

    Args:
        config: The settings.
        env: The environment: what a command gets of it, and where the address's token lies.
        workspace: Where a command with a relative path is looked for.

    Raises:
        ConfigError: The settings name none that could be asked.
    """
    seconds = config["model.deadline"]
    name = next((name for name in ("model.command", "model.endpoint") if config[name]), "")
    if name and config.source(name) == f"{STATE_DIR}/{STATE_FILE}" and _is_committed(workspace):
        why = "the file is in git: whoever merges there would choose what runs here"
        variable = f"BRAIN_{name.replace('.', '_').upper()}"
        raise ConfigError(config.source(name), name, why, f"set {variable} in your environment, or take it out of git")
    if config["model.command"]:
        from brain.model.command import Command

        return Command(config["model.command"], seconds, env, workspace.root)
    if config["model.endpoint"]:
        from brain.model.endpoint import Endpoint

        if not config["model.name"]:
            raise ConfigError(config.source("model.endpoint"), "model.name", "is empty", "name the model to be asked")
        return Endpoint(config["model.endpoint"], config["model.name"], config["model.keyVariable"], env, seconds)
    return None


def _is_committed(workspace: Workspace) -> bool:
    """Say whether the workspace's settings are a file that git tracks: then they are not this person's alone."""
    path = os.path.join(workspace.state_dir, STATE_FILE)
    return bool(try_git(workspace.state_dir, "ls-files", "-z", "--", path).out)

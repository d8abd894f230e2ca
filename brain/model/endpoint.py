"""An OpenAI-compatible address that chats: ``POST URL/chat/completions {"model", "messages"}``.

The token is in the variable that ``model.keyVariable`` names, and nowhere else: it stands in no error and no setting.
"""

from __future__ import annotations

import json

from brain.errors import ConfigError
from brain.model.model import ModelError
from brain.post import PostError, address_of, post_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_ANSWER = 4 << 20


class Endpoint:
    """A model behind an address.

    Raises:
        ConfigError: The variable that is to hold the token does not.
        PostError: The address is none.
    """

    def __init__(self, url: str, name: str, variable: str, env: Mapping[str, str], seconds: float) -> None:
        if variable and not env.get(variable):
            raise ConfigError("environment", variable, "is not set", "put the token there, or empty model.keyVariable")
        token = env[variable] if variable else ""
        self._address = address_of(url, token, "model.endpoint", variable or "the variable of model.keyVariable")
        self._name, self._variable, self._seconds = name, variable, seconds
        self.label = f"{name} at {self._address.where}"

    def answer(self, prompt: str) -> str:
        """Return what the model says; see ``Model``."""
        body = json.dumps({"model": self._name, "messages": [{"role": "user", "content": prompt}], "temperature": 0})
        try:
            answer = post_json(self._address, "/chat/completions", body, self._seconds, MAX_ANSWER)
        except PostError as error:
            raise ModelError(str(error), "is the server up? model.deadline is the longest it may take") from None
        where = self._address.where
        if answer.status != 200:
            raise ModelError(f"{where}: {answer.status} {answer.reason}", self._hint(answer.status))
        try:
            said = json.loads(answer.content)["choices"][0]["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise ModelError(f"{where}: no message in the answer", "does model.endpoint end in /v1?") from None
        if not isinstance(said, str):
            raise ModelError(f"{where}: the message is no text")
        return said

    def _hint(self, status: int) -> str:
        if status in (401, 403):
            return f"is the token in {self._variable or 'the variable of model.keyVariable'} right?"
        if 300 <= status < 400:
            return "it leads elsewhere, and a token goes nowhere else: write the address itself"
        return "does model.endpoint end in /v1, and is model.name known there?" if status == 404 else ""

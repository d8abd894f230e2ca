"""Whether Codex trusts our hooks: the user's ``config.toml`` has an entry for each hook that was accepted.

``[hooks.state."<file>:<event>:<group>:<entry>"]`` with a ``trusted_hash`` (Codex CLI 0.171.0). A hook that changed
since has another hash, which only Codex can tell; so "accepted" is what is said here, and ``/hooks`` knows the rest.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ACCEPT = "not trusted yet, so skipped in silence: start codex and accept the hooks (/hooks shows them)"


def of_codex(path: Path, env: Mapping[str, str]) -> str:
    """Return what is known of the trust in the hooks of a file."""
    home = env.get("CODEX_HOME") or (env.get("HOME") or env.get("USERPROFILE") or "") + "/.codex"
    try:
        found = tomllib.loads(Path(home, "config.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return ACCEPT
    hooks = found.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    names = {str(path), str(path.resolve())}
    accepted = [
        key for key, entry in (state.items() if isinstance(state, dict) else ())
        if any(key.startswith(f"{name}:") for name in names) and isinstance(entry, dict)
        and entry.get("trusted_hash") and entry.get("enabled") is not False
    ]  # fmt: skip
    return f"{len(accepted)} hooks of that file were accepted" if accepted else ACCEPT

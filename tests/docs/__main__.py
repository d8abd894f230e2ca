"""``python -m tests.docs``: write what is made from the code into the pages."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / room) for room in ("hooks", "ci", "api")]  # the code as it stands, not an installed copy

from tests.docs.made import made_pages  # noqa: E402 - looks for the rooms


def main() -> int:
    """Write each page that differs, and name it."""
    for name, text in made_pages().items():
        page = ROOT / name
        if not page.exists() or page.read_text("utf-8") != text:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, "utf-8")
            print(name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

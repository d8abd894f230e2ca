"""``python -m tests.docs``: write what is made from the code into the pages."""

from __future__ import annotations

from tests.docs.made import ROOT, made_pages


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

"""Run ``brain-api`` as ``python -m brain_api``."""

from brain_api.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

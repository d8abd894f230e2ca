"""``python -I -m brain_hooks HOST EVENT [PART]``."""

from brain_hooks.cli import main

raise SystemExit(main())

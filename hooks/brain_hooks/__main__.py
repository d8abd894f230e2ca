"""``python -I -m brain_hooks HOST EVENT [PART]``."""

from brain_hooks.cli import entry

entry()

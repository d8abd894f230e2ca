"""``python -m brain_ci``."""

from brain_ci.cli import main

raise SystemExit(main())

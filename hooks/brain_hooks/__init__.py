"""Hooks for assistants: JSON on stdin, one valid answer on stdout, exit status 0 whatever is broken.

The folder an assistant works in may put anything on PYTHONPATH, a package ``brain`` among it. What came from there
is taken off the path before anything else is imported.
"""

import os
import sys

_HOSTILE = {os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry}
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:] = [entry for entry in sys.path if entry and (entry not in _HOSTILE or entry == _OWN)]

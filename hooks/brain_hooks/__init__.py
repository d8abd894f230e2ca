"""Hooks for assistants: JSON on stdin, one valid answer on stdout, exit status 0 whatever is broken.

The folder an assistant works in may put anything on PYTHONPATH, a package ``brain`` among it. What came from there
is taken off the path before anything else is imported, and so is the folder itself, which ``python -m`` puts first.
"""

import os
import sys

_HOSTILE = {os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry}
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:  # so it reads while ``python -m`` looks for our ``__main__``
    del sys.path[:1]
sys.path[:] = [entry for entry in sys.path if entry and (os.path.abspath(entry) not in _HOSTILE or entry == _OWN)]

"""The parsed tree on disk: ``segment`` is its file format, ``cache`` keeps it in step with git."""

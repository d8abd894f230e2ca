"""Keep the memory true (SPEC §8): counts of use, one merge request a week, promotion, figures.

``counts`` are grow-only numbers of each machine, ``local`` makes them from this machine's telemetry, ``publish`` brings
them to the remote and back. ``gather`` collects the facts of ``consolidate``, ``plan`` decides, ``describe`` words it.
"""

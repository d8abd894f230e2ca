"""Propose drafts for approval: a branch, one merge request, and nothing lost on the way (SPEC §6.3).

``gather`` reads the facts, ``plan`` decides, ``apply`` does; ``journal`` remembers, ``settle`` finishes what was
interrupted and sees how merge requests end, ``pullback`` brings drafts back for editing.
"""

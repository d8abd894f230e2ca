"""Make reviewed memories official (SPEC §6.4): facts from git and GitLab, a pure plan, one commit; then a check.

``gather`` asks what is not final and who approved it, ``plan`` decides, ``apply`` commits and lands; ``approval`` holds
the rules of whose approval counts, and of what.
"""

"""Capture from work: what a session's transcript teaches, without a model (SPEC §9)."""

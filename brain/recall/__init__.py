"""Recall, the main job: query → candidates → rank → fit → text (SPEC §4)."""

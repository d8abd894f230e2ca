"""What the memory repo's project on GitLab is set to, and should be: facts, a plan, and its doing (SPEC §6.5)."""

"""A language model that drafts: a program on this machine, or an OpenAI-compatible address (SPEC §3 b, c)."""

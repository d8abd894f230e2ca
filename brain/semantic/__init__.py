"""The semantic phase (SPEC §12): vectors of memories, kept beside the index, and what a ticket means to them."""

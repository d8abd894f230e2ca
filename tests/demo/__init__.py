"""The demo: a small team's memory in three languages, and what an assistant gets from it."""

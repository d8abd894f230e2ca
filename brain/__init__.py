"""Project Brain: a team's memory for its AI assistants."""

__version__ = "0.1.0"

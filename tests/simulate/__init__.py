"""A simulated year of a team: what is planted is the truth that the programs are held against. ``make simulate``."""

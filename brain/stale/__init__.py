"""Staleness: did what a memory rests on change since? ``check`` asks git, ``overlay`` remembers."""

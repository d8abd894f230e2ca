"""The lint engine (SPEC §6.1): facts first (``Finding``), then pure formatters. Nothing here prints or exits."""

"""Secrets: vendor tokens, keys, passwords in addresses, commands and prose. Own rules; no scanner finds the last."""

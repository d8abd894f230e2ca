"""Vectors of a team in PostgreSQL with pgvector: one server for all machines and replicas (SPEC §12)."""

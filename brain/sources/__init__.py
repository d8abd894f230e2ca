"""What a team has written down already: documents → pieces worth a draft, and pieces → drafts (SPEC §3)."""

"""The web page for PM and team: read-only, made on the server, no script, in Vietnamese, English and Japanese."""

"""MCP: the memory as tools and resources for assistants, over standard streams and over HTTP (SPEC §10).

Only ``server``, ``confirm``, ``stdio`` and the inside of ``mount`` load the SDK, which takes most of a start.
"""

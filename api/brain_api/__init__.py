"""The service: recall over HTTP, GitLab's webhooks, for one or many projects (SPEC §10)."""

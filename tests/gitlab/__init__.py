"""A local GitLab: REST v4 and git over HTTP in one process, for tests. Driven only through HTTP and git."""

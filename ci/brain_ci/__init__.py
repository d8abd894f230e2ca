"""What GitLab pipelines run: ``brain-ci``. ``gitlab_env`` is the only reader of CI's variables."""

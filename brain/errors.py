"""The exception family: constructors take facts and compose the sentence (SPEC §13)."""


class BrainError(Exception):
    """Anything the user can act on; ``hint`` says how."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class InvalidMemoryError(BrainError):
    """A memory file that cannot be read as one. Not ``MemoryError``: that is Python's."""

    def __init__(self, path: str, line: int, reason: str, mend: str = "") -> None:
        super().__init__(f"{path}:{line}: {reason}", mend)
        self.path, self.line, self.reason, self.mend = path, line, reason, mend


class MemoryNotFoundError(BrainError):
    """No memory has that id."""

    exit_code = 1

    def __init__(self, memory_id: str, near: str = "", told: BrainError | None = None) -> None:
        hint = told.hint if told else f"did you mean {near}?" if near else ""
        super().__init__(str(told) if told else f"no memory {memory_id!r}", hint)
        self.memory_id = memory_id


class ConfigError(BrainError):
    """A setting that cannot be used."""

    def __init__(self, source: str, key: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{source}: {key}: {reason}" if key else f"{source}: {reason}", hint)
        self.source, self.key, self.reason = source, key, reason


class NoMemoryRepoError(BrainError):
    """A workspace neither holds memories nor names the repo that does."""

    def __init__(self, workspace: str, root: str) -> None:
        reason = f"{workspace} holds no {root} and names none"
        hint = "run brain init, or brain init --repo PATH-or-URL to connect to the team's"
        super().__init__(f"no memory repo: {reason}", hint)


class GitError(BrainError):
    """Git said no."""

    exit_code = 4

    def __init__(self, argv: "list[str]", status: int, stderr: str, hint: str = "") -> None:
        lines = [*stderr.strip().splitlines(), f"exit status {status}"]
        first = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0])
        super().__init__(f"git {' '.join(argv)}: {first}", hint)
        self.argv, self.status, self.stderr = argv, status, stderr


class ConflictError(BrainError):
    """A file or branch moved on since it was read, or is there already."""

    exit_code = 6


class ForgeError(BrainError):
    """GitLab said no, or did not answer; no part of it holds a secret.

    ``status`` is the HTTP status, 0 where no answer came. ``unclear`` says that the request may have taken effect all
    the same, so that whoever sent it must look before it is sent again.
    """

    exit_code = 5

    def __init__(self, request: str, status: int, reason: str, hint: str = "", *, unclear: bool = False) -> None:
        super().__init__(f"GitLab: {request}: {f'{status} ' if status else ''}{reason}", hint)
        self.request, self.status, self.reason, self.unclear = request, status, reason, unclear

"""What was said and done in a session, whichever assistant wrote it down, and what its readers share. Pure.

Transcripts are other programs' files: any field may be missing or of another kind, and is nothing then.
"""

from __future__ import annotations

from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PERSON, ASSISTANT, CALL, RESULT, ERROR = "person", "assistant", "call", "result", "error"
"""What a turn is: a person's words, the assistant's, a tool that is called, its answer, its failure."""
HEAD, TAIL = 3000, 1000
"""Characters that are kept of a longer text, from its beginning and its end."""
ECHOES = (
    ("<system-reminder>", "</system-reminder>"), ("<hook_context", "</hook_context>"),
    ("<project-brain ", "</project-brain>"), ("&lt;project-brain ", "&lt;/project-brain&gt;"),
    ("[brain]", "[/brain]"), ("<hook_prompt", "</hook_prompt>"),
)  # fmt: skip
"""Texts that hooks and hosts put between a person's words, ours among them."""
MACHINE_HEADS = (
    "<task-notification>", "<command-name>", "<command-message>", "<local-command-", "[Request interrupted by user",
    "[SYSTEM]", "<environment_context>", "<user_instructions>", "<session_context>", "<bash-", "<user_action>",
    "<turn_aborted>", "<skill>", "# AGENTS.md instructions", "This session is being continued from a previous",
    "Caveat: The messages below", "Before you end: ", "Stop hook feedback:",
)  # fmt: skip
"""What begins a text in a person's place that no person wrote."""
GUIDANCE = "Additional guidance from postToolUse hooks:"
"""After this, Copilot puts what hooks say into a tool's answer."""
SHELLS = frozenset(
    ("Bash", "bash", "shell", "exec_command", "local_shell", "run_shell_command", "exec", "run_commands", "Shell",
     "run_in_terminal", "execute_bash")
)  # fmt: skip
EDITORS = frozenset((
    "Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "replace", "write_file", "edit", "create",
    "str_replace", "str_replace_editor", "StrReplace", "create_file", "replace_string_in_file", "insert_edit_into_file",
    "editor", "fs_write", "write",
))  # fmt: skip
PATCH_HEADS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
PATHS = ("file_path", "filePath", "notebook_path", "path")
MOST_FILES = 20


@value
class Turn:
    """One thing that was said or done.

    ``at`` is the byte of the transcript where it begins. ``text`` is what was said, a shell's command line, or what a
    tool answered; ``call`` ties a tool's answer to its call. ``files`` are the paths that a call changes, as spelled.
    """

    kind: str
    text: str
    at: int
    call: str = ""
    files: tuple[str, ...] = ()


def text_of(found: Any) -> str:
    """Return the text of a value: itself, or that of its blocks joined; "" where there is none."""
    if isinstance(found, str):
        return found
    if isinstance(found, list):
        return "\n".join(filter(None, map(text_of, found)))
    if isinstance(found, dict) and found.get("type") in (None, "text", "input_text", "output_text"):
        return text_of(found.get("text"))
    return ""


def dict_of(found: Any) -> dict[str, Any]:
    """Return an object; an empty one for anything else."""
    return found if isinstance(found, dict) else {}


def dicts_of(found: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list."""
    yield from (item for item in found if isinstance(item, dict)) if isinstance(found, list) else ()


def clipped(text: str) -> str:
    """Return a text whose middle is left out where it is long; lone surrogates are replaced."""
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]}\n…\n{text[-TAIL:]}"
    return text.encode("utf-8", "replace").decode()


def spoken(text: str) -> str:
    """Return what a person said: nothing of a machine's turn, and none of what hooks put in."""
    for head, tail in ECHOES:
        while (start := text.find(head)) >= 0:
            end = text.find(tail, start)
            text = text[:start] + (text[end + len(tail) :] if end >= 0 else "")
    text = text.strip()
    return "" if text.startswith(MACHINE_HEADS) else clipped(text)


def typed(text: str, tag: str) -> str:
    """Return what stands in the tag that a host puts a person's words into, all of it where there is none."""
    before, head, rest = text.partition(f"<{tag}")
    rest = rest.partition(">")[2]
    return rest.rpartition(f"</{tag}>")[0] or rest if head else before


def call_turn(at: int, call: str, tool: str, given: dict[str, Any]) -> Turn:
    """Return the turn of a tool's call: its command line where it is a shell, and the files that it changes."""
    command = command_of(given) if tool in SHELLS else ""
    patch = text_of(given.get("input")) or command_of(given)
    files: tuple[str, ...] = ()
    if tool in EDITORS:
        named = next((given[key] for key in PATHS if text_of(given.get(key))), "")
        files = (named,) if isinstance(named, str) and named else ()
    if "*** Begin Patch" in patch:
        command = ""
        files = tuple(patched_files(patch))[:MOST_FILES]
    return Turn(CALL, clipped(command), at, call, files)


def command_of(given: dict[str, Any]) -> str:
    """Return the command line in a tool's arguments; ``["bash", "-lc", LINE]`` is its last word."""
    found = next((given[key] for key in ("command", "cmd", "commands") if key in given), "")
    if isinstance(found, list):
        words = [word for word in found if isinstance(word, str)]
        return words[-1] if len(words) == 3 and words[1] in ("-lc", "-c") else " ".join(words)
    return text_of(found)


def patched_files(patch: str) -> Iterator[str]:
    """Yield the paths that a patch changes."""
    for line in patch.splitlines():
        head = next((head for head in PATCH_HEADS if line.startswith(head)), "")
        if head:
            yield line[len(head) :].strip()


def answer_turn(at: int, call: str, text: str, *, failed: bool) -> Turn:
    """Return the turn of a tool's answer, without what hooks put in."""
    text = text.partition(GUIDANCE)[0]
    for word in ("<untrusted_context>", "</untrusted_context>"):
        text = text.replace(word, "")
    return Turn(ERROR if failed else RESULT, clipped(text.strip()), at, call)

"""The doors and directions of the house (STYLE §5.1), read from the source and held here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {"brain": "brain", "brain_hooks": "hooks/brain_hooks", "brain_ci": "ci/brain_ci", "brain_api": "api/brain_api"}
ALLOWED = {"brain": set(), "brain_hooks": {"brain"}, "brain_ci": {"brain"}, "brain_api": {"brain"}}
ORDER = ("git", "index", "stale", "semantic", "recall", "lint", "capture", "model", "sources", "forge", "submit", "finalize", "tend", "protect", "commands")  # fmt: skip
"""Rooms inside ``brain``: each may import those before it, never one after."""
PROCESS_STARTERS = {"brain/git/run.py", "brain/editor.py", "brain/lint/scanner.py", "hooks/brain_hooks/cli.py",
                    "hooks/brain_hooks/behind.py", "brain/semantic/postgres/server.py", "brain/model/command.py"}  # fmt: skip
"""The door to git; a person's editor; the second scanner; a hook that starts itself anew in UTF-8, and one that leaves
work to a process of its own; the embedded server; the program that a person set to draft for them. Nothing else."""
ENVIRONMENT_READERS = {"brain/environment.py", "hooks/brain_hooks/__init__.py", "ci/brain_ci/gitlab_env.py"}
BOUNDARIES = {"brain/cli.py", "hooks/brain_hooks/cli.py", "hooks/brain_hooks/people.py", "ci/brain_ci/cli.py",
              "brain/lint/judge.py", "api/brain_api/cli.py", "api/brain_api/frame.py", "api/brain_api/keeper.py",
              "api/brain_api/mcp/server.py"}  # fmt: skip
"""``brain-hook`` has two: what hosts call never fails, what people call says why. The judge of drafts fails closed: a
file that breaks a rule is a finding, and hides no other file. The service has one a request and one a thread."""
LONGEST_MODULE = 500


def sources() -> list[Path]:
    return sorted(path for folder in ROOMS.values() for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    for room, folder in ROOMS.items():
        if path.is_relative_to(ROOT / folder):
            parts = (room, *path.relative_to(ROOT / folder).with_suffix("").parts)
            return ".".join(part for part in parts if part != "__init__")
    raise AssertionError(path)


def imports(path: Path, *, everywhere: bool = True) -> set[str]:
    """Return the modules a file imports, in type-checking blocks too or (not everywhere) when it is loaded."""
    tree = ast.parse(path.read_text("utf-8"))
    found: set[str] = set()
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not everywhere:
            pending += node.orelse
        elif everywhere or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += ast.iter_child_nodes(node)
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_downward_only(room: str) -> None:
    roots = {
        name.partition(".")[0]
        for path in sources()
        if module_of(path).partition(".")[0] == room
        for name in imports(path)
    }
    assert roots & set(ROOMS) - {room} <= ALLOWED[room]


def test_rooms_of_the_core_import_only_those_before_them() -> None:
    wrong = []
    for path in sources():
        inner = module_of(path).split(".")[1:2]
        if module_of(path).startswith("brain.") and inner and inner[0] in ORDER:
            later = ORDER[ORDER.index(inner[0]) + 1 :]
            wrong += [
                f"{name_of(path)} imports {name}"
                for name in imports(path)
                if name.split(".")[:2] in [["brain", room] for room in later]
            ]
    assert wrong == []


def test_other_programs_import_no_command_of_the_core() -> None:
    wrong = [
        name_of(path)
        for path in sources()
        if not module_of(path).startswith("brain.")
        for name in imports(path)
        if name.startswith(("brain.cli", "brain.commands"))
    ]
    assert wrong == []


def test_no_module_imports_another_in_a_circle() -> None:
    modules = {module_of(path): path for path in sources()}
    graph = {
        name: {other for other in imports(path, everywhere=False) if other in modules and other != name}
        for name, path in modules.items()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " → ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_one_door_starts_programs() -> None:
    starters = {"subprocess", "multiprocessing", "pty"}
    users = {name_of(path) for path in sources() if imports(path) & starters}
    users |= {
        name_of(path)
        for path in sources()
        if any(call in path.read_text("utf-8") for call in ("os.posix_spawn", "os.spawn", "os.system", "os.exec"))
    }
    assert users <= PROCESS_STARTERS


def test_one_door_reads_the_environment() -> None:
    readers = {
        name_of(path)
        for path in sources()
        if any(word in path.read_text("utf-8") for word in ("os.environ", "os.getenv"))
    }
    assert readers <= ENVIRONMENT_READERS


def test_broad_handlers_stand_at_the_programs_boundaries_only() -> None:
    broad = set()
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "Exception"):
                broad.add(name_of(path))
    assert broad <= BOUNDARIES


def test_no_loose_module_lies_where_a_user_has_packages_of_the_same_name() -> None:
    assert [path for folder in ("hooks", "ci", "api") for path in (ROOT / folder).glob("*.py")] == []


def test_no_module_is_too_long() -> None:
    assert [name_of(path) for path in sources() if path.read_text("utf-8").count("\n") > LONGEST_MODULE] == []


def test_nothing_imports_the_tests() -> None:
    assert [
        name_of(path) for path in sources() if any(name.partition(".")[0] == "tests" for name in imports(path))
    ] == []

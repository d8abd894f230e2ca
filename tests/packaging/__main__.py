"""``make dist-check``: build wheel and source archive, install them into empty environments, and use them there.

Each extra alone on this Python, and none; on every other Python that is found, none and all at once. ``--bounds`` also
installs the lowest versions that ``pyproject.toml`` allows, extra by extra, and tries the same with them.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

from tests.packaging.tries import BRINGS, WITH, WITHOUT, Place, base

SOURCE = Path(__file__).resolve().parents[2]
SUPPORTED = ("3.11", "3.12", "3.13")
BOUND = re.compile(r"([\w.-]+(?:\[[^\]]*\])?)\s*(?:>=|==)\s*([\w.]+)")


def main() -> int:
    """Check, print a row for each environment; exit 1 if something did not work."""
    parser = argparse.ArgumentParser(prog="python -m tests.packaging", description=__doc__)
    parser.add_argument(
        "--python", action="append", default=[], help="other Pythons to try (those on PATH, and pyenv's)"
    )
    parser.add_argument("--bounds", action="store_true", help="try the lowest versions of the dependencies too")
    parser.add_argument("--only", default="", metavar="WORD", help="environments whose name has this word")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dist-") as name:
        folder = Path(name)
        wheel = build(folder)
        rows = environments(args.python or find_pythons(), bounds=args.bounds)
        fell = [row for row in rows if args.only in row[0] and not check(folder, wheel, *row)]
    print(f"{len(fell)} environments do not work")
    return 1 if fell else 0


def find_pythons() -> list[str]:
    """Return the supported Pythons of this machine, this one first."""
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    for version in SUPPORTED:
        places = [
            shutil.which(f"python{version}"),
            *Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"),
        ]
        for place in filter(None, places):
            runs = subprocess.run([str(place), "-c", "import venv, ensurepip"], capture_output=True, check=False)
            if runs.returncode == 0:
                found.setdefault(version, str(place))
    return list(found.values())


def build(folder: Path) -> Path:
    """Build both, and the wheel again from the archive: it must hold the same files; return the wheel."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "build")], check=True)
    pip(folder / "build", "hatchling")
    hatch = [str(folder / "build/bin/python"), "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(hatch, cwd=SOURCE, check=True, capture_output=True)
    (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    with tarfile.open(archive) as opened:
        opened.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    subprocess.run([*hatch[:-1], str(folder / "again"), "-t", "wheel"], cwd=source, check=True, capture_output=True)
    (again,) = (folder / "again").glob("*.whl")
    names, others = (set(zipfile.ZipFile(path).namelist()) for path in (wheel, again))
    assert names == others, names ^ others
    loose = {name.partition("/")[0] for name in names} - {"brain", "brain_hooks", "brain_ci", "brain_api"}
    assert [name for name in loose if not name.endswith(".dist-info")] == [], loose
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "Makefile", "docs", "tests", "hooks/claude"):
        assert (source / name).exists(), f"the source archive has no {name}"
    print(
        f"{wheel.name}: {wheel.stat().st_size // 1024} kB, {len(names)} files; {archive.name}: {archive.stat().st_size // 1024} kB"
    )
    return wheel


def environments(pythons: list[str], *, bounds: bool) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Return name, Python, extras and constraints of each environment."""
    here = pythons[0]
    rows: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = [("no extra", here, (), ())]
    rows += [(extra, here, (extra,), ()) for extra in WITH]
    for other in pythons[1:]:
        version = Path(other).name
        rows += [(f"{version}, no extra", other, (), ()), (f"{version}, all", other, tuple(WITH), ())]
    if bounds:
        rows.append(("lowest, no extra", here, (), lowest()))
        rows += [(f"lowest, {extra}", here, (extra,), lowest(extra)) for extra in WITH]
    return rows


def lowest(extra: str = "") -> tuple[str, ...]:
    """Return the lowest versions of the dependencies, and of an extra's."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text("utf-8"))["project"]
    rows = [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else ())]
    found = [BOUND.match(row) for row in rows]
    assert all(found), rows
    return tuple(f"{one[1]}=={one[2]}" for one in found if one)


def check(folder: Path, wheel: Path, name: str, python: str, extras: tuple[str, ...], exact: tuple[str, ...]) -> bool:
    """Install into an empty environment and try what is there and what is not; say whether all works."""
    started = time.monotonic()
    place = folder / re.sub(r"\W+", "-", name)
    try:
        subprocess.run([python, "-m", "venv", str(place / "venv")], check=True)
        pip(place / "venv", *exact, f"{wheel}[{','.join(extras)}]" if extras else str(wheel))
        user = Place(place / "venv/bin", place / "user")
        base(user)
        for extra in extras:
            WITH[extra](user)
        there = {*extras, *(other for extra in extras for other in BRINGS.get(extra, ()))}
        for extra in WITHOUT.keys() - there:
            WITHOUT[extra](user)
        return _tell(name, started, "")
    except (AssertionError, subprocess.SubprocessError) as error:
        return _tell(name, started, f"{getattr(error, 'stderr', '') or ''}{error}")
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _tell(name: str, started: float, why: str) -> bool:
    print(f"  {'FELL' if why else 'ok  '} {name:24} {time.monotonic() - started:4.0f} s\n{why}".rstrip(), flush=True)
    return not why


def pip(venv: Path, *packages: str) -> None:
    """Install packages."""
    command = [str(venv / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    subprocess.run(command, check=True, capture_output=True, text=True)


if __name__ == "__main__":
    sys.exit(main())

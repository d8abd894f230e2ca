# Two commands for a fresh machine with git, make and Python >= 3.11: `make demo` and `make test`.
# Paths stay relative, so that a folder with spaces or letters of any script works.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check lint types fmt eval bench dist clean
.DELETE_ON_ERROR:

$(VENV)/base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Project Brain needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/python -m compileall -q brain hooks ci
	@touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

demo: $(VENV)/base
	@$(BIN)/python -m tests.demo

test: $(VENV)/dev
	$(BIN)/python -m pytest -n 2 -q

check: $(VENV)/dev lint types test

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

fmt: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

eval: $(VENV)/base
	$(BIN)/python tests/eval/run.py
	$(BIN)/python tests/eval/lint.py

bench: $(VENV)/base
	$(BIN)/python -m tests.bench

dist: $(VENV)/dev
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) .demo .bench .eval dist

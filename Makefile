# Two commands for a fresh machine with git, make and Python >= 3.11: `make demo` and `make test`.
# Paths stay relative, so that a folder with spaces or letters of any script works.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find brain hooks ci api -name '*.py')

.PHONY: dev demo faults simulate serve eval-semantic test check lint types fmt eval hosts bench bench-scale bench-peer chaos dist dist-check clean
.DELETE_ON_ERROR:

# Not editable: an editable install puts this folder's name into a file that Python reads in the locale's encoding,
# and dies of where the folder is called é and LC_ALL is C.
$(VENV)/base: pyproject.toml $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Project Brain needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet .
	@touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install --quiet '.[dev]'
	@touch $@

$(VENV)/api: $(VENV)/base
	$(BIN)/python -m pip install --quiet '.[api,mcp]'
	@touch $@

$(VENV)/demo: $(VENV)/base
	$(BIN)/python -m pip install --quiet '.[demo]'
	@touch $@

dev: $(VENV)/dev

demo: $(VENV)/demo
	@$(BIN)/python -m tests.demo

faults: $(VENV)/dev
	$(BIN)/python -m tests.faults

chaos: $(VENV)/dev
	$(BIN)/python -m tests.chaos

serve: demo $(VENV)/api
	$(BIN)/brain-api serve .demo/shop

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
	$(BIN)/python tests/eval/offers.py

eval-semantic: $(VENV)/base
	$(BIN)/python -m pip install --quiet '.[semantic]'
	$(BIN)/python tests/eval/run.py --semantic

simulate: $(VENV)/dev
	$(BIN)/python -m tests.simulate --chart docs/year.svg

hosts: $(VENV)/dev
	$(BIN)/python -m tests.hooks.real_hosts

bench: $(VENV)/dev
	$(BIN)/python -m tests.bench $(QUICK)

bench-scale: $(VENV)/dev
	$(BIN)/python -m tests.bench.scale

bench-peer: $(VENV)/dev
	$(BIN)/python -m tests.bench.peer --write

dist: $(VENV)/dev
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

dist-check: $(VENV)/dev
	$(BIN)/python -m tests.packaging --bounds

clean:
	rm -rf $(VENV) .demo .bench .eval .hosts dist

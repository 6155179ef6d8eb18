# Needs Python 3.11 or later and make; everything else comes with pip into .venv.
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check lint format tests contracts types bench bench-merging bench-interpolation bench-agreement bench-random bench-random-terms bench-csmith screenshots docs figures generated clean
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
DOCS := .venv-docs
READY := $(VENV)/.ready
N ?= 1000
ARGS ?=

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## create .venv with the locked packages (the others do it when needed)

$(READY): pyproject.toml requirements-dev.lock requirements-cluster.lock
	@test -n "$(PYTHON)" || { echo "make: unfork needs Python 3.11 or later; name one with 'make PYTHON=/path/to/python3'" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "make: $(PYTHON) is not a Python 3.11 or later; name another with 'make PYTHON=/path/to/python3'" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "make: $(PYTHON) cannot create virtual environments: install its venv module (on Debian, the package python3-venv)" >&2; exit 1; }
	@echo "Setting up $(VENV) (once)..."
	@"$(PYTHON)" -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement requirements-cluster.lock || \
		echo "make: Ray cannot be installed here: the tests of --cluster will be skipped" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

demo: $(READY)  ## find the two bugs of examples/regexp.c, each with a replayed test
	@$(BIN)/unfork run examples/regexp.c; status=$$?; test $$status -eq 1 || \
		{ echo "make: unfork should have ended with status 1 (bugs found), not $$status" >&2; exit 1; }
	@for error in unfork-last/errors/*.txt; do echo; $(BIN)/unfork show unfork-last $$error; done
	@echo; $(BIN)/unfork replay unfork-last

test: lint tests  ## format check, lint, types, import contracts, tests
check: test  ## the same as test

test-all: export UNFORK_TESTS = all
test-all: lint tests  ## test, with all of what multiplies tests (every order of exploration, ...)

lint: $(READY)  ## format check, lint, types, import contracts
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check .; echo "run 'make format'" >&2; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(MAKE) types contracts

types: $(READY)  ## mypy --strict
	@$(BIN)/mypy

contracts: $(READY)  ## which folder may import which
	@$(BIN)/lint-imports --no-cache

tests: $(READY)  ## the tests alone (ARGS="-k name" is passed on)
	@$(BIN)/python -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("ray") is None)' || \
		echo "make: Ray is not installed: the tests of --cluster are skipped" >&2
	@$(BIN)/unfork cache build --cpp >/dev/null
	@$(BIN)/pytest -q -n 2 --dist worksteal $(ARGS)

test-elsewhere: $(READY)  ## the tests that ask for no program of the target to run here, as on macOS
	@$(BIN)/unfork cache build >/dev/null
	@$(BIN)/pytest -q -n 2 --dist worksteal tests/test_host.py tests/engine tests/logic tests/program tests/reduce $(ARGS)

format: $(READY)  ## format the Python code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(READY)  ## speed tables (ARGS="--klee PATH" adds measured KLEE times)
	@$(BIN)/python -m bench.startup
	@$(BIN)/python -m bench.scale
	@$(BIN)/python -m bench.throughput $(ARGS)
	@$(BIN)/python -m bench.limits

bench-merging: $(READY)  ## what merging costs and gains (ARGS="--programs DIR" adds the figures over coreutils)
	@$(BIN)/python -m bench.figures 2
	@$(BIN)/python -m bench.figures table3
	@$(BIN)/python -m bench.joining
	@$(if $(ARGS),for n in 3 4 5 6 7 8 9; do echo "Figure $$n"; $(BIN)/python -m bench.figures $$n $(ARGS) || exit 1; done)

bench-interpolation: $(READY)  ## merging and interpolation, alone and together (ARGS="--only mcdc,regexp_safe:7 --limit 20")
	@$(BIN)/python -m bench.interpolation $(ARGS)

bench-agreement: $(READY)  ## every way of joining, pruning and searching on the corpus (ARGS="--audit" proves them again)
	@$(BIN)/python -m bench.agreement $(ARGS)

bench-random: $(READY)  ## N random programs, brute-forced natively, under plain and clever modes (N=1000, ARGS="--first SEED")
	@$(BIN)/python -m bench.random_programs $(N) $(ARGS)

bench-csmith: $(READY)  ## N random C programs, on the engine and natively (N=1000)
	@$(BIN)/python -m bench.csmith $(N)

bench-random-terms: $(READY)  ## random terms of N thousand seeds, against what they mean and the solver (N=1000)
	@$(BIN)/python -m bench.random_terms $(N)000 $(ARGS)

screenshots: $(READY)  ## make docs/screenshots anew (wants Chromium; ARGS="--work DIR" keeps the coreutils that it builds)
	@$(BIN)/python -m bench.screenshots $(ARGS)

generated: $(READY)  ## write the page of options and the manual anew
	@$(BIN)/python -m unfork.cli.manual options > docs/options.md
	@$(BIN)/python -m unfork.cli.manual > docs/unfork.1

figures: $(READY)  ## draw the figures of the documentation anew (needs Graphviz)
	@$(BIN)/python docs/figures/draw.py

docs: generated $(DOCS)/.ready  ## the site of the documentation, in site; links that lead nowhere are errors
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs --quiet build --strict
	@echo "site/index.html"

$(DOCS)/.ready: requirements-docs.lock
	@"$(PYTHON)" -m venv --clear $(DOCS)
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-docs.lock
	@touch $@

clean:  ## remove .venv, caches, the site and run directories
	rm -rf $(VENV) $(DOCS) site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache unfork-out-* unfork-last
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

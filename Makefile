# `make` sets up .venv when it is not fresh, checks every source and writes the reports. `make help` lists the rest.

PYTHON ?= python3
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
ORACLE := $(BIN)/baccarat-oracle
STAMP := $(VENV)/.installed
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
QUICK := not exhaustive and not slow and not browser and not downstream
SCHEMA := specs/spec.schema.json
PROTOCOL := docs/protocol.schema.json
QUALIFICATION := docs/qualification.md

# Relative, since pip splits these at spaces; the second is what newer pips read for the build backend.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export PIP_NO_INPUT := 1

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: all setup check compare report test test-all coverage lint format types implementations wheel-test regenerate check-generated bench clean help

all: setup check compare report  ## check every source, compare them all, write the reports (default)

setup: $(STAMP)  ## set up .venv, unless it is fresh

$(STAMP): pyproject.toml constraints.txt
	@if ! $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "error: '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo 'not there'); Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11" >&2; exit 1; }; \
	  rm -rf $(VENV); \
	  $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	    echo "error: '$(PYTHON)' has no working venv module (on Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; }; \
	fi
	@echo "installing the pinned dependencies into $(VENV)"
	@$(BIN)/python -m pip install --quiet --quiet -c constraints.txt -e '.[dev,cross,parquet]'
	@touch $@

check: setup
	$(ORACLE) check

compare: setup
	$(ORACLE) compare

report: setup
	$(ORACLE) report

test: setup  ## the quick tests
	$(PYTEST) -m "$(QUICK)"

test-slow: setup  ## the slow tests
	$(PYTEST) -m "slow and not exhaustive and not browser and not downstream"

test-all: setup  ## every test, the exhaustive and slow ones too
	$(PYTEST)

coverage: setup  ## the quick tests, with branch coverage
	$(PYTEST) -m "$(QUICK)" --cov --cov-report=term

lint: setup  ## ruff, rules and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: setup  ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup  ## mypy
	$(BIN)/mypy

sarif-multitool: setup  ## the validator of SARIF from npm, for the tests that are marked downstream
	npm install --silent --no-audit --no-fund --prefix $(VENV)/npm @microsoft/sarif-multitool@5.7.0
	chmod u+x $(VENV)/npm/node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool

implementations: setup  ## get public packages, run each against the rule sets, write reports/implementations.md
	npm install --silent --no-audit --no-fund --save-exact --prefix $(VENV)/npm baccarat-engine@1.1.5
	$(BIN)/python -m pip install --quiet --quiet --no-deps --upgrade --target $(VENV)/downstream pybaccarat==0.12
	$(BIN)/python scripts/implementations.py

wheel-test: setup  ## build the wheel and run it from an empty folder
	scripts/wheel-test

regenerate: setup  ## write every generated file anew
	$(ORACLE) report --all
	$(ORACLE) schema > $(SCHEMA).new
	mv $(SCHEMA).new $(SCHEMA)
	$(ORACLE) fixtures build
	$(ORACLE) schema protocol > $(PROTOCOL).new
	mv $(PROTOCOL).new $(PROTOCOL)
	$(ORACLE) evidence qualification > $(QUALIFICATION).new
	mv $(QUALIFICATION).new $(QUALIFICATION)

check-generated: setup  ## fail when a generated file is not what would be generated now
	$(ORACLE) report --check --all
	@set -e; made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT; \
	  $(ORACLE) report --smt "$$made"; cd "$$made"; sha256sum --quiet -c "$(CURDIR)/reports/smt/SHA256SUMS"
	$(ORACLE) fixtures check --all
	@$(ORACLE) schema | diff -u $(SCHEMA) - || { echo "error: $(SCHEMA) is stale: make regenerate" >&2; exit 1; }
	@$(ORACLE) schema protocol | diff -u $(PROTOCOL) - || { echo "error: $(PROTOCOL) is stale: make regenerate" >&2; exit 1; }

bench: setup  ## every benchmark, one after the other
	@set -e; found=; for file in benchmarks/bench_*.py; do \
	  [ -e "$$file" ] || continue; found=1; echo "== $$file"; $(BIN)/python "$$file"; \
	done; [ -n "$$found" ] || echo "no benchmarks/bench_*.py yet"

clean:  ## remove .venv and everything that the tools leave behind
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find oracle tests benchmarks examples scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*  ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

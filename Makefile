# Everything here sets itself up: the first target that needs it makes .venv.
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST_WORKERS ?= 3
MODEL ?= smol

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types types-written types-emitted pytest format rebuild tasks redraft docs bench conformance isolation fuzz mutation kills local-model clean

help: ## This list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: $(STAMP) ## Make .venv with everything to work on this repository

$(STAMP): pyproject.toml tools/setup.sh
	@tools/setup.sh "$(VENV)" "$(PYTHON)"
	@touch $@

demo: $(STAMP) ## Build retail, make tasks, replay them over stdio
	@$(BIN)/toolworld demo

test: lint ## Lint, strict types and all tests
	@$(MAKE) --no-print-directory -j 2 --output-sync=line types pytest

lint: $(STAMP) ## ruff, over written and emitted code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: types-written types-emitted ## mypy --strict, over written and emitted code

types-written: $(STAMP)
	$(BIN)/mypy -n $(PYTEST_WORKERS) generator/toolworld tests tools examples

types-emitted: $(STAMP)
	$(BIN)/python -m tools.check_types

pytest: $(STAMP) ## All tests
	$(BIN)/pytest -n $(PYTEST_WORKERS) --dist worksteal

format: $(STAMP) ## Format and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

rebuild: $(STAMP) ## Rebuild every committed package and the golden record
	$(BIN)/python -m tools.rebuild

tasks: $(STAMP) ## Rebuild, and make the tasks of the domains with scenarios anew
	$(BIN)/python -m tools.rebuild --tasks

redraft: $(STAMP) ## Draft the drafted domains again from their recordings
	@$(BIN)/python -m tools.redraft

docs: $(STAMP) ## Write the reference from the code, and build the documentation in build/site
	$(BIN)/python -m tools.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(STAMP) ## Measure against the baselines; writes bench.json
	$(BIN)/python -m tools.bench

conformance: $(STAMP) ## The MCP conformance suite and Inspector (needs Node 22 or npm)
	$(BIN)/python -m tools.conformance

isolation: $(STAMP) ## 5,000 episodes in one server, written to at random: do they stay apart?
	$(BIN)/python -m tools.isolation

fuzz: $(STAMP) ## Made-up calls, messages and domains, and kills of every command
	$(BIN)/python -m tools.fuzz
	$(BIN)/python -m tools.fuzz.wire
	$(BIN)/python -m tools.fuzz.domains
	$(BIN)/python -m tools.kills

mutation: $(STAMP) ## Small mistakes in five modules of the generator: do tests notice each?
	$(BIN)/python -m tools.mutation

kills: $(STAMP) ## 200 commands killed at random moments: is all whole, and nothing left?
	$(BIN)/python -m tools.kills

local-model: $(STAMP) ## A small draft by a real model on this machine; MODEL=smol or qwen
	@$(BIN)/python -u -m tools.local_model $(MODEL)

clean: ## Remove everything that is made
	rm -rf $(VENV) build dist bench.json .pytest_cache .mypy_cache .ruff_cache .hypothesis

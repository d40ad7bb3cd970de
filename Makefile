# make run   the app on http://localhost:8501
# make test  lint, types, tests of the mathematics and of files, of pages, and in a browser: each alone by its name below
# Both make their own environment in .venv; both are safe to repeat and cost nothing where nothing changed.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
# The one place that decides how many steps run at once. Each is one process: two that share a step would both import and
# collect all of it.
WORKERS ?= 2
ifneq ($(filter test,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=$(WORKERS) --output-sync=target
endif
PYTEST = $(BIN)/python -m pytest -rsR

# pip would compile what it installs on one core. Some packages ship templates that are no Python: pip passes over them,
# too, and whatever is not compiled here is compiled when it is imported.
define install
$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(1)
@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
@touch $@
endef

# Where bytecode is not kept, every server and every worker of the tests compiles the project and all tests anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test test-mathematics test-pages test-browser nightly lint types bench clean

run: $(VENV)/.runtime
	$(BIN)/python -m streamlit run app.py --server.address localhost --server.port $(PORT)

# The fastest come first, and none begins once another has failed.
test: lint types test-mathematics test-pages test-browser

# Nothing here reads logs, which pytest would collect anew from each of Streamlit's loggers, six times a test.
test-mathematics: $(VENV)/.engines
	$(PYTEST) -p no:logging --junitxml=test-results/mathematics.xml --ignore=tests/pages --ignore=tests/browser

test-pages: $(VENV)/.engines
	$(PYTEST) --junitxml=test-results/pages.xml tests/pages

test-browser: $(VENV)/.engines
	$(PYTEST) --rerun-show-tracebacks --junitxml=test-results/browser.xml tests/browser

# Before a release: what takes long or measures, and laws with other examples than those of every day.
nightly: $(VENV)/.engines
	$(PYTEST) -m nightly
	$(PYTEST) --hypothesis-profile=searching tests/numerics tests/losses

# They wait for all packages, as nothing is to be read that is just being installed.
lint: $(VENV)/.engines
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# All that the checker makes stays until its end: a collector that looks through it finds nothing, for a sixth of the time.
types: $(VENV)/.engines
	$(BIN)/python -c 'import gc; gc.disable(); gc.enable = bool; from mypy.__main__ import console_entry; console_entry()'

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "Python 3.11 to 3.13 is needed, this is %d.%d: try make PYTHON=python3.11" % v)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

# The component is a package because Streamlit serves the files of installed ones only; editable, so that they are these.
$(VENV)/.runtime: requirements.txt people_view/pyproject.toml $(VENV)/.python
	$(call install,-r requirements.txt)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable ./people_view

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	$(call install,-r requirements-dev.txt)

$(VENV)/.engines: requirements-warehouse.txt requirements-spark.txt requirements-postgres.txt $(VENV)/.dev
	$(call install,-r requirements-warehouse.txt -r requirements-spark.txt -r requirements-postgres.txt)

$(VENV)/.bench: requirements-bench.txt $(VENV)/.dev
	$(call install,-r requirements-bench.txt)

# The two commands of the README: `make serve` and `make test`, each from a bare clone.
# What they need is installed once: into .venv, into the node_modules of each package.json, and Debian's chromium.

PYTHON ?= python3
BIN := .venv/bin
NODE := tests/clients/node
# Each folder with a package.json of its own: what its package-lock.json says is installed beside it.
PACKAGES := $(patsubst %/package-lock.json,%/node_modules/.ok,$(wildcard $(NODE)/package-lock.json tests/*/package-lock.json examples/*/package-lock.json))

.PHONY: serve test matrix ends lint format docs bench clean

serve: .venv/serve.ok
	$(BIN)/fakeserver serve $(ARGS)

test: .venv/test.ok $(PACKAGES) .venv/browser.ok lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --cov --cov-report=term-missing:skip-covered

# Every case of the library, played to every client, beside what is kept of them in tests/clients/kept: some minutes.
matrix: .venv/test.ok $(NODE)/node_modules/.ok
	$(BIN)/python -m tests.clients.matrix $(ARGS)

# Each end a hundred times, with five clients: some minutes.
ends: .venv/test.ok $(NODE)/node_modules/.ok
	$(BIN)/python -m tests.ends $(TIMES)

lint: .venv/test.ok
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: .venv/test.ok
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/serve.ok
	$(BIN)/python docs/build.py

# Beside the peers and the machine's limit; 20 minutes. It needs gcc, and installs the peers into benchmarks/.peers.
bench: .venv/serve.ok
	$(BIN)/python -m benchmarks $(ARGS)

clean:
	rm -rf .venv $(dir $(PACKAGES))

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "python3 -m venv failed: on Debian, apt-get install python3-venv" >&2; exit 1; }

.venv/serve.ok: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/test.ok: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,clients]'
	@touch $@ .venv/serve.ok

%/node_modules/.ok: %/package-lock.json
	@command -v node >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "Node 20 or later is needed for the tests (nodejs.org)" >&2; exit 1; }
	cd $* && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The page and the examples are tried in a real browser. FAKESERVER_TEST_BROWSER names one that is elsewhere.
.venv/browser.ok: | .venv/bin/python
	@command -v "$${FAKESERVER_TEST_BROWSER:-chromium}" >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null; } || { echo "Chromium is needed for the tests: apt-get install chromium as root, or FAKESERVER_TEST_BROWSER=/path/to/chrome" >&2; exit 1; }
	@command -v "$${FAKESERVER_TEST_BROWSER:-chromium}" >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends chromium; }
	@touch $@

# make demo | quick | test | test-slow | test-deep | test-lowest | test-packages | audit-dependencies | check | docs | notebooks | fuzz | bench | bench-web | bench-peers: each sets up what it needs, in .venv.

PYTHON ?= python3
BIN := .venv/bin
# Tests start hundreds of processes: what one has compiled the next need not compile again.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

TORCH := torch==2.13.0
DEEP := tests/synthesizers/deep tests/games/test_batched.py tests/kernels/device \
	tests/synthesizers/models/relaxed \
	tests/synthesizers/test_rap.py::test_many_tables_at_once_are_fitted_as_one_by_one

.PHONY: demo quick test test-slow test-deep test-lowest test-packages audit-dependencies check browser docs notebooks fuzz bench bench-web bench-peers clean

demo: .venv/core
	$(BIN)/seethrough demo --out demo

# Format, lint, types, import contracts: what the pre-commit hooks run too.
quick: .venv/check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A worker for each core, virtual ones too; the tests of a file stay on one worker, where they share audits, servers and
# browsers. CI brings its own browser.
test: .venv/test $(if $(CI),browser)
	$(BIN)/python -m pytest -n logical --dist loadfile

# Statistical tests: intervals cover at their stated rate, generators meet their goals.
test-slow: .venv/test
	$(BIN)/python -m pytest -n logical --dist loadfile -m slow

test-deep: .venv/deep
	$(BIN)/python -m pytest $(DEEP)

# The lowest versions that pyproject.toml allows, in an environment of their own, and the quick part of the tests.
LOWEST := tests/text tests/data tests/kernels tests/results tests/protocols tests/metrics \
	tests/cli/test_endings.py tests/cli/test_values.py tests/cli/test_split_command.py \
	tests/web/test_guard.py tests/web/test_routes.py tests/web/test_hostile_requests.py tests/web/test_serving.py
test-lowest:
	test -x .venv-lowest/bin/python || $(PYTHON) -m venv .venv-lowest
	$(PYTHON) tests/architecture/lowest_versions.py pyproject.toml > .venv-lowest/versions.txt
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check --requirement .venv-lowest/versions.txt --editable .
	.venv-lowest/bin/python -m pytest -n logical --dist loadfile $(LOWEST)

# Wheel and source archive in clean environments, each extra by itself; PYTHONS="python3.11 python3.13" tries several.
PYTHONS ?= $(PYTHON)
test-packages:
	$(PYTHON) tests/packaging/clean_installs.py $(PYTHONS)

# Known weaknesses of what is installed; needs the network, for the list of advisories. Names and versions are sent, nothing else.
audit-dependencies: .venv/core
	test -x .venv-audit/bin/pip-audit || { $(PYTHON) -m venv .venv-audit && .venv-audit/bin/python -m pip install --quiet pip-audit; }
	.venv-audit/bin/pip-audit --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

check: quick test

# The page is tested in a real browser; without one these tests are skipped, and with SEETHROUGH_NEEDS_BROWSER=1 or in CI they fail.
browser:
	@if command -v chromium || command -v chromium-browser || command -v google-chrome || command -v chrome; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends chromium fonts-liberation; \
	else echo 'No Chromium or Chrome was found, and only root can install one by apt-get: install one by hand.'; fi

# Writes the pages of checks from what they say about themselves, then the site, of all pages; a link that leads nowhere is an error.
docs: .venv/docs
	$(BIN)/python -m seethrough.cli.commands.docs docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --builder html --conf-dir docs . site

# Searches for what breaks the program, for as long as one likes; a finding is replayed by the command that it comes with.
SECONDS ?= 60
fuzz: .venv/test
	$(BIN)/python -m fuzz --seconds $(SECONDS)

# Runs the notebooks and stores what they show.
notebooks: .venv/core
	$(BIN)/python docs/notebooks/run_notebooks.py

bench: .venv/bench
	$(BIN)/python -m benchmarks

# The tool in the browser: how soon it answers, what it holds.
bench-web: .venv/test .venv/bench
	$(BIN)/python -m benchmarks web

# Other programs, each in an environment of its own under .venv-peers; nothing of theirs comes into ours.
bench-peers: .venv/test .venv/bench
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks.peers.largest
	$(BIN)/python -m benchmarks.web.other_servers

# Stamps: what is installed is installed again when the list of what is needed changes.
.venv/core: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Seethrough needs Python 3.11 or later; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

.venv/test: .venv/core
	$(PIP) --editable '.[test]'
	@touch $@

# The pinned version first: the extra is then satisfied and fetches no other.
.venv/deep: .venv/test
	$(PIP) '$(TORCH)'
	$(PIP) --editable '.[test,deep]'
	@touch $@

.venv/check: .venv/test
	$(PIP) --editable '.[test,check]'
	@touch $@

.venv/docs: .venv/core
	$(PIP) --editable '.[docs]'
	@touch $@

.venv/bench: .venv/core
	$(PIP) --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv .venv-peers .venv-lowest .venv-audit demo site

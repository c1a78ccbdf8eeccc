# make demo | make test | make test-deep | make check | make docs | make bench | make bench-peers: each sets up what it needs, in .venv.

PYTHON ?= python3
BIN := .venv/bin

TORCH := torch==2.13.0

.PHONY: demo test test-deep check docs bench bench-peers clean

demo: .venv/core
	$(BIN)/seethrough demo --out demo

test: .venv/test
	$(BIN)/python -m pytest -n auto

test-deep: .venv/deep
	$(BIN)/python -m pytest tests/synthesizers/deep tests/games/test_batched.py tests/kernels/neighbours/test_torch_neighbours.py tests/kernels/solvers/test_torch_l1.py tests/synthesizers/models/test_relaxed_batch.py

check: .venv/check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto -m "slow or not slow"

docs: .venv/core
	$(BIN)/python -m seethrough.cli.commands.docs docs/metrics

bench: .venv/bench
	$(BIN)/python -m benchmarks

# Other programs, each in an environment of its own under .venv-peers; nothing of theirs comes into ours.
bench-peers: .venv/bench
	$(BIN)/python -m benchmarks.peers

# Stamps: what is installed is installed again when the list of what is needed changes.
.venv/core: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Seethrough needs Python 3.11 or later; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/test: .venv/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

# The pinned version first: the extra is then satisfied and fetches no other.
.venv/deep: .venv/test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,deep]'
	@touch $@

.venv/check: .venv/test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,check]'
	@touch $@

.venv/bench: .venv/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv .venv-peers demo

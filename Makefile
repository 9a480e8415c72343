# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
SERVE ?= 1
VENV := .venv
BIN := $(VENV)/bin
DEMO_DATA := data/demo
# Every sample clip and the table that it shows.
DEMO := blackjack=BJ-07 side_bets=BJ-12 draw_n_shoot_21=DNS-03 dicey_21=DIC-02 stud_21=STU-11 lucky_draw_baccarat=LDB-05
DEMO_CLIPS := $(foreach pair,$(DEMO),sample_footage/clips/$(firstword $(subst =, ,$(pair))).mp4)
DEMO_PROFILES := $(foreach pair,$(DEMO),--profile sample_footage/profiles/$(lastword $(subst =, ,$(pair))).toml)
PACKAGES := audit models sample_footage web workers

.PHONY: setup setup-dev demo test check format clean

setup: $(VENV)/.installed
setup-dev: $(VENV)/.installed-dev

$(BIN)/python:
	PYTHON="$(PYTHON)" sh .ci/system run
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "expected Python 3.11 or later, found " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	PYTHON="$(PYTHON)" sh .ci/system run
	@echo "Installing Catwalk and what it needs into $(VENV): some minutes, once"
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/.installed
	@echo "Installing what the tests need into $(VENV)"
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# Audit the sample footage of all games and show what was found; SERVE=0 ends after the tables.
demo: setup
	$(BIN)/catwalk run $(DEMO_CLIPS) $(DEMO_PROFILES) --data $(DEMO_DATA)
ifneq ($(SERVE),0)
	$(BIN)/catwalk serve --data $(DEMO_DATA)
endif

# All tests, those in a browser included. In CI (CI=true) a missing chromium is a failure, elsewhere a skip that says so.
test: setup-dev
	-@sh .ci/system test
	$(BIN)/pytest

# What must hold before every commit.
check: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) data .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis *.egg-info

# Everything a person does with a checkout. Plain `make` prints what there is.

PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
HOST := $(BIN)/python -m infra.host
DATA ?= $(or $(DATA_DIR),.data)
PORT ?= 8098

.DEFAULT_GOAL := help
.PHONY: help run status test lint units e2e browser screenshots containers lock openapi bench soak simulate yardstick backup restore dead-letters env images up down clean-data runtime dev

help: ## What there is
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' Makefile

run: runtime ## Run the whole system until Ctrl-C (PORT=8098, DATA=.data, ARGS="--address 0.0.0.0")
	@exec $(HOST) --data $(DATA) --port $(PORT) $(ARGS)

status: runtime ## What runs: parts, processes, restarts, memory
	@$(HOST) status --data $(DATA)

test: lint units e2e browser containers ## Everything that must hold: style, types, boundaries, specifications, all tests

lint: dev ## Style, types and boundaries
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

units: dev ## Tests of rules, services, bus and servers, and specifications against code
	$(BIN)/pytest -n 2 --dist loadfile --ignore tests/e2e --ignore tests/browser --ignore tests/containers tests

e2e: dev ## Tests of the whole system as `make run` starts it, its faults included
	$(BIN)/pytest -n 2 --dist loadfile tests/e2e

browser: dev ## The web client in Debian's Chromium: whole games, offline, keyboard, axe (skipped where it is not installed)
	$(BIN)/pytest tests/browser

screenshots: dev ## Every screen of the web client, light and dark, at three widths, into build/screenshots
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

# What breaks parts in every way brings its own embedded system; containers have their own, shorter tests of that.
containers: dev ## The same against containers, one kill for each service, and compose (skipped without an engine)
	TARGET=containers $(BIN)/python -m pytest -n 2 --dist loadfile -p tests.support.containers \
		tests/containers tests/e2e --ignore tests/e2e/test_faults.py --ignore tests/e2e/test_handovers.py \
		--ignore tests/e2e/test_live_faults.py --ignore tests/e2e/test_branch_faults.py --ignore tests/e2e/test_start.py

openapi: dev ## Write the committed specifications anew from the code
	$(BIN)/python -m services.rules openapi
	$(BIN)/python -m services.sessions openapi
	$(BIN)/python -m services.accounts openapi
	$(BIN)/python -m gateway openapi
	$(BIN)/python -m shared.contracts write

bench: dev simulate ## Measure plays, the live view, results, CPU and memory on fresh starts
	$(BIN)/python -m infra.bench.plays $(ARGS)
	$(BIN)/python -m infra.bench.live $(ARGS)
	$(BIN)/python -m infra.bench.results

soak: dev ## The live view for longer: 200 bad networks, 2,000 idle listeners
	SOAK_SEEDS=200 SOAK_LISTENERS=2000 $(BIN)/pytest --timeout 3600 tests/e2e/test_eight_devices.py \
		tests/e2e/test_live.py

simulate: dev ## Hold the rules against published figures: 20,000 games a row
	$(BIN)/python -m tests.support.simulate

yardstick: dev ## Compute what groups are compared with anew: 20,000 games a row of each strategy
	$(BIN)/python -m services.rules yardstick $(ARGS)

backup: runtime ## Write both databases and the signing keys into one archive
	@DATA_DIR=$(DATA) $(BIN)/python -m infra.backup write

restore: runtime ## Put an archive back in place of what is there (FROM=.data/backups/…), after a question
	@DATA_DIR=$(DATA) $(BIN)/python -m infra.backup restore $(FROM)

dead-letters: runtime ## Messages that no consumer could handle (ARGS="replay …")
	@DATA_DIR=$(DATA) $(BIN)/python -m shared.bus dead-letters $(or $(ARGS),list)

env: ## Make .env for docker compose, with random secrets
	@$(PYTHON) infra/setup/secrets_file.py

images: env ## Build the one image of all containers
	docker compose build

up: images ## Run the whole system in containers
	docker compose up --detach --wait

down: ## End the containers; data is kept
	docker compose down

lock: dev ## Lock requirements/*.in anew
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		requirements/runtime.in -o requirements/runtime.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		-c requirements/runtime.txt requirements/dev.in -o requirements/dev.txt

clean-data: ## Delete all data below .data, after a question
	@! $(HOST) status --data $(DATA) >/dev/null 2>&1 || { echo 'it is running: end it first'; exit 1; }
	@printf 'This deletes every game and account in %s. Type "delete" to go on: ' "$(DATA)"; \
	read answer; [ "$$answer" = delete ] || { echo 'kept'; exit 1; }; rm -rf -- "$(DATA)" && echo 'deleted'

runtime dev:
	@[ -n "$(PYTHON)" ] || { echo 'ninety-eight: Python 3.11 or newer is needed (make PYTHON=/path/to/python3)'; exit 1; }
	@$(PYTHON) infra/setup/install.py $@

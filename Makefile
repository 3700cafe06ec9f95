# Two commands matter: `make demo` shows Touchstone, `make test` proves it. Each sets up what it needs.

VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-bench
MTEB := .venv-mteb
GBSTATS := .venv-gbstats
FROUROS := .venv-frouros
STORAGE := .venv-s3
WORKERS ?= 3 # on two cores: tests in browsers and of processes wait for a third of their time
POSTGRES_WORKERS ?= 4 # and for the database and each other's locks
PORT ?= 8000
FUZZ_RUNS ?= 50000
FUZZ_TIMES ?= 20
# One thread a process for numpy and torch: threads of several workers wait for each other in loops, at 20 times the cost.
ONE_THREAD := env OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
PYTEST = $(ONE_THREAD) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations=20 --durations-min=10
SCRATCH_DATABASE := sqlite:///var/test.sqlite3

# Compiled modules are kept whatever the shell says: every worker and a hundred processes of the tests begin with them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo serve test test-tools test-sqlite test-postgres test-postgres-all lint types format docs-check record screenshots looks bench frouros gbstats mteb fuzz soak soak-imports soak-judging soak-cuts soak-machines soak-pgbouncer soak-hours clean chromium
.DELETE_ON_ERROR:

help:
	@echo "make demo           a running app with a demo collection, on SQLite"
	@echo "make test           the whole suite on SQLite, browser included; on PostgreSQL what can differ there"
	@echo "make test-postgres-all   whatever touches a database, on PostgreSQL"
	@echo "make lint types     ruff, djade; mypy --strict"
	@echo "make docs-check     what the docs must name"
	@echo "make record         schema, addresses and options of commands in tests/unchanged/recorded, written anew"
	@echo "make screenshots    the pictures of annotators’ pages and of quality in docs/images, taken anew"
	@echo "make looks          every page also in forced colours and at 200 %; what moves on a phone (minutes)"
	@echo "make format         rewrite code and templates in the agreed form"
	@echo "make bench          the benchmarks, beside their peers"
	@echo "make gbstats        figures of A/B tests beside those of GrowthBook's gbstats"
	@echo "make frouros        drift beside frouros, from the same arrays"
	@echo "make mteb           the main score of MTEB 2 beside ours, from the same vectors"
	@echo "make fuzz           property tests on new examples, FUZZ_TIMES as many as they ask for (default: $(FUZZ_TIMES));"
	@echo "                    then any bytes as what is brought in, FUZZ_RUNS of them (default: $(FUZZ_RUNS)) each"
	@echo "make soak           50 kills during an import of 100,000 documents; 20 while 64 people judge, and 10 immediate stops of"
	@echo "                    PostgreSQL; 100 power cuts, simulated: on both databases (an hour); then three machines, one of"
	@echo "                    which loses its disk; soak-imports, soak-judging, soak-cuts, soak-machines: one of them;"
	@echo "                    ARGS=\"--seed N\" repeats it; soak-pgbouncer: judging behind PgBouncer"
	@echo "make soak-hours     64 people judge for six hours in a campaign under way on PostgreSQL, 10 a second; fails where"
	@echo "                    memory grows by 5 %; ARGS=\"--hours 1.2 --pace 50\" makes as many judgments sooner"
	@echo "make clean          remove the virtual environment and caches; the data in var/ stay"

# --- Set-up: a virtual environment, renewed when a requirement changes ---

# Modules are compiled on all processors, where pip takes one; some packages bring files that no Python of today compiles.
install = $(1)/bin/python -m pip install --disable-pip-version-check -q --no-compile -r $(2) \
	&& { $(1)/bin/python -m compileall -q -j 0 $(1)/lib >/dev/null 2>&1 || true; }

$(BIN)/python:
	@python=$$(sh .ci/python) && echo "Making $(VENV) with $$python ..." && $$python -m venv --clear $(VENV)

$(VENV)/app.stamp: requirements.txt constraints.txt | $(BIN)/python
	@echo "Installing what the app needs (about a minute) ..."
	@$(call install,$(VENV),requirements.txt)
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt requirements.txt constraints.txt | $(BIN)/python
	@echo "Installing what app and tests need (about a minute) ..."
	@$(call install,$(VENV),requirements-dev.txt)
	@touch $@ $(VENV)/app.stamp

# A server of object storage for the tests, apart: it wants other versions of what the app brings.
$(STORAGE)/moto.stamp: requirements-s3.txt
	@python=$$(sh .ci/python) && echo "Making $(STORAGE) with $$python ..." && $$python -m venv --clear $(STORAGE)
	@$(call install,$(STORAGE),requirements-s3.txt)
	@touch $@

chromium:
	@sh .ci/chromium

# --- The app ---

demo: $(VENV)/app.stamp
	@DATABASE_URL= $(BIN)/python manage.py migrate -v 0
	@DATABASE_URL= $(BIN)/python manage.py demo --url http://127.0.0.1:$(PORT)
	@DATABASE_URL= exec $(BIN)/python manage.py serve --port $(PORT)

serve: $(VENV)/app.stamp
	@$(BIN)/python manage.py migrate -v 0
	@exec $(BIN)/python manage.py serve --port $(PORT)

# --- The tests: everything on SQLite, then on PostgreSQL what can differ there (BOTH in tests/conftest.py) ---

test-tools: $(STORAGE)/moto.stamp chromium

test: $(VENV)/dev.stamp test-tools
	@status=0; \
	$(MAKE) --no-print-directory test-sqlite || status=1; \
	$(MAKE) --no-print-directory test-postgres || status=1; \
	exit $$status

test-sqlite: $(VENV)/dev.stamp $(STORAGE)/moto.stamp
	@echo "--- the whole suite, SQLite"
	@DATABASE_URL=$(SCRATCH_DATABASE) $(PYTEST) $(ARGS)

test-postgres test-postgres-all: WORKERS := $(POSTGRES_WORKERS)

test-postgres: $(VENV)/dev.stamp $(STORAGE)/moto.stamp
	@echo "--- what can differ between the databases, PostgreSQL"
	@$(BIN)/python -m tests.postgres $(PYTEST) -m "both and not alike" $(ARGS)

test-postgres-all: $(VENV)/dev.stamp $(STORAGE)/moto.stamp chromium
	@echo "--- whatever touches a database, PostgreSQL"
	@$(BIN)/python -m tests.postgres $(PYTEST) -m "not pure" $(ARGS)

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@find templates -name '*.html' -exec $(BIN)/djade --check --target-version 5.2 {} +

types: $(VENV)/dev.stamp
	@$(BIN)/mypy

format: $(VENV)/dev.stamp
	@$(BIN)/ruff check --fix-only -q . && $(BIN)/ruff format .
	@find templates -name '*.html' -exec $(BIN)/djade --target-version 5.2 {} +

docs-check: $(VENV)/dev.stamp
	@DATABASE_URL=$(SCRATCH_DATABASE) $(BIN)/python -m pytest -q tests/test_docs.py

record: $(VENV)/dev.stamp
	@DATABASE_URL=$(SCRATCH_DATABASE) $(BIN)/python -m tests.unchanged record

screenshots: $(VENV)/dev.stamp chromium
	@TOUCHSTONE_SHOTS=docs/images DATABASE_URL=$(SCRATCH_DATABASE) $(BIN)/python -m pytest -q tests/browser/test_annotator_pages.py
	@TOUCHSTONE_SHOTS=docs/images/quality DATABASE_URL=$(SCRATCH_DATABASE) $(BIN)/python -m pytest -q tests/browser/test_lead_pages.py
	@$(BIN)/python -m tests.browser.pictures docs/images docs/images/quality

looks: $(VENV)/dev.stamp chromium
	@TOUCHSTONE_LOOK=whole DATABASE_URL=$(SCRATCH_DATABASE) $(BIN)/python -m pytest -q tests/browser/test_pages.py \
		tests/browser/test_annotator_pages.py tests/browser/test_judge_looks.py tests/browser/test_lead_pages.py \
		tests/browser/test_desk_sizes.py

# --- Benchmarks: small by default; as in benchmarks/README.md with ARGS="--scale 1 --rounds 5". Peers apart from the app ---

$(PEERS)/peers.stamp: requirements-bench.txt
	@python=$$(sh .ci/python) && echo "Making $(PEERS) with $$python ..." && $$python -m venv --clear $(PEERS)
	@$(PEERS)/bin/python -m pip install --disable-pip-version-check -q -r requirements-bench.txt
	@touch $@

bench: $(VENV)/dev.stamp $(PEERS)/peers.stamp
	@failed=; for file in benchmarks/*.py; do \
		echo "--- $$file"; \
		python=$(BIN)/python; args=; \
		case "$$file" in \
			benchmarks/engine.py) args='$(ARGS)';; \
			benchmarks/blindness.py) args='--rounds 3';; \
			benchmarks/interval_coverage.py) args='500 199';; \
			benchmarks/rank_coverage.py) args='50 199';; \
			benchmarks/effect_coverage.py|benchmarks/mean_coverage.py) args='200';; \
			benchmarks/sampled_coverage.py) args='200 10';; \
			benchmarks/share_calibration.py) args='50';; \
			benchmarks/pooling_replay.py) args='3';; \
			benchmarks/agreement.py|benchmarks/consolidation.py|benchmarks/significance.py) python=$(PEERS)/bin/python;; \
		esac; \
		"$$python" "$$file" $$args || failed="$$failed $$file"; \
	done; \
	test -z "$$failed" || { echo "--- Failed:$$failed"; exit 1; }

# --- frouros, whose figures of drift ours must be; apart, since it pins numpy ---

$(FROUROS)/frouros.stamp: requirements-frouros.txt
	@python=$$(sh .ci/python) && echo "Making $(FROUROS) with $$python ..." && $$python -m venv --clear $(FROUROS)
	@$(FROUROS)/bin/python -m pip install --disable-pip-version-check -q -r requirements-frouros.txt
	@touch $@

frouros: $(VENV)/dev.stamp $(FROUROS)/frouros.stamp
	@$(BIN)/python benchmarks/drift.py $(FROUROS)/bin/python

# --- MTEB, whose main score our own must be; apart, since it brings 2 GB ---

$(MTEB)/mteb.stamp: requirements-mteb.txt
	@python=$$(sh .ci/python) && echo "Making $(MTEB) with $$python ..." && $$python -m venv --clear $(MTEB)
	@$(MTEB)/bin/python -m pip install --disable-pip-version-check -q -r requirements-mteb.txt
	@touch $@

mteb: $(VENV)/dev.stamp $(MTEB)/mteb.stamp
	@DATABASE_URL=$(SCRATCH_DATABASE) $(BIN)/python -m pytest -q tests/evaluation/management/test_beir_vectors.py \
		tests/annotation/formats/test_dataset_packages.py

# --- GrowthBook's statistics beside ours; apart, since they need numpy 1. `make bench` compares, too, once they are there ---

$(GBSTATS)/gbstats.stamp: requirements-gbstats.txt
	@python=$$(sh .ci/python) && echo "Making $(GBSTATS) with $$python ..." && $$python -m venv --clear $(GBSTATS)
	@$(GBSTATS)/bin/python -m pip install --disable-pip-version-check -q -r requirements-gbstats.txt
	@touch $@

gbstats: $(VENV)/dev.stamp $(GBSTATS)/gbstats.stamp
	@$(BIN)/python benchmarks/experiments_beside_gbstats.py $(ARGS)

# --- Fuzzing: what it learns stays in var/fuzz, and an input that breaks something is left there ---

$(VENV)/fuzz.stamp: requirements-fuzz.txt requirements.txt constraints.txt | $(BIN)/python
	@$(BIN)/python -m pip install --disable-pip-version-check -q -r requirements-fuzz.txt
	@touch $@

fuzz: $(VENV)/dev.stamp $(VENV)/fuzz.stamp
	@echo "--- property tests, $(FUZZ_TIMES) times as many examples as they ask for, new ones every time"
	@TOUCHSTONE_FUZZ_TIMES=$(FUZZ_TIMES) DATABASE_URL=$(SCRATCH_DATABASE) $(PYTEST) -m "properties and not browser" $(ARGS)
	@for what in runs qrels forms topics documents bundles folders; do \
		echo "--- any bytes as $$what"; \
		$(BIN)/python -m tests.fuzz.fuzz_$$what var/fuzz/$$what -runs=$(FUZZ_RUNS) -artifact_prefix=var/fuzz/$$what- || exit 1; \
	done

# --- Kill −9 at random moments, of workers during an import and of web processes while people judge, whom PostgreSQL is taken
# from as well; power cuts; short forms are tests. PostgreSQL with fsync where it is stopped, or its power cut ---

soak: soak-imports soak-judging soak-cuts soak-machines

soak-imports soak-judging soak-cuts: soak-%: $(VENV)/dev.stamp
	@DATABASE_URL= $(BIN)/python -m tests.soak $* $(ARGS)
	@DATABASE_URL= $(BIN)/python -m tests.postgres $(if $(filter imports,$*),,--durable) $(BIN)/python -m tests.soak $* $(ARGS)

# Three machines share a PostgreSQL and object storage.
soak-machines: $(VENV)/dev.stamp $(STORAGE)/moto.stamp
	@DATABASE_URL= $(BIN)/python -m tests.postgres $(BIN)/python -m tests.soak machines $(ARGS)

# Wants pgbouncer 1.21 or later on the PATH, or where PGBOUNCER says.
soak-pgbouncer: $(VENV)/dev.stamp
	@DATABASE_URL= $(BIN)/python -m tests.pgbouncer $(BIN)/python -m tests.soak judging $(ARGS)

# PostgreSQL as it is by itself: with fsync, and with autovacuum, which keeps its own tables in order over hours.
soak-hours: $(VENV)/dev.stamp
	@DATABASE_URL= $(BIN)/python -m tests.postgres --durable $(BIN)/python -m tests.soak hours $(ARGS)

clean:
	rm -rf $(VENV) $(PEERS) $(MTEB) $(GBSTATS) $(FROUROS) $(STORAGE) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Carrel's everyday commands. `make` lists them.

SHELL := /bin/bash
# Where scripts/setup.sh installs Node.js and Rust if those of the machine are missing or too old.
export PATH := $(CURDIR)/.carrel/node/node_modules/.bin:$(PATH):$(HOME)/.cargo/bin

WEB_SOURCES := $(shell find web/src web/public web/locales web/scripts -type f) \
	$(addprefix web/,index.html package.json tsconfig.json vite.config.ts)
RELEASE := target/release/carrel
# More flags for `carrel`: make run ARGS="--folio-listen 127.0.0.1:9999"
ARGS ?=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: endpoints help run test bench lint build web types fmt setup-run setup-test

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run build ## Build Carrel and serve a sample library on this machine
	scripts/run.sh $(ARGS)

# The browser tests use the binary that `cargo test --workspace` has built: `cargo build --package carrel` would
# enable other features and compile nearly everything again. Most tests wait for I/O, so four run at once even on two
# processors.
test: setup-test lint ## Prove it: formats, lints, unit, database and browser tests
	RUST_TEST_THREADS=4 cargo test --workspace
	cd web && npm run browser

bench: setup-run build ## Measure check-outs and check-ins, and the same writes on PostgreSQL alone
	cargo run --release --package bench -- $(ARGS)

endpoints: setup-run ## Regenerate docs/endpoints.md, docs/errors.md and the table in README.md
	rm -f target/exchanges.jsonl
	CARREL_EXCHANGES=$(CURDIR)/target/exchanges.jsonl cargo test --package tests
	cargo run --quiet --package tests --example endpoints -- target/exchanges.jsonl

lint: web web/node_modules/.package-lock.json ## Check formats, types and lints
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cd web && npm run check

build: web ## Build the release binary, staff pages inside
	cargo build --release --package carrel

web: web/dist/index.html ## Build the staff pages

types: web/node_modules/.package-lock.json ## Generate the staff pages' types from the API
	cargo run --quiet --package carrel -- openapi $(foreach path,$(shell cat web/openapi.paths),--path '$(path)') > web/openapi.json
	cd web && npm run types

fmt: web/node_modules/.package-lock.json ## Format everything
	cargo fmt --all
	cd web && npm run format

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci
	@touch $@

setup-run:
	@scripts/setup.sh run

setup-test:
	@scripts/setup.sh test

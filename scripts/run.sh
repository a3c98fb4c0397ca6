#!/usr/bin/env bash
# Serves a sample library with the release binary: what `make run` does when all is built.
set -euo pipefail
cd "$(dirname "$0")/.."

# PostgreSQL does not run as root, and no other account may pass through root's home: a Carrel that
# is started as root keeps its data where services do, unless it is told where.
if [ "$(id -u)" = 0 ] && [ -z "${CARREL_DATA_DIR:-}${CARREL_CONFIG:-}" ] &&
    [ ! -e carrel.toml ] && [ ! -e /etc/carrel/carrel.toml ]; then
    export CARREL_DATA_DIR=/var/lib/carrel-sample
fi
exec target/release/carrel serve --sample "$@"

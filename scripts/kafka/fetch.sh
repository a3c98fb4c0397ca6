#!/usr/bin/env bash
# Fetches a Kafka broker into .carrel/kafka with Maven, for `cargo test -p events --features kafka`. Needs java and mvn.
set -euo pipefail
cd "$(dirname "$0")"
mvn --quiet --batch-mode dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$PWD/../../.carrel/kafka"

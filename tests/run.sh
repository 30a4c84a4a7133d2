#!/usr/bin/env bash
# Builds everything and runs all tests: tests/run.sh [options of ctest], from any folder. `-R jobs` runs the whole-job tests only.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/cmake/packages.sh"

ensure_packages $build_packages $test_packages
build_preset release
echo "Running the tests in $root/build/release" >&2
ctest --test-dir "$root/build/release" -j2 --output-on-failure --no-tests=error "$@"

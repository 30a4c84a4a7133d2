#!/usr/bin/env bash
# Builds and runs the flights job: apps/flights/run.sh [options of `flights run`], from any folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/cmake/packages.sh"

ensure_packages $build_packages
build_preset release flights

given=" $* "
options=()
[[ $given == *" --flights"[\ =]* ]] || options+=(--flights "$root/apps/flights/flights.csv")
[[ $given == *" --out"[\ =]* ]] || options+=(--out "$PWD/flights-out")
command=("$root/build/release/apps/flights/flights" run "${options[@]}" "$@")
echo "Running ${command[*]}" >&2
exec "${command[@]}"

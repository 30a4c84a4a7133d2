#!/usr/bin/env bash
# The benches run, and their results are right, on a few rows.
set -euo pipefail
bench=$SPILLWAY_BIN/apps/bench

"$bench/bench_keyed_sum" --rows 50000 --rounds 1
"$bench/bench_chain" --rows 100000 --rounds 1
"$bench/bench_hop" --rows 20000 --rounds 1
"$bench/bench_memory" --rows 5000 --times 2
"$bench/bench_latency" --seconds 0.2 --variants 0

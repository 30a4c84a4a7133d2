#!/usr/bin/env bash
# Installs the built library into a temporary prefix and builds and runs a project against it.
# test.sh BUILD_FOLDER SOURCE_FOLDER CXX_COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
  echo "error: $1" >&2
  exit 1
}

cmake --install "$build" --prefix "$tmp/prefix" >/dev/null

include=$tmp/prefix/include
heavy=$(cd "$include" && grep -rlE '^ *# *include *[<"](caf/|(lmdb|simdjson|zlib|zstd)\.h)' . | grep -vxE '\./spillway/(actors/)?actor\.hpp' || true)
[ -z "$heavy" ] || fail "public headers include CAF, LMDB or what reads files: $heavy"
bare=$(cd "$include" && grep -rnE '^ *# *include *[<"](messages|storage|scheduler|actors)/' . || true)
[ -z "$bare" ] || fail "public headers include by repository path: $bare"
others=$(cd "$include" && find . -type f ! -path './spillway/*' ! -path ./spillway.hpp)
[ -z "$others" ] || fail "headers outside include/spillway: $others"
! grep -rlF -e "$source/" -e "$build/" "$tmp/prefix" --include='*.cmake' || fail "the package names folders of the build"

cmake -S "$source/tests/consumer" -B "$tmp/build" -G Ninja -DCMAKE_PREFIX_PATH="$tmp/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  --log-level=WARNING
cmake --build "$tmp/build"

printf 'place,value\nnorth,3\nsouth,5\nnorth,7\n' >"$tmp/measures.csv"
"$tmp/build/consumer" run --measures "$tmp/measures.csv" >"$tmp/out"
cat "$tmp/out"
grep -qE '^north[ ,]+7$' "$tmp/out" && grep -qE '^south[ ,]+5$' "$tmp/out" || fail "the consumer printed something else"
[ "$(wc -l <"$tmp/out")" -le 3 ] || fail "the consumer printed more than a header and two rows"

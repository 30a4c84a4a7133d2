# To be sourced: what Spillway needs of Debian bookworm or a later release, and how to get it.
build_packages="g++ cmake ninja-build ccache libcaf-dev liblmdb-dev libfmt-dev libboost1.81-dev libxxhash-dev zlib1g-dev libzstd-dev libsimdjson-dev doctest-dev python3"
# What the tests read or run besides.
test_packages="ieee-data"

# ensure_packages NAME...: installs those that are missing, or says what to do about them and fails.
ensure_packages() {
  local missing=() name
  if ! command -v dpkg-query >/dev/null; then
    echo "No Debian packages here: the build needs, under whatever names, $*" >&2
    return 0
  fi
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "These packages are missing: ${missing[*]}" >&2
    echo "Install them, for instance with: sudo apt-get install ${missing[*]}" >&2
    return 1
  fi
  echo "Installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -qq -y --no-install-recommends "${missing[@]}"; } >&2
}

# build_preset PRESET [TARGET...]: configures and builds in the tree at $root. What it says goes to stderr.
build_preset() {
  local preset=$1
  shift
  echo "Building $preset in $root/build/$preset${*:+: $*}" >&2
  cmake -S "$root" --preset "$preset" >/dev/null
  cmake --build "$root/build/$preset" ${*:+--target "$@"} >&2
}

#!/bin/sh
# fuzz.sh: every fuzz target for a while, two at a time, with address and undefined-behaviour sanitizers.
#
#     sh .ci/fuzz.sh [SECONDS] [TARGET...]      60 seconds each of all targets, unless told otherwise
#
# New inputs go to a folder beside the build, where the next run finds them; a fault leaves the input
# there and ends in failure.  Needs clang-19 and libclang-rt-19-dev; skips, saying so, without them.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

command -v clang-19 >/dev/null 2>&1 || {
    say "fuzz: skipped: there is no clang-19 (Debian: clang-19 libclang-rt-19-dev)"
    exit 0
}
seconds=${1:-60}
[ $# -eq 0 ] || shift
choose_folders
build=${build%/scripts}/ci-fuzz
found=$build.found
mkdir -p "$found"

sanitize='-O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all'
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_FUZZ=ON -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS="$sanitize"
[ $# -gt 0 ] || set -- obj ply stl off gltf gzip tree queries contact topology pick select rays answers merge scene command
for name in "$@"; do
    cmake --build "$build" --target "fuzz_$name" -j "$jobs" >&2
done

fuzz_one() { # NAME
    mkdir -p "$found/$1"
    dictionary=$root/test/fuzz/$1.dict
    [ "$1" = topology ] && dictionary=$root/test/fuzz/obj.dict
    [ "$1" = answers ] && dictionary=$root/test/fuzz/rays.dict
    [ -e "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=
    # The command says what is wrong with each input; sanitizers are heard all the same.
    [ "$1" = command ] && closed=3 || closed=1
    # shellcheck disable=SC2086 # empty or one word
    (cd "$found" && "$build/test/fuzz/fuzz_$1" "$found/$1" "$root/test/fuzz/corpus/$1" $dictionary \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
        -close_fd_mask=$closed -artifact_prefix="$found/$1-" >"$found/$1.log" 2>&1)
}

status=0
while [ $# -gt 0 ]; do
    first=$1 second=${2:-}
    fuzz_one "$first" &
    one=$!
    if [ -n "$second" ]; then
        fuzz_one "$second" || status=1
        shift
    fi
    wait "$one" || status=1
    shift
    for name in $first $second; do
        say "$name: $(grep -o 'stat::number_of_executed_units: .*' "$found/$name.log" | tr -s ' ' |
            cut -d' ' -f2) runs, $(grep -o 'cov: [0-9]*' "$found/$name.log" | tail -n 1)"
    done
done
[ "$status" = 0 ] || say "fuzz: an input made a fault; see $found"
exit "$status"

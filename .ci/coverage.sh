#!/bin/sh
# coverage.sh: which lines and branches of lib and bvh the tests reach, as a table, file by file, with the
# total last.  Twenty minutes.
#
# The same build has the checks that only clang knows: conversions of floats to integers that do not
# fit, and of integers that change the value or the sign.  (Unsigned sums that wrap are left out: hashes,
# random numbers and sets of bits live by them.)
#
#     sh .ci/coverage.sh             all tests of the code
#     sh .ci/coverage.sh -R '^lib/'  arguments go to ctest
#
# Needs clang-19, libclang-rt-19-dev and llvm-19; skips, saying so, without them.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

for tool in clang-19 llvm-profdata-19 llvm-cov-19; do
    command -v "$tool" >/dev/null 2>&1 || {
        say "coverage: skipped: there is no $tool (Debian: clang-19 libclang-rt-19-dev llvm-19)"
        exit 0
    }
done
choose_folders
build=${build%/scripts}/ci-coverage
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_IO=ON -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS="-O1 -fprofile-instr-generate -fcoverage-mapping \
-fsanitize=undefined,float-cast-overflow,implicit-conversion -fno-sanitize-recover=all"
compile
rm -rf "$build/profiles"
LLVM_PROFILE_FILE=$build/profiles/%2m.profraw ctest --test-dir "$build" --output-on-failure \
    --timeout 900 -j "$jobs" -E '^(package|house|docs)/' "$@" >"$build/tests.log" || {
    cat "$build/tests.log"
    exit 1
}
llvm-profdata-19 merge -sparse -o "$build/all.profdata" "$build"/profiles/*.profraw
first=
objects=
for program in "$build"/test/*_test_* "$build"/test/fuzz/replay_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    [ -n "$first" ] && objects="$objects -object $program" || first=$program
done
# shellcheck disable=SC2086 # a list of words
llvm-cov-19 report "$first" $objects -instr-profile "$build/all.profdata" -show-branch-summary=true \
    -show-region-summary=false -sources "$root/lib" "$root/bvh" |
    tee "$build/coverage.txt"

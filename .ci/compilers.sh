#!/bin/sh
# compilers.sh: the same bits from every compiler, optimisation level and kernel: builds and runs
# test/bvh/test_one_answer.c with each, and prints the hash that each gives.  arm64.sh does so for
# 64-bit ARM.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for compiler in gcc clang clang-19; do
    command -v "$compiler" >/dev/null 2>&1 || { echo "$compiler: not installed"; continue; }
    for level in -O0 -O3; do
        cmake -S "$root" -B "$work/$compiler$level" -DCMAKE_C_COMPILER="$compiler" \
            -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$level" -DSIGHTLINE_TOOLS=OFF >/dev/null
        cmake --build "$work/$compiler$level" -j2 --target bvh_test_one_answer >/dev/null
        "$work/$compiler$level/test/bvh_test_one_answer" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
        sed -n "s/^hash \(.* by \)/$compiler $level: \1/p" "$work/out"
    done
done

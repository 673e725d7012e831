#!/bin/sh
# compilers.sh: the same bits from every compiler, optimisation level and kernel: builds and runs
# test/bvh/test_one_answer.c, test/bvh/test_matrix.c, test/bvh/pick/test_picking_one_answer.c,
# test/bvh/contact/test_contact_one_answer.c and test/lib/test_editing_one_answer.c with each, and
# prints the hashes that each gives.
# arm64.sh does so for 64-bit ARM.  Half an hour.
#
#     sh .ci/compilers.sh                 gcc, clang and clang-19, at -O0 and -O3
#     COMPILERS=gcc sh .ci/compilers.sh   only this one
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for compiler in ${COMPILERS:-gcc clang clang-19}; do
    command -v "$compiler" >/dev/null 2>&1 || { echo "$compiler: not installed"; continue; }
    for level in -O0 -O3; do
        cmake -S "$root" -B "$work/$compiler$level" -DCMAKE_C_COMPILER="$compiler" \
            -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$level" -DSIGHTLINE_TOOLS=OFF >/dev/null
        for program in bvh_test_one_answer bvh_test_matrix bvh_test_picking_one_answer \
            bvh_test_contact_one_answer lib_test_editing_one_answer; do
            cmake --build "$work/$compiler$level" -j2 --target $program >/dev/null
            LOCPATH="$work/$compiler$level/test/locales" \
                "$work/$compiler$level/test/$program" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
            sed -n "s/^hash \(.* by \)/$compiler $level: \1/p" "$work/out"
        done
        rm -rf "$work/$compiler$level"
    done
done

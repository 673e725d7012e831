#!/bin/sh
# memory.sh: nothing is read before it is written: the core under the memory sanitizer, then the same
# tests as optimised for users, with the AVX2 kernels, under valgrind.  Ten minutes.
#
# Needs clang-19 and libclang-rt-19-dev, and valgrind; leaves out, saying so, what is missing.  GMP and
# libpng are not instrumented, so that no test that uses them is here.  The memory sanitizer takes a
# whole register for read where a mask takes some of its lanes, so that it gets the scalar kernel.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

programs='lib_test_arena lib_test_load lib_test_obj lib_test_ply lib_test_stl lib_test_off lib_test_weld
    lib_test_inspect bvh_test_at_once bvh_test_store bvh_test_arrays bvh_test_point_to_many'
# Those that valgrind, a hundred times as slow, gets through in half a minute each; it does not follow
# rounding modes, so that no test that changes them is here.
short='lib_test_arena lib_test_off lib_test_ply lib_test_stl bvh_test_arrays bvh_test_store_proof'
choose_folders
folder=${build%/scripts}

build_programs() { # NAME OPTION...
    build=$folder/ci-$1
    shift
    configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_TOOLS=OFF "$@"
    # shellcheck disable=SC2086 # a list of words
    cmake --build "$build" -j "$jobs" --target $programs >&2
}

run() { # WORDS PROGRAM WRAPPER...
    say "$1: $2"
    program=$2
    shift 2
    "$@" "$build/test/$program" >"$build/$program.log" 2>&1 || {
        cat "$build/$program.log"
        exit 1
    }
}

if command -v clang-19 >/dev/null 2>&1; then
    build_programs memory -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_FLAGS='-O1 -g -fsanitize=memory -fsanitize-memory-track-origins'
    for program in $programs; do
        run 'memory sanitizer' "$program" env SIGHTLINE_ISA=scalar timeout 600
    done
else
    say "memory: no memory sanitizer: there is no clang-19 (Debian: clang-19 libclang-rt-19-dev)"
fi
if command -v valgrind >/dev/null 2>&1; then
    build_programs valgrind -DCMAKE_BUILD_TYPE=RelWithDebInfo
    export SIGHTLINE_ISA=avx2
    for program in $short; do
        run 'valgrind, AVX2' "$program" timeout 600 valgrind --quiet --error-exitcode=99 \
            --leak-check=full
    done
else
    say "memory: no valgrind"
fi

#!/bin/sh
# sanitizers.sh: all tests of the code under the address and undefined-behaviour sanitizers, with assertions.
#
#     sh .ci/sanitizers.sh            with every question, which takes half an hour
#     sh .ci/sanitizers.sh --brief    fewer cases of each kind (SIGHTLINE_TEST_SCALE=0): a part of .ci/run
#
# Needs clang-19 and libclang-rt-19-dev: clang looks for more than gcc does, such as rows of arrays that are left.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
choose_folders
build=${build%/scripts}/ci-sanitizers

say "== sanitizers"
# Each test has the whole library in it.  With lines but no variables for debuggers, and without tables of relocations,
# all tests take 3.5 gigabytes; with gcc it was 4.5 instead of 11.
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-g1 -DCMAKE_EXE_LINKER_FLAGS=-no-pie \
    -DCMAKE_C_FLAGS='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
compile

# Packages and symbols do not depend on how these are compiled, and clang's sanitizers call a memcpy of their own;
# check.sh tests them.  The interpreter of the Python package has no sanitizers: test/python/sanitizers.sh.
elsewhere='^(package|house|python)/|^lib/calls$'
if [ "${1:-}" = --brief ]; then
    SIGHTLINE_TEST_SCALE=0
    export SIGHTLINE_TEST_SCALE
    # Processes that are killed again and again, and a search for slow cases.
    elsewhere="$elsewhere|^cli/(resume_kill|schedulers)$|^bvh/cliffs"
fi
run_tests --timeout 900 -E "$elsewhere"

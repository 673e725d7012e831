#!/bin/sh
# threads.sh: no data races: eight threads that query and build, the pool, and answers from any number of
# workers, under the thread sanitizer.  A part of .ci/run.
#
# Needs clang-19 and libclang-rt-19-dev; skips, saying so, without them.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

command -v clang-19 >/dev/null 2>&1 || {
    say "threads: skipped: there is no clang-19 (Debian: clang-19 libclang-rt-19-dev)"
    exit 0
}
choose_folders
build=${build%/scripts}/ci-threads
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_TOOLS=OFF -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS='-O1 -g -fsanitize=thread'
compile --target bvh_test_at_once bvh_test_refit_at_once bvh_test_scene_at_once bvh_test_slices_at_once bvh_test_build_slices \
    bvh_test_one_answer lib_test_pool faults_test_threads
TSAN_OPTIONS=halt_on_error=1:exitcode=66
export TSAN_OPTIONS
run_tests --timeout 600 -R '^(bvh/(at_once|refit_at_once|scene_at_once|slices_at_once|build_slices|one_answer)|lib/pool|faults/threads)$'

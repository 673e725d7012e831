#!/bin/sh
# reduced.sh: the library without threads (SL_NO_THREADS), without files (SL_NO_FILES), without both, and with small
# kernels (SL_SMALL), by gcc with its warnings as errors, and the tests that apply; cmake names those that do not.
#
#     sh .ci/reduced.sh              all that apply
#     sh .ci/reduced.sh --brief      all three in one build, and what speaks of it: a part of .ci/run
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
choose_folders
folder=${build%/scripts}

# without WHAT OPTION...: configures in a folder of its own.
without() {
    say "== without $1"
    build=$folder/ci-without-$1
    shift
    configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON -DCMAKE_C_COMPILER=gcc "$@"
    sed -n 's/^-- \(Not built, .*\)/\1/p' "$build/configure.log" >&2
}

test_code() {
    run_tests --timeout 600 "$@"
}

neither='-DSIGHTLINE_THREADS=OFF -DSIGHTLINE_FILES=OFF -DSIGHTLINE_IO=ON'
if [ "${1:-}" = --brief ]; then
    # shellcheck disable=SC2086 # a list of words
    without all $neither -DSIGHTLINE_SMALL=ON -DCMAKE_BUILD_TYPE=Debug
    compile --target sightline sightline_io lib_bare lib_test_load lib_test_gltf bvh_test_store bvh_test_reduced \
        bvh_test_one_answer bvh_test_scene_one_answer
    test_code -R '^(lib/(bare|calls|gltf|load)|bvh/(one_answer|reduced|scene_one_answer|store))$'
    exit
fi

# shellcheck disable=SC2086 # a list of words
without both $neither
compile
test_code -E '^(package|house)/'

# With one of them the answers are the same; what differs is what the other is used by.
without threads -DSIGHTLINE_THREADS=OFF
compile
test_code -R '^(cli/|tools/|docs/|faults/|lib/(bare|calls|file|load|write)|bvh/(one_answer|reduced|store|matrix))'
without files -DSIGHTLINE_FILES=OFF -DSIGHTLINE_IO=ON
compile
test_code -R '^(faults/|fuzz/|lib/(bare|calls|load|pool|gltf|image)|bvh/(at_once|one_answer|reduced|store|matrix))'

# The answers and promises of batches, by what answers them item after item.
without batches -DSIGHTLINE_SMALL=ON
compile
test_code -R '^bvh/'

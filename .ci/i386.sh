#!/bin/sh
# i386.sh: the same bits on 32-bit x86: builds everything with Debian's cross compiler, and runs the
# tests and the command's cases, which a 64-bit system runs by itself.
#
#     sh .ci/i386.sh                 ten minutes
#     sh .ci/i386.sh -R '^lib/'      arguments go to ctest; '^(house|package|cli|docs)/' cannot run
#
# Needs gcc-i686-linux-gnu and libc6-dev-i386-cross; see emulated.sh.
set -eu
name=i386
machine=i686
emulator=env
# shellcheck source=.ci/emulated.sh
. "$(dirname -- "$0")/emulated.sh"

SIGHTLINE_TEST_SCALE=${SIGHTLINE_TEST_SCALE:-0}
export SIGHTLINE_TEST_SCALE
run_tests -E '^(house|package|cli|docs|python|faults)/'
# shellcheck disable=SC2046 # a list of words
run_cases "$name" "$emulator" "$build/tools/sightline" -- $(cases_but)

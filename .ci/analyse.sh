#!/bin/sh
# analyse.sh: what gcc's analyser and clang-tidy find in the sources; anything fails.  Fifteen minutes.
#
# .clang-tidy names the checks and why some are off.  Needs clang-tidy; leaves it out, saying so.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

choose_folders
folder=${build%/scripts}
status=0

# Kernels are intrinsics from end to end, which neither of the two understands.
sources() {
    (cd "$root" && git ls-files 'lib/*.c' 'bvh/*.c' 'tools/*.c') |
        grep -vE '/(kernel_[a-z0-9]+|bench_(no_)?embree[a-z_]*|gltf_no_meshopt)\.c$'
}

build=$folder/ci-analyse
configure -DCMAKE_C_COMPILER=clang -DSIGHTLINE_EMBREE=OFF
if command -v clang-tidy >/dev/null 2>&1; then
    say "clang-tidy"
    (cd "$root" && sources | xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet \
        --extra-arg=-Wno-unknown-warning-option) || status=1
else
    say "analyse: there is no clang-tidy"
fi

say "gcc -fanalyzer"
build=$folder/ci-fanalyzer
configure -DCMAKE_C_COMPILER=gcc -DSIGHTLINE_EMBREE=OFF -DSIGHTLINE_WERROR=ON \
    -DCMAKE_C_FLAGS='-fanalyzer -fanalyzer-transitivity' || status=1
compile
exit "$status"

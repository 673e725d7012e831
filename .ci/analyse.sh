#!/bin/sh
# analyse.sh: what clang-tidy finds in the sources, and gcc's analyser in those that read files of
# strangers and look after memory; any finding fails.  Fifteen minutes.
#
# .clang-tidy names the checks, and why some are off.  Kernels are left out: they are vector operations
# from end to end.  Needs clang-tidy, and leaves it out, saying so, where there is none.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

choose_folders
build=${build%/scripts}/ci-analyse
status=0
cd "$root"

if command -v clang-tidy >/dev/null 2>&1; then
    say "clang-tidy"
    configure -DCMAKE_C_COMPILER=clang -DSIGHTLINE_EMBREE=OFF
    git ls-files 'lib/*.c' 'bvh/*.c' 'tools/*.c' |
        grep -vE '^tools/godot/|/(kernel_[a-z0-9]+|bench/peer/embree[a-z_]*|gltf_no_meshopt)\.c$' |
        xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet || status=1
else
    say "analyse: there is no clang-tidy"
fi

say "gcc -fanalyzer"
mkdir -p "$build"
git ls-files 'lib/base/*.c' 'lib/mesh/*.c' 'lib/image/*.c' 'bvh/store/*.c' |
    xargs -P "$jobs" -n 1 gcc -std=gnu17 -O2 -fanalyzer -Werror -I. -Ilib/include -Ibvh/include \
        -c -o /dev/null || status=1
exit "$status"

#!/bin/sh
# one_file.sh: what tools/amalgamate.py makes is the library.
#
#     sh one_file.sh ROOT BUILD WORK CC PYTHON SUPPORT...      SUPPORT: sources of test/support
#
# As C11 it compiles without a warning and without any flag that it would need.  With it test/bvh/test_one_answer.c gives
# its hash, by each kernel, and the examples of docs print what they should.  Files of kernels can be left out.  The
# header is C++17, too.
set -eu
root=$1 build=$2 work=$3 cc=$4 python=$5
shift 5
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$python" "$root/tools/amalgamate.py" made --build "$build"

fault() {
    printf '%s\n' "$*"
    exit 1
}

for source in made/*.c; do
    level=-O0
    case $source in
    *_avx*) level=-O1 ;; # from there on, products and sums would be fused
    esac
    "$cc" -std=c11 -Wall -Wextra -Werror $level -c "$source"
done

for left in SL_BASE_KERNEL SL_NO_AVX512; do
    "$cc" -E -P -D$left -I"$root" -I"$root/lib/include" -I"$root/bvh/include" "$root/bvh/kernel/dispatch.c" >rows
    ! grep '&sli_kernels_avx512' rows || fault "$left leaves AVX-512 in"
done

"$cc" -std=gnu17 -O1 -DSL_STATIC -DSOURCE_DIR="\"$root\"" -I"$root" -I"$root/lib/include" -I"$root/bvh/include" \
    "$root/test/bvh/test_one_answer.c" "$@" ./*.o -lcmocka -lm -pthread -o one_answer
./one_answer >answers 2>&1 || fault "$(cat answers)"
grep '^hash' answers

cxx=$(command -v g++ || command -v clang++ || command -v c++ || true)
if [ -n "$cxx" ]; then
    echo '#include "made/sightline.h"' >header.cpp
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only header.cpp
fi

for expected in "$root"/test/examples/*.out; do
    name=$(basename "$expected" .out)
    case $name in
    editor_window) continue ;; # opens one
    pick_under_mouse) arguments='420 280' ;;
    *) arguments= ;;
    esac
    sed 's/^#include <sightline\/.*/#include "sightline.h"/' "$root/docs/examples/$name.c" >"$name.c"
    "$cc" -std=c11 -D_DEFAULT_SOURCE -Imade "$name.c" sightline*.o -lm -pthread -o "$name"
    # shellcheck disable=SC2086 # words
    "./$name" "$root/test/data/spot.obj" $arguments >"$name.printed" || fault "$name failed"
    cmp "$name.printed" "$expected"
done

#!/bin/sh
# steps.sh: what tools/setup.sh shows of a build: as far as it is, in twentieths, whether ninja or make
# builds; and that a build that fails is seen to.
#
#     sh steps.sh WORK
set -eu
. "$(dirname -- "$0")/../tools/setup.sh"
build=$1
rm -rf "$build"
mkdir -p "$build"

printf '%s\n' '[0/1] Re-checking globbed directories...' '[1/4] Building C object lib/CMakeFiles/sightline.dir/base/bits.c.o' \
    'warning: [1/2] of something' \
    '[2/4] Building C object lib/CMakeFiles/sightline.dir/__/bvh/query/ray.c.o' \
    '[4/4] Linking C executable tools/sightline' >"$build/ninja"
printf '%s\n' 'Scanning dependencies' '[  3%] Building C object tools/CMakeFiles/x.dir/main.c.o' \
    '[  4%] Building C object a.c.o' '[ 50%] Built target x' '[100%] Built target y' >"$build/make"
cat >"$build/expected" <<'END'
 25 %  lib/base/bits.c
 50 %  bvh/query/ray.c
100 %  tools/sightline
  3 %  tools/main.c
 50 %  x
100 %  y
END
for kind in ninja make; do
    show_steps <"$build/$kind" 2>>"$build/shown"
    cmp "$build/$kind" "$build/build.log"
done
diff -u "$build/expected" "$build/shown"

if (compile) >"$build/out" 2>&1; then
    echo 'a build that cannot be was called done'
    exit 1
fi
grep -q 'the build failed' "$build/out"

#!/bin/sh
# steps.sh: what tools/setup.sh shows of a build: as far as it is, in twentieths, whether ninja or make
# builds; and that a build that fails is seen to.  What it says where nothing else is shown, and of tests
# that were skipped.
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

# Where nothing is shown a line comes, where something is none does, and the status is that of the command.
patience=3
with_beat 'waiting' sleep 5 2>"$build/beats"
grep -q 'waiting: . s so far' "$build/beats"
show_often() {
    for number in 1 2 3 4 5 6 7 8; do
        echo "$number" >"$build/.shown"
        sleep 0.5
    done
}
with_beat 'showing' show_often 2>"$build/beats"
[ ! -s "$build/beats" ]
if with_beat 'failing' false; then
    echo 'a command that failed was called done'
    exit 1
fi

# What is quiet is shown where it fails.
quietly echo hidden >"$build/out" 2>&1
[ ! -s "$build/out" ]
if quietly sh -c 'echo seen; exit 3' >"$build/out" 2>&1 || [ "$(cat "$build/out")" != seen ]; then
    echo 'what failed quietly was not shown'
    exit 1
fi

mkdir -p "$build/Testing/Temporary"
printf '%s\n' '1/3 Testing: cli/one' 'skipped: there is no /usr/bin/parallel' '2/3 Testing: lib/two' \
    'there is no scenes: skipped' '[ SKIPPED ] 1 test(s), listed below:' '[  SKIPPED ] a_test' '3/3 Testing: python/three' \
    'SKIPPED [2] test_three.py:4: no dask' >"$build/Testing/Temporary/LastTest.log"
cat >"$build/expected" <<'END'
skipped: cli/one: there is no /usr/bin/parallel
skipped: lib/two: there is no scenes
skipped: python/three: test_three.py:4: no dask
END
say_skipped 2>"$build/out"
diff -u "$build/expected" "$build/out"

#!/bin/sh
# exact.sh: the tests of exactness, at full length, one after the other; ten to twenty minutes.
#
#     sh .ci/exact.sh BUILD [MESH...]
#
# Every pair of shapes against fractions in at least 200,000 cases; a million points in and around
# closed meshes; a hundred million rays at the seams of pieces that match; ten million decisions of rays in scenes; then,
# for each MESH, a thousand queries of each kind to the tree against every
# triangle in turn, as it is and on a lattice, which takes two minutes for each 100,000 triangles.
# BUILD is a folder with the tests built, best in Release.  The status is 1 where anything is wrong.
set -u
build=$1
shift
wrong=0

check() {
    echo "== $*"
    "$@" >"$log" 2>&1 || wrong=1
    grep -E 'cases|decisions|pairs|points|axes|sides|all  |sightline:|FAILED|ERROR|PASSED' "$log"
}

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
while read -r scale programs; do
    for program in $programs; do
        check env "SIGHTLINE_TEST_SCALE=$scale" "$build/test/lib_test_$program"
    done
done <<TABLE
2 ray_sphere inside ray_aabb_exact triangle_aabb_exact ray_plane ray_plane_any
5 ray_obb_exact ray_capsule
10 box_radius line_line line_line_2d
17 plane_overlap triangle_triangle
20 closest_exact
34 sphere_overlap capsule_overlap
40 bounding
50 relation
85 frustum
134 obb_overlap
TABLE
check env SIGHTLINE_TEST_SCALE=120 "$build/test/bvh_test_inside_exact"
check env SIGHTLINE_TEST_SCALE=5000 "$build/test/bvh_test_scene_seams"
check env SIGHTLINE_TEST_SCALE=50 "$build/test/bvh_test_scene_exact"

for mesh; do
    for snap in '' '--snap 12'; do
        for command in 'overlap --number 1000' 'nearest -k 8 --number 125' 'within --number 125' \
            'inside --number 125' 'cast --number 112' 'cast --crossings --number 112'; do
            # shellcheck disable=SC2086  # words of an option table
            check "$build/tools/sightline" $command "$mesh" $snap --verify --generate all
        done
    done
done
exit $wrong

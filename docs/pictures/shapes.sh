#!/bin/sh
# shapes.sh: the pictures of docs/shapes.md, one for each test.
#
#     sh docs/pictures/shapes.sh SIGHTLINE [FOLDER]    makes them anew; FOLDER: docs/pictures/shapes
#
# Each is the example that `sightline draw TEST` draws without shapes; below are those that show a
# special case, with theirs.
set -eu
command=${1:?"usage: sh shapes.sh SIGHTLINE [FOLDER]"}
folder=${2:-$(dirname "$0")/shapes}
mkdir -p "$folder"

draw() { # NAME ARGUMENT...
    name=$1
    shift
    "$command" draw "$@" -o "$folder/$name.svg" >/dev/null
}

for test in $("$command" draw --list | awk 'NR > 1 { print $1 }'); do
    draw "$test" "$test"
done

draw ray-aabb-hollow ray-aabb 'ray 0 0.25 0.5 1 0.5 -0.25' 'box -1 -1 -1 1 1 1' --inside hollow
draw ray-aabb-corner ray-aabb 'line -2 0 1 1' 'box -1 0 1 1' --view xy
draw ray-sphere-tangent ray-sphere 'ray -2 1 1 0' 'sphere 0 0 1'
draw ray-obb-mirrored ray-obb 'segment -2.5 1.5 1 3 -0.5 0' \
    'obb 0 0 0  -0.8 -0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1'
draw triangle-aabb-overlap triangle-aabb 'triangle 0.25 2 0.5 1.5 0.25 0.5 2 1.75 -1.5' \
    'box -1 -1 -1 1 1 1'
draw line-line-2d-collinear line-line-2d 'segment -2 -1 1 0.5' 'segment 2 1 -1 -0.5'
draw line-line-parallel line-line 'segment -2 0 0 1 0 0' 'segment -0.5 1 1 2 1 1'
draw closest-aabb-inside closest-aabb 'point 0.5 0.25 0.25' 'box -1 -1 -1 1 1 1'

#!/bin/sh
# picking.sh: the pictures of docs/picking.md.
#
#     sh picking.sh SIGHTLINE MESH OUT
#
# MESH is test/data/spot.obj; OUT, a folder, is made.
set -eu
sightline=$1 mesh=$2 out=$3
mkdir -p "$out"
view="--size 480x360 --eye 1.25,0.95,-2.1 --target 0,0.1,0.12 --quiet"

# shellcheck disable=SC2086 # lists of words
{
    "$sightline" pick "$mesh" $view --fov 9 --pixel 250,180 --kind edge --edges all --radius 40 --picture "$out/edge.png"
    "$sightline" select "$mesh" $view --lasso 150,120,260,90,330,210,210,230,240,160 --mode visible \
        -o "$out/faces.csv" --picture "$out/lasso.png"
    "$sightline" select "$mesh" $view --brush 200,150,280,230,25 --mode visible --grow 1 \
        -o "$out/brush.csv" --picture "$out/brush.png"
    "$sightline" select "$mesh" $view --rect 120,60,260,240 --mode inside \
        -o "$out/inside.csv" --picture "$out/marquee.png"
} >"$out/said.txt"
rm "$out"/*.csv "$out/said.txt"

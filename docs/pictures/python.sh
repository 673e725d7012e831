#!/bin/sh
# python.sh: the pictures of docs/python.md, which the page itself makes when its blocks are run.
#
#     sh python.sh PYTHON MESH OUT
#
# PYTHON is an interpreter that imports sightline_bvh; MESH is test/data/spot.obj; OUT, a folder, is made.
set -eu
python=$1 mesh=$2 out=$3
root=$(dirname -- "$0")/../..
mkdir -p "$out"
play=$(mktemp -d)
trap 'rm -rf "$play"' EXIT
cp "$mesh" "$play/spot.obj"
"$python" "$root/test/python/shown.py" "$root/docs/python.md" "$play"
cp "$play"/*.png "$out"

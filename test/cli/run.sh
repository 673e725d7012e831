#!/bin/sh
# run.sh: runs one case of the command and compares stdout, stderr and exit statuses exactly.
#
#     sh test/cli/run.sh SIGHTLINE CASE.sh            compares with CASE.out and CASE.err
#     sh test/cli/run.sh SIGHTLINE CASE.sh rewrite    writes them anew; read the difference
#
# A case is a script that runs in an empty folder with the meshes of test/data in it, where
# `run ARGUMENT...` runs the command and shows its words before and its status behind.  A case with a
# line "# needs NAME" is skipped (status 77) where there is no file of that name.  A line "sightline 1.2.3" of stdout is
# compared as "sightline VERSION" where that is the version.
set -u
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(cd "$(dirname "$2")" && pwd)
name=$(basename "$2" .sh)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/here" && cp "$folder"/../data/* "$work/here" && cd "$work/here" || exit 1

for needed in $(sed -n 's/^# needs //p' "$folder/$name.sh"); do
    [ -e "$needed" ] || { echo "skipped: there is no $needed" && exit 77; }
done

LC_ALL=C
export LC_ALL
unset NO_COLOR SIGHTLINE_ISA

sightline() {
    "$command" "$@"
}

# Embree's threads may still be ending when LeakSanitizer walks through theirs, which crashes its tracer.
beside_embree() {
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$command" "$@"
}

run() {
    echo "\$ sightline $*"
    echo "\$ sightline $*" >&2
    "$command" "$@"
    echo "[$?]"
}

# octal BYTES...: writes them; "0" stands for float 0 and so on, little-endian
floats() {
    for number in "$@"; do
        case $number in
        0) printf '\000\000\000\000' ;;
        1) printf '\000\000\200\077' ;;
        -1) printf '\000\000\200\277' ;;
        2) printf '\000\000\000\100' ;;
        0.25) printf '\000\000\200\076' ;;
        0.5) printf '\000\000\000\077' ;;
        nan) printf '\000\000\300\177' ;;
        inf) printf '\000\000\200\177' ;;
        *) echo "run.sh: floats knows no $number" >&2 ;;
        esac
    done
}

# header DESCR SHAPE [FORTRAN]: that of an .npy file, 80 bytes with what comes before it
header() {
    printf '\223NUMPY\001\000\106\000%-69s\n' \
        "{'descr': '$1', 'fortran_order': ${3:-False}, 'shape': $2}"
}

# masks_of_cube MASK...: masks.npy, 12 masks below 8 that repeat these; 0 has all bits
masks_of_cube() {
    header '<u4' '(12,)' >masks.npy
    for triangle in 0 1 2 3 4 5 6 7 8 9 10 11; do
        printf "\\00$1\\000\\000\\000" >>masks.npy
        set -- "$@" "$1"
        shift
    done
}

# box NAME X0 Y0 Z0 X1 Y1 Z1 [BEFORE]: a closed box as a part of an OBJ, behind that many vertices
box() {
    before=${8:-0}
    echo "o $1"
    for x in $2 $5; do for y in $3 $6; do for z in $4 $7; do echo "v $x $y $z"; done; done; done
    for quad in '1 2 4 3' '5 7 8 6' '1 5 6 2' '3 4 8 7' '1 3 7 5' '2 6 8 4'; do
        set -- $quad
        echo "f $((before + $1)) $((before + $2)) $((before + $3)) $((before + $4))"
    done
}

# A scene of walls and pipes, of wall.slt and pipe.obj, with a hole.
write_house() {
    cat >house.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "wall": { "file": "wall.slt" }, "pipe": { "file": "pipe.obj" } },
  "instances": [ { "mesh": "wall", "name": "0nvSz1TrXBqPiOwDhDmX3a" }, null, { "mesh": "pipe", "name": "<p & \"q\">" },
    { "mesh": "wall", "translation": [0, 0.25, 0] }, { "mesh": "pipe", "translation": [9, 0, 0], "name": "spare" },
    { "mesh": "pipe", "translation": [9, 0, 0], "name": "spare" } ] }
END
}

# A mesh in parts: walls that overlap, one within the other, twins, a sleeve around a pipe.
write_parts() {
    {
        box wall1 0 0 0 4 0.25 3
        box wall2 3.9375 0 0 8 0.25 3 8
        box slab 0 0 3 8 4 3.25 16
        box corner 0 -4 0 0.25 0 3 24
        box sleeve 10 -1 1 10.0625 1 2 32
        box sleeve 10.9375 -1 1 11 1 2 40
        box pipe 10.25 -1.5 1.25 10.75 1.5 1.75 48
        box core 2 1 1 4 3 2.5 56
        box inner 2.5 1.5 1.5 3 2 2 64
        box 'twin 1' 20 0 0 21 1 1 72
        box 'twin 2' 20 0 0 21 1 1 80
        printf 'v 0 0 4\nv 1 0 4\nv 0 1 4\no\nf 89 90 91\n'
    } >parts.obj
}

version=$(sh "$folder/../../tools/setup.sh" --version)
. "$folder/$name.sh" >"$work/said" 2>"$work/err"
sed "s/^sightline $version\$/sightline VERSION/" "$work/said" >"$work/out"

if [ "${3:-}" = rewrite ]; then
    cp "$work/out" "$folder/$name.out" && cp "$work/err" "$folder/$name.err"
    exit
fi
status=0
diff -u "$folder/$name.out" "$work/out" || status=1
diff -u "$folder/$name.err" "$work/err" || status=1
exit $status

# What is wrong with a mesh; the picture's pixels are tested in test/tools/check/test_check.c.
check() {
    run check "$@"
}
same() {
    cmp "$1" "$2" && echo "$1 and $2 are the same"
}
echo 'Nothing is.'
check cube.obj
check cube.stl --json
check spot.obj --csv
echo 'One of everything: a triangle of a vertex that is not there, one of a NaN, a vertex that nobody'
echo 'uses, a face again and wound otherwise, a flat triangle, and one through the cube.'
cat cube.obj >bad.obj
cat >>bad.obj <<'END'
v nan 0 0
v 5 5 5
v 0.5 0.5 -1
v 0.5 0.25 -1
v 0.5 0.5 2
f 1 2 99
f 1 2 9
f 1 2 4
f 4 2 1
f 1 1 4
f 11 12 13
END
check bad.obj
check bad.obj --limit 1 --no-intersections
check bad.obj --limit 0
check bad.obj --csv --limit 3
check bad.obj --json --limit 2
check bad.obj --bad refuse
echo 'Pairs, each once, up to the limit.'
for i in 1 2 3 4; do
    echo "v 0 0 0.$i"
    echo "v 1 0 0.$i"
    echo "v 0.5 1 0.$i"
    echo "v 0.2$i 0.2 -1"
    echo "v 0.2$i 0.3 -1"
    echo "v 0.2$i 0.2 2"
done >pairs.obj
for i in 1 4 7 10 13 16 19 22; do
    echo "f $i $((i + 1)) $((i + 2))"
done >>pairs.obj
check pairs.obj --csv --limit 100 --allow open-edge
check pairs.obj --csv --limit 5 --allow open-edge,intersection -j 3
echo 'What is allowed does not make it fail.'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >one.obj
check one.obj --limit 0
check one.obj --limit 0 --allow open-edge
check one.obj --limit 0 --allow zero-area,open-edge --json
printf 'v 0 0 0\n' >none.obj
echo 'A mesh without a triangle is not fine, and words are no mesh.'
check none.obj
check none.obj --allow unused-vertex,no-triangles --limit 0
printf 'o empty\n' >empty.obj
check empty.obj --json
printf 'f 1 2 3\n' >out.obj
check out.obj --allow left-out --limit 1 --csv
printf 'lorem ipsum\ndolor sit amet\n' >words.obj
check words.obj
sightline check - --limit 0 <one.obj >out
echo "[$?]"
head -n 1 out
echo 'Repaired.'
check bad.obj --limit 0 --repair mended.ply
check mended.ply --allow open-edge,nonmanifold-edge,intersection --limit 0
check cube.stl --repair cube_mended.ply --json --no-intersections
check cube.stl --repair cube_mended.ply --csv
echo 'As OBJ, which has the same triangles; and what is not kept is said.'
cat >rich.obj <<'END'
o lid
f 2 4 3
o rest
v 0 0 0 1 0 0
v 1 0 0 1 0 0
v 0 1 0 1 0 0
v 0.1 0 0 1 0 0
vt 0 0
vn 0 0 1
f 1/1/1 2/1/1 3/1/1
END
check rich.obj --allow open-edge,unused-vertex --repair rich_mended.obj
cat rich_mended.obj
check rich.obj --allow open-edge,unused-vertex --repair rich_mended.ply --json --limit 0 -q | sed -n '/"repair"/,$p'
check cube.obj --repair cube_mended.obj --json --no-intersections | sed -n '/"repair"/,$p'
sightline check cube_mended.obj --csv
echo 'As STL and as binary glTF.'
check rich.obj --allow open-edge,unused-vertex --repair rich_mended.stl --limit 0 -q | sed -n '/^repair/,$p'
sightline info rich_mended.stl | sed -n '/format/p; /triangles  /p'
check rich.obj --allow open-edge,unused-vertex --repair rich_mended.GLB --limit 0 -q | sed -n '/^repair/,$p'
od -A n -c -N 4 rich_mended.GLB
echo 'Two that meet, one of them a thousand times: each of them meets the other.'
cat >doubled.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0.2 0.2 -1
v 0.3 0.2 -1
v 0.2 0.2 1
f 4 5 6
END
i=0
while [ $i -lt 1000 ]; do
    echo 'f 1 2 3'
    i=$((i + 1))
done >>doubled.obj
sightline check doubled.obj --limit 2 | sed -n '/intersection/p; /duplicates/p; /intersecting/p'
echo 'A picture, the same from any number of threads.'
check bad.obj --limit 0 --picture bad.png --size 80x60 -j 1 -o report.txt --save-camera c.json
check bad.obj --limit 0 --picture again.png -j 3 -o again.txt --camera c.json
same bad.png again.png
same report.txt again.txt
od -A n -t x1 -N 8 bad.png
check none.obj --limit 0 --picture none.png --size 16x16 --no-intersections
echo 'The name of the report says its format; rows are lists where a terminal is narrow.'
check one.obj -o out.json && head -n 3 out.json
check one.obj -o out.csv
cat out.csv
(COLUMNS=80 && export COLUMNS && sightline check one.obj --limit 1 --no-intersections | head -n 12)
echo 'What cannot be.'
check
check missing.obj
check cube.obj --csv --json
check cube.obj --allow holes
check cube.obj --allow ''
check cube.obj --allow open-edge,
check cube.obj --limit -1
check cube.obj --picture -
check cube.obj --repair -
check cube.obj --save-camera -
check cube.obj --repair mended.off
check cube.obj --picture x.JPG
check cube.obj --picture missing/x.png --size 8x8
check cube.obj --repair missing/x.ply
check cube.obj --samples 9
ls missing x.png x.ply 2>/dev/null

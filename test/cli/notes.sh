# What a file has and the mesh has not, and parts of STL and PLY.
tetrahedron='0 0 0
1 0 0
0 1 0
0 0 1'
faces='3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3'
echo 'Nothing is said of what is used up; an old form of f is one.'
printf '%s\n' "$tetrahedron" | sed 's/^/v /' >fo.obj
printf 'fo 1 3 2\nf 1 2 4\nf 1 4 3\nfo 2 3 4\n' >>fo.obj
run check fo.obj --limit 0
run inside fo.obj --points - <<'END'
0.1 0.1 0.1
END
echo 'Curves, lines, points, words and a face without an area: other results have a line on stderr.'
cat fo.obj >odd.obj
printf 'l 1 2\np 1\np 2\ncurv 0 1 1 2\nfaces 1 2 3\nf 1 2\n' >>odd.obj
run info odd.obj --json --no-tree --no-inspect | sed 's/"load_seconds": .*/"load_seconds": .../'
run check odd.obj
run check odd.obj --csv
run check odd.obj --allow note --limit 0 --json
run inside odd.obj --points - <<'END'
0.1 0.1 0.1
END
run inside odd.obj --quiet --points - <<'END'
0.1 0.1 0.1
END
echo 'No more than eight lines.'
for word in a b c d e f_ g_ h i j k; do
    echo "$word 1 2 3"
done >>odd.obj
run inside odd.obj --points - <<'END'
0.1 0.1 0.1
END
echo 'All faces vanish; a cloud of points; a second object; a tail.'
printf 'v 0 0 0\nv 1 0 0\nf 1 2\nf 2 1\n' >vanished.obj
run check vanished.obj
header="ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z"
printf '%s\nend_header\n%s\n' "$header" "$tetrahedron" >cloud.ply
run check cloud.ply --allow unused-vertex --limit 1
run nearest cloud.ply --points - <<'END'
0 0 0
END
printf 'OFF\n4 4 6\n%s\n%s\n' "$tetrahedron" "$faces" >one.off
cat one.off one.off >two.off
run check one.off --limit 0
run check two.off --limit 0
{
    printf '%80s\001\000\000\000' ''
    floats 0 0 1 0 0 0 1 0 0 0 1 0
    printf '\000\000tail'
} >tail.stl
run check tail.stl --limit 0 --allow open-edge
echo 'Lines that end in a new line and a carriage return.'
{
    printf '%s\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n' "$header"
    printf '%s\n%s\n' "$tetrahedron" "$faces"
} | sed 's/^/\r/' | tail -c +2 >backwards.ply
run check backwards.ply --limit 0
echo 'Solids are parts, of which pick, cast and render speak.'
facet() {
    printf 'facet\nouter loop\n'
    printf 'vertex %s\n' "$@"
    printf 'endloop\nendfacet\n'
}
{
    printf 'solid base plate\n'
    facet '0 0 0' '2 0 0' '0 2 0'
    printf 'endsolid base plate\nsolid lid\n'
    facet '0 0 1' '1 0 1' '0 1 1'
    printf 'endsolid\n'
} >two.stl
run info two.stl --json --no-tree --no-inspect | sed 's/"load_seconds": .*/"load_seconds": .../'
run cast two.stl --rays - <<'END'
0.25 0.25 5 0 0 -1
0.9 0.9 5 0 0 -1
END
echo 'Numbers of objects and materials are, in PLY.'
{
    printf '%s\nelement face 4\nproperty list uchar int vertex_indices\n' "$header"
    printf 'property int object_id\nproperty int material_index\nend_header\n'
    printf '%s\n3 0 2 1 7 0\n3 0 1 3 7 0\n3 0 3 2 9 0\n3 1 2 3 9 4\n' "$tetrahedron"
} >numbered.ply
run info numbered.ply --no-tree --no-inspect | sed '/load seconds/d'
run pick two.stl --at 100,100 --size 200x200 --json | grep -E '"(prim|part)"'
echo 'Select takes parts of STL, and a scene says what its meshes have.'
run select two.stl --rect 0,0,199,199 --size 200x200 --of parts
cat >scene.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "two": { "file": "two.off" } },
  "instances": [{ "mesh": "two" }, { "mesh": "two", "translation": [3, 0, 0] }] }
END
run cast scene.json --rays - <<'END'
3.1 0.1 5 0 0 -1
END

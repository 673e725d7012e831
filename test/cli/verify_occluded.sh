# What another tracer says is blocked or free, judged: the unit cube, whose top is triangles 2 and 3.
verify() {
    run verify cube.obj --mode occluded "$@"
}
echo 'Through the edge inside of the top, through a triangle, up to the top; along an upright edge of the outline and'
echo 'its corner; in the top, above it; far away; into an upper edge from outside.'
cat >told.csv <<'END'
px,py,pz,qx,qy,qz,blocked
0.5,0.5,2,0.5,0.5,-2,0
0.75,0.25,2,0.75,0.25,-2,False
0.5,0.5,2,0.5,0.5,1,0
0.5,0.5,2,0.5,0.5,1,1
1,0.5,2,1,0.5,-2,0
1,1,2,1,1,-2,1
1,1,2,1,1,-2,false
0.1,0.2,1,0.3,0.4,1,TRUE
0.1,0.2,1.0000001,0.3,0.4,1.0000001,1
2,2,2,3,3,3,1
2,2,2,3,3,3,0
0.5,-1,2,0.5,1,0,0
0.5,0.5,1,0.5,0.5,1,1
END
verify --segments told.csv --answers told.csv
verify --segments told.csv --answers told.csv --csv --limit 1
verify --segments told.csv --answers told.csv --csv | sed 's/^\$.*//; /^\[/d; /^$/d' | sightline los cube.obj --segments - | head -n 3
verify --segments told.csv --answers told.csv --json --limit 0 --double | grep -E 'touch|leak|phantom'
verify --segments told.csv --answers told.csv --limit 0 --allow leak,phantom
verify --segments told.csv --answers told.csv --limit 0 --picture a.png --size 60x40
echo 'Our own answers are right, of whatever kind.'
sightline los cube.obj --segments told.csv >own.csv
verify --segments told.csv --answers own.csv
sightline cast cube.obj --rays - --mode any <<'END' >any.csv
0.5 0.5 2  0 0 -1
0.5 0.5 2  0 0 -1 0 0.5
END
echo '0.5 0.5 2  0 0 -1 0 inf
0.5 0.5 2  0 0 -1 0 0.5' >rays.txt
verify --rays rays.txt --answers any.csv
echo 'Rays that lie in the top: without an end, with ends, and before it.'
cat >flat.csv <<'END'
ox oy oz dx dy dz tmin tmax hit
0.5 0.25 1 0.1 0.3 0 -inf inf 1
0.5 0.25 1 0.1 0.3 0 0 0.5 1
0.5 -0.25 1 0.1 0.3 0 -1 0.5 1
0.5 0.25 1 0.1 0.3 0 2 1 1
0 0 1 0.1 0.3 0 2 1 1
END
verify --answers flat.csv --limit 9 --csv
verify --answers flat.csv --limit 0 --cull back
echo 'What is culled is no wall.'
verify --segments told.csv --answers told.csv --cull back --limit 0
verify --segments told.csv --answers told.csv --cull front --limit 0
echo 'Rows about some; arrays: a flag, bytes, after rays, after segments.'
printf 'pair,visible\n0,0\n1,0\n4,1\n' >some.csv
verify --segments told.csv --answers some.csv --limit 0
{ header '|b1' '(2,)' && printf '\1\0'; } >bools.npy
verify --rays rays.txt --answers bools.npy --limit 0
{ header '|u1' '(2, 1)' && printf '\0\0'; } >bytes.npy
verify --rays rays.txt --answers - --limit 0 <bytes.npy
{ header '<f4' '(1, 9)' && floats 0.5 0.25 2 0 0 -1 0 2 0; } >nine.npy
verify --answers nine.npy --csv
{ header '<f4' '(1, 7)' && floats 0.5 0.25 2 0.5 0.25 -1 0; } >seven.npy
verify --answers seven.npy --segments seven.npy --csv
echo 'A scene of two cubes, one on the other.'
cat >two.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
  "instances": [ { "mesh": "cube" }, { "mesh": "cube", "translation": [0, 0, 1] } ] }
END
cat >scene.csv <<'END'
px py pz qx qy qz visible
-1 0.5 1 2 0.5 1 1
-1 0.5 2 2 0.5 2 1
0.5 0.5 3 0.5 0.5 2 true
END
run verify two.json --mode occluded --segments scene.csv --answers scene.csv
echo 'Triangles without area stop nothing, and may be said to; a mesh of none.'
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 1\n' >flat.obj
printf '%s\n' px,py,pz,qx,qy,qz,blocked 0,0,1,0,0,-1,1 0.5,0,1,0.5,0,0.5,1 -1,0,0,3,0,0,1 0.5,0,0,0.5,0,0,1 >flat.csv
run verify flat.obj --mode occluded --segments flat.csv --answers flat.csv --limit 0
echo 'v 0 0 0' >point.obj
run verify point.obj --mode occluded --segments flat.csv --answers flat.csv --limit 0
echo 'What cannot be.'
printf 'ray,blocked\n0,1\n0,1\n' >twice.csv
verify --rays rays.txt --answers twice.csv
verify --segments told.csv --rays rays.txt --answers told.csv
run verify cube.obj --segments told.csv --answers told.csv
verify --segments told.csv --answers told.csv --tmax 3
verify --segments - --answers -
verify --segments told.csv --answers rays.txt
verify --answers told.csv
run verify cube.obj --rays rays.txt --answers told.csv
verify --segments told.csv --answers bools.npy
verify --segments told.csv --answers seven.npy
verify --answers bools.npy
verify --segments nine.npy --answers nine.npy
cp nine.npy rays.npz
verify --rays rays.npz --answers bools.npy
for cell in nan 2 yes '' -1; do
    printf 'ray,blocked\n0,%s\n' "$cell" >cell.csv
    verify --rays rays.txt --answers cell.csv
done
{ header '<f4' '(2,)' && floats 0 nan; } >nan.npy
verify --rays rays.txt --answers nan.npy

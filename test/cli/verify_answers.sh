# What another tracer answered, judged.  Rays down on the unit cube, whose top is triangles 2 and 3: (0.75, 0.25)
# is in 2, (0.25, 0.75) in 3, and (0.5, 0.5) on the edge of both; the bottom is 0 and 1.
verify() {
    run verify cube.obj "$@"
}
cat >rays.txt <<'END'
0.75 0.25 2  0 0 -1
0.25 0.75 2  0 0 -1
0.5  0.5  2  0 0 -1
2    2    2  0 0 -1
0    0    2  0 0 -1
END
echo 'Our own answers are right, of whatever kind.'
sightline cast cube.obj --rays rays.txt >own.csv
verify --rays rays.txt --answers own.csv
verify --rays rays.txt --answers - --json <own.csv
sightline cast cube.obj --rays rays.txt --mode all >all.csv
verify --rays rays.txt --answers all.csv --mode all
verify --rays rays.txt --answers own.csv --mode any
verify --rays rays.txt --answers own.csv --double
echo 'Every error there is: rays and answers in the same rows.'
cat >wrong.csv <<'END'
ox,oy,oz,dx,dy,dz,tmin,tmax,t,prim
0.75,0.25,2,0,0,-1,0,inf,inf,-1
0.5,0.5,2,0,0,-1,0,inf,,4294967295
0,0,2,0,0,-1,0,inf,,
2,2,2,0,0,-1,0,inf,1,2
0.25,0.75,2,0,0,-1,0,inf,1,2
0.75,0.25,2,0,0,-1,0,inf,2,1
0.75,0.25,2,0,0,-1,0,0.5,1,2
0.75,0.25,2,0,0,-1,3,9,1,2
0.75,0.25,2,0,0,-1,0,inf,1.5,2
0.75,0.25,2,0,0,-1,0,inf,-inf,2
0.75,0.25,2,0,0,-1,0,inf,1,12
0.75,0.25,2,0,0,-1,0,inf,1,-2
0.75,0.25,2,0,0,-1,0,inf,1,2.5
0.75,0.25,2,0,0,-1,0,inf,nan,2
0.75,0.25,2,0,0,-1,0,inf,1,nan
0.5,0.5,2,0,0,-1,0,inf,1,2
0.5,0.5,2,0,0,-1,0,inf,1,3
0.5,0.5,2,0,0,-1,0,inf,1.0001,3
2,2,2,0,0,-1,0,inf,,
END
verify --answers wrong.csv
verify --answers wrong.csv --csv --limit 1
verify --answers wrong.csv --csv --limit 1 | sed 's/^\$.*//; /^\[/d; /^$/d' | sightline cast cube.obj --rays - | head -n 3
verify --answers wrong.csv --json --limit 0
verify --answers wrong.csv --limit 0 --steps 0 -o report.csv
verify --answers wrong.csv --limit 0 --allow leak,phantom,beside,behind,limits,t,no-triangle,not-a-number
verify --answers wrong.csv --limit 0 --cull front --mode any
verify --answers wrong.csv --limit 0 --skip 2 -j 3
echo 'Lists of hits: one is left out, one is there twice, and one is not hit.'
cat >lists.csv <<'END'
index_ray,index_tri,t
0,2,1
0,1,2
1,3,1
1,3,1
1,7,1
3,2,1
4,2,1
END
verify --rays rays.txt --answers lists.csv --mode all
echo 'A long list, the last hit first.'
awk 'BEGIN { for (i = 0; i < 500; i++) printf "v 0 0 %d\nv 1 0 %d\nv 0 1 %d\nf -3 -2 -1\n", i, i, i }' >stack.obj
echo '0.25 0.25 -1 0 0 1' >up.txt
awk 'BEGIN { print "ray,prim"; for (i = 499; i >= 0; i--) print "0," i }' >list.csv
run verify stack.obj --rays up.txt --answers list.csv --mode all
echo 'Arrays: t and prim; ray, t, prim; those and the instance; rays in the same rows.'
header '<f4' '(5, 2)' >two.npy
floats 1 2 1 1 inf -1 1 2 1 0.25 >>two.npy
verify --rays rays.txt --answers two.npy --limit 1 --csv
header '<f4' '(2, 3)' >three.npy
floats 0 1 2 2 1 2 >>three.npy
verify --rays rays.txt --answers three.npy --limit 0
header '<f4' '(1, 4)' >four.npy
floats 0 1 2 1 >>four.npy
verify --rays rays.txt --answers four.npy --limit 0
header '<f4' '(1, 8)' >eight.npy
floats 0.5 0.25 2 0 0 -1 1 2 >>eight.npy
verify --answers eight.npy
header '<f4' '(2, 10)' >ten.npy
floats 0.5 0.25 2 0 0 -1 2 inf 1 2 2 2 2 0 0 1 0 inf inf -1 >>ten.npy
verify --answers ten.npy --csv
header '<f4' '(1, 11)' >eleven.npy
floats 0.5 0.25 2 0 0 -1 0 2 1 2 0 >>eleven.npy
verify --answers eleven.npy --csv
echo 'A scene, whose second cube stands beside the first one.'
cat >two.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
  "instances": [ { "mesh": "cube" }, { "mesh": "cube", "translation": [2, 0, 0] }, null ] }
END
cat >scene.csv <<'END'
ox oy oz dx dy dz t prim instance
0.75 0.25 2 0 0 -1 1 2 0
2.75 0.25 2 0 0 -1 1 2 0
2.75 0.25 2 0 0 -1 1 2 1
2.75 0.25 2 0 0 -1 1 2 2
2.75 0.25 2 0 0 -1 1 2 3
-1 0.5 0.25 1 0 0 3 4 1
END
run verify two.json --answers scene.csv --csv
echo 'A picture, the same from any number of threads.'
verify --answers wrong.csv --limit 0 --picture a.png --size 120x90 -j 1 --save-camera c.json
verify --answers wrong.csv --limit 0 --picture b.png --camera c.json -j 3
cmp a.png b.png && od -A n -t x1 -N 8 a.png
run verify two.json --answers scene.csv --limit 0 --picture scene.png --size 60x40
echo 'No rays at all, and t of any size, with pictures; nothing but a header.'
printf 'ox,oy,oz,dx,dy,dz,t,prim\n' >none.csv
verify --answers none.csv --picture none.png --size 60x40
printf '2,2,2,0,0,-1,%s,1\n' 1e300 -1e308 1e38 -inf | cat none.csv - >far.csv
verify --answers far.csv --picture far.png --size 60x40 --csv | cut -d , -f 1-4
printf 'ray,t,prim\n' >header.csv
verify --rays rays.txt --answers header.csv --limit 0
echo 'What cannot be.'
verify
verify --answers -
verify --answers missing.csv
verify --answers own.csv
verify --answers two.npy
verify --rays rays.txt --answers eight.npy
verify --rays rays.txt --answers eleven.npy
verify --rays rays.txt --answers rays.txt
verify --rays rays.txt --answers /dev/null
verify --rays rays.txt --answers wrong.csv
verify --rays rays.txt --answers all.csv --limit 0
printf 't,prim,prim\n' >twice.csv
verify --rays rays.txt --answers twice.csv
printf 'ray,t,prim\n1e400,1,2\n' >beyond.csv
verify --rays rays.txt --answers beyond.csv
printf 't,prim\n1,2\n' >few.csv
verify --rays rays.txt --answers few.csv
printf 'ray,t,prim\n1,1,2\n0,1,2\n' >unsorted.csv
verify --rays rays.txt --answers unsorted.csv
printf 'ray,t,prim\n9,1,2\n' >beyond.csv
verify --rays rays.txt --answers beyond.csv --limit 0
printf 'ray,t,prim\n0.5,1,2\n' >half.csv
verify --rays rays.txt --answers half.csv
printf 't,prim\n1,two\n' >word.csv
verify --rays rays.txt --answers word.csv
printf 't,prim\n1,2,3\n' >cells.csv
verify --rays rays.txt --answers cells.csv
header '<f4' '(2, 7)' >seven.npy
floats 0.5 0.25 2 0 0 -1 2 0.5 nan 2 0 0 -1 2 >>seven.npy
verify --answers seven.npy --csv
cp three.npy three.npz
verify --rays rays.txt --answers three.npz
header '<f8' '(1, 5)' >five.npy
verify --rays rays.txt --answers five.npy
header '<i8' '(2, 3)' >rows.npy
printf '\1\0\0\1\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' >>rows.npy
printf '\2\0\0\1\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' >>rows.npy
verify --rays rays.txt --answers rows.npy --limit 0
header '<f4' '(1, 3)' >rows.npy
printf '\0\0\200\113\0\0\0\0\0\0\0\0' >>rows.npy
verify --rays rays.txt --answers rows.npy --limit 0
verify --rays rays.txt --answers own.csv --allow tie
verify --rays rays.txt --answers own.csv --allow nothing
verify --rays rays.txt --answers own.csv --csv --json
verify --rays rays.txt --answers own.csv --picture -
verify --rays rays.txt --answers own.csv --picture x.jpg

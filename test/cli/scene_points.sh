# Points in scenes: the nearest triangles, those within a radius, and which instances contain them.
cat >herd.json <<'END'
{ "sightline": "scene", "schema": 1,
  "meshes": { "spot": { "file": "spot.obj" }, "cube": { "file": "cube.obj" } },
  "scenes": { "pair": { "instances": [
    { "mesh": "cube", "name": "left" },
    { "mesh": "spot", "translation": [3, 0, 0], "scale": [-1, 1, 1], "name": "right" } ] } },
  "instances": [
    { "mesh": "spot", "name": "first" },
    null,
    { "scene": "pair", "translation": [1e6, 0, 0], "rotation": [0, 0.5, 0, 0.5], "name": "house" },
    { "mesh": "cube", "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1], "mask": 2 },
    { "mesh": "cube", "translation": [0.25, 5, 0.25] }
  ] }
END
printf '0 0.2 2\n0.5 5 0.5\n1000000.25 0 0.3\n3000000 0 0\n' >points.txt
run nearest herd.json --points points.txt
run nearest herd.json --points points.txt -k 2 --max-distance 3
run nearest herd.json --points points.txt --mask 2
run nearest herd.json --points points.txt -o near.npy
od -A d -t f8 -j 376 -N 24 near.npy
run within herd.json --points points.txt --radius 0.5 --mode count
run within herd.json --points points.txt --radius 1.2 -k 1 --json
echo '9 9 9' | run within herd.json --points - --radius 1
run inside herd.json --points points.txt
run inside herd.json --points points.txt --summary
run inside herd.json --points points.txt -o inside.npy
echo '9 9 9' | run inside herd.json --points -
echo 'What there is of a mesh but not of a scene.'
run nearest herd.json --generate surface
run within herd.json --points points.txt --radius 1 --brute
run inside herd.json --points points.txt --verify
run inside herd.json --points points.txt --proxy sphere

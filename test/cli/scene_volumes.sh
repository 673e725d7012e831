# Volumes in scenes: which triangles of which instances they touch.
cat >herd.json <<'END'
{ "sightline": "scene", "schema": 1,
  "meshes": { "spot": { "file": "spot.obj" }, "cube": { "file": "cube.obj" } },
  "instances": [
    { "mesh": "spot", "name": "first" },
    { "mesh": "cube", "translation": [2, 0, 0], "name": "box" }, null,
    { "mesh": "cube", "translation": [2, 0, 1e6], "mask": 2 } ] }
END
run overlap herd.json --sphere 2,0,1.1,0.11
run overlap herd.json --sphere 2,0,1.1,0.05
run overlap herd.json --aabb 1.9,-0.5,-0.5,2.1,0.5,0.5 --mode count
run overlap herd.json --aabb 1.9,-0.5,-0.5,2.1,2,0.5 --mode any
run overlap herd.json --aabb 1.9,-0.5,-0.5,2.1,2,0.5 --mode any --csv
run overlap herd.json --aabb 1.9,0.5,-0.5,2.1,2,0.5 --mode count --json
run overlap herd.json --aabb 1.9,0.5,999999,2.1,2,1000001 --json
run overlap herd.json --aabb 1.9,0.5,999999,2.1,2,1000001 --mask 1 --mode count
run overlap herd.json --sphere 2,0,1.1,0.11 -o one.npy
od -A n -t u4 -j 192 one.npy
printf 'sphere 2 0 1.1 0.11\naabb 8 8 8 9 9 9\nsphere 0 0 0 0.3\n' >volumes.txt
run overlap herd.json --volumes volumes.txt | head -12
run overlap herd.json --volumes volumes.txt --mode count
run overlap herd.json --volumes volumes.txt --mode any --threads 2
run overlap herd.json --volumes volumes.txt -o many.npy
od -A n -t u8 -j 192 many.offsets.npy
run overlap herd.json --frustum --size 40x30 --rectangle 0,0,40,30 --mode count
run overlap herd.json --sphere 2,0,1.1,0.11 --brute
run overlap herd.json --sphere 2,0,1.1,0.11 --proxy aabb

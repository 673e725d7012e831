# The unit cube from straight above: its top is triangles 2 and 3 at z = 1, its bottom 0 and 1.  The
# eye is at z = 3; a picture of 4 x 4 pixels, 2 units high, shows the cube in its middle 2 x 2 pixels.
above="--size 4x4 --eye 0.5,0.5,3 --target 0.5,0.5,0 --up 0,1,0 --ortho 2 --near 1 --far 5"
run pick cube.obj $above --pixel 1,1
run pick cube.obj $above --pixel 2,1 --json
run pick cube.obj $above --pixel 0,0
run pick cube.obj $above --pixel 0,0 --json
run pick cube.obj $above --at 1.25,1.5 --all
run pick cube.obj $above --at 1.25,1.5 --all --cull back --csv
run pick cube.obj $above --at 1.25,1.5 --all --cull front --csv
run pick cube.obj $above --pixel 0,0 --all --csv
run pick cube.obj $above --at 2,2 --csv
run pick cube.obj $above --pixel 1,1 --skip 2,3 --csv
masks_of_cube 1
run pick cube.obj $above --pixel 1,1 --masks masks.npy --mask 2 --csv
echo 'Depth is 1/4 of the way from near to far, in each clip space.'
for depth in gl d3d vulkan reversed; do
    sightline pick cube.obj $above --pixel 1,1 --depth $depth --csv | sed -n 2p | cut -d , -f 15
done
echo 'The same camera from a file, as text, and as two matrices.'
run pick cube.obj $above --pixel 1,1 --csv --save-camera c.json
run pick cube.obj --camera c.json --pixel 1,1 --csv
view='1 0 0 0, 0 1 0 0, 0 0 1 0, -0.5 -0.5 -3 1'
projection='1 0 0 0 0 1 0 0 0 0 -0.5 0 0 0 -1.5 1'
run pick cube.obj --size 4x4 --view "$view" --projection "$projection" --pixel 1,1 --csv \
    --save-camera m.json
run pick cube.obj --camera m.json --pixel 1,1 --csv
cat m.json
echo 'A camera from a file may be changed.'
run pick cube.obj --camera c.json --eye 0.5,0.5,2 --pixel 1,1 --csv
run pick cube.obj --camera c.json --size 8x8 --pixel 1,1
run pick cube.obj --camera m.json --eye 0.5,0.5,2 --pixel 1,1
echo 'Without a camera the mesh is framed, as render frames it.'
run render cube.obj --size 9x9 --aov prim,depth -o a.npy -q
sightline pick cube.obj --size 9x9 --pixel 4,4 --csv | cut -d , -f 1,14
tail -c 648 a.npy | od -A n -t u4 -j 320 -N 4
tail -c 648 a.npy | od -A n -t f4 -j 324 -N 4
echo 'The part that was hit, by the names that the file has.'
{ sed '/^f/d' cube.obj; printf 'usemtl steel\ng lid\n'; sed -n '/^f/p' cube.obj; } >named.obj
sightline pick named.obj $above --pixel 1,1 --csv | cut -d , -f 1,16-
sightline pick named.obj $above --pixel 1,1 | tail -n 3
sightline pick cube.stl $above --pixel 1,1 --json | sed -n '/depth/,$p'
echo 'What cannot be.'
mkdir folder
run pick cube.obj --pixel 1,1 --camera folder
run pick cube.obj --pixel 1,1 --camera - <cube.obj
run pick cube.obj
run pick cube.obj --pixel 1,1 --at 1,1
run pick cube.obj --pixel 1.5,1
run pick cube.obj --pixel -1,1
run pick cube.obj --pixel 800,1
run pick cube.obj --at 801,1
run pick cube.obj --pixel 1,1 --view 1,2 --projection 1,2
run pick cube.obj --pixel 1,1 --view "$view"
run pick cube.obj --pixel 1,1 --view "$view" --projection "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
run pick cube.obj --pixel 1,1 --view "$view" --projection "$projection" --fov 20
run pick cube.obj --pixel 1,1 --fov 20 --ortho 3
run pick cube.obj --pixel 1,1 --target 1,2,3
run pick cube.obj --pixel 1,1 --eye 1,2,3 --target 1,2,3
run pick cube.obj --pixel 1,1 --eye 0,0,0 --target 0,0,0
run pick cube.obj --pixel 1,1 --eye 1,2,3 --up 0,0,0
run pick cube.obj --pixel 1,1 --near 0
run pick cube.obj --pixel 1,1 --camera missing.json
run pick cube.obj --pixel 1,1 --camera cube.obj
run pick cube.obj --pixel 1,1 --skip 1,2,3
run pick cube.obj --pixel 1,1 --masks m.npy
run pick cube.obj --pixel 1,1 --json --csv
echo 'As editors pick: the vertex, else the edge, else the face; the top is 50 pixels wide.'
near="--size 100x100 --eye 0.5,0.5,3 --target 0.5,0.5,0 --up 0,1,0 --ortho 2 --near 1 --far 5"
run pick cube.obj $near --at 27,24 --radius 4
run pick cube.obj $near --at 27,40 --radius 4 --json
run pick cube.obj $near --at 40,45 --radius 4 --csv
run pick cube.obj $near --at 10,10 --radius 4
run pick cube.obj $near --at 27,24 --kind face --csv
run pick cube.obj $near --at 27,24 --kind edge,face --csv
run pick cube.obj $near --at 10,10 --kind vertex --radius 40 --csv
echo 'The diagonal of the top is no feature, but a side of triangles.'
sightline pick cube.obj $near --at 50,51 --radius 4 --csv | cut -d , -f 1-6
sightline pick cube.obj $near --at 50,51 --radius 4 --edges faces --csv | cut -d , -f 1-6
sightline pick cube.obj $near --at 50,51 --radius 4 --edges all --csv | cut -d , -f 1-6
sightline pick cube.obj $near --at 27,40 --radius 4 --crease 100 --csv | cut -d , -f 1-6
echo 'Behind the top is the bottom.'
sightline pick cube.obj $near --at 50,51 --all --unit faces --csv | cut -d , -f 1,2,6,15,17
sightline pick cube.obj $near --at 50,51 --after 0 --csv | cut -d , -f 1,2,6,15,17
sightline pick cube.obj $near --at 50,51 --after 2 --csv | cut -d , -f 1,2,6,15,17
sightline pick cube.obj $near --at 50,51 --all --unit instances --csv | cut -d , -f 1,2,6,15,17
echo 'Of a scene, objects.'
cat >row.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
  "instances": [ { "mesh": "cube", "name": "near" }, { "mesh": "cube", "translation": [0, 0, -3], "name": "far" } ] }
END
sightline pick row.json $near --far 9 --at 50,51 --all --kind face --csv | cut -d , -f 1,2,17,22-
sightline pick row.json $near --far 9 --at 50,51 --after 0 --csv | cut -d , -f 1,2,17,22-
sightline pick row.json $near --far 9 --at 50,51 --after 1 --csv | cut -d , -f 1,2,17,22-
sightline pick row.json $near --far 9 --at 50,51 --after 0:2 --unit faces --csv | cut -d , -f 1,2,17,22-
run pick row.json $near --at 50,51 --after 0 --unit faces
echo 'Clicks at one place, one after the other.'
for click in 1 2 3 4 4294967295; do
    sightline pick row.json $near --far 9 --at 50,51 --cycle $click --unit faces --csv | sed -n 2p | cut -d , -f 1,2,17,22-
done
sightline pick row.json $near --far 9 --at 50,51 --after 0 --cycle 2 --csv | cut -d , -f 1,2,17,22-
run pick cube.obj $near --at 50,51 --cycle 2
run pick cube.obj $near --at 10,10 --cycle 2
echo 'What the mesh has at the hit.'
sightline pick spot.obj --pixel 420,280 --csv | cut -d , -f 1,19-
sightline pick spot.obj --pixel 420,280 --kind face --csv | cut -d , -f 2,22-
echo 'Points and wires: a lamp in front of the top, a wire before it and one behind the cube.'
printf '# in the world\n0.5,0.5,2 3\n0 0.2 1.5, 1 0.2 1.5\n\n0,0.8,-1, 1,0.8,-1, 2\n' >marks.txt
run pick cube.obj $near --at 50,51 --marks marks.txt
run pick cube.obj $near --at 50,51 --marks marks.txt --json
run pick cube.obj $near --at 50,65 --marks marks.txt --csv
run pick cube.obj $near --at 50,36 --marks marks.txt --csv
run pick cube.obj $near --at 50,36 --marks marks.txt --hidden --csv
run pick cube.obj $near --at 50,36 --marks marks.txt --kind mark
run pick cube.obj $near --at 50,60 --marks marks.txt --all --radius 20 --unit faces --csv
run pick row.json $near --at 50,65 --marks - --kind mark,face --all --csv <marks.txt
sightline pick spot.obj --pixel 420,280 --marks marks.txt --radius 1000 --kind mark --csv | cut -d , -f 1,2,18-
echo 'Pictures.'
run pick cube.obj $near --at 50,65 --marks marks.txt --picture m.png -q >out
head -c 8 m.png | od -A n -t x1
run pick cube.obj $near --at 27,24 --radius 4 --picture v.png -q >out
head -c 8 v.png | od -A n -t x1
run pick spot.obj --size 80x60 --pixel 40,30 --picture s.png -q >out
head -c 8 s.png | od -A n -t x1
echo 'What cannot be, of these.'
run pick cube.obj --pixel 1,1 --kind face,dog
run pick cube.obj --pixel 1,1 --kind face,
run pick cube.obj --pixel 1,1 --radius -1
run pick cube.obj --pixel 1,1 --after 1:
run pick cube.obj --pixel 1,1 --after 1 --all
run pick cube.obj --pixel 1,1 --after 12
run pick cube.obj --pixel 1,1 --after 1:2
run pick row.json --pixel 1,1 --after 2
run pick row.json --pixel 1,1 --after 1:12
run pick cube.obj --pixel 1,1 --cycle 0
run pick cube.obj --pixel 1,1 --cycle 2 --all
run pick cube.obj --pixel 1,1 --picture a.jpg
run pick cube.obj --pixel 1,1 --picture -
for line in 1,2 1,2,3,4,5 1,2,x 1,2,3,-1 1e39,2,3 1,2,3,inf; do
    printf '0,0,0\n%s\n' $line >bad.txt
    run pick cube.obj --pixel 1,1 --marks bad.txt
done
printf '# none\n' >none.txt
run pick cube.obj --pixel 1,1 --marks none.txt
run pick cube.obj --pixel 1,1 --marks missing.txt
run pick cube.obj --pixel 1,1 --kind mark
run pick cube.obj --pixel 1,1 --kind face --marks marks.txt
run pick cube.obj --pixel 1,1 --cycle 2 --marks marks.txt
run pick cube.obj --pixel 1,1 --after 2 --marks marks.txt
run pick - --pixel 1,1 --marks - </dev/null

# How far two meshes are apart: pipe is 5 / 64 above the floor, and in the middle of the sleeve.
box floor 0 0 0 4 4 0.25 >floor.obj
box pipe 1 -1 0.328125 1.5 6 0.828125 >pipe.obj
box in 1 1 0.0625 2 2 0.125 >in.obj
run distance pipe.obj floor.obj
run distance floor.obj pipe.obj --csv
run distance floor.obj pipe.obj --json
run distance floor.obj pipe.obj --max-distance 0.078125 --csv
run distance floor.obj pipe.obj --max-distance 0.078124 --csv
run distance floor.obj pipe.obj --max-distance 0.05
run distance floor.obj pipe.obj --max-distance 0.05 --json
echo 'Meshes are surfaces: one within another is as far away as that; those that meet are at 0.'
run distance floor.obj in.obj --csv
run distance floor.obj floor.obj --csv
run distance floor.obj cube.obj --max-distance 0 --csv
run distance floor.obj pipe.obj --max-distance 0 --csv
echo 'Trees, scenes, holes, and what is empty.'
run build floor.obj -o floor.slt >/dev/null
cat >two.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "floor": { "file": "floor.slt" }, "pipe": { "file": "pipe.obj" } },
  "instances": [ null, { "mesh": "floor", "translation": [0, 0, -1] }, { "mesh": "pipe", "scale": [-1, 1, 1] } ] }
END
run distance floor.slt pipe.obj --csv
run distance floor.slt two.json --csv
run distance two.json floor.obj --csv -o out.csv
cat out.csv
run distance - floor.obj -q <pipe.obj | head -n 3
printf 'OFF 0 0 0\n' >empty.off
run distance empty.off floor.obj --csv
run distance floor.obj empty.off --max-distance 1e30 --csv
run distance spot.obj cube.obj --csv --layout compact --quality high -j 3
run distance figure.glb figure.glb --nodes --csv -q
echo 'What cannot be.'
run distance floor.obj
run distance floor.obj pipe.obj cube.obj
run distance - -
run distance floor.obj missing.obj
run distance floor.obj pipe.obj --csv --json
run distance floor.obj pipe.obj --max-distance -1
run distance floor.obj pipe.obj --max-distance nan
run distance floor.obj pipe.obj --radius 1
run distance floor.obj pipe.obj -o out.obj
run distance floor.obj pipe.obj -o nowhere/out.csv
cp floor.obj floor.txt
run distance floor.txt pipe.obj -o floor.txt
run distance floor.obj pipe.obj --vertices figure.three.npy
run distance floor.obj --vertices figure.three.npy

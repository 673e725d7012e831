# Lines of sight between all points of files, and what is seen from a point.
cat >court.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" }, "spot": { "file": "spot.obj" } },
  "instances": [ { "mesh": "cube", "scale": [10, 0.1, 10], "translation": [-5, 0, -5] },
    { "mesh": "cube", "translation": [2, 0.5, 1] }, { "mesh": "spot", "translation": [-2, 0.8, 3] } ] }
END
printf '0 1 0\n4 1 2\n-2 0.8 5\n0 -1 0\n' >eyes.txt
printf 'x,y,z\n0,1,1\n4,1.0,2.5\n' >targets.csv
run los court.json --matrix eyes.txt
run los court.json --matrix eyes.txt --targets targets.csv
run los court.json --matrix eyes.txt --targets targets.csv --double --summary
run los court.json --matrix eyes.txt --summary --json
run los cube.obj --matrix eyes.txt --threads 2
echo 'Without targets: as if the points were named twice, whatever the options.'
for options in '' '--cull back' '--cull front' --open-start --open-end '--open-start --open-end'; do
    sightline los court.json --matrix eyes.txt $options >alone.csv
    sightline los court.json --matrix eyes.txt --targets eyes.txt $options | cmp - alone.csv
done
run los court.json --matrix eyes.txt -o seen.npy
od -A n -t u1 -j 192 seen.npy
head -c 80 seen.npy | tail -c +11
echo
run los court.json --matrix eyes.txt -o seen.png
head -c 8 seen.png | od -A n -t u1
: >none.txt
run los court.json --matrix none.txt
run los court.json --matrix eyes.txt --targets none.txt
echo '0 1 0' | run los court.json --matrix - --targets targets.csv
echo '4 1 2' >one.txt
echo '0 1 0' | run los court.json --matrix - --targets one.txt
echo '1 1 1' | run los cube.obj --matrix - --targets one.txt --open-start --open-end
run los court.json --viewshed 0,1.7,0 --size 12x8 --rise 0.3
run los court.json --viewshed 0,1.7,0 --size 12x8 --rise 0.3 --double --threads 3
run los court.json --viewshed 0,1.7,0 --size 12x8 --plane 0.8 --up-axis y
run los spot.obj --viewshed 0,5,0 --size 6x4 --up-axis z
run los court.json --viewshed 0,1.7,0 --summary
run los court.json --viewshed 0,1.7,0 --size 6x4 -o view.npy
od -A n -t u1 -j 192 view.npy
run los court.json --viewshed 0,1.7,0 --size 6x4 -o view.png
echo 'What does not go together.'
run los court.json
run los court.json --matrix eyes.txt --viewshed 0,0,0
run los court.json --targets eyes.txt --segments eyes.txt
run los court.json --matrix eyes.txt --segments eyes.txt
run los court.json --matrix eyes.txt --json
run los court.json --matrix eyes.txt --size 3x3
run los court.json --viewshed 0,0,0 --size 3
run los court.json --viewshed 0,0
run los court.json --viewshed 0,0,0 --rise 1 --plane 2
run los court.json --segments eyes.txt -o x.png
run los court.json --matrix eyes.txt -o x.txt
run los - --matrix - <court.json
run los court.json --matrix missing.txt
echo 'Masks of instances, and triangles that do not count.'
cat >masked.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
  "instances": [ { "mesh": "cube", "mask": 1 }, { "mesh": "cube", "translation": [2, 0, 0], "mask": 2 } ] }
END
printf '0.5 0.5 -3\n0.5 0.5 3\n2.5 0.5 -3\n2.5 0.5 3\n' >round.txt
run los masked.json --matrix round.txt
run los masked.json --matrix round.txt --mask 1
run los masked.json --matrix round.txt --mask 2 --cull back
run los masked.json --viewshed 1.5,0.5,3 --size 4x3 --mask 2

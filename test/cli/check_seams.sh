# Corners of different instances that are close and not equal.
cat >row.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
 "instances": [ { "mesh": "cube" }, { "mesh": "cube", "translation": [1, 0, 0] },
                null, { "mesh": "cube", "translation": [2, 0, 0] } ] }
END
sed 's/\[2, 0, 0\]/[2.0000005, 0, 0]/' row.json >gap.json
sed 's/\[2, 0, 0\]/[2.0000005, 0, 0], "grid": 0.00390625/' row.json >grid.json
run check row.json --seams
run check gap.json --seams --limit 3
run check gap.json --seams --tolerance 1e-7
run check grid.json --seams
run check gap.json --seams --csv --limit 1
run check row.json --seams --csv
run check gap.json --seams --json --limit 1
echo 'What cannot be.'
run check cube.obj --seams
run check row.json
run check row.json --seams --allow open-edge
run check row.json --seams --tolerance -1
sed 's/\[2, 0, 0\]/[2, 0, 0], "scale": 0, "name": "flat"/' row.json >flat.json
run check flat.json --seams
run check flat.json --seams --bad leave-out

# explain of scenes: in doubles, of instances, sides those of the object.  How the trees were walked is left out.
cat >town.json <<'END'
{ "sightline": "scene", "schema": 1,
  "meshes": { "spot": { "file": "spot.obj" }, "cube": { "file": "cube.obj" } },
  "instances": [
    { "mesh": "spot", "name": "cow" },
    null,
    { "mesh": "cube", "translation": [1e6, 0, 0], "scale": [-1, 1, 1], "name": "box", "mask": 6 } ] }
END
explain() {
    run explain "$@" | grep -Ev '(nodes|boxes|triangles|decided|instances)'
}
echo 'The closest hit, seen from outside the mirrored box; the one behind it; the nearest miss.'
explain town.json --ray '999999.25 0.25 9 0 0 -1'
explain town.json --ray '999999.25 0.25 9 0 0 -1' --instance 2 --prim 0 --cull back
explain town.json --ray '1000000.0000000001 0.5 9 0 0 -1'
verdict() {
    run explain town.json "$@" --json | grep -E '"(instance|hit|reasons_against|faults|prim|t)"|\[[0-9]'
}
echo 'Reasons.'
verdict --ray '999999.25 0.25 9 0 0 -1' --instance 2 --prim 2 --mask 1
verdict --ray '999999.25 0.25 9 0 0 -1' --instance 2 --prim 2 --mask 2
verdict --ray '999999.25 0.25 9 0 0 -1' --instance 2 --prim 2 --skip 0:2,2:2
verdict --ray '999999.25 0.25 9 0 0 -1' --instance 2 --prim 2 --cull front
verdict --ray '999999.25 0.25 9 0 0 -1' --instance 2 --prim 2 --cull back
explain town.json --ray '999999.25 0.25 9 0 0 -1 0 7.9999999999999991' --instance 2 --prim 2
explain town.json --ray '999999.25 0.25 9 0 0 -1 0 1e300' --instance 2 --prim 2
verdict --segment '999999.25 0.25 9 999999.25 0.25 1' --open-end --instance 2 --prim 2
verdict --segment '999999.25 0.25 9 999999.25 0.25 1' --open-start --instance 2 --prim 2
echo 'Rays that are none.'
explain town.json --ray '0 0 2e39 0 0 1'
verdict --ray '0 0 0 0 1e-46 0'
verdict --ray '0 0 0 0 1e-45 0 2 1'
echo 'Masks of the triangles of tree files leave out, too.'
masks_of_cube 3
run build cube.obj --masks masks.npy -o cube.slt >/dev/null
sed 's/cube.obj/cube.slt/; s/1e6/5/' town.json >trees.json
explain trees.json --ray '4.25 0.25 9 0 0 -1' --instance 2 --prim 2 --mask 4
echo 'All agree, wherever rays go.'
awk 'BEGIN { srand(1)
    for (i = 0; i < 60; i++) {
        printf "%.9g %.9g %.17g", 999999 + 2 * rand(), 2 * rand() - 0.5, 3
        printf " %.9g %.9g %d\n", rand() - 0.5, (i % 3) * (rand() - 0.5), -1 - i % 2 }
    print "1000000 0 3 0 0 -1"; print "999999.5 0.5 3 0 0 -1"; print "1000000 1 3 -0.5 0 -1" }' >rays
while read -r ray; do
    sightline explain town.json --ray "$ray" >/dev/null
    [ $? -le 1 ] || echo "$ray"
    sightline explain town.json --ray "$ray" --instance 2 --prim 7 --cull back >/dev/null
    [ $? -le 1 ] || echo "$ray"
done <rays
echo 'What cannot be.'
run explain town.json --ray '0 0 5 0 0 -1' --prim 3
run explain town.json --ray '0 0 5 0 0 -1' --instance 1
run explain town.json --ray '0 0 5 0 0 -1' --instance 1 --prim 0
run explain town.json --ray '0 0 5 0 0 -1' --instance 3 --prim 0
run explain town.json --ray '0 0 5 0 0 -1' --instance 2 --prim 12
run explain cube.obj --ray '0 0 5 0 0 -1' --instance 0 --prim 0

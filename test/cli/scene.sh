# Scene files: what they may say, and what each subcommand makes of them.
cat >herd.json <<'END'
{ "sightline": "scene", "schema": 1,
  "meshes": { "spot": { "file": "spot.obj" }, "cube": { "file": "cube.obj", "hash": "2571838b976ae36d" } },
  "scenes": { "pair": { "instances": [
    { "mesh": "cube", "name": "left" },
    { "mesh": "spot", "translation": [3, 0, 0], "scale": [-1, 1, 1], "name": "right" } ] } },
  "instances": [
    { "mesh": "spot", "name": "first" },
    null,
    { "scene": "pair", "translation": [1e6, 0, 0], "rotation": [0, 0.5, 0, 0.5], "id": 7, "name": "house" },
    { "mesh": "cube", "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1], "mask": 2, "grid": 0.0009765625 }
  ] }
END
run info herd.json >out
grep -v -E 'seconds|bytes|kernel' out
cat >rays.txt <<'END'
0 0.2 5  0 0 -1
0 5 5  0 0 -1
1000000.25 0 5  0 0 -1
1000000 0 -3  0 0 -1
END
run cast herd.json --rays rays.txt
run cast herd.json --rays rays.txt --double
run cast herd.json --rays rays.txt --surface --skip 0:677,4:2
run cast herd.json --rays rays.txt --mode count --mask 1
run cast herd.json --rays rays.txt --mode all --keep 1
run cast herd.json --rays rays.txt --brute
run cast herd.json --rays rays.txt --brute --double --mode count
SIGHTLINE_ISA=scalar run cast herd.json --rays rays.txt --verify
SIGHTLINE_ISA=scalar run cast herd.json --generate all --number 20 --verify
SIGHTLINE_ISA=scalar run cast herd.json --generate all --number 20 --verify --double
SIGHTLINE_ISA=scalar run cast cube.obj --generate all --number 20 --verify --double --crossings --cull back
SIGHTLINE_ISA=scalar run cast herd.json --generate all --number 20 --verify --crossings --cull back --mask 1
run cast herd.json --rays rays.txt --double -o hits.npy
od -A d -t f8 -j 256 -N 8 hits.npy
printf '0 0.2 5  0 0.2 -5\n0 0.2 5  0 9 5\n' >pairs.txt
run los herd.json --segments pairs.txt
run los herd.json --segments pairs.txt --double --summary
run los spot.obj --segments pairs.txt --double
run pick herd.json --pixel 40,30 --size 80x60 --eye 0,0.2,-5 --target 0,0.2,1 --near 0.1
run pick herd.json --pixel 40,30 --size 80x60 --eye 0,0.2,-5 --target 0,0.2,1 --near 0.1 --all --csv
run render herd.json -o a.png --size 40x30 --eye 0,0.2,-5 --target 0,0.2,1 --near 0.1 --ao 2 -q
run render herd.json -o b.png --size 40x30 --eye 0,0.2,-5 --target 0,0.2,1 --near 0.1 --show instance -q
run render herd.json -o c.npy --size 4x3 --eye 0,0.2,-5 --target 0,0.2,1 --near 0.1 --aov instance -q
od -A n -t u4 -j 128 c.npy
run render herd.json -o b.png --show quality
echo '{ "sightline": "scene", "schema": 1, "meshes": { "spot": { "file": "spot.obj" } }, "instances": [ { "mesh": "spot" } ] }' >one.json
sed 's/\[ {/[ null, {/' one.json >second.json
run render one.json -o a.png --size 40x30 --ao 2 -q
run render second.json -o b.png --size 40x30 --ao 2 -q
cmp a.png b.png && echo 'The second instance is as smooth as the first.'
echo 'From stdin, and by way of another file, whose folder counts.'
run cast - --rays rays.txt <herd.json
mkdir -p town/parts && cp cube.obj town/parts
cp herd.json town/parts/herd.json && cp spot.obj town/parts
cat >town/town.json <<'END'
{ "instances": [ { "scene": "parts/herd.json" }, { "mesh": "c", "place": [2,0,0,0, 0,2,0,0, 0,0,2,9] } ],
  "meshes": { "c": { "file": "parts/cube.obj" } }, "schema": 1, "sightline": "scene" }
END
echo '0 0 20  0 0 -1' | run cast town/town.json --rays - --mode all
run build cube.obj -o cube.slt >/dev/null
sed 's/cube.obj/cube.slt/' herd.json >trees.json
run cast trees.json --rays rays.txt
echo 'What there is of a mesh but not of a scene.'
for words in '--proxy aabb' '--snap 4' '--recentre' '--mask 1 --masks rays.txt'; do
    run cast herd.json --rays rays.txt $words
done
run build herd.json -o herd.slt
run cast herd.json --rays rays.txt --skip 0:1:2
run cast cube.obj --rays rays.txt --proxy aabb --double
echo 'The nodes of a glTF, and a glTF within a scene file.'
printf '{"asset":{"version":"2.0"},"nodes":[{"name":"row","children":[1,2],"translation":[0,0,5]},
{"mesh":0,"name":"a"},{"mesh":0,"name":"b","translation":[2,0,0],"scale":[-1,1,1]}],
"meshes":[{"name":"tile","primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}\n' >row.gltf
printf '0.25 0.25 0  0 0 1\n1.75 0.25 0  0 0 1\n' >up.txt
run cast row.gltf --rays up.txt
run cast row.gltf --nodes --rays up.txt
run info row.gltf --nodes --csv >out
cut -d, -f1-7 out
printf '{"sightline":"scene","schema":1,"scenes":{"row":{"file":"row.gltf"}},
"instances":[{"scene":"row","name":"one"},{"scene":"row","translation":[0,0,-1],"name":"two"},{"scene":"row.gltf"}]}' >rows.json
run cast rows.json --rays up.txt --mode all --threads 3

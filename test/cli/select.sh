# The unit cube from straight above, 50 pixels wide in the middle of a picture of 100 x 100: its top is
# triangles 2 and 3, its bottom 0 and 1.
near="--size 100x100 --eye 0.5,0.5,3 --target 0.5,0.5,0 --up 0,1,0 --ortho 2 --near 1 --far 5"
run select cube.obj $near --rect 40,40,60,60
run select cube.obj $near --rect 60,60,40,40 --mode visible
run select cube.obj $near --rect 20,20,80,80 --mode inside --of triangles --count
run select cube.obj $near --rect 20,20,80,80 --mode inside --of instances
run select cube.obj $near --rect 30,30,80,80 --mode inside --of instances
run select cube.obj $near --rect 20,20,30,30 --of vertices --json
run select cube.obj $near --rect 20,20,30,30 --of vertices --mode visible
run select cube.obj $near --rect 20,40,30,60 --of edges
run select cube.obj $near --rect 20,40,30,60 --of edges --mode visible
run select cube.obj $near --rect 20,40,30,60 --of parts
run select cube.obj $near --rect 0,0,10,10
run select cube.obj $near --rect 0,0,10,10 --count
echo 'Lassos and brushes.'
run select cube.obj $near --lasso 50,50,60,50,60,60 --mode visible
printf '# a corner for each line\n50,50\n60 50\n\n60,60\n' >lasso.txt
run select cube.obj $near --lasso @lasso.txt --mode visible
run select cube.obj $near --lasso @- --mode visible <lasso.txt
run select cube.obj $near --brush 24,24,2 --of vertices --mode visible
run select cube.obj $near --brush 10,24,90,24,2 --of vertices --mode visible
echo 'Neighbours.'
run select cube.obj $near --brush 24,24,2 --of vertices --mode visible --grow 1
run select cube.obj $near --brush 24,24,2 --of vertices --mode visible --grow 1 --shrink 1
run select cube.obj $near --rect 26,60,27,61 --mode visible --of triangles
run select cube.obj $near --rect 26,60,27,61 --mode visible --of triangles --connected features
run select cube.obj $near --rect 26,60,27,61 --mode visible --of faces --connected all --count
run select spot.obj --rect 420,280,425,285 --mode visible --grow 2 --count
echo 'Features: the diagonals of a cube are none, and with creases of 100 degrees nothing is.'
run select cube.obj $near --rect 20,20,80,80 --of edges --count
run select cube.obj $near --rect 20,20,80,80 --of edges --edges features --count
run select cube.obj $near --rect 20,20,80,80 --of edges --edges features --crease 100 --count
run select cube.obj $near --rect 20,40,30,60 --of edges --edges faces --mode visible
run select cube.obj $near --brush 24,24,2 --of vertices --mode visible --edges features
run select cube.obj $near --rect 20,40,30,60 --of edges --edges features --mode visible --grow 1
run select cube.obj $near --rect 26,60,27,61 --mode visible --of triangles --connected features --crease 100 --count
echo 'Filters.'
run select cube.obj $near --rect 40,40,60,60 --mode visible --skip 2,3
echo 'What is culled is not there; the sides of the cube are edge-on.'
for mode in touched inside visible; do
    for cull in back front; do
        run select cube.obj $near --rect 20,20,80,80 --mode $mode --cull $cull
        run select cube.obj $near --rect 20,20,80,80 --mode $mode --cull $cull --of edges --count
        run select cube.obj $near --rect 20,20,80,80 --mode $mode --cull $cull --of vertices --count
    done
done
masks_of_cube 1
run select cube.obj $near --rect 40,40,60,60 --masks masks.npy --mask 2
echo 'Budgets: one that is enough.'
run select cube.obj $near --rect 40,40,60,60 --mode visible --budget 1e8
run select cube.obj $near --rect 20,20,80,80 --mode visible --of edges --budget 1e8 --count
run select cube.obj $near --rect 20,20,80,80 --mode visible --of vertices --budget 1e8 --count --json
echo 'Scenes.'
cat >row.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
  "instances": [ { "mesh": "cube", "name": "near" }, { "mesh": "cube", "translation": [0, 0, -1.5], "name": "far" } ] }
END
run select row.json $near --rect 40,40,60,60 --of instances
run select row.json $near --rect 40,40,60,60 --of instances --mode visible
run select row.json $near --rect 40,40,60,60 --of triangles --mode visible
echo 'Files.'
run select cube.obj $near --rect 40,40,60,60 -o faces.npy
tail -c 32 faces.npy | od -A n -t u4
run select cube.obj $near --rect 40,40,60,60 -o faces.csv
cat faces.csv
run select cube.obj $near --rect 40,40,60,60 -o faces.json --count
cat faces.json
run select cube.obj $near --rect 40,40,60,60 --picture a.png -q >out
run select cube.obj $near --brush 24,24,2 --of vertices --picture b.png -q >out
run select cube.obj $near --lasso 20,20,80,20,80,80 --of edges --picture c.png -q >out
head -c 8 a.png | od -A n -t x1
head -c 8 b.png | od -A n -t x1
head -c 8 c.png | od -A n -t x1
echo 'What cannot be.'
run select cube.obj
run select cube.obj --rect 1,1,2,2 --brush 1,1,2
run select cube.obj --rect 1,1,2
run select cube.obj --rect 1,1,2,nan
run select cube.obj --brush 1,1,-2
run select cube.obj --brush 1,1
run select cube.obj --lasso 1,1,2
run select cube.obj --lasso @missing.txt
printf '1,1\n2,x\n' >bad.txt
run select cube.obj --lasso @bad.txt
printf '# none\n' >none.txt
run select cube.obj --lasso @none.txt
run select - --lasso @- --rect 1,1,2,2 <cube.obj
run select - --lasso @- <cube.obj
run select cube.obj --rect 1,1,2,2 --mode behind
run select cube.obj --rect 1,1,2,2 --of dogs
run select cube.obj --rect 1,1,2,2 --of parts --grow 1
run select cube.obj --rect 1,1,2,2 --edges features
run select cube.obj --rect 1,1,2,2 --of edges --edges creases
run select cube.obj --rect 1,1,2,2 --count --csv
run select cube.obj --rect 1,1,2,2 --json -o a.npy
run select cube.obj --rect 1,1,2,2 --picture -
run select cube.obj --rect 1,1,2,2 --picture a.gif
run select missing.obj --rect 1,1,2,2
run select cube.obj --rect 1,1,2,2 --budget 4
run select cube.obj --rect 1,1,2,2 --mode visible --budget -1

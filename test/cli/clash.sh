# Mesh against mesh; each box is six quads, so that prim p is of face p / 2.
box wall 0 0 0 4 0.25 3 >wall.obj
box wall 3.9375 0 0 8 0.25 3 >next.obj
box wall 4 0 0 8 0.25 3 >beside.obj
box slab 0 0 3 4 4 3.25 >slab.obj
box pipe 1 -1 1 1.125 1 1.125 >pipe.obj
box core 0.0625 0.0625 1 3 0.125 2 >core.obj
echo 'Walls that overlap by a sixteenth, flush: no triangles cross, yet they share area, and insides.'
run clash wall.obj next.obj --solids --limit 3
run clash wall.obj next.obj --relations crossing --mode any
run clash wall.obj next.obj --relations coplanar-same,crossing --mode count
echo 'Walls end to end, and a slab upon one: they touch, in areas that face each other.'
run clash wall.obj beside.obj --solids --limit 0
run clash wall.obj slab.obj --relations coplanar-opposite --solids
echo 'A pipe through a wall: where it goes in and comes out.'
run clash wall.obj pipe.obj --relations crossing --limit 2
run clash wall.obj pipe.obj --mode curves --limit 30
run clash wall.obj pipe.obj --mode curves --csv -o curves.csv
wc -l <curves.csv
run clash wall.obj core.obj --mode curves
echo 'One within the other meets nothing of it, but as solids.'
run clash wall.obj core.obj
run clash wall.obj core.obj --mode any --solids
run clash core.obj wall.obj --mode count --solids --csv
run clash wall.obj wall.obj --mode any --solids --json
head -n 11 wall.obj >open.obj
run clash open.obj pipe.obj --mode any --solids
echo 'What is near.'
run clash core.obj wall.obj --margin 0.0625 --mode count
run clash core.obj wall.obj --margin 0.0624 --mode count
run clash core.obj wall.obj --margin 0.0625 --relations crossing --json | grep -v '^    {'
run clash core.obj wall.obj --margin 0.0625 --csv | head -n 4
echo 'Trees, scenes, and what is empty.'
run build wall.obj -o wall.slt >/dev/null
cat >house.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "wall": { "file": "wall.slt" }, "pipe": { "file": "pipe.obj" } },
  "instances": [ { "mesh": "wall", "name": "0nvSz1TrXBqPiOwDhDmX3a" }, null, { "mesh": "pipe", "name": "<p & \"q\">" },
    { "mesh": "wall", "translation": [0, 0.25, 0] }, { "mesh": "pipe", "translation": [9, 0, 0], "name": "spare" },
    { "mesh": "pipe", "translation": [9, 0, 0], "name": "spare" } ] }
END
printf 'OFF 0 0 0\n' >empty.off
run clash wall.slt house.json --relations crossing --csv
run clash house.json pipe.obj --mode count
run clash - pipe.obj --mode any -q <wall.obj
run clash empty.off wall.obj
run clash house.json
run clash house.json --relations crossing --csv
echo 'A mesh in parts: those of one name are one element, and a sleeve keeps its distance from the pipe in it.'
{
    box wall1 0 0 0 4 0.25 3
    box wall2 3.9375 0 0 8 0.25 3 8
    box slab 0 0 3 8 4 3.25 16
    box corner 0 -4 0 0.25 0 3 24
    box sleeve 10 -1 1 10.0625 1 2 32
    box sleeve 10.9375 -1 1 11 1 2 40
    box pipe 10.25 -1.5 1.25 10.75 1.5 1.75 48
    box core 2 1 1 4 3 2.5 56
    box inner 2.5 1.5 1.5 3 2 2 64
    box 'twin 1' 20 0 0 21 1 1 72
    box 'twin 2' 20 0 0 21 1 1 80
    printf 'v 0 0 4\nv 1 0 4\nv 0 1 4\no\nf 89 90 91\n'
} >parts.obj
run clash parts.obj
run clash parts.obj --margin 0.1875 --solids --limit 0
run clash parts.obj --margin 0.1875 --solids --csv
run clash parts.obj --solids --json -o parts.json
run clash figure.glb -q # whose parts have no names
tail -n 5 parts.json
echo 'Pictures.'
run clash wall.obj pipe.obj --picture two.png --size 80x60 --limit 0
run clash parts.obj --picture parts.png --size 80x60 --limit 0 -q
run clash house.json --picture house.png --size 80x60 --limit 0 --save-camera camera.json
for picture in two parts house; do
    head -c 8 $picture.png | od -A n -c
done
echo 'What cannot be.'
run clash
run clash wall.obj
run clash wall.slt
run clash wall.obj pipe.obj core.obj
run clash - -
run clash wall.obj missing.obj
run clash missing.obj wall.obj
run clash house.json wall.obj --nodes
run clash house.json --mode any
run clash wall.obj pipe.obj --mode pairs
run clash wall.obj pipe.obj --bcf a.bcfzip
run clash wall.obj pipe.obj --csv --json
run clash wall.obj pipe.obj --mode any --picture two.png
run clash wall.obj pipe.obj --mode curves --margin 1
run clash wall.obj pipe.obj --mode curves --solids
for margin in -1 nan inf 1e39 thick; do
    run clash wall.obj pipe.obj --margin $margin
done
run clash wall.obj pipe.obj --clearance 1
run clash wall.obj pipe.obj --relations crossing,overlapping
run clash wall.obj pipe.obj --relations ''
run clash wall.obj pipe.obj --limit -1
run clash wall.obj pipe.obj --size 8
run clash wall.obj pipe.obj -o pairs.png
run clash wall.obj pipe.obj --picture pairs.jpg


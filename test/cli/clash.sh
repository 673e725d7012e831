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
run clash wall.obj next.obj --relations coplanar_same --mode count
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
write_house
printf 'OFF 0 0 0\n' >empty.off
run clash wall.slt house.json --relations crossing --csv
run clash house.json pipe.obj --mode count
run clash - pipe.obj --mode any -q <wall.obj
run clash empty.off wall.obj
run clash house.json
run clash house.json --relations crossing --csv
echo 'A mesh in parts: those of one name are one element, and a sleeve keeps its distance from the pipe in it.'
write_parts
run clash parts.obj
run clash parts.obj --margin 0.1875 --solids --limit 0
run clash parts.obj --margin 0.1875 --solids --csv
run clash parts.obj --solids --json -o parts.json
run clash figure.glb -q # whose parts have no names
tail -n 5 parts.json
echo 'Some against others, by their names.'
run clash parts.obj --margin 0.1875 --csv --of 'p?pe'
run clash parts.obj --margin 0.1875 --csv --of 's*l*e,none' --against '*pe*,p*'
run clash parts.obj --margin 0.1875 --csv --against sleeve
run clash parts.obj --of 'duct*,sleev'
run clash parts.obj --of '*' --against 'pip'
run clash parts.obj --of ''
run clash figure.glb -q --limit 0 --of ''
run clash wall.obj pipe.obj --of 'wall*'
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
run clash wall.obj pipe.obj --picture -
run clash parts.obj --bcf -
run clash parts.obj --picture parts.png --save-camera -


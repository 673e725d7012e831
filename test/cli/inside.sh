# The unit cube; and without its top, that is triangles 2 and 3.
cat >points.txt <<END
0.25 0.5 0.75   # inside
0.5, 0.5, 1     # the middle of the top: the moved point is above it
0 0 0           # a corner: the moved point is inside
-1 0 0          # from here the ray runs along an edge
-1 0.5 0.5      # and from here through an edge of two triangles, twice
3 3 3
END
run inside cube.obj --points points.txt
run inside cube.obj --points points.txt --summary
run inside cube.obj --points points.txt --summary --csv
run inside cube.obj --points points.txt --json
run inside cube.obj --points points.txt --brute --csv
run inside cube.obj --points points.txt --skip 2,3
run inside cube.obj --points points.txt --skip 2,3 --brute
run inside cube.obj --points points.txt --skip 2,3 --summary
masks_of_cube 1
run inside cube.obj --points points.txt --masks masks.npy --mask 2 --summary
run inside cube.obj --points points.txt --verify
run inside spot.obj --points points.txt --verify --skip 7 --json --threads 1
run inside cube.obj --verify --generate all --number 60
run inside spot.obj --verify --generate under --number 20 --snap 6
run inside cube.obj --generate under --number 3
run inside cube.obj --points points.txt --verify --csv
sightline inside cube.obj --points points.txt --stats 2>&1 >/dev/null | sed 's/  *[0-9][0-9.e+-]*$/ N/'
sightline inside cube.obj --points points.txt --stats --json | grep -c '"boxes"'
echo 'One point: the status tells whether it is inside.'
echo '0.5 0.5 0.5' | run inside cube.obj --points - --summary
echo '0.5 0.5 2' | run inside cube.obj --points -
run inside cube.obj --points /dev/null
echo 'Two cubes that overlap, and one in another: the middle is outside by parity, inside by winding.'
moved() {
    awk -v size="$1" -v by="$2" '/^v /{ print "v", $2 * size + by, $3 * size + by, $4 * size + by }
        /^f /{ print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8 }' cube.obj
}
{ cat cube.obj && moved 1 0.5; } >overlap.obj
{ cat cube.obj && moved 0.5 0.25; } >shells.obj
sed 's/^f 5 6 7 8/f 8 7 6 5/' cube.obj >turned.obj
printf '0.125 0.25 0.375\n0.625 0.5625 0.6875\n3 3 3\n' >three.txt
for mesh in overlap shells; do
    for by in auto parity winding; do
        run inside $mesh.obj --points three.txt --by $by
    done
done
run inside overlap.obj --points three.txt --summary
run inside overlap.obj --points three.txt --by winding --summary --json
run inside overlap.obj --points three.txt --by winding --verify
run inside overlap.obj --points three.txt --by winding --brute -o inside.npy
tail -c 72 inside.npy | od -A d -t x1
run inside overlap.obj --points three.txt --by winding -o inside.csv
cat inside.csv
run inside overlap.obj --points three.txt --by winding -o part.csv --part 1/2
run inside overlap.obj --points three.txt --by winding -o part.csv --part 2/2
run merge -o part.csv
cmp inside.csv part.csv
run inside overlap.obj --points three.txt --skip 3 --by parity --summary
run inside turned.obj --points three.txt --summary
cat >two.json <<END
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.obj" } },
  "instances": [ { "mesh": "cube" }, { "mesh": "cube", "translation": [0.5, 0.5, 0.5] } ] }
END
run inside two.json --points three.txt
run inside two.json --points three.txt --by winding
echo 'Arrays in and out.'
{ header '<f4' '(2, 3)' && floats 0.25 0.5 2 0 0 0; } >points.npy
run inside cube.obj --points points.npy -o inside.npy
head -c 320 inside.npy | tail -c 310
tail -c 48 inside.npy | od -A d -t x1
echo 'What cannot be.'
run inside cube.obj
run inside cube.obj --points missing.txt
echo '1 2' | run inside cube.obj --points -
run inside cube.obj --points points.txt --cull back
run inside cube.obj --points points.txt --json --csv
run inside cube.obj --points points.txt --summary -o x.npy
run inside cube.obj --points points.txt --verify -o x.npy
run inside cube.obj --points points.txt --verify --brute
run inside cube.obj --generate all
run inside - --points -

# Around the unit cube: triangles 0 and 1 are its bottom, 2 and 3 its top.
cat >points.txt <<END
0.25 0.5 2      # 1 above triangle 3 of the top; triangle 2 is further away
0.5 0.5 0.5     # the middle: all twelve are half a unit away
2 2 2
0 0 0           # a corner of five triangles
END
run within cube.obj --points points.txt --radius 1 --keep 2
run within cube.obj --points points.txt -r 0
run within cube.obj --points points.txt -r 0.5 --mode count
run within cube.obj --points points.txt -r 0.4999 --mode count --json
run within cube.obj --points points.txt -r inf --mode count --csv
run within cube.obj --points points.txt -r 0.5 --mode count --brute --skip 3
run within cube.obj --points points.txt -r 0.5 --mode count --skip 3
run within cube.obj --points points.txt -r 1.1 --keep 3 --json
run within cube.obj --points points.txt -r 1.5 --verify
run within spot.obj --points points.txt -r 1 --verify --csv
run within spot.obj --points points.txt -r 1 --verify --mode count --json
sightline within cube.obj --points points.txt -r 1 --stats 2>&1 >/dev/null | sed 's/  *[0-9][0-9.e+-]*$/ N/'
echo '2 0 0' | run within cube.obj --points - -r 1
echo '2 0 0' | run within cube.obj --points - -r 0.9
echo '2 0 0' | run within cube.obj --points - -r 0.9 --mode count
run within cube.obj --points points.txt -r 1 --mode count -o counts.npy
tail -c 32 counts.npy | od -A d -t u8
run within cube.obj --points points.txt -r 0 --keep 2 -o rows.npy
tail -c 72 rows.npy | od -A d -t u4
echo 'What cannot be.'
run within cube.obj --points points.txt
run within cube.obj --radius 1
run within cube.obj --points points.txt --radius -1
run within cube.obj --points points.txt --radius 1 --keep 0
run within cube.obj --points points.txt --radius 1 --json --csv
run within nothing.obj --points points.txt --radius 1

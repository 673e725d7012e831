# Around the unit cube: triangles 0 and 1 are its bottom, 2 and 3 its top.
cat >points.txt <<END
0.25 0.5 2      # above the top
0.5, 0.5, 0.5   # the middle: every triangle is half a unit away
2 2 2           # the corner 1 1 1 is nearest, sqrt(3) away
0 0 0           # a corner
END
run nearest cube.obj --points points.txt
run nearest cube.obj --points points.txt -k 3
run nearest cube.obj --points points.txt --max-distance 1
run nearest cube.obj --points points.txt --keep 2 --max-distance 0.5 --json
run nearest cube.obj --points points.txt --brute --csv
run nearest cube.obj --points points.txt -k 2 --brute --skip 0,2
run nearest cube.obj --points points.txt -k 2 --skip 0,2
masks_of_cube 1
run nearest cube.obj --points points.txt --masks masks.npy --mask 2
run nearest cube.obj --points points.txt -k 5 --verify
run nearest cube.obj --points points.txt --verify --csv
run nearest spot.obj --points points.txt -k 12 --verify --json --threads 1
sightline nearest cube.obj --points points.txt --stats 2>&1 >/dev/null | sed 's/  *[0-9][0-9.e+-]*$/ N/'
sightline nearest cube.obj --points points.txt --stats --json | grep -c '"boxes"'
echo 'One point: the status tells whether there is something.'
echo '0 0 2' | run nearest cube.obj --points - --max-distance 1
echo '0 0 2' | run nearest cube.obj --points - --max-distance 0.999
run nearest cube.obj --points /dev/null
echo 'Arrays in and out.'
{ header '<f4' '(2, 3)' && floats 0.25 0.5 2 0 0 0; } >points.npy
run nearest cube.obj --points points.npy -o near.npy
head -c 256 near.npy | tail -c 246
tail -c 72 near.npy | od -A d -t f4
run nearest cube.obj --points points.npy -k 2 --max-distance 0.5 -o two.npy
head -c 256 two.npy | grep -ao "'shape.*"
tail -c 144 two.npy | od -A d -t u4
echo 'What cannot be.'
run nearest cube.obj
run nearest cube.obj --points missing.txt
echo '1 2' | run nearest cube.obj --points -
echo '1 2 3 4' | run nearest cube.obj --points -
printf '0 0 0\n1 nan 2\n' | run nearest cube.obj --points -
printf '0 0 0\n1 inf 2\n' | run nearest cube.obj --points -
{ header '<f4' '(1, 6)' && floats 0 0 0 0 0 0; } >six.npy
run nearest cube.obj --points six.npy
{ header '<f4' '(1, 3)' && floats 0 inf 0; } >inf.npy
run nearest cube.obj --points inf.npy
run nearest cube.obj --points points.txt -k 0
run nearest cube.obj --points points.txt --max-distance -1
run nearest cube.obj --points points.txt --max-distance nan
run nearest cube.obj --points points.txt --cull back
run nearest cube.obj --points points.txt --json --csv
run nearest cube.obj --points points.txt --verify -o x.npy
run nearest cube.obj --points points.txt --verify --brute

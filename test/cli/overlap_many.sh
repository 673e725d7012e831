# Many volumes around the unit cube: from a file, and made to order.
cat >volumes.txt <<END
aabb 1 1 1 2 2 2            # the corner
sphere 4,5,1,5              # touches edges: 5 * 5 = 3 * 3 + 4 * 4

obb 3 3 3  1 0 0  0 1 0  0 0 1  1 1 1
capsule 0.5 0.5 0.5 0.5 0.5 0.5 0.5
triangle 0 0 2 1 0 2 0.5 0.5 1
planes 1 0 0 0.25, -1 0 0 0
aabb -inf -inf 1 inf inf inf
END
run overlap cube.obj --volumes volumes.txt
run overlap cube.obj --volumes volumes.txt --mode count
run overlap cube.obj --volumes volumes.txt --mode count --brute --skip 3
run overlap cube.obj --volumes volumes.txt --mode any
run overlap cube.obj --volumes volumes.txt --mode any --brute --json
run overlap cube.obj --volumes volumes.txt --mode count -o counts.npy
tail -c 56 counts.npy | od -A d -t u8
run overlap cube.obj --volumes volumes.txt --mode any -o any.npy
tail -c 7 any.npy | od -A d -t u1
run overlap cube.obj --volumes volumes.txt --verify
run overlap cube.obj --volumes volumes.txt --verify --csv --skip 3
head -n 4 volumes.txt | sed 's/$/\r/' | run overlap cube.obj --volumes - --mode count --csv
run overlap cube.obj --volumes /dev/null
echo 'Hulls: more of them than have room together, and the boxes that they are.'
awk 'BEGIN { for (i = 0; i < 80; i++) {
    low = i / 64; high = low + 0.5
    printf "aabb %s 0 0 %s 0.5 0.25\n", low, high >"boxes.txt"
    printf "hull"
    for (k = 0; k < 256; k++) printf " %s %s %s", k % 2 ? low : high, k % 4 < 2 ? 0 : 0.5, k % 8 < 4 ? 0 : 0.25
    print ""
} }' >hulls.txt
for mode in all count; do
    sightline overlap spot.obj --volumes boxes.txt --mode $mode >boxes.csv
    sightline overlap spot.obj --volumes hulls.txt --mode $mode | cmp - boxes.csv && wc -l <boxes.csv
done
run overlap cube.obj --volumes hulls.txt --verify
echo 'Only one: the status tells whether it touches.'
echo 'sphere 3 3 3 1' | run overlap cube.obj --volumes - --mode any
echo 'Made to order.'
run overlap cube.obj --generate sphere --number 3 --mode any
run overlap cube.obj --generate aabb --number 2 --seed 2 --mode count --json
run overlap cube.obj --verify --generate all --number 200 | awk '/^[$[]/ { print; next } { print $1, $2, $3, $NF }'
run overlap cube.obj --verify --generate all --number 200 --box-filter --mask 1 | awk '/^[$[]/ { print; next } { print $1, $2, $3, $NF }'
run overlap spot.obj --verify --generate all --number 20 --snap 6 --json |
    grep -o '"kind.*pairs": [0-9]*\|"differen.*'
run overlap spot.obj --verify --generate capsule --number 20 --threads 1 --mask 1 |
    awk '/^[$[]/ { print; next } { print $1, $2, $3, $NF }'
sightline overlap spot.obj --verify --generate frustum --number 20 --stats 2>&1 >/dev/null |
    awk 'NR == 1 || !/ [0-9.e+]+ +[0-9.e+]+ +[0-9.e+]+$/'
sightline overlap spot.obj --verify --generate obb --number 20 --stats --json |
    grep -c '"tree_us"' | sed 's/^[1-9].*/there/'
sightline overlap spot.obj --volumes volumes.txt --mode count --stats 2>&1 >/dev/null |
    sed 's/  *[0-9][0-9.e+-]*$/ N/'
echo 'What cannot be.'
bad() {
    echo "$1" | run overlap cube.obj --volumes -
}
bad 'cube 1 2 3'
bad 'sphere 1 2 3'
bad 'sphere 1 2 3 4 5'
bad 'sphere 1 2 3 -1'
bad 'sphere 1 2 three 1'
bad 'sphere 1 2 inf 1'
bad 'aabb 1 2 nan 1 2 3'
bad 'planes 0 0 0 1'
bad 'planes 1 2 3'
bad "planes $(yes '1 0 0 1' | head -9 | tr '\n' ' ')"
bad 'hull 1 2 3 4'
bad 'hull 1 2 nan'
bad 'hull'
bad "hull $(seq 771 | tr '\n' ' ')"
bad "$(yes 1 | head -9000 | tr '\n' ' ')"
printf 'aabb 0 0 0 1 1 1\n\nsphere\n' | run overlap cube.obj --volumes -
run overlap cube.obj --volumes missing.txt
run overlap - --volumes - </dev/null
run overlap cube.obj --volumes volumes.txt --sphere 1,1,1,1
run overlap cube.obj --generate sphere --frustum
run overlap cube.obj --generate sphere --volumes volumes.txt
run overlap cube.obj --generate all
run overlap cube.obj --generate cubes
run overlap cube.obj --volumes volumes.txt --number 5
run overlap cube.obj --volumes volumes.txt --fov 20
run overlap cube.obj --volumes volumes.txt -o list.npy
run overlap cube.obj --volumes volumes.txt --verify -o list.npy
run overlap cube.obj --volumes volumes.txt --box-filter
run overlap cube.obj --volumes volumes.txt --verify --box-filter --skip 3

# The tree against every triangle in turn.  How many decisions each stage took may change: not shown.
shown() {
    awk '/^[$[]/ { print; next } { print $1, $2, $3, $4, $5, $NF }'
}
run cast cube.obj --verify --generate all --number 400 | shown
run cast cube.obj --verify --generate all --pairs 5e4 --seed 3 --snap 4 | shown
run cast spot.obj --verify --generate edges --snap 9 --pairs 3e5 | shown
run cast cube.obj --verify --generate surface --number 1000 --cull back --skip 3 --threads 1 | shown
run cast cube.obj --verify --generate vertices --number 1000 --open-start --open-end | shown
run cast cube.obj --verify --generate all --number 200 --crossings --snap 3 | shown
cat >rays.txt <<END
0.5 0.5 2  0 0 -1
0 0 0      1 1 1
0 0 2      0 0 -1  2 2
END
run cast cube.obj --verify --rays rays.txt | shown
cut -d ' ' -f 1-3 rays.txt | sed 's/$/  0.5 0.5 -2/' | run cast cube.obj --verify --segments - | shown
run cast cube.obj --verify --rays rays.txt --csv | cut -d, -f1-5,9
run cast cube.obj --verify --rays rays.txt --json | sed 's/"[a-z]*_stage": [0-9]*, //g'
run cast cube.obj --verify --rays /dev/null | shown
echo 'v 0 0 0' >point.obj
run cast point.obj --verify --generate all --number 10 | shown
echo 'Work done, without the time it took.'
run cast cube.obj --rays rays.txt --stats 2>&1 | grep -E '^(rays  |seconds|rays per)' |
    sed 's/ [0-9][0-9.e+-]*$/ N/'
run cast cube.obj --rays rays.txt --mode any --stats --json --repeat 2 | grep -E '"(rays|seconds)"' |
    sed 's/\("seconds": \).*/\1N/'

# Points made to order, and the tree against every triangle in turn.
run nearest cube.obj --generate vertices --number 3
run nearest cube.obj --generate offset --number 2 -k 2 --seed 3
run within cube.obj --generate offset --number 3 --mode count
run within cube.obj --generate box --number 2 --radius 0.5 --brute
shown() {
    awk '/^[$[]/ { print; next } { print $1, $2, $3, $4, $NF }'
}
run nearest cube.obj --verify --generate all --number 100 | shown
run nearest spot.obj --verify --generate surface --number 30 -k 7 --max-distance 0.1 | shown
run nearest spot.obj --verify --generate all --number 12 -k 3 --snap 7 --threads 1 | shown
run within cube.obj --verify --generate all --number 100 | shown
run within cube.obj --verify --generate all --number 100 --box-filter | shown
run nearest cube.obj --verify --generate all --number 100 --box-filter | awk '/^[$[]/ { print; next } { print $1, $2, $NF }'
run within cube.obj --verify --generate vertices --number 50 --radius 1 --csv
run within spot.obj --verify --generate offset --number 12 --snap 6 --skip 5 --json |
    grep -o '"kind.*pairs": [0-9]*\|"differen.*'
sightline within spot.obj --verify --generate box --number 12 --stats 2>&1 >/dev/null |
    awk 'NR == 1 || !/ [0-9.e+]+ +[0-9.e+]+ +[0-9.e+]+$/'
sightline nearest spot.obj --verify --generate far --number 12 --stats --json |
    grep -c '"tree_us"' | sed 's/^[1-9].*/there/'
echo 'What cannot be.'
echo '0 0 0' >points.txt
run nearest cube.obj --generate all
run nearest cube.obj --generate rain
run nearest cube.obj --generate box --points points.txt
run nearest cube.obj --points points.txt --number 3
run within cube.obj --points points.txt --seed 3
run within cube.obj
run nearest - --points -
run nearest cube.obj --points points.txt --box-filter

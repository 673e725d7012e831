# Shares of a run, made by --part and put together by merge, have the bytes of one run.
# in_parts N OUT ARGUMENT...: N parts of a run, merged, against the run, and their statuses.
in_parts() {
    n=$1 out=$2 i=1
    shift 2
    rm -f one.* many.*
    sightline "$@" -o "one.$out"
    status=$?
    while [ "$i" -le "$n" ]; do
        sightline "$@" -o "many.$out" --part "$i/$n" || echo "part $i of $n of $*: $?"
        i=$((i + 1))
    done
    sightline merge -o "many.$out"
    [ $? = $status ] || echo "$n parts: another status: $*"
    for file in one.*; do
        cmp "$file" "many.${file#one.}" || echo "$n parts: other bytes: $*"
    done
}
each() { # OUT ARGUMENT...
    echo "$*"
    for parts in 1 2 3 7 13; do in_parts $parts "$@"; done
}
awk 'BEGIN { for (i = 0; i < 200; i++) {
    if (i % 7 == 0) print "# seven\n"
    print sin(i), cos(2 * i), 0.5 * sin(3 * i), cos(i), sin(5 * i), cos(7 * i) } }' >six.txt
{ echo x,y,z; grep -v '^#' six.txt | awk 'NF { print $1 "," $2 "," $3 }'; } >three.csv
sightline cast cube.obj --segments six.txt >hits.csv
echo '{"sightline": "scene", "schema": 1, "meshes": {"cube": {"file": "cube.obj"}}, "instances": [
    {"mesh": "cube", "name": "a"}, {"mesh": "cube", "name": "b", "translation": [1.5, 0, 0]}]}' >two.json

echo 'Rays and segments.'
each csv cast cube.obj --segments six.txt
each json cast cube.obj --segments six.txt --mode all
each npy cast cube.obj --rays six.txt
each npy cast cube.obj --rays six.txt --mode any
each npy cast cube.obj --rays six.txt --mode all --double
each csv cast spot.obj --generate surface --number 200 --surface
each json cast two.json --rays six.txt --mode count
each csv cast two.json --rays six.txt --mode all --double
each csv los cube.obj --segments six.txt
each json los cube.obj --segments six.txt
each npy los cube.obj --segments six.txt --double
each txt los cube.obj --segments six.txt --summary
each csv los cube.obj --segments six.txt --summary --csv
each json los two.json --segments six.txt --summary
echo 'All with all, and what is seen from a point.'
grep -v '^#' six.txt | awk 'NF { print 2 * $1, 2 * $2, 2 * $3 }' | head -n 40 >eyes.txt
awk '{ print $2, $3, $1 }' eyes.txt | head -n 30 >doors.txt
each csv los cube.obj --matrix eyes.txt
each npy los cube.obj --matrix eyes.txt --targets doors.txt
each npy los cube.obj --matrix eyes.txt --cull back
each npy los spot.obj --matrix eyes.txt --open-end --double
each csv los cube.obj --matrix eyes.txt --targets doors.txt --summary
each csv los two.json --matrix eyes.txt --summary --json
each csv los spot.obj --viewshed 2,2,2 --size 37x45
each npy los spot.obj --viewshed 2,2,2 --size 70x99 --rise 0.1 --double
each npy los two.json --viewshed 0,0,3 --size 20x5 --up-axis z
each csv los spot.obj --viewshed 2,2,2 --size 40x40 --plane 0.2 --summary --csv
echo 'No eyes, no targets, and one pair.'
: >none.txt
each npy los cube.obj --matrix none.txt --targets doors.txt
each npy los cube.obj --matrix eyes.txt --targets none.txt
each csv los cube.obj --matrix eyes.txt --targets none.txt
each csv los cube.obj --matrix none.txt --summary --json
echo '5 0 0' >left.txt
echo '-5 0 0' >right.txt
each csv los cube.obj --matrix left.txt --targets right.txt
each csv los cube.obj --matrix left.txt --targets doors.txt --summary
echo 'Points themselves count, not the files that hold them, nor whether they are named twice.'
rm -f many.* one.*
{ header '<f4' '(3, 3)' && floats 2 0.5 -1 0.25 0 2 -1 -1 2; } >eyes.npy
printf '2 0.5 -1\n0.25 0 2\n-1 -1 2\n' >same.txt
sightline los cube.obj --matrix eyes.npy -o many.csv --part 1/2
sightline los cube.obj --matrix same.txt --targets same.txt -o many.csv --part 2/2
sightline merge -o many.csv && sightline los cube.obj --matrix same.txt | cmp - many.csv
echo 'Points.'
each csv nearest cube.obj --points three.csv
each json nearest cube.obj --points three.csv -k 3
each npy nearest spot.obj --generate offset --number 200 -k 3
each npy nearest two.json --points three.csv
each csv within cube.obj --points three.csv --radius 0.3
each npy within spot.obj --generate offset --number 200
each npy within two.json --points three.csv --radius 1 -k 2
each npy within cube.obj --points three.csv --radius 1 --mode count
each csv inside cube.obj --points three.csv
each json inside cube.obj --points three.csv
each npy inside cube.obj --points three.csv
each txt inside cube.obj --points three.csv --summary
each csv inside cube.obj --points three.csv --summary --csv
each json inside two.json --points three.csv
each npy inside two.json --points three.csv

echo 'Arrays are not read where others read: a share begins with a step.'
{ header '<f4' '(5, 6)' && for i in 1 2 3 4 5; do floats 0.25 0.5 2 0 0 -1; done; } >five.npy
each npy cast cube.obj --rays five.npy
each csv cast cube.obj --rays five.npy
echo 'More parts than questions, and no question at all.'
head -n 4 six.txt >few.txt
head -n 1 six.txt >none.txt
for out in csv json npy; do
    each $out cast cube.obj --segments few.txt
    each $out cast cube.obj --segments none.txt
done
each npy cast cube.obj --segments none.txt --mode all
each json los cube.obj --segments none.txt --summary
{ header '<f4' '(0, 6)'; } >zero.npy
each npy cast cube.obj --rays zero.npy
echo 'One question, and the answer is no: merging says so, as one run does.'
echo '5 5 5 1 0 0' >miss.txt
run cast cube.obj --rays miss.txt -o hits.csv --part 1/1
run merge -o hits.csv

echo 'From stdin, and to it.'
for i in 1 2 3; do sightline cast cube.obj --segments - -o piped.csv --part $i/3 <six.txt; done
for i in 1 2 3; do cat five.npy | sightline cast cube.obj --rays - -o array.npy --part $i/3; done
sightline merge -o piped.csv && sightline cast cube.obj --segments six.txt | cmp - piped.csv
sightline cast cube.obj --rays five.npy -o one.npy
sightline merge array.npy.3-of-3.part array.npy.1-of-3.part array.npy.2-of-3.part | cmp - one.npy
echo 'Threads and instruction sets may differ; so may a mesh and its tree.'
sightline build spot.obj -o spot.slt -q >/dev/null
rm -f many.*
sightline cast spot.obj --generate box --number 100 -o many.csv --part 1/3 --threads 1
sightline cast spot.obj --generate box --number 100 -o many.csv --part 2/3 --isa scalar
sightline cast spot.slt --generate box --number 100 -o many.csv --part 3/3 --threads 2 --stats 2>stats
sed -n 1p stats
sightline merge -o many.csv && sightline cast spot.obj --generate box --number 100 | cmp - many.csv

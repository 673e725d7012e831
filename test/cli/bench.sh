# Figures differ from run to run; what is measured, and of how many, does not.  Builds in processes of their
# own are not there on Windows.
masked() {
    sed -E '/buildcold/d; s@ (M/s|B/tri|s|x)  *[0-9].*@ \1 ...@'
}
few="--isa scalar --rays 400 --rounds 2 --threads 1"
run bench spot.obj $few >out && masked <out
run bench cube.obj spot.obj $few --csv --sets random,ao,ptbox,lattice,build >out && grep -v buildcold out | cut -d, -f1-11
echo 'Every figure is there, and is a number above 0, the smallest and the largest around it.'
awk -F, 'NF > 12 && $1 != "scene" && $8 != "buildcold" && ++rows && 0 < $13 + 0 && $13 + 0 <= $12 + 0 && $12 + 0 <= $14 + 0 { good++ }
          END { print good, rows }' out
run bench --grow 40000 --needles $few --sets losbox --quality fast | masked
run bench --sets lattice $few --json | sed -E 's/"((ours|over_single)[a-z_]*)": [0-9.e+-]*/"\1": .../g'
echo 'Several scenes are summed up; what of a row is there is a number above 0.'
run bench cube.obj spot.obj $few --sets random,ptbox,far --json >out && sed -E '1,/"summary"/d; s/: ([0-9][0-9.]*|"(cube|spot).obj")/: .../g' out
run bench cube.obj spot.obj --needles $few --sets random,losbox --summary | sed -E 's/[0-9.]+ +(cube|spot|need)[a-z.]*/... .../g; s@M/s .*@M/s ...@'
run bench cube.obj spot.obj $few --sets random --summary --csv | sed 's/,M.*/.../'
echo 'Another seed makes other rays.'
sightline bench spot.obj $few --csv --sets random --seed 2 | cut -d, -f7,8,10,11
echo 'What is measured is not measured again.'
run bench spot.obj $few --resume j.csv --sets random,build -o none.txt
cp j.csv first.csv
sightline bench spot.obj $few --resume j.csv --sets random,build --csv | diff - first.csv && echo the same
printf 'spot.obj,5856,half a row' >>j.csv
run bench spot.obj $few --resume j.csv --sets random,build,ao --csv -o all.csv
count=$(wc -l <first.csv)
head -n "$count" j.csv | diff - first.csv && sed "1,${count}d" j.csv | cut -d, -f1-10
cut -d, -f8 all.csv | grep -v buildcold
echo 'A cold build is there on every system with processes that copy themselves.'
if grep -q wine "$command"; then echo 1; else grep -c buildcold first.csv; fi
echo 'Against Embree, where it was found, or not.'
if beside_embree bench spot.obj $few --sets random,losbox,ptbox,build --against embree --csv >e.csv 2>e.txt; then
    awk -F, 'NR > 1 && $18 != "" && 0 < $23 + 0 && $23 + 0 <= $22 + 0 && $22 + 0 <= $24 + 0 { peer++ }
             NR > 1 && $25 > 0.98 { agree++ } END { print NR - 1, peer, agree }' e.csv
elif grep -qE 'built without Embree|Embree 3 is not on this machine' e.txt; then
    echo 9 9 3
else
    cat e.txt
fi
beside_embree bench spot.obj $few --against embree --sets options --json >/dev/null 2>&1
case $? in 0 | 2) ;; *) echo 'neither done nor refused' ;; esac
echo 'Its library is opened only for that; one that cannot be opened is refused with what to install.'
: >libembree3.so.3
(LD_LIBRARY_PATH=. && export LD_LIBRARY_PATH && sightline bench spot.obj $few --against embree 2>e.txt; echo "[$?]")
grep -cE 'install libembree(3-3|-dev)' e.txt
(LD_LIBRARY_PATH=. && export LD_LIBRARY_PATH && sightline --version >/dev/null; echo "[$?]")
echo 'What cannot be.'
run bench
run bench missing.obj
run bench spot.obj --sets random,rondom
run bench spot.obj --sets ''
run bench spot.obj --rays 0
run bench spot.obj --rounds 100
run bench spot.obj --grow 9999
run bench spot.obj --csv --json
run bench spot.obj --against nothing
run bench spot.obj $few --sets random --resume spot.obj
run bench spot.obj $few --sets random --resume nowhere/j.csv
sed '$s/random/random,/' first.csv | sed '2s/spot.obj,/spot.obj,x/' >bad.csv
run bench spot.obj $few --sets random --resume bad.csv
run bench spot.obj $few --sets random --resume -
echo 'v 1 2 3' >point.obj
run bench point.obj
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' >flat.obj
run bench flat.obj

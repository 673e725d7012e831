# Parts that do not go together, are not whole or are not there: an error names the file.
awk 'BEGIN { for (i = 0; i < 50; i++) print sin(i), cos(2 * i), 3, cos(i), sin(5 * i), -1 }' >rays.txt
part() { # I N ARGUMENT...
    i=$1 n=$2
    shift 2
    sightline cast cube.obj --rays rays.txt "$@" --part "$i/$n"
}
there() {
    ls -A | grep -e '^hits' -e tmp
}
echo 'What --part may be.'
for share in 0/2 3/2 1/0 1 1/ /2 1/2/3 -1/2 1.5/2 1/1e3 1/10000000000; do
    run cast cube.obj --rays rays.txt -o hits.csv --part=$share
done
run cast cube.obj --rays rays.txt --part 1/2
run cast cube.obj --rays rays.txt --resume -o -
run cast cube.obj --rays - --resume -o hits.csv
run cast cube.obj --rays rays.txt --part 1/2 -o hits.json --stats
run cast cube.obj --rays rays.txt --part 1/2 -o hits.csv --verify
run los cube.obj --matrix rays.txt -o hits.png --part 1/2
run los cube.obj --viewshed 0,0,9 -o hits.png --resume
run los cube.obj --viewshed 0,0,9 --summary --part 1/2
run los cube.obj --matrix - -o hits.csv --resume
run los cube.obj --matrix rays.txt --targets - -o hits.csv --resume
run cast cube.obj --rays rays.txt --part 1/2 -o cube.obj
run bake ao cube.obj -o hits.npy --part 1/2
run overlap cube.obj spot.obj --part 1/2
run render cube.obj -o picture.png --resume
there

echo 'Missing, and named twice.'
for i in 1 2 3; do part $i 3 -o hits.csv; done
run merge hits.csv.1-of-3.part hits.csv.3-of-3.part
run merge hits.csv.2-of-3.part hits.csv.2-of-3.part hits.csv.1-of-3.part
cp hits.csv.2-of-3.part twin.part
run merge hits.csv.*.part twin.part
rm hits.csv.1-of-3.part
run merge -o hits.csv
run merge -o nothing.csv
run merge
part 1 2 -o hits.csv
run merge -o hits.csv
rm hits.csv.1-of-2.part
part 1 3 -o hits.csv
run merge hits.csv.1-of-3.part nowhere.part
there

echo 'Of something else.'
stranger() { # ARGUMENT...
    rm -f other.*
    sightline "$@" -o other.csv --part 2/3
    run merge hits.csv.1-of-3.part other.csv.2-of-3.part hits.csv.3-of-3.part -o all.csv
}
stranger cast cube.obj --rays rays.txt --mode any
stranger cast cube.obj --rays rays.txt --tmax 2
stranger cast cube.obj --rays rays.txt --skip 3
stranger cast cube.obj --rays rays.txt --surface
stranger cast spot.obj --rays rays.txt
stranger los cube.obj --segments rays.txt
stranger cast cube.obj --rays rays.txt --mask 1
sed 's/^0 /0.5 /' rays.txt >moved.txt
stranger cast cube.obj --rays moved.txt
rm -f other.*
sightline cast cube.obj --rays rays.txt -o other.json --part 2/3
run merge hits.csv.1-of-3.part other.json.2-of-3.part hits.csv.3-of-3.part
sightline cast cube.obj --rays rays.txt -o other.csv --part 2/4
run merge hits.csv.1-of-3.part other.csv.2-of-4.part hits.csv.3-of-3.part
run merge hits.csv.1-of-3.part cube.obj
run merge hits.csv.*.part -o hits.npy
run merge hits.csv.*.part -o hits.png
for i in 1 2 3; do part $i 3 -o array.npy; part $i 3 -o lists.npy --mode all; done
run merge array.npy.*.part -o array.csv
run merge lists.npy.*.part
run merge hits.csv.*.part -o hits.csv.2-of-3.part

echo 'Eyes, targets, the point that looks and the size of the grid belong to the question.'
awk '{ print $1, $2, $3 }' rays.txt | head -n 6 >eyes.txt
head -n 5 eyes.txt >fewer.txt
both() { # 'WORDS OF THE FIRST PART' 'OF THE SECOND ONE'
    rm -f sight.*
    sightline los cube.obj $1 -o sight.csv --part 1/2
    sightline los cube.obj $2 -o sight.csv --part 2/2
    run merge -o sight.csv
}
both '--matrix eyes.txt' '--matrix eyes.txt --targets fewer.txt'
both '--matrix fewer.txt --targets eyes.txt' '--matrix fewer.txt'
both '--matrix eyes.txt' '--matrix eyes.txt --cull back'
both '--viewshed 2,2,2 --size 8x8' '--viewshed 2,2,3 --size 8x8'
both '--viewshed 2,2,2 --size 8x8' '--viewshed 2,2,2 --size 9x8'
both '--viewshed 2,2,2 --size 8x8' '--viewshed 2,2,2 --size 8x8 --plane 0'
both '--matrix eyes.txt' '--viewshed 2,2,2 --size 6x6'

echo 'Cut off, changed and unfinished: nothing is written, and what was there stays.'
echo before >all.csv
size=$(wc -c <hits.csv.2-of-3.part)
for keep in 0 1 100 $((size - 1)) $((size - 64)) $((size - 200)); do
    head -c "$keep" hits.csv.2-of-3.part >cut.part
    sightline merge hits.csv.1-of-3.part cut.part hits.csv.3-of-3.part -o all.csv 2>&1 | sed 's/^/  /'
done
changed=0 at=0
while [ "$at" -lt "$size" ]; do
    { head -c "$at" hits.csv.2-of-3.part; printf '\377'; tail -c +"$((at + 2))" hits.csv.2-of-3.part; } >changed.part
    sightline merge hits.csv.1-of-3.part changed.part hits.csv.3-of-3.part -o all.csv 2>err
    [ $? = 3 ] && changed=$((changed + 1)) || echo "byte $at is not missed"
    at=$((at + 41))
done
echo "$changed" | sed 's/[0-9][0-9]*/every change is noticed/'
sed 's/byte.*//' err
cat hits.csv.2-of-3.part hits.csv.2-of-3.part >long.part
run merge hits.csv.1-of-3.part long.part hits.csv.3-of-3.part -o all.csv
cat all.csv
there

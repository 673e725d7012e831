# Runs that were stopped go on where they were, wherever that is.
# A run of all is part 1 of 1: cutting that part off is what a kill at this byte leaves.
cut_at() { # OUT BYTES ARGUMENT...: goes on there, and compares
    out=$1 bytes=$2
    shift 2
    rm -f many.*
    head -c "$bytes" whole.part >"many.$out.partial"
    sightline "$@" -o "many.$out" --resume -q || echo "cut at $bytes: $*: $?"
    for file in one.*; do
        cmp "$file" "many.${file#one.}" || echo "cut at $bytes: other bytes: $*"
    done
    [ ! -e "many.$out.partial" ] || echo "cut at $bytes: it is still there"
}
cuts() { # OUT STEP ARGUMENT...
    out=$1 step=$2
    shift 2
    echo "$*"
    rm -f one.* whole.*
    sightline "$@" -o "one.$out"
    sightline "$@" -o "whole.$out" --part 1/1 && mv "whole.$out.1-of-1.part" whole.part
    size=$(wc -c <whole.part) at=0
    while [ "$at" -lt "$size" ]; do
        cut_at "$out" "$at" "$@"
        at=$((at + step))
    done
    cut_at "$out" $((size - 1)) "$@"
    cut_at "$out" "$size" "$@"
}
awk 'BEGIN { for (i = 0; i < 20000; i++)
    print sin(i), cos(2 * i), 3, cos(i), sin(5 * i), -3 }' >pairs.txt
awk '{ print $1, $2, 0.5 * $4 }' pairs.txt >points.txt
echo 'Cut off at any byte.'
cuts csv 97 cast cube.obj --generate box --number 30 --mode all -k 65536
cuts json 97 cast cube.obj --generate box --number 30 --mode all -k 65536
cuts npy 97 cast cube.obj --generate box --number 30 --mode all -k 65536
cuts csv 97 nearest cube.obj --generate box --number 7 -k 100000
cuts npy 40011 cast cube.obj --segments pairs.txt
cuts npy 50021 nearest cube.obj --points points.txt
cuts npy 50021 inside cube.obj --points points.txt
cuts json 110017 inside cube.obj --points points.txt --summary
cuts csv 110017 los cube.obj --segments pairs.txt
cuts json 401 los cube.obj --segments pairs.txt --summary
cuts csv 3001 los spot.obj --viewshed 2,2,2 --size 100x100
awk 'NR % 9 == 0 { print 2 * $1, 2 * $2, $3 }' pairs.txt >eyes.txt
cuts npy 1100003 los cube.obj --matrix eyes.txt
cuts csv 401 los cube.obj --matrix eyes.txt --summary --json
cuts npy 40011 within cube.obj --points points.txt --radius 0.5

echo 'What is changed in the middle is asked again from there on.'
asked='cast cube.obj --generate box --number 30 --mode all -k 65536'
rm -f one.* many.*
sightline $asked -o one.csv
sightline $asked -o whole.csv --part 1/1
{ head -c 1500 whole.csv.1-of-1.part; printf X; tail -c +1502 whole.csv.1-of-1.part; } >many.csv.partial
run $asked -o many.csv --resume
cmp one.csv many.csv
ls many.*

echo 'Where all is done, nothing is done.'
cp many.csv before.csv
run $asked -o many.csv --resume
run $asked -o many.csv --resume --threads 1 -q
run $asked -o new.csv --part 2/3 --resume
run $asked -o new.csv --part 2/3 --resume
run $asked -o new.csv --part 1/3 --resume
run $asked -o new.csv --part 3/3
run merge -o new.csv
cmp one.csv new.csv
echo 'A part that was stopped, too.'
head -c 1200 new.csv.2-of-3.part >new.csv.2-of-3.partial
mv new.csv.2-of-3.part old.part
run merge new.csv.1-of-3.part new.csv.2-of-3.partial new.csv.3-of-3.part -o all.csv
run $asked -o new.csv --part 2/3 --resume
cmp old.part new.csv.2-of-3.part
ls new.*

echo 'What is of another question is refused, and stays.'
run $asked -o many.csv --resume --crossings
run cast cube.obj --generate box --number 31 -o many.csv --resume
run cast cube.obj --generate box --number 31 -o new.csv --resume --part 2/3
head -c 1200 old.part >new.csv.2-of-3.partial
rm new.csv.2-of-3.part
run cast spot.obj --generate box --number 30 --mode all -k 65536 -o new.csv --resume --part 2/3
head -c 1200 old.part | cmp - new.csv.2-of-3.partial
cp cube.obj other.csv.partial
run $asked -o other.csv --resume
cmp cube.obj other.csv.partial
echo mine >mine.csv
run $asked -o mine.csv --resume
cat mine.csv
echo changed >>many.csv
run $asked -o many.csv --resume
rm many.csv
run $asked -o many.csv --resume
cmp before.csv many.csv
printf x >many.csv.done
run $asked -o many.csv --resume
printf x >>new.csv.1-of-3.part
run $asked -o new.csv --part 1/3 --resume
echo 'Questions that have changed are others.'
head -n 50 pairs.txt >some.txt
sightline cast cube.obj --rays some.txt -o some.csv --part 1/1
head -c 900 some.csv.1-of-1.part >some.csv.partial
sed '40s/^/0/' some.txt >moved.txt
run cast cube.obj --rays moved.txt -o some.csv --resume
run cast cube.obj --rays some.txt -o some.csv --resume
echo 'The answer is no, of a run that goes on, too.'
echo '5 5 5 1 0 0' >miss.txt
run cast cube.obj --rays miss.txt -o miss.csv --resume
run cast cube.obj --rays miss.txt -o miss.csv --resume
ls -A | grep tmp

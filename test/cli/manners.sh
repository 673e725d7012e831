# How the command gets on with other programs: pipes, spreadsheets, names of files, narrow terminals.
echo '0.25 0.5 2 0 0 -1' >rays.txt
echo 'A reader that has read enough ends the command without a word; shells say 141, as of SIGPIPE.'
for ask in 'cast cube.obj --generate box --number 100000' 'info cube.obj' '--help' 'cast -h'; do
    { sleep 0.2; "$command" $ask; echo "[$?]" >status; } | :
    cat status
done
echo 'What the command writes it reads: columns are found by their names.'
sightline cast cube.obj --rays rays.txt --surface | run nearest cube.obj --points -
sightline nearest cube.obj --points - <<END | run nearest cube.obj --points -
x y z
0.25 0.5 2
END
printf 'name,"oz",dx,oy,dz,tmax,dy,ox\n"a, b",2,0,0.5,-1,0.5,0,0.25\n,2,0,0.5,-1,,0,0.25\n' >rays.csv
run cast cube.obj --rays rays.csv
echo 'Names of columns are found in any case, but only once; a quote that is not closed is no number.'
printf 'ox,oy,oz,dx,dy,dz,TMIN\n0.25,0.5,2,0,0,-1,1.5\n' | run cast cube.obj --rays -
printf 'ox,oy,oz,dx,dy,dz,ox\n0,0,2,0,0,-1,0\n' | run cast cube.obj --rays -
printf 'ox,oy,oz,dx,dy,dz\n0,0,"5"7,0,0,-1\n' | run cast cube.obj --rays -
printf 'ox,oy,oz,dx,dy,dz\n0,0,5,0,0,"-1\n' | run cast cube.obj --rays -
printf '\n# two ends\nqx qy qz px py pz\n0.25 0.5 -2 0.25 0.5 2\n' | run los cube.obj --segments -
echo 'What cannot be.'
bad() {
    printf "$1" | run nearest cube.obj --points -
}
bad 'x,y,height\n1,2,3\n'
bad 'x,y,z\n1,2\n'
bad 'x,y,z\n1,2,3,4\n'
bad 'x,y,z,w\n1,,3,4\n'
bad 'x,y,z\n1,two,3\n'
bad 'x,y,z\n1,nan,3\n'
bad 'x,y,3\n1,2,3\n'
bad '1,2,3\nx,y,z\n'
echo 'Another program asks, waits for its answer, and asks again.'
mkfifo to from
"$command" cast cube.obj --rays - <to >from &
exec 8>to 9<from
# ask QUESTION...: and how many lines come back
ask() {
    printf "$1" >&8
    for i in $2; do
        read -r answer <&9
        echo "$answer"
    done
}
ask '0.25 0.5 2 0 0 -1\n' '1 2'
ask '2 2 2 0 0 -1\n# a comment\n0.25 0.5 2 0 0 -1\n0.25 0.5' '1 2'
ask ' 3 0 0 -1\n' 1
exec 8>&-
cat <&9
wait $!
echo "[$?]"
echo 'The name of a file says how to write it.'
run cast cube.obj --rays rays.txt -o hits.json
head -n 3 hits.json
run los cube.obj --segments rays.txt --summary -o los.CSV
cat los.CSV
run cast cube.obj --rays rays.txt -o hits.txt
cat hits.txt
run cast cube.obj --rays rays.txt -o hits.npz
run inside cube.obj --points rays.txt -o points.ply
run cast cube.obj --rays rays.txt -o hits.json --csv
run cast cube.obj --rays rays.txt -o hits.csv --json
echo 'Lists of different lengths: all rows, and where those of each list begin.'
printf '0.25 0.5 2 0 0 -1\n2 2 2 0 0 -1\n0 0 2 0 0 -1\n' >rays.txt
run cast cube.obj --rays rays.txt --mode all --keep 3 -o all.npy
head -c 192 all.npy | grep -ao "'shape.*)"
tail -c +193 all.offsets.npy | od -A n -t u8
printf '0.25 0.5 2\n5 5 5\n0.5 0.5 0.5\n' >points.txt
run within cube.obj --points points.txt -r 1 -o w.npy --keep 1000000
ls w.*
tail -c +193 w.offsets.npy | od -A n -t u8
printf 'sphere 0 0 0 0.1\nsphere 5 5 5 1\naabb 1 1 1 2 2 2\n' >volumes.txt
run overlap cube.obj --volumes volumes.txt -o o.npy
tail -c +193 o.npy | od -A n -t u4
tail -c +193 o.offsets.npy | od -A n -t u8
run overlap cube.obj --volumes volumes.txt -o o.npy --generate sphere
run cast cube.obj --rays rays.txt --mode all -o nowhere/all.npy
echo 'Parts are named where the mesh has them.'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\ng floor\nf 1 2 3\ng "a, b"\nf 4 5 6\n' >parts.obj
echo '0.2 0.2 2 0 0 -1' >down.txt
run cast parts.obj --rays down.txt --mode all
run cast parts.obj --rays down.txt --surface --json
run los parts.obj --segments down.txt
run nearest parts.obj --points points.txt
run overlap parts.obj --aabb -1,-1,-1,2,2,2
run cast parts.obj --rays down.txt --proxy aabb:instead
echo 'A table that is wider than the terminal becomes lists.'
COLUMNS=80
export COLUMNS
run nearest cube.obj --points points.txt --verify
run cast cube.obj --rays rays.txt --verify | grep -v stage
unset COLUMNS
echo 'Short help fits a screen; names that are not known.'
for word in info check build cast los overlap nearest within inside bake render pick select explain bench; do
    lines=$(sightline $word -h | wc -l)
    wide=$(sightline $word -h | sed 1,4d | awk 'length > 80' | wc -l)
    [ "$lines" -le 32 ] && [ "$wide" -eq 0 ] || echo "$word -h: $lines lines, $wide too wide"
done
run los -h
run -V
run chek
run overlaps
run los cube.obj --pairs pairs.txt
run within cube.obj --count
run within cube.obj --max-found 3
run nearest cube.obj --neighbours 3
run cast cube.obj --count 3
run cast cube.obj --max-hits 3
run cast cube.obj --open-ends
run overlap cube.obj --list

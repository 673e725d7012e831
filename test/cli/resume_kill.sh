# kill -9 in the middle, again and again: in the end there are the bytes of a run that was left alone.
# Each try is left a little longer, so that it ends.
kills=0
killed() { # OUT ARGUMENT...
    out=$1 ms=20
    shift
    rm -f one.* many.*
    sightline "$@" -o "one.$out"
    while :; do
        "$command" "$@" -o "many.$out" --resume -q 2>>noise &
        sleep "$((ms / 1000)).$(printf '%03d' $((ms % 1000)))"
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        case $? in
        0) break ;;
        137) kills=$((kills + 1)) ;;
        *) echo "$*: $?" && break ;;
        esac
        ms=$((ms < 300 ? ms + 7 : ms * 2)) # however slow the machine is
    done
    for file in one.*; do
        cmp "$file" "many.${file#one.}" && echo "the same: $*"
    done
    rm -f .sightline-*.tmp # SIGKILL leaves them
}
ulimit -c 0
killed csv cast spot.obj --generate box --number 150000
killed npy cast spot.obj --generate surface --number 300000 --mode all
awk 'BEGIN { for (i = 0; i < 100000; i++)
    print sin(i), cos(2 * i), 3, cos(i), sin(5 * i), -3 }' >pairs.txt
killed json los spot.obj --segments pairs.txt
killed npy nearest spot.obj --generate box --number 150000
killed csv inside spot.obj --generate box --number 100000
killed npy within spot.obj --generate surface --number 30000 --radius 0.05
awk 'NR % 25 == 0 { print 2 * $1, 2 * $2, 2 * $3 }' pairs.txt >eyes.txt
killed npy los spot.obj --matrix eyes.txt
killed csv los spot.obj --viewshed 2,2,2 --size 2000x2000
[ $kills -ge 20 ] || echo "only $kills kills"
echo 'A signal that ends the command in an orderly way leaves what is answered, too.'
rm -f many.*
sightline cast spot.obj --generate box --number 400000 -o one.csv
for signal in TERM HUP; do
    "$command" cast spot.obj --generate box --number 400000 -o many.csv --resume -q 2>>noise &
    until [ -s many.csv.partial ]; do sleep 0.02; done
    kill -s $signal $! 2>/dev/null
    wait $! 2>/dev/null
done
sightline cast spot.obj --generate box --number 400000 -o many.csv --resume -q
cmp one.csv many.csv && ls -A | grep -e '^many' -e tmp
echo 'Two runs at a time: the second is refused.'
rm -f many.*
"$command" cast spot.obj --generate box --number 1e9 -o many.csv --resume -q &
until [ -s many.csv.partial ]; do sleep 0.05; done
run cast spot.obj --generate box --number 1e9 -o many.csv --resume
kill -9 $!
wait $! 2>/dev/null
echo 'A full disk: what is answered stays, and the run goes on when there is space.'
rm -f many.*
(
    ulimit -f 3000
    sightline cast spot.obj --generate box --number 400000 -o many.csv --resume -q 2>&1 |
        sed 's/: [A-Z][a-z ]*;/: WHY;/'
)
sightline cast spot.obj --generate box --number 400000 -o many.csv --resume 2>&1 | sed 's/[0-9]* of/MANY of/'
cmp one.csv many.csv

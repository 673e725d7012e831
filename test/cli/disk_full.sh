# A disk that is full at any 512 bytes of what parts, runs that go on, and merging write: status 4, and
# once there is space all goes on.
awk 'BEGIN { for (i = 0; i < 120; i++) print sin(i), cos(2 * i), 3, 0.1, 0.2, -1 }' >rays.txt
ask='cast cube.obj --rays rays.txt --mode all -k 65536'
sightline $ask -o one.csv
sightline $ask -o one.npy
full() { # BLOCKS WORD...
    blocks=$1
    shift
    (
        ulimit -f "$blocks"
        sightline "$@" 2>noise
        echo $?
    )
}
each() { # what is to come in the end, then the words of a run
    wanted=$1 failed=0 blocks=0
    shift
    while :; do
        status=$(full "$blocks" "$@")
        case $status in
        0) break ;;
        4) failed=$((failed + 1)) ;;
        *) echo "$blocks blocks: $status" && break ;;
        esac
        [ -z "$(ls -A | grep tmp)" ] || echo "$blocks blocks: something is left"
        blocks=$((blocks + 1))
    done
    [ $failed -ge 3 ] || echo "it failed only $failed times"
    cmp "one.${wanted#*.}" "$wanted" && echo "the same: $wanted, $*"
}
# With --resume each run begins where the one before had to stop.
each go.csv $ask -o go.csv --resume -q
each go.npy $ask -o go.npy --resume -q
cmp one.offsets.npy go.offsets.npy
for i in 1 2; do sightline $ask -o part.csv --part $i/2 && sightline $ask -o part.npy --part $i/2; done
each part.csv merge -o part.csv
each part.npy merge -o part.npy
cmp one.offsets.npy part.offsets.npy
ls -A | grep -e partial -e tmp
true

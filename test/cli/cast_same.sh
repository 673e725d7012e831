# The same bytes whatever the threads, with or without the tree, from text and from arrays.
same() {
    cmp -s "$1" "$2" && echo "same: $3" || echo "DIFFERENT: $3"
}
for mode in closest any count all; do
    for kind in camera box surface vertices edges nearmiss axis inplane limits; do
        ask="cast cube.obj --generate $kind --number 300 --seed 7 --mode $mode"
        sightline $ask --threads 1 >one
        sightline $ask --threads 3 >three
        sightline $ask --brute >brute
        sightline $ask --isa scalar >scalar
        wc -l <one >lines
        [ "$(cat lines)" -gt 300 ] || echo "too few rows: $kind"
        same one three "$mode $kind on three threads"
        same one brute "$mode $kind by brute force"
        same one scalar "$mode $kind on scalar"
    done
done
sightline cast cube.obj --generate box --number 50 --seed 1 >one
sightline cast cube.obj --generate box --number 50 --seed 2 >two
cmp -s one two && echo 'DIFFERENT seeds give the same rays'
sightline cast cube.ply --generate box --number 50 --seed 1 >two
cut -d, -f1-7 one >three # only OBJ names parts
same three two 'from OBJ and PLY'

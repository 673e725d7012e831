# What a run leaves in a folder when it is stopped, and what it keeps of the file that was there.
echo '0.25 0.5 2 0 0 -1' >rays.txt
there() {
    ls -A | grep -e tmp -e '^hits'
}
# start and stop SIGNAL...: a long run, signals once it writes, and how it ended
start() {
    "$@" cast cube.obj --generate box --number 1e12 -q -o hits.csv &
}
stop() {
    until ls -A | grep -q tmp; do sleep 0.1; done
    for signal in "$@"; do
        kill -s "$signal" $!
        sleep 0.2
    done
    wait $! 2>/dev/null
    echo "[$?]"
    there
}
ulimit -c 0
echo 'Whatever stops it, nothing stays.'
for signal in HUP TERM XCPU; do
    start "$command"
    stop $signal
done
echo 'What the caller ignores, as nohup does, is ignored; in the background so are INT and QUIT.'
trap '' HUP
start "$command"
stop HUP INT QUIT TERM
trap - HUP
echo 'A file that may not grow is like a full disk.'
(
    ulimit -f 8
    run cast cube.obj --generate box --number 100000 -o hits.csv
)
there
echo 'Who may do what with a file stays as it was.'
echo before >hits.csv
chmod 600 hits.csv
run cast cube.obj --rays rays.txt --mode any -o hits.csv
ls -l hits.csv | cut -c 1-10
echo 'A link to nowhere stays a link, whatever its folder.'
mkdir folder
ln -s folder/link.csv link.csv
ln -s ../there.csv folder/link.csv
run cast cube.obj --rays rays.txt --mode any -o link.csv
[ -h link.csv ] && [ -h folder/link.csv ] && cat there.csv
ln -s round.csv round.csv
run cast cube.obj --rays rays.txt -o round.csv
[ -h round.csv ] && echo 'still there'
echo 'A name may be as long as names are.'
long=$(printf '%0251d.csv' 0)
sightline cast cube.obj --rays rays.txt --mode any -o "$long" && cat "$long"
run cast cube.obj --rays rays.txt -o ''
run pick cube.obj --pixel 400,300 --save-camera nowhere/camera.json
there

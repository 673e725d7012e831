# needs /dev/full
# Where results cannot be written: status 4, one line, and no half-written file.
echo '0.25 0.5 2 0 0 -1' >rays.txt
full() {
    "$command" "$@" >/dev/full
    echo "[$?]"
}
full cast cube.obj --rays rays.txt
full cast cube.obj --rays rays.txt --json
full cast cube.obj --rays rays.txt --verify
full cast cube.obj --generate box --number 100000
full info cube.obj
full los cube.obj --segments rays.txt --summary
full --help
full cast --help
full --version
run cast cube.obj --rays rays.txt -o /dev/full
run cast cube.obj --generate box --number 100000 -o /dev/full
run cast cube.obj --rays rays.txt -o nowhere/hits.csv
run cast cube.obj --rays rays.txt -o cube.obj/hits.npy
run cast cube.obj --rays rays.txt -o .
run info cube.obj -o nowhere/info.txt
run los cube.obj --segments rays.txt -o nowhere/los.csv
echo 'A closed stdout, and a reader that has gone.'
closed() {
    "$command" "$@" >&-
    echo "[$?]"
}
closed cast cube.obj --rays rays.txt
closed info cube.obj
closed --help
{ sleep 1; "$command" cast cube.obj --generate box --number 100000; echo "[$?]" >status; } | :
cat status
echo 'An array cannot be streamed when its length is not known.'
ln -s /dev/full full.npy
run cast cube.obj --rays rays.txt -o full.npy
echo 'What was there stays when the work fails, and is replaced when it does not.'
echo before >hits.csv
echo '1 2 nan 4 5 6' >bad.txt
run cast cube.obj --rays bad.txt -o hits.csv
cat hits.csv
run cast cube.obj --rays rays.txt -o hits.csv
cat hits.csv
echo 'A link stays a link.'
ln -s hits.csv link.csv
run cast cube.obj --rays rays.txt --mode any -o link.csv
[ -h link.csv ] && cat hits.csv
echo 'A dash is stdout.'
run cast cube.obj --rays rays.txt -o -
ls -A | grep tmp

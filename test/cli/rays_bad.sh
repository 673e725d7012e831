# Rays that are none: status 3, and which line.
try() {
    printf '0 0 2 0 0 -1\n# two\n%s\n' "$1" >rays.txt
    shift
    run cast cube.obj --rays rays.txt "$@"
}
try 'left right 3 4 5 6'
try '1 2 nan 4 5 6'
try '1 2 inf 4 5 6'
try '1 2 3 4 5 1e39'
try '1 2 3 4 5'
try '1 2 3 4 5 6 7'
try '1 2 3 4 5 6 7 nan'
try '1 2 3 4 5 6 7 8 9'
try '1,,2,3,4,5,6'
try '1;2;3;4;5;6'
printf '1 2 3 4 5 6 7 8\n' | run cast cube.obj --segments -
try '1 2 3 4 5 6 -inf inf'
try '0x1p1 +2 -3e-1 .5 5. 6E0'
run los cube.obj --segments rays.txt
printf '\357\273\277# the mark that Windows puts first\n0 0 2 0 0 -1\n' >rays.txt
run cast cube.obj --rays rays.txt
printf 'a line without an end 1 2 3' >rays.txt
run cast cube.obj --rays rays.txt
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "1 "; print "" }' >rays.txt
run cast cube.obj --rays rays.txt
printf '0 0 2 0 0 -1\000\n' >rays.txt
run cast cube.obj --rays rays.txt
run cast cube.obj --rays missing.txt
echo 'Two cannot both read stdin.'
run cast - --rays - <cube.obj
run los - --segments - <cube.obj
run pick - --pixel 1,1 --camera - <cube.obj
mkdir folder
run cast cube.obj --rays folder
run los cube.obj --segments missing.txt
echo 'Nothing is left of an output file when its input is bad.'
try '1 2 nan 4 5 6' -o hits.csv
try '1 2 nan 4 5 6' -o hits.npy
echo hits*

# Files that hold no mesh: status 3, and where.
run info missing.obj
run cast missing.obj --generate box
: >empty.obj
run info empty.obj
: >empty.npy
run info --vertices empty.npy
head -c 300 cube.ply >truncated.ply
run info truncated.ply
head -c 600 cube.stl >truncated.stl
run info truncated.stl
cp cube.stl mislabelled.ply
run info --no-tree --no-inspect mislabelled.ply | grep -v seconds
echo 'once upon a time' >story.txt
run info story.txt
printf '\211PNG\r\n\032\n' >picture.ply
run info picture.ply
mkdir folder
run info folder
printf 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n' >nan.obj
run info nan.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' >index.obj
run info index.obj
run info cube.obj missing.obj -o report.txt
echo report*
echo 'No more is read than memory may be taken.'
run info cube.obj --max-memory 100
run info - --max-memory 100 <cube.obj

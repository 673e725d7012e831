# Pictures go by the camera and nothing else; what is in them is tested in test/tools/render/test_tiles.c.
quiet() {
    run render cube.obj --size 40x30 -q "$@"
}
same() {
    cmp "$1" "$2" && echo "$1 and $2 are the same"
}
echo 'Threads, and a camera that was saved, make no difference.'
quiet -o one.png -j 1 --save-camera c.json
quiet -o four.png -j 4
run render cube.obj -q -o again.png --camera c.json
same one.png four.png
same one.png again.png
od -A n -t x1 -N 8 one.png
cat c.json
echo 'Every way to see it, and a PNG on stdout.'
for show in shade depth normal prim cost; do
    quiet --show $show -o $show.png
done
sightline render cube.obj --size 40x30 -q -o - --show prim --samples 1 >stdout.png
quiet -o file.png --show prim --samples 1
same stdout.png file.png
echo 'What bake leaves with the vertices; from any number of threads.'
sightline bake ao cube.obj --rays 16 -o ao.ply -q >/dev/null
for show in quality colour; do
    run render ao.ply --size 40x30 -q --show $show -o $show.png
    run render ao.ply --size 40x30 -q --show $show -o again.png -j 4
    same $show.png again.png
done
quiet --show quality -o none.png
run render cube.ply --show colour -o none.png -q
sightline render - --show colour -o none.png <ao.ply
echo "[$?]"
echo 'Arrays: from straight above, the triangles that are seen, row by row.'
above="--from 0,0,1 --up-axis z --ortho 2 --size 4x4"
run render cube.obj -q $above --aov prim -o prim.npy
head -c 128 prim.npy | tail -c 118
tail -c 64 prim.npy | od -A n -t u4
run render cube.obj -q $above --aov depth -o depth.npy --save-camera -
tail -c 64 depth.npy | od -A n -t f4
run render cube.obj -q $above --aov normal,face,uv -o records.npy
head -c 128 records.npy | tail -c 118
tail -c 384 records.npy | od -A n -t f4 -N 12 -j 120
tail -c 384 records.npy | od -A n -t u4 -N 4 -j 132
tail -c 384 records.npy | od -A n -t f4 -N 8 -j 136
sightline render cube.obj -q $above --aov normal,face,uv -o - >stdout.npy
same records.npy stdout.npy
run render cube.obj -q $above --aov point -o point.npy
tail -c 192 point.npy | od -A n -t f4 -N 12 -j 60
echo 'Reports.'
run render cube.obj --size 8x8 -o report.png --json | grep -v second
echo 'What cannot be.'
run render cube.obj
run render cube.obj -o x.npy
run render cube.obj -o x.JPG
run render cube.obj -o x.png --aov depth
run render cube.obj -o x.npy --aov depth,depth
run render cube.obj -o x.npy --aov dept
run render cube.obj -o x.npy --aov ''
run render cube.obj -o x.npy --aov depth --show depth
run render cube.obj -o - --json
run render cube.obj -o x.png --size 8
run render cube.obj -o x.png --size 8x0
run render cube.obj -o x.png --size 8x8x8
run render cube.obj -o x.png --size 65536x65536
run render cube.obj -o x.png --samples 9
run render cube.obj -o missing/x.png --size 8x8
run render missing.obj -o x.png
ls x.png x.npy 2>/dev/null

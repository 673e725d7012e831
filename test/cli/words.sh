# Words of other programs point to where it is; options that are wrong are found before there is work.
echo 'Subcommands.'
for word in repair weld slice voxelize convert raycast viewshed sdf collide clearance spherecast show ao stats union why; do
    run $word cube.obj
done
run cube.obj
run --json info cube.obj
run inof cube.obj
echo 'The version, anywhere.'
run version
run info --version
run cast cube.obj --rays rays.txt -V
run bake ao --version
echo 'Options, by meaning before spelling.'
run los cube.obj --mode any
run nearest cube.obj --mode count
run inside cube.obj --mode any
run render cube.obj --mode depth
run pick cube.obj --mode edge
run los cube.obj --from 0,0,2
run los cube.obj --to 0,0,2
run cast cube.obj --origin 0,0,2
run cast cube.obj --max-distance 2
run cast cube.obj --epsilon 1e-4
run cast cube.obj --format csv
run cast cube.obj --output x.csv
run nearest cube.obj --position 0,0,2
run info --input cube.obj
run info cube.obj --workers 2
run info cube.obj --verbose
run info cube.obj --no-color
run info cube.obj --od
echo 'Units: of 1000 in counts, of 1024 in bytes.'
run cast cube.obj --generate box --number 1k --mode count -o counts.npy
od -A n -t x1 -N 80 counts.npy | wc -l
sightline cast cube.obj --generate box --number 1.5k --stats -o counts.npy 2>&1 | grep '^rays  '
for size in 1k 1K 64KiB 1MB 2G 1.5G; do
    run info cube.obj --no-tree --no-inspect --max-memory $size -o out.txt
done
for size in 1KiB 2g 1kk k 1.0001k 1e300M 1Gi 1kB; do
    run cast cube.obj --generate box --number $size
done
run info cube.obj --max-memory 2GX
echo 'A directory, a text, an array, a full disk, what is not there.'
mkdir folder folder.obj
printf 'once upon a time\n' >story.txt
run info folder
run info folder.obj
run cast cube.obj --rays folder
run info --vertices folder
run render cube.obj -o folder
run check cube.obj --repair folder
run info story.txt
run cast cube.obj --rays story.txt
header '<f4' '(0, 3)' >points.npy
run info points.npy
run build cube.obj -o /dev/full
run cast cube.obj --ray '0.6 0.5 2 0 0 -1' -o /dev/full
run cast missing.obj --rays missing.txt
run cast cube.obj --rays missing.txt
run cast cube.obj --generate box -o missing/hits.csv
run cast cube.obj --vertices v.npy
cp cube.obj kept.txt
run cast kept.txt --generate box -o kept.txt
cmp cube.obj kept.txt
echo 'Before a mesh is loaded that is no mesh.'
early() {
    run "$@" 2>&1 | grep -v '^\$'
}
cp story.txt late.obj
early render late.obj -o x.png --size 8
early render late.obj -o x.png --view 1 --projection 2
early render late.obj -o x.png --fov 40 --ortho 3
early render late.obj -o x.npy --aov shade
early render late.obj -o missing/x.png
early pick late.obj --pixel 1,1 --size 8
early select late.obj --rect 1,2,3,4 --target 1,2,3
early overlap late.obj --sphere 1,2,3,-4
early overlap late.obj
early overlap late.obj --frustum --size 8
early los late.obj --viewshed 1,2,3 --size 8
early check late.obj --picture x.png --size 8
early check late.obj --seams --repair x.ply
early cast late.obj --ray '1 2 3'
echo 'The last of several meshes is not there: nothing is measured of the first.'
early bench cube.obj missing.obj --csv --rays 64 --rounds 1 --sets random
early info cube.obj missing.obj --no-tree
echo 'Texts and meshes where queries should be.'
early overlap cube.obj --volumes story.txt
early nearest cube.obj --points cube.obj
early los cube.obj --matrix story.txt
early pick cube.obj --pixel 1,1 --marks story.txt

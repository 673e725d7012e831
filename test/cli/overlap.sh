# The unit cube: triangles 0 and 1 are its bottom, 2 and 3 its top, 6 and 7 the wall at x = 1.
run overlap cube.obj --aabb 0.25,0.5,0.5,0.25,0.75,2 # a flat box through the top
run overlap cube.obj --aabb 1,1,1,2,2,2              # touches the corner 1 1 1
run overlap cube.obj --aabb 2,2,2,1,1,1 --mode count      # the same
run overlap cube.obj --aabb 1.0001,1,1,2,2,2 --mode count # does not
run overlap cube.obj --aabb 0.25,0.25,0.25,0.75,0.75,0.75 --mode any
run overlap cube.obj --aabb -1,-1,-1,2,2,2 --mode count --csv
run overlap cube.obj --sphere 0.5,0.5,0.5,0.5 --mode count
run overlap cube.obj --sphere 0.5,0.5,0.5,0.4999 --mode count --json
run overlap cube.obj --sphere 4,5,1,5 --json # 3 4 5 from the edge x = 1, y = 1
run overlap cube.obj --sphere 4,5,1,4.9999 --json
run overlap cube.obj --obb 2,0.5,0.5,1,1,0,-1,1,0,0,0,1,0.5,0.5,0.25
run overlap cube.obj --capsule -1,0.25,2,3,0.25,2,1 --json
run overlap cube.obj --triangle 0.5,0.5,0.5,0.5,0.6,3,0.5,0.7,3
run overlap cube.obj --hull 0.25,0.25,0.5,0.5,0.25,0.5,0.25,0.5,0.5,0.25,0.25,2 --json
run overlap cube.obj --hull @cube.obj --mode count
run overlap cube.obj --planes '1,0,0,0' --mode count
run overlap cube.obj --planes '1,0,0,0.5, -1,0,0,-0.25, 0,0,1,0.5'
echo 'The camera looks from above: the left half of the picture, and one pixel of the top.'
above="--frustum --size 4x4 --eye 0.5,0.5,3 --target 0.5,0.5,0 --up 0,1,0 --ortho 2 --near 1 --far 5"
run overlap cube.obj $above --mode any
run overlap cube.obj $above --rectangle 0,0,1.5,4 --mode count
run overlap cube.obj $above --rectangle 1.25,1.25,1.5,1.5
run overlap cube.obj $above --rectangle 0,0,0.5,0.5 --mode any
run overlap cube.obj $above --near 1 --far 1.5 --mode any
run overlap cube.obj --frustum --mode count
run overlap cube.obj --frustum --fov 20 --eye 0.5,0.5,9 --target 0.5,0.5,0 --up 0,1,0 --rectangle 390,290,410,310
echo 'What counts, and how it is reported.'
run overlap cube.obj --aabb 1,1,1,2,2,2 --skip 2,3
masks_of_cube 1
run overlap cube.obj --aabb 1,1,1,2,2,2 --masks masks.npy --mask 2 --mode any
run overlap cube.obj --aabb 1,1,1,2,2,2 --brute
run overlap cube.obj --aabb 1,1,1,2,2,2 -o list.npy
tail -c +193 list.npy | od -A d -t u4
run overlap cube.obj --aabb 1,1,1,2,2,2 --mode all -o list.csv
cat list.csv
sightline overlap spot.obj --sphere 0,0,0,0.1 --stats --mode count 2>&1 | sed 's/  *[0-9][0-9.e+-]*$/ N/'
sightline overlap spot.obj --sphere 0,0,0,0.1 --stats --mode any --json | grep -c '"boxes"'
for volume in '--aabb -0.1,-0.1,-0.5,0.4,0.3,0.2' '--sphere 0,0.3,0.2,0.3' '--frustum --rectangle 300,200,420,310' \
    '--capsule -0.3,0,0,0.3,0.5,0.1,0.05' '--triangle -1,0,0,1,0.2,0,0,0.5,1' '--planes 1,2,3,0.5' \
    '--hull @cube.obj' \
    '--obb 0,0,0,1,1,0,-1,1,0.5,0,0,1,0.2,0.3,0.4'; do
    run overlap spot.obj $volume --verify | awk '/^[$[]/ { print; next } { print $1, $2, $3, $NF }'
done
run overlap cube.obj --aabb 3,3,3,4,4,4 --verify --json
run overlap cube.obj --aabb 0,0,0,4,4,4 --verify --csv
echo 'What cannot be.'
run overlap cube.obj
run overlap cube.obj --aabb 1,1,1,2,2,2 --sphere 1,1,1,1
run overlap cube.obj --aabb 1,1,1,2,2
run overlap cube.obj --aabb 1,1,1,2,2,nan
run overlap cube.obj --sphere 1,1,1,-1
run overlap cube.obj --capsule 1,1,1,1,1,1,-1
run overlap cube.obj --obb 0,0,0,1,0,0,0,1,0,0,0,1,1,-1,1
run overlap cube.obj --planes 1,2,3
run overlap cube.obj --planes 0,0,0,1
run overlap cube.obj --planes 1,0,0,inf
run overlap cube.obj --hull 1,2,3,4
run overlap cube.obj --hull 1,2,inf
run overlap cube.obj --hull 1,2,three
run overlap cube.obj --hull @ --mode any
run overlap cube.obj --hull @missing.obj
run overlap cube.obj --hull @spot.obj
printf 'OFF 1 0 0\n0 0 0\n' >point.off
run overlap cube.obj --hull @point.off
sightline overlap cube.obj --hull "$(seq 771 | tr '\n' ,)"
cp cube.obj part.csv
run overlap cube.obj --hull @part.csv -o part.csv
run overlap cube.obj --hull @cube.obj --sphere 1,1,1,1
run overlap cube.obj --aabb 1,1,1,2,2,2 --fov 20
run overlap cube.obj --aabb 1,1,1,2,2,2 --rectangle 1,1,2,2
run overlap cube.obj --frustum --rectangle 1,1,1,2
run overlap cube.obj --aabb 1,1,1,2,2,2 --mode any --verify
run overlap cube.obj --aabb 1,1,1,2,2,2 --json --csv
run overlap cube.obj --aabb 1,1,1,2,2,2 --mode count -o list.npy
run overlap cube.obj --aabb 1,1,1,2,2,2 --verify --brute

# A shape around the mesh that is asked before it, or instead of it.  Spot is 1.69 high; beside her head
# there is room in her box.
cat >rays.txt <<END
0 0 -3 0 0 1           # through her
0.4 0.9 -3 0 0 1       # through her box, beside her
0 3 -3 0 0 1           # past everything
END
cat >points.txt <<END
0 0 0                  # inside
0.4 0.9 -0.6           # in the box, outside of her
0 3 0                  # outside of everything
END
cat >pairs.txt <<END
0 0 -3 0 0 3
0.4 0.9 -3 0.4 0.9 3
0 3 -3 0 3 3
END
rejected() {
    sightline "$@" --stats 2>&1 >/dev/null | grep proxies
}
run cast spot.obj --rays rays.txt --proxy aabb
run cast spot.obj --rays rays.txt
run cast spot.obj --rays rays.txt --proxy aabb:instead
run cast spot.obj --rays rays.txt --proxy sphere:instead --mode all
run cast spot.obj --rays rays.txt --proxy obb:instead --mode any
for shape in sphere aabb obb; do
    rejected cast spot.obj --rays rays.txt --proxy $shape
done
rejected cast spot.obj --rays rays.txt --proxy aabb --mode count
sightline cast spot.obj --rays rays.txt --proxy aabb --stats --json | grep proxies
sightline cast spot.obj --rays rays.txt --stats --json | grep -c proxies
run cast spot.obj --verify --generate all --number 12 --proxy obb | awk '/^[$[]/ { print; next } { print $1, $2, $NF }'
run los spot.obj --segments pairs.txt --proxy sphere
run los spot.obj --segments pairs.txt --proxy aabb:instead
rejected los spot.obj --segments pairs.txt --proxy aabb --summary
sightline los spot.obj --segments pairs.txt --stats 2>&1 >/dev/null | sed 's/  *[0-9][0-9.e+-]*$/ N/'
sightline los spot.obj --segments pairs.txt --stats --json | grep -c '"boxes"'
run nearest spot.obj --points points.txt --proxy aabb --max-distance 0.25
run nearest spot.obj --points points.txt --proxy aabb:instead
run within spot.obj --points points.txt --radius 0.5 --proxy sphere:instead
rejected nearest spot.obj --points points.txt --max-distance 0.25 --proxy aabb
rejected within spot.obj --points points.txt --radius 0.25 --proxy obb
run inside spot.obj --points points.txt --proxy obb
run inside spot.obj --points points.txt --proxy aabb:instead
rejected inside spot.obj --points points.txt --proxy sphere
run inside spot.obj --verify --generate box --number 300 --proxy obb | awk '/^[$[]/ { print; next } { print $1, $2, $NF }'
run overlap spot.obj --sphere 0,3,0,1 --proxy sphere --mode count
run overlap spot.obj --sphere 0,3,0,2.25 --proxy obb:instead
run overlap spot.obj --capsule 0,2,0,0,3,0,1.25 --proxy obb --mode count
rejected overlap spot.obj --aabb 0,3,0,1,4,1 --proxy aabb --mode any
echo 'What cannot be.'
run cast spot.obj --rays rays.txt --proxy cube
run cast spot.obj --rays rays.txt --proxy aabb:
run cast spot.obj --rays rays.txt --proxy aabb:often
run nearest spot.obj --points points.txt --proxy obb --brute
run inside spot.obj --points points.txt --proxy obb:instead --verify
echo 'Around nothing there is no shape.'
printf 'v 0 0 0\n' >nothing.obj
run cast nothing.obj --rays rays.txt --proxy sphere:instead --mode any
run cast nothing.obj --rays rays.txt --proxy obb:instead --mode any
run cast nothing.obj --rays rays.txt --proxy aabb --mode any

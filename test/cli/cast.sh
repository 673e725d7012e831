# The unit cube: quads 1 to 6 of cube.obj are triangles 0 to 11, in pairs; 0, 1 are the bottom, 2, 3
# the top.
cat >rays.txt <<END
# from above through the middle (on the diagonal of two triangles), off it, along an edge, past
0.5 0.5 2  0 0 -1
0.75 0.25 2, 0 0 -4
0 0 2, 0, 0, -1

2 2 2 0 0 -1   # past
0.75 0.25 2  0 0 -1  1.5 3
0.75 0.25 2  0 0 -1  1.5 inf
0.75 0.25 2  0 0 -1  1 1
END
run cast cube.obj --rays rays.txt
run cast cube.obj --rays - --brute <rays.txt
run cast cube.obj --rays rays.txt --mode any
run cast cube.obj --rays rays.txt --mode count
run cast cube.obj --rays rays.txt --mode all --keep 2
run cast cube.obj --rays rays.txt --tmin 1.5
run cast cube.obj --rays rays.txt --tmin=-inf --tmax 0.5
run cast cube.obj --rays rays.txt --cull back --mode count
run cast cube.obj --rays rays.txt --cull front --mode count
run cast cube.obj --rays rays.txt --skip 2 --mode count
run cast cube.obj --rays rays.txt --skip 2,3 --mode count
run cast cube.obj --rays rays.txt --json
run cast cube.obj --rays rays.txt --json --mode count -o counts.json
cat counts.json
echo 'One ray that hits, one that does not, and none.'
sed -n 2p rays.txt | run cast cube.obj --rays -
sed -n 6p rays.txt | run cast cube.obj --rays -
sed -n 6p rays.txt | run cast cube.obj --rays - --mode any
run cast cube.obj --rays /dev/null
echo 'Segments, which are closed unless told otherwise.'
cat >segments.txt <<END
0.75 0.25 2  0.75 0.25 1
0.75 0.25 2  0.75 0.25 0.5
0.75 0.25 2  0.75 0.25 1.5
0.75 0.25 1  0.75 0.25 0
0.5 0.5 0.5  0.5 0.5 0.5
END
run cast cube.obj --segments segments.txt
run cast cube.obj --segments segments.txt --open-start --open-end
run cast cube.obj --segments segments.txt --open-start --open-end --mode count
run cast cube.obj --segments segments.txt --mode all
run cast cube.obj --segments segments.txt --mode any --brute
echo 'Where hits lie.'
run cast cube.obj --rays rays.txt --surface
run cast cube.obj --segments segments.txt --mode all --surface --json
run cast cube.obj --rays rays.txt --surface --proxy aabb:instead
run cast cube.obj --rays rays.txt --surface --mode any
run cast cube.obj --rays rays.txt --surface -o x.npy
echo 'Through the corner 0 0 0, where five triangles meet, and the opposite one.'
echo '-1 -1 -1 1 1 1' | run cast cube.obj --rays - --mode count
echo '-1 -1 -1 1 1 1' | run cast cube.obj --rays - --mode count --crossings
echo '-1 0 0 1 0 0' | run cast cube.obj --rays - --mode all --crossings

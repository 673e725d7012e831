# Two points see each other unless the cube is between.
cat >pairs.txt <<END
0.25 0.5 2   0.25 0.5 -2    # through the top and the bottom
0.25 0.5 2   0.25 0.5 1.5
0.25 0.5 2   0.25 0.5 1     # touches the top
0.25 0.5 1   0.25 0.5 0     # from the top to the bottom, through the inside
2 0 0, 2, 1, 0
-1 0 0       2 0 0          # along an edge
END
run los cube.obj --segments pairs.txt
run los cube.obj --segments pairs.txt --open-start --open-end
run los cube.obj --segments - --summary <pairs.txt
run los cube.obj --segments pairs.txt --summary --csv
run los cube.obj --segments pairs.txt --summary --json
run los cube.obj --segments pairs.txt --json
run los cube.obj --segments pairs.txt -o los.npy
tail -c +193 los.npy | od -A d -t x1
head -n 1 pairs.txt >one.txt
run los cube.obj --segments one.txt
run los cube.obj --segments one.txt --summary
sed -n 2p pairs.txt >one.txt
run los cube.obj --segments one.txt
run los cube.obj --segments /dev/null
echo 'What does not block: the back, a triangle, what a mask leaves out.'
run los cube.obj --segments pairs.txt --cull back
run los cube.obj --segments pairs.txt --skip 2,3
masks_of_cube 2 1
run los cube.obj --segments pairs.txt --masks masks.npy --mask 1
run los cube.obj --segments pairs.txt --masks masks.npy

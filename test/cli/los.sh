# Two points see each other unless the cube is between.
cat >pairs.txt <<END
0.25 0.5 2   0.25 0.5 -2    # through the top and the bottom
0.25 0.5 2   0.25 0.5 1.5
0.25 0.5 2   0.25 0.5 1     # touches the top
0.25 0.5 1   0.25 0.5 0     # from the top to the bottom, through the inside
2 0 0, 2, 1, 0
-1 0 0       2 0 0          # along an edge
END
run los cube.obj --pairs pairs.txt
run los cube.obj --pairs pairs.txt --open-ends
run los cube.obj --pairs - --count <pairs.txt
run los cube.obj --pairs pairs.txt --count --csv
run los cube.obj --pairs pairs.txt --count --json
run los cube.obj --pairs pairs.txt --json
run los cube.obj --pairs pairs.txt -o los.npy
tail -c +193 los.npy | od -A d -t x1
head -n 1 pairs.txt >one.txt
run los cube.obj --pairs one.txt
run los cube.obj --pairs one.txt --count
sed -n 2p pairs.txt >one.txt
run los cube.obj --pairs one.txt
run los cube.obj --pairs /dev/null

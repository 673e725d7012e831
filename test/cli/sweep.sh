# Volumes that move: the unit cube's top is 2 and 3 of its triangles, at z = 1.
run sweep cube.obj --sphere 0.5,0.25,3,0.5 --dir 0,0,-4
run sweep cube.obj --sphere 0.5,0.25,3,0.5 --dir 0,0,-1.5
run sweep cube.obj --sphere 0.5,0.25,3,0.5 --dir 0,0,-1.4999
run sweep cube.obj --capsule 0.5,0.25,2,0.5,0.25,3,0.5 --dir 0,0,-3 --json
run sweep cube.obj --aabb 0.5,0.25,2,0.75,0.75,3 --dir 0,0,-3 --mode count
run sweep cube.obj --obb 0.5,0.5,3,1,1,0,-1,1,0,0,0,1,0.25,0.25,1 --dir 0,0,-3 --mode any
run sweep cube.obj --triangle 0.5,0.5,2,0.75,0.5,3,0.5,0.75,3 --dir 0,0,-2
run sweep cube.obj --hull 0.5,0.25,2,0.75,0.25,2,0.5,0.75,2,0.5,0.25,3 --dir 0,0,-3
awk '$1 == "v" { $4 += 2 } 1' cube.obj >above.obj
run sweep cube.obj --hull @above.obj --dir 0,0,-3 --json
run sweep cube.obj --aabb 0.5,0.25,2,0.75,0.75,3 --dir 0,0,-3 --mode all
run sweep cube.obj --aabb 0.5,0.25,2,0.75,0.75,3 --dir 0,0,-3 --mode all --keep 1 --csv
echo 'What it touches or overlaps where it starts.'
for how in report ignore-receding ignore; do
    run sweep cube.obj --sphere 0.5,0.25,1.5,0.5 --dir 0,0,1 --touching $how
    run sweep cube.obj --sphere 0.5,0.25,1.5,0.5 --dir 1,0,0 --touching $how --mode any
    run sweep cube.obj --sphere 0.5,0.25,1.5,0.5 --dir 0,0,-1 --touching $how
    run sweep cube.obj --sphere 0.5,0.25,1.25,0.5 --dir 0,0,1 --overlapping $how --mode count
    run sweep cube.obj --sphere 0.5,0.25,1.25,0.5 --dir 0,0,-1 --overlapping $how --mode any
done
for how in report ignore; do # along the top, on to its second triangle; and into a side
    run sweep cube.obj --sphere 0.5,-0.5,1.5,0.5 --dir 0,1,0 --grazing $how
    echo 'aabb -1 0.25 1 -0.5 0.75 2  1 0 0' | run sweep cube.obj --sweeps - --grazing $how --mode any
    run sweep cube.obj --sphere 0.5,-1.5,0.5,0.5 --dir 0,1.25,0 --grazing $how --mode any
done
run sweep cube.obj --sphere 0.5,-0.5,1.5,0.5 --dir 0,1,0 --grazing ignore-receding
run sweep cube.obj --sphere 0.5,0.25,1.25,0.5 --dir 0,0,0
run sweep cube.obj --sphere 0.5,0.25,2,0.5 --dir 0,0,0 --mode any
echo 'Many.'
cat >sweeps.txt <<'END'
# a comment, and a blank line

sphere 0.5 0.25 3 0.5   0 0 -4
capsule, 5,5,2, 5,5,3, 0.5, 0,0,-3
aabb 0.5 0.25 2 0.75 0.75 3   0 0 -3
obb 0.5 0.5 3  1 0 0  0 1 0  0 0 1  1 1 1   0 0 -4
triangle 0.5 0.5 2  0.75 0.5 3  0.5 0.75 3   0 0 -2
hull 0.5 0.5 2   0.75 0.5 3  0.5 0.75 3  0.25 0.25 3   0 0 -2
END
run sweep cube.obj --sweeps sweeps.txt
run sweep cube.obj --sweeps - --mode count <sweeps.txt
run sweep cube.obj --sweeps sweeps.txt --mode any --json
run sweep cube.obj --sweeps sweeps.txt --mode all --keep 2 -o all.csv
cat all.csv
run sweep cube.obj --sweeps sweeps.txt -o first.npy
grep -ao "^.NUMPY.*'shape.*)" first.npy | cut -c 11-
tail -c 480 first.npy | od -A n -t f8 -N 16
run sweep cube.obj --sweeps sweeps.txt --mode all -o all.npy
tail -c +193 all.offsets.npy | od -A n -t u8
run sweep cube.obj --sweeps sweeps.txt --mode any -o any.npy
tail -c 6 any.npy | od -A n -t u1
run sweep cube.obj --sweeps sweeps.txt --mode count -o counts.npy
tail -c 48 counts.npy | od -A n -t u8
run sweep cube.obj --sweeps sweeps.txt --mode any --threads 3 --stats 2>&1 | sed 's/  *[0-9][0-9.e+-]*$/ N/'
run sweep cube.obj --sweeps /dev/null
echo 'Filters, trees and scenes.'
run sweep cube.obj --sphere 0.5,0.25,3,0.5 --dir 0,0,-4 --skip 2,3
run sweep cube.obj --sphere 0.5,0.25,3,0.5 --dir 0,0,-9 --cull front
masks_of_cube 1
run sweep cube.obj --sphere 0.5,0.25,3,0.5 --dir 0,0,-4 --masks masks.npy --mask 2 --mode any
run build cube.obj -o cube.slt >/dev/null
cat >scene.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "cube": { "file": "cube.slt" } },
  "instances": [ null, { "mesh": "cube", "translation": [0, 0, -4], "name": "low" }, { "mesh": "cube", "mask": 2 } ] }
END
run sweep scene.json --sweeps sweeps.txt --mode count
run sweep scene.json --sphere 0.5,0.25,3,0.5 --dir 0,0,-9 --mask 1
run sweep figure.glb --sphere 5,0,-0.5,0.5 --dir 0,-9,0 --quiet
printf 'OFF 0 0 0\n' >empty.off
run sweep empty.off --sphere 0,9,0,0.5 --dir 0,-9,0
echo 'What cannot be.'
run sweep cube.obj
run sweep cube.obj --dir 0,0,1
run sweep cube.obj --sphere 0,0,0,1
run sweep cube.obj --sphere 0,0,0,-1 --dir 0,0,1
run sweep cube.obj --sphere 0,0,0,1 --dir 0,0,nan
run sweep cube.obj --sphere 0,0,0,1 --dir 0,0
run sweep cube.obj --sphere 0,0,0,1 --aabb 0,0,0,1,1,1 --dir 0,0,1
run sweep cube.obj --planes 1,0,0,0 --dir 0,0,1
run sweep cube.obj --sweeps sweeps.txt --dir 0,0,1
run sweep cube.obj --sweeps sweeps.txt --sphere 0,0,0,1
run sweep cube.obj --sweeps missing.txt
run sweep - --sweeps - <cube.obj
run sweep cube.obj --sphere 0,0,0,1 --dir 0,0,1 --mode closest
run sweep cube.obj --sphere 0,0,0,1 --dir 0,0,1 --touching stop
run sweep cube.obj --sphere 0,0,0,1 --dir 0,0,1 --keep 2 --mode all --keep 0
run sweep cube.obj --sphere 0,0,0,1 --dir 0,0,1 --csv --json
run sweep cube.obj --sweeps sweeps.txt --mode any -o any.ply
run sweep cube.obj --sweeps sweeps.txt -o sweeps.txt
for line in 'sphere 0 0 0' 'sphere 0 0 0 1 0 0 inf' 'sphere 0 0 nan 1 0 0 1' 'sphere 0 0 0 1 2 0 0 1' 'ball 0 0 0 1 0 0 1' \
    'planes 1 0 0 0 0 0 1' 'sphere' 'sphere 0 0 0 one 0 0 1' 'hull 0 0 1' 'hull 0 0 0 1 0 0 1' \
    "hull $(seq 774 | tr '\n' ' ')"; do
    echo "$line" | run sweep cube.obj --sweeps -
done

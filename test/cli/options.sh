# Wrong options and arguments: status 2, one line that says what would be right.
run info
run info cube.obj --jsn
run info cube.obj --unheard-of
run info cube.obj -x
run info cube.obj --json=yes
run info cube.obj --csv --json
run info cube.obj --threads
run info cube.obj --threads many
run info cube.obj --threads -1
run info cube.obj --threads 1025
run info cube.obj --threads 1e99
run info cube.obj --threads 1.5
run cast cube.obj --generate box --seed 99999999999999999999
run info cube.obj --color sometimes
run info cube.obj --isa abacus
run info cube.obj --bad ignore
run info --faces f.npy
run info cube.obj --vertices v.npy
run cast
run cast cube.obj
run cast --rays rays.txt
run cast cube.obj cube.ply --rays rays.txt
run cast cube.obj --rays rays.txt --generate box
run cast cube.obj --rays rays.txt --mode nearest
run cast cube.obj --rays rays.txt --keep 0
run cast cube.obj --rays rays.txt --tmin nan
run cast cube.obj --rays rays.txt --tmin 1,2
run cast cube.obj --rays rays.txt --number 5
run cast cube.obj --segments rays.txt --tmax 2
run cast cube.obj --rays rays.txt --skip one
run cast cube.obj --rays rays.txt --skip 1,2,3
run cast cube.obj --rays rays.txt --masks m.npy
run cast cube.obj --rays rays.txt --open-start --open-end
run cast cube.obj --rays rays.txt --keep 2
run cast cube.obj --rays rays.txt --json -o hits.npy
run cast cube.obj --rays rays.txt --verify -o hits.npy
run cast cube.obj --generate all
run cast cube.obj --generate rain
run cast cube.obj --generate box --segments rays.txt
run cast cube.obj --generate edges --tmin 1
run cast cube.obj --generate box --snap 1
run los cube.obj
run los cube.obj --segments pairs.txt --summary -o hits.npy
run los cube.obj --segments pairs.txt --json --csv

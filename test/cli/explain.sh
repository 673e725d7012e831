# The unit cube: 0, 1 are the bottom, 2, 3 the top.  Every verdict, and why.  How the tree was walked is
# left out: it may change.
explain() {
    run explain "$@" | grep -Ev '(nodes|boxes|triangles|decided)'
}
echo 'The closest hit; a named one behind it; the nearest miss.'
explain cube.obj --ray '0.75 0.25 2 0 0 -1'
explain cube.obj --ray '0.75 0.25 2 0 0 -1' --prim 0
explain cube.obj --ray '2 0.5 2 0 0 -1'
explain cube.obj --ray '0.75 0.25 2 0 0 -1' --prim 3 --json
verdict() {
    run explain cube.obj "$@" --json | grep -E '"(hit|reasons_against|faults|prim)"|\[[0-9]'
}
echo 'Each reason.'
verdict --ray '0.75 0.25 2 0 0 -1' --prim 2 --skip 2
masks_of_cube 1
verdict --ray '0.75 0.25 2 0 0 -1' --prim 2 --masks masks.npy --mask 2
verdict --ray '0.75 0.25 2 0 0 -1' --prim 2 --cull front
verdict --ray '0.75 0.25 2 0 0 -1' --prim 2 --cull back
verdict --ray '0.75 0.25 2 0 0 -1 1.5 9' --prim 2
verdict --ray '0.75 0.25 2 0 0 -1 0 0.5' --prim 2
verdict --ray '-1 0.5 1 1 0 0' --prim 2
verdict --ray '-1 0.5 2 1 0 0' --prim 2
verdict --ray '0.25 0.75 2 0 0 -1' --prim 2
verdict --ray '5 5 2 0 0 -1' --prim 2 --cull front --skip 1,2 --masks masks.npy --mask 2
verdict --segment '0.75 0.25 2 0.75 0.25 1' --prim 2
verdict --segment '0.75 0.25 2 0.75 0.25 1' --prim 2 --open-end
verdict --segment '0.75 0.25 1 0.75 0.25 2' --prim 2 --open-start
verdict --segment '0.75 0.25 2 0.75 0.25 1.5' --prim 2
verdict --segment '0.75 0.25 0.5 0.75 0.25 0.75' --prim 2
echo 'Rays that are none.'
verdict --ray '0 0 nan 0 0 1'
verdict --ray '0 0 0 0 0 0 2 1'
verdict --ray '0 0 0 0 0 1 nan 1' --prim 3
verdict --segment '1 2 3 1 2 3'
explain cube.obj --ray '0 0 inf 0 0 0 2 1'
echo 'A triangle without area, and one that was left out.'
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\nf 1 2 9\n' >three.obj
explain three.obj --bad leave-out --ray '0.5 0 1 0 0 -1' --prim 0
explain three.obj --bad leave-out --ray '0.5 0 1 0 0 -1' --prim 1
explain three.obj --bad leave-out --ray '0.5 0 1 0 0 -1' --prim 2
echo 'What cannot be.'
run explain cube.obj
run explain cube.obj --ray '0 0 0 0 0 1' --segment '0 0 0 0 0 1'
run explain cube.obj --ray '0 0 0 0 0'
run explain cube.obj --ray '0 0 0 0 0 1 2'
run explain cube.obj --ray '0 0 0 0 0 1 2 3 4'
run explain cube.obj --ray '0 0 x 0 0 1'
run explain cube.obj --segment '0 0 0 0 0 1 0 1'
run explain cube.obj --ray '0 0 0 0 0 1' --open-end
run explain cube.obj --ray '0 0 0 0 0 1' --prim 12

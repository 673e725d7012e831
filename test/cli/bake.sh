# Values and summaries; seconds differ from run to run.
masked() {
    sed -E 's/^(seconds ).*/\1.../; s/("seconds": ).*/\1.../'
}
run bake ao cube.obj --rays 64 -o ao.npy --threads 2 >out && masked <out
tail -c +193 ao.npy | od -A d -t f4
run bake ao cube.obj --rays 64 -o ao.ply --json --threads 1 >out && masked <out
tail -c +258 ao.ply | od -A d -t x1 | head -n 4
run info ao.ply --no-tree --no-inspect >out && head -n 4 out
run bake thickness spot.obj --rays 32 --least -o t.ply >out && masked <out

# Points: above the cube, below it, in it, and one without a normal.
{
    header '<f4' '(4, 6)'
    floats 0.25 0.5 2 0 0 1
    floats 0.25 0.5 -1 0 0 1
    floats 0.25 0.5 0.5 0 1 0
    floats 0.25 0.5 2 0 0 0
} >points.npy
run bake ao cube.obj --at points.npy --spread 0.25 --distance 2 --lift 0 -o ao.npy >out && masked <out
tail -c +193 ao.npy | od -A d -t f4
run bake ao cube.obj --at points.npy -o ao.ply --quiet >out && head -c 258 ao.ply | head -n 12

# What of the file is not in the PLY.
{ cat cube.obj; printf 'vn 0 0 1\nvt 0 0\n'; } >rich.obj
run bake ao rich.obj --rays 16 -o rich.ply --json >out && grep not_kept out
run bake ao rich.obj --rays 16 -o rich.ply >out && grep 'not kept' out
run bake ao rich.obj --rays 16 -o rich.ply --quiet >out
run bake ao rich.obj --rays 16 -o rich.npy --json >out && grep -c not_kept out
run bake ao ao.ply --rays 16 -o again.ply >out

# The same bits from every instruction set and any number of threads.
sightline bake ao spot.obj --rays 100 -o one.npy --threads 1 --isa scalar >/dev/null
sightline bake ao spot.obj --rays 100 -o two.npy --threads 3 >/dev/null
cmp one.npy two.npy && echo same

run bake
run bake colour cube.obj -o x.ply
run bake ao cube.obj
run bake ao cube.obj -o x.obj
run bake ao cube.obj -o x.ply --least
run bake ao cube.obj -o x.ply --at points.txt
run bake ao cube.obj -o x.ply --at none.npy
run bake ao cube.obj -o x.ply --rays 0
run bake ao cube.obj -o nowhere/x.ply
run bake ao -o x.ply

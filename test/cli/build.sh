# Trees in files; times differ from run to run.
still() {
    grep -v -E 'seconds|bytes|sah|hash' "$1"
}
run build cube.obj -o cube.slt >out
still out
echo 'It answers as the mesh does.'
printf '%s\n' '3 0.25 0.5  -1 0 0' '0 0 9  0 0 1' >rays.txt
run cast cube.obj --rays rays.txt
run cast cube.slt --rays rays.txt
echo 2 0 0 >points.txt
run nearest cube.slt --points points.txt
run overlap cube.slt --sphere 1,1,1,0.1
run info cube.slt --no-inspect --isa scalar >out
still out
echo 'The same bytes each time, and from any number of threads; other ones for another quality.'
sightline build cube.obj -o again.slt --threads 2 --quiet >/dev/null
cmp cube.slt again.slt && echo same
run build cube.obj -o high.slt --quality high --check --json >out
grep -E 'quality|schema' out
cmp cube.slt high.slt >/dev/null || echo different
echo 'Triangles that were left out stay out, with their numbers.'
{ cat cube.obj; echo 'f 1 2 99'; } >bad.obj
sightline build bad.obj -o bad.slt --bad leave-out >/dev/null
sightline info bad.slt --no-inspect --no-tree >out
grep -E 'triangles|left' out
echo 'A compact tree is a smaller file, and answers the same.'
run build spot.obj -o compact.slt --layout compact --check >out
still out
sightline build spot.obj -o spot.slt >/dev/null
[ $((100 * $(wc -c <compact.slt) / $(wc -c <spot.slt))) -lt 65 ] && echo smaller
for tree in compact.slt spot.slt; do
    sightline cast $tree --generate surface --number 200 >$tree.csv
done
cmp compact.slt.csv spot.slt.csv && echo same
run info compact.slt --no-inspect >out
grep layout out
echo 'A tree may come from stdin.'
run cast - --rays rays.txt <cube.slt
run cast - --rays rays.txt --trusted <cube.slt
echo 'What is wrong is said.'
run build cube.obj
run build cube.obj -o cube2.obj
run build cube.obj -o cube.tree >out
run build cube.obj -o /nowhere/cube.slt
run cast cube.slt --rays rays.txt --quality high
run cast cube.slt --rays rays.txt --layout compact
run cast cube.obj --rays rays.txt --trusted
run cast - --rays rays.txt --trusted <cube.obj
run cast nowhere.slt --rays rays.txt --trusted
run build - -o x.slt --quality high <cube.slt
head -c 1000 cube.slt >cut.slt
run cast cut.slt --rays rays.txt
{ head -c 700 cube.slt; printf X; tail -c +702 cube.slt; } >changed.slt
run cast changed.slt --rays rays.txt
run cast - --rays rays.txt <cut.slt
echo 'No file takes the place of another.'
cp cube.obj mine.obj && cp cube.obj mine.mesh
run build mine.mesh -o mine.mesh
run build mine.mesh -o ./mine.mesh
run build mine.obj -o -
run cast mine.obj --rays rays.txt -o rays.txt
run check mine.obj --repair two.out -o two.out
cmp cube.obj mine.obj && cmp cube.obj mine.mesh && echo kept
SIGHTLINE_ISA=AVX2 run info cube.obj

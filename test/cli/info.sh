# What a mesh is; times differ from run to run, and bytes and cost may change.
still() {
    grep -v -E 'seconds|bytes|sah' "$1"
}
info() {
    run info --isa scalar "$@" >out
    still out
}
info cube.obj
info cube.ply
info cube.stl
info cube.off --no-tree
info --json cube.obj --no-inspect
run info --csv --no-tree cube.obj cube.ply | cut -d, -f1-17,19-
echo 'A file on stdin, twice as large, with one triangle too many, and far away.'
sed 's/^v \(.\) \(.\) \(.\)/v 1000000\1 2000000\2 \3/' cube.obj >far.obj
echo 'f 1 1 2' >>far.obj
run info --no-tree --recentre - <far.obj >out
still out
run info --no-tree --no-inspect far.obj >out
still out
echo 'A mesh without triangles.'
echo 'v 1 2 3' >point.obj
info point.obj
echo 'Parts, which OBJ and glTF name; listed up to a limit.'
cat >parts.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
f 1 2 3
o lid
usemtl steel
f 1 2 3
g handle, left
f 1 3 2
f 2 1 3
END
info parts.obj --no-tree --no-inspect
info parts.obj --no-tree --no-inspect --parts 1 --json
run info --csv --no-tree --no-inspect parts.obj | cut -d, -f1-7
echo 'The name of the report says its format; 80 columns are enough.'
run info parts.obj cube.obj --no-tree --no-inspect -o out.json && head -n 4 out.json
run info parts.obj --no-tree --no-inspect -o out.CSV && cut -d, -f1-7 out.CSV
run info parts.obj --no-tree --no-inspect -o out.png
(COLUMNS=70 && export COLUMNS && sightline info parts.obj --no-tree >out && awk 'length > 70' out; sed -n '/^ parts/,/^ shape/p' out)
echo 'Left out where asked for.'
echo 'f 1 2 99' >>far.obj
run info --no-tree --no-inspect far.obj
run info --no-tree --bad leave-out far.obj >out
still out
echo 'Colour on request, and names of any bytes.'
odd=$(printf 'odd "name",\t\303\251\377.obj')
cp cube.obj "$odd"
sightline info --no-tree --no-inspect --color always cube.obj >out
still out
sightline info --no-tree --no-inspect --json "$odd" | grep '"file"'
sightline info --no-tree --no-inspect --csv "$odd" | cut -d , -f 1-4 | tail -n 1
printf 'v 0 0 0\nf 1 1 9\n' >"$odd"
sightline info "$odd"

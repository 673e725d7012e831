# Clashes as BCF 2.1, checked by bcf.py; skipped where there is no python3, or the command has no libzip.
command -v python3 >/dev/null || exit 77
box pipe 1 -1 1 1.125 1 1.125 >pipe.obj
box wall 0 0 0 4 0.25 3 >wall.obj
run build wall.obj -o wall.slt >/dev/null
cat >house.json <<'END'
{ "sightline": "scene", "schema": 1, "meshes": { "wall": { "file": "wall.slt" }, "pipe": { "file": "pipe.obj" } },
  "instances": [ { "mesh": "wall", "name": "0nvSz1TrXBqPiOwDhDmX3a" }, null, { "mesh": "pipe", "name": "<p & \"q\">" },
    { "mesh": "wall", "translation": [0, 0.25, 0] }, { "mesh": "pipe", "translation": [9, 0, 0], "name": "spare" },
    { "mesh": "pipe", "translation": [9, 0, 0], "name": "spare" } ] }
END
{
    box wall1 0 0 0 4 0.25 3
    box wall2 3.9375 0 0 8 0.25 3 8
    box slab 0 0 3 8 4 3.25 16
    box corner 0 -4 0 0.25 0 3 24
    box sleeve 10 -1 1 10.0625 1 2 32
    box sleeve 10.9375 -1 1 11 1 2 40
    box pipe 10.25 -1.5 1.25 10.75 1.5 1.75 48
    box core 2 1 1 4 3 2.5 56
    box inner 2.5 1.5 1.5 3 2 2 64
    box 'twin 1' 20 0 0 21 1 1 72
    box 'twin 2' 20 0 0 21 1 1 80
    printf 'v 0 0 4\nv 1 0 4\nv 0 1 4\no\nf 89 90 91\n'
} >parts.obj
sightline clash missing.json --bcf a.bcfzip 2>&1 | grep -q 'built without libzip' && exit 77
echo 'A topic for each clash.'
# bcf ARGUMENT...: writes a.bcfzip, and what is in it
bcf() {
    SOURCE_DATE_EPOCH=1000000000 run clash "$@" --limit 0 --bcf a.bcfzip
    python3 "$folder/bcf.py" a.bcfzip
}
bcf house.json
bcf parts.obj --margin 0.1875 --solids
SOURCE_DATE_EPOCH=1000000000 sightline clash parts.obj --margin 0.1875 --solids --limit 0 --bcf b.bcfzip >out
cmp a.bcfzip b.bcfzip && echo 'The same file again.'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\no caf\351\001\357\277\277\nf 1 2 3\no caf\303\251\nf 3 2 1\n' >odd.obj
bcf odd.obj
bcf wall.obj
echo 'What cannot be.'
run clash house.json --bcf house.zip
run clash house.json --bcf nowhere/house.bcfzip
run clash house.json --bcf .
cp house.json house.bcf
run clash house.bcf --bcf house.bcf
run clash house.json --bcf x.bcf -o x.bcf
run clash house.json --bcf /dev/full

# Clashes as BCF 2.1, checked by bcf.py; skipped where there is no python3, or the command has no libzip.
command -v python3 >/dev/null || exit 77
box pipe 1 -1 1 1.125 1 1.125 >pipe.obj
box wall 0 0 0 4 0.25 3 >wall.obj
run build wall.obj -o wall.slt >/dev/null
write_house
write_parts
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

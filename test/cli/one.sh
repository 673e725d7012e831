# One ray, pair or point as text: the same answer as from a file of one line.
same() { # WORDS, OPTION, KIND, NUMBERS
    echo "$4" >one.txt
    run $1 $2 "$4"
    sightline $1 $2 "$4" >from_text
    sightline $1 $3 one.txt >from_file
    cmp from_text from_file
}
same 'cast cube.obj' --ray --rays '0.6 0.5 2  0 0 -1'
same 'cast cube.obj' --ray --rays '0.6,0.5,2,0,0,-1,1.5,inf'
same 'cast cube.obj --double --surface' --ray --rays '0.1 0.3 2  0 0 -1'
same 'cast cube.obj --mode any --tmax 0.5' --ray --rays '0.6 0.5 2  0 0 -1'
same 'cast cube.obj --mode all --json' --segment --segments '0.6 0.5 2  0.6 0.5 -1'
same 'los cube.obj' --segment --segments '0.6 0.5 2  0.6 0.5 -1'
same 'los cube.obj --open-end --json' --segment --segments '0.6 0.5 2  0.6 0.5 1'
same 'nearest cube.obj' --point --points '0.25 0.5 3'
same 'nearest cube.obj -k 3' --point --points '0.25,0.5,3'
same 'inside cube.obj' --point --points '0.5 0.5 0.5'
same 'within cube.obj -r 0.5' --point --points '0.1 0.2 0.3'
echo 'Of a scene in doubles.'
printf '{"sightline": "scene", "schema": 1, "meshes": {"c": {"file": "cube.obj"}}, "instances": [{"mesh": "c"}]}' >town.json
same 'nearest town.json' --point --points '0.1 0.2 3'
same 'cast town.json' --ray --rays '0.1 0.3 2  0 0 -1'
echo 'Against every triangle in turn, and as an array.'
run cast cube.obj --ray '0.6 0.5 2 0 0 -1' --verify
run within cube.obj --point '0.1 0.2 0.3' --verify --radius 0.5
run cast cube.obj --ray '0.6 0.5 2 0 0 -1' -o one.npy
sightline cast cube.obj --ray '0.6 0.5 2 0 0 -1' --part 1/1 -o one.csv && sightline merge -o one.csv && cat one.csv
echo 'What cannot be.'
run cast cube.obj --ray '0 0 2 0 0'
run cast cube.obj --ray '0 0 2 0 0 -1 1'
run cast cube.obj --ray '0 0 2 0 0 one'
run cast cube.obj --ray '0 0 nan 0 0 -1'
run cast cube.obj --ray '0 0 1e39 0 0 -1'
run cast cube.obj --ray ''
run los cube.obj --segment '0 0 2 0 0 -1 0 1'
run nearest cube.obj --point '1 2'
run inside cube.obj --point '1 2 3 4'
run cast cube.obj --ray '0 0 2 0 0 -1' --rays r.txt
run cast cube.obj --ray '0 0 2 0 0 -1' --segment '0 0 2 0 0 -1'
run cast cube.obj --ray '0 0 2 0 0 -1' --generate box
run cast cube.obj --segment '0 0 2 0 0 -1' --tmin 1
run cast cube.obj --ray '0 0 2 0 0 -1' --open-end
run los cube.obj --segment '0 0 2 0 0 -1' --viewshed 1,2,3
run nearest cube.obj --point '1 2 3' --points p.txt
run cast cube.obj --ray '0 0 2 0 0 -1' --ray '0 0 3 0 0 -1'
run cast cube.obj --ray '0 0 2 0 0 -1' --skip 12

# Scene files that are wrong: each is told, with its place.
scene() { # the members behind the head
    printf '{"sightline":"scene","schema":1,%s}\n' "$1" >bad.json
    run info bad.json
}
cube='"meshes":{"c":{"file":"cube.obj"}}'
of() { # the members of an instance behind its mesh
    scene "$cube"',"instances":[{"mesh":"c"},{"mesh":"c",'"$1"'}]'
}
echo 'The file.'
printf '{"sightline":"scene",\n"schema":1,}\n' >bad.json
run info bad.json
echo '[1]' >bad.json
run info bad.json
printf '{"sightline":"tree","schema":1}' >bad.json
run info bad.json
printf '{"schema":1}' >bad.json
run info bad.json
printf '{"sightline":"scene","instances":[]}' >bad.json
run info bad.json
printf '{"sightline":"scene","schema":2,"instances":[]}' >bad.json
run info bad.json
scene '"instances":[],"instances":[]'
scene '"meshes":[],"instances":[]'
scene '"meshes":{}'
scene '"instances":{}'
scene '"instance":[]'
scene '"colour":1,"instances":[]'
run info missing.json
echo 'Meshes.'
scene '"meshes":{"c":7},"instances":[]'
scene '"meshes":{"c":{}},"instances":[]'
scene '"meshes":{"c":{"file":""}},"instances":[]'
scene '"meshes":{"c":{"path":"cube.obj"}},"instances":[]'
scene '"meshes":{"c":{"file":"no.obj"}},"instances":[]'
scene '"meshes":{"c":{"file":"."}},"instances":[]'
scene '"meshes":{"c":{"file":"bad.json"}},"instances":[]'
scene '"meshes":{"c":{"file":"cube.obj","hash":"12"}},"instances":[]'
scene '"meshes":{"c":{"file":"cube.obj","hash":"0123456789abcdef"}},"instances":[]'
run build cube.obj -o cube.slt >/dev/null
scene '"meshes":{"c":{"file":"cube.slt","hash":"0123456789abcdef"}},"instances":[]'
head -c 300 cube.slt >cut.slt
scene '"meshes":{"c":{"file":"cut.slt"}},"instances":[]'
printf 'v 0 0 0\nf 1 2 3\n' >three.obj
scene '"meshes":{"c":{"file":"three.obj"}},"instances":[]'
echo 'Instances.'
scene '"instances":[1]'
scene '"instances":[{}]'
scene '"instances":[{"mesh":"c"}]'
scene '"instances":[{"mesh":1}]'
scene "$cube"',"instances":[{"mesh":"c","scene":"s"}]'
scene '"instances":[{"scene":"s"}]'
of '"colour":1'
of '"translate":[1,2,3]'
of '"translation":[1,2]'
of '"translation":[1,2,"3"]'
of '"translation":7'
of '"rotation":[0,0,0,0]'
of '"scale":[1,2]'
of '"scale":[1e308,1,1],"rotation":[1e308,1e308,1e308,0]'
of '"scale":1e400'
of '"scale":0'
of '"scale":[1,1e-9,1]'
of '"translation":[1e39,0,0]'
of '"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]'
of '"matrix":[1,0,0,5,0,1,0,0,0,0,1,0,0,0,0,1]'
of '"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"scale":2'
of '"place":[1,0,0,0,0,1,0,0,0,0,1,0],"scale":2'
of '"place":[1,0,0,0,0,1,0,0,0,0,1,0],"matrix":[]'
of '"grid":0.3'
of '"grid":"1"'
of '"grid":1'
of '"mask":-1'
of '"mask":4294967296'
of '"id":1.5'
of '"name":1'
echo 'Scenes within scenes, and loops of them.'
scene '"scenes":{"s":{}},"instances":[]'
scene '"scenes":{"s":{"instances":[],"file":"x.json"}},"instances":[]'
scene '"scenes":{"s":{"file":"no.json"}},"instances":[]'
scene '"scenes":{"s":{"file":"cube.obj"}},"instances":[]'
scene '"scenes":{"s":{"instances":[{"mesh":"c"}]}},"instances":[]'
scene '"scenes":{"s":{"instances":[{"scene":"s"}]}},"instances":[]'
scene '"scenes":{"a":{"instances":[{"scene":"b"}]},"b":{"instances":[{"scene":"a"}]}},"instances":[{"scene":"a"}]'
scene '"instances":[{"scene":"bad.json"}]'
printf '{"sightline":"scene","schema":1,"instances":[{"scene":"bad.json"}]}' >other.json
scene '"scenes":{"o":{"file":"other.json"}},"instances":[{"scene":"o"}]'
i=0
while [ $i -lt 17 ]; do
    i=$((i + 1))
    printf '{"sightline":"scene","schema":1,"instances":[{"scene":"deep%d.json"}]}' $((i + 1)) >deep$i.json
done
run info deep1.json
echo 'A few bytes that would be 10^8 instances.'
many='{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"},{"scene":"%s"}'
list=''
for i in 1 2 3 4 5 6 7 8; do
    list="$list,\"s$i\":{\"instances\":[$(printf "$many" s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)) s$((i - 1)))]}"
done
scene "$cube"',"scenes":{"s0":{"instances":[{"mesh":"c"}]}'"$list"'},"instances":[{"scene":"s8"}]'
echo 'Left out on request.'
printf '{"sightline":"scene","schema":1,%s,"instances":[{"mesh":"c"},{"mesh":"c","scale":0}]}' "$cube" >flat.json
run info flat.json --bad leave-out | grep -E 'instances|holes|left|flat|^\['
run info cube.obj --nodes
run info - --nodes <cube.obj
run cast --vertices v.npy --nodes --rays r.txt
echo 'Names of what cannot be used.'
scene "$cube"',"scenes":{"s":{"instances":[{"mesh":"c"},{"mesh":"c","name":"b","scale":[1e-30,1,1]}]}},"instances":[null,{"scene":"s","name":"h"}]'
scene "$cube"',"instances":[null,{"mesh":"c"},{"mesh":"c","name":"flat","scale":0}]'
scene "$cube"',"instances":[{"mesh":"c","cameras":[]}]'

# glTF, its buffers, and compressed files.
still() {
    grep -v -E 'seconds|bytes|sah' "$1"
}
info() {
    run info --no-tree --no-inspect "$@" >out
    still out
}
gltf() { # URI
    printf '{"asset":{"version":"2.0"},\n"nodes":[{"mesh":0,"translation":[0,0,5]}],"meshes":[{"primitives":
[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],\n"buffers":[{"byteLength":36,"uri":"%s"}]}\n' "$1"
}
gltf 'data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA' >triangle.gltf
info triangle.gltf
echo '0.25 0.25 0  0 0 1' | run cast triangle.gltf --rays -
echo 'The same on stdin, and compressed.'
info - <triangle.gltf
gzip -nc cube.obj >cube.gz
info cube.gz
head -c 60 cube.gz >cut.gz
run info cut.gz
echo 'A buffer in a file beside it, and in files that are not.'
head -c 36 /dev/zero >zeros.bin
gltf zeros.bin >beside.gltf
info beside.gltf
for uri in missing.bin ../zeros.bin /etc/passwd https://example.org/a.bin; do
    gltf "$uri" >bad.gltf
    run info bad.gltf
done
run info - <beside.gltf
echo 'What is asked for and not there.'
printf '{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}' >draco.gltf
run info draco.gltf
printf '{"asset":{"version":"1.0"}}' >old.gltf
run info old.gltf
run info --max-memory 1000 triangle.gltf
echo 'Skins and morph targets, and nodes that are hidden.'
info figure.glb
info figure.glb --hidden-nodes
run info figure.glb --nodes >out
grep -E 'instances|triangles|glb:' out

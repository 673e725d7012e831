# Arrays that are none, or not what is asked for: status 3.
try() {
    cat >rays.npy
    run cast cube.obj --rays rays.npy
}
printf '\223NUM' | try
printf '\223NUMBER5678901234567890' | try
printf '\223NUMPY\011\000\106\000' | try
printf '\223NUMPY\001\000\106\000{' | try
printf '\223NUMPY\001\000\377\377{' | try
printf '\223NUMPY\001\000\004\000{  }' | try
printf '\223NUMPY\001\000\047\000{%s}' "'descr': '<f4', 'shape': (1, 6)       " | try
header '<f2' '(1, 6)' | try
header '>f4' '(1, 6)' | try
header '<i4' '(1, 6)' | try
header '<f4' '(1, 6)' True | try
header '<f4' '(1, 7)' | try
header '<f4' '(1, 2, 3)' | try
header '<f4' '()' | try
header '<f4' '(1, six)' | try
header '<f4' '(99999999999999999999, 6)' | try
header '<f4' '(6,)' | try
header '<f4' '(1, 8)' >rays.npy
run cast cube.obj --segments rays.npy
{ header '<f4' '(1000000000000, 6)'; floats 0 0 2 0 0 -1; } | try
{ header '<f4' '(1, 6)'; floats 0 0 2 0 0; } | try
{ header '<f4' '(1, 6)'; floats 0 0 2 0 0 -1 0; } | try
{ header '<f4' '(2, 6)'; floats 0 0 2 0 0 -1 0 0 nan 0 0 1; } | try
{ header '<f4' '(1, 6)'; floats 0 0 2 0 inf -1; } | try
{ header '<f4' '(1, 8)'; floats 0 0 2 0 0 -1 nan 1; } | try
echo 'Meshes from arrays.'
{ header '<f4' '(3, 3)'; floats 0 0 0 1 0 0 0 1 0; } >vertices.npy
{ header '<f4' '(2, 3)'; floats 0 0 0 1 0 0; } >two.npy
run info --vertices two.npy
run info --vertices missing.npy
run info --vertices rays.npy
header '<f4' '(1000000000000, 3)' >huge.npy
run info --vertices huge.npy
{ header '<i4' '(1, 3)'; printf '\0\0\0\0\001\0\0\0\377\377\377\377'; } >faces.npy
run info --vertices vertices.npy --faces faces.npy
{ header '<i4' '(1, 3)'; printf '\0\0\0\0\001\0\0\0\003\0\0\0'; } >faces.npy
run info --vertices vertices.npy --faces faces.npy
run info --vertices vertices.npy --faces vertices.npy
{ header '<f4' '(3, 3)'; floats 0 0 0 1 0 nan 0 1 0; } >vertices.npy
run info --vertices vertices.npy
{ header '<u4' '(2,)'; printf '\001\0\0\0\001\0\0\0'; } >masks.npy
echo '0 0 2 0 0 -1' >rays.txt
run cast cube.obj --rays rays.txt --masks masks.npy --mask 1

# A square with a notch down to (2, 1): the ray in the notch hits nothing, the point above it is
# sqrt(17 / 13) away.
cat >notch.obj <<OBJ
v 0 0 0
v 4 0 0
v 4 4 0
v 2 1 0
v 0 4 0
f 1 2 3 4 5
OBJ
echo '2 2 5 0 0 -1' >rays.txt
echo '2 2 1' >points.txt
run cast notch.obj --rays rays.txt --mode count
run nearest notch.obj --points points.txt
run check notch.obj
echo 'In this order of its corners it crosses itself: it is fanned, which is said.'
sed -i 's/^f .*/f 1 3 2 4 5/' notch.obj
run cast notch.obj --rays rays.txt --mode count
run check notch.obj

# Arrays in and out.
{
    header '<f4' '(3, 6)'
    floats 0.25 0.5 2  0 0 -1
    floats 0.5 0.25 2  0 0 -1
    floats 2 2 2       0 0 -1
} >rays6.npy
{
    header '<f4' '(2, 8)'
    floats 0.25 0.5 2  0 0 -1  0 inf
    floats 0.25 0.5 2  0 0 -1  0 0.5
} >rays8.npy
run cast cube.obj --rays rays6.npy
run cast cube.obj --rays rays8.npy
run cast cube.obj --rays - <rays6.npy
run cast cube.obj --segments rays6.npy
show() {
    head -c 192 "$1" | tr -c '[:print:]\n' '?'
    tail -c +193 "$1" | od -A d -t x1
}
run cast cube.obj --rays rays6.npy -o hits.npy
show hits.npy
run cast cube.obj --rays rays6.npy -o any.npy --mode any
show any.npy
run cast cube.obj --rays rays6.npy -o count.npy --mode count
show count.npy
run cast cube.obj --rays rays6.npy -o all.npy --mode all --keep 3
show all.npy
show all.offsets.npy
echo 'From text the number of rays is known only at the end.'
printf '0.25 0.5 2 0 0 -1\n2 2 2 0 0 -1\n' >rays.txt
run cast cube.obj --rays rays.txt -o hits.npy
show hits.npy
run cast cube.obj --rays /dev/null -o none.npy
show none.npy
echo 'A triangle from arrays, in floats and in doubles.'
{
    header '<f4' '(3, 3)'
    floats 0 0 0  1 0 0  0 1 0
} >vertices.npy
{
    header '<f8' '(3, 3)'
    for number in 0 0 0 1 0 0 0 1 0; do
        case $number in
        0) printf '\000\000\000\000\000\000\000\000' ;;
        1) printf '\000\000\000\000\000\000\360\077' ;;
        esac
    done
} >doubles.npy
{
    header '<i8' '(1, 3)'
    printf '\002\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\000\0\0\0\0\0\0\0'
} >faces.npy
run cast --vertices vertices.npy --rays rays6.npy
run cast --vertices vertices.npy --faces faces.npy --rays rays6.npy
run cast --vertices doubles.npy --rays rays6.npy
echo 'Masks.'
masks_of_cube 1 1 2 2 4 4 4 4 0 4 4 4
run cast cube.obj --rays rays6.npy --masks masks.npy --mask 1
run cast cube.obj --rays rays6.npy --masks masks.npy --mask 2
run cast cube.obj --rays rays6.npy --masks masks.npy --mask 3 --mode count
run cast cube.obj --rays rays6.npy --masks masks.npy --mask 8
run cast cube.obj --rays rays6.npy --masks masks.npy --mask 3 --mode count --brute

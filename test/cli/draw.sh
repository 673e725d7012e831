# Tests of shapes as pictures: the answer, the picture itself, and what cannot be drawn.
run draw --list
run draw ray-aabb 'ray -3 0.5 1 0' 'box -1 -1 1 1' --view xy
run draw triangle-aabb
echo 'To a file: the answer goes to stdout.'
run draw ray-sphere 'segment -3 0.5 3 1' 'sphere 0 0 1' -o sphere.svg
head -n 4 sphere.svg
run draw ray-sphere 'ray -3 2 1 0' 'sphere 0 0 1' --json
run draw ray-aabb 'ray 0 0 0 1 0 0 0.5 2' 'box -1 -1 -1 1 1 1' --inside hollow --json
run draw triangle-aabb 'triangle 2 0 0 3 0 0 2 1 0' 'box -1 -1 -1 1 1 1' --json -o sat.svg
run draw line-line-2d 'line 0 0 1 1' 'line 0 1 1 1' --json
run draw sphere-aabb --from 1,2,3 -o touch.png
od -A n -N 8 -t x1 touch.png
od -A n -j 16 -N 8 -t x1 touch.png
echo 'Everything draws its example, twice the same.'
for test in $(sightline draw --list | awk 'NR > 1 { print $1 }'); do
    sightline draw "$test" >once.svg && sightline draw "$test" >twice.svg || echo "$test fails"
    cmp once.svg twice.svg || echo "$test differs"
done
echo 'Points in one place, a plane that is none, and numbers that are large.'
sightline draw closest-segment 'point 1 1' 'segment 1 1 1 1' | grep -c '<circle'
run draw closest-plane 'point 1 1' 'plane 0 0 0 1' -o none.svg
run draw ray-aabb 'ray -3e38 0 1e38 0' 'box -1e38 -1e38 1e38 1e38' -o large.svg
grep -c -E 'points="[^"]*(nan|inf)' large.svg none.svg
echo 'What cannot be.'
run draw
run draw ray-box
run draw ray-aabb 'ray 0 0 0 1 0 0'
run draw ray-aabb 'ray 0 0 0 1 0 0' 'sphere 0 0 0 1'
run draw ray-aabb 'ray 0 0 0 1 0' 'box 0 0 1 1'
run draw ray-aabb 'ray 0 0 0 1 0 x' 'box 0 0 1 1'
run draw ray-aabb 'ray 0 0 0 1 0 nan' 'box 0 0 1 1'
run draw ray-axis-plane 'line 0 0 0 1 0 0' 'across 3 1'
run draw ray-aabb 'cone 0 0 0 1' 'box 0 0 1 1'
run draw ray-aabb --from 0,0,0
run draw ray-aabb --json -o -
run draw ray-aabb a b c
run draw ray-aabb -o nowhere/x.svg
run draw ray-aabb -o nowhere/x.png
run draw ray-aabb -o x.pdf

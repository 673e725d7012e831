#!/bin/sh
# pictures.sh: the pictures of docs/shapes.md are what draw_shapes draws, and the page has everything;
# those of docs/picking.md can be made as docs/pictures/README.md says, and are shown.
#
#     sh pictures.sh ROOT WORK SIGHTLINE DRAW_SHAPES
#
# Every picture is as DRAW_SHAPES makes it and is shown on the page, and every function of
# the four headers is named there.
set -u
root=$1 work=$2 command=$3 draw_shapes=$4
page=$root/docs/shapes.md
rm -rf "$work"
mkdir -p "$work"
"$draw_shapes" "$work" || exit 1
status=0
diff -r -u "$root/docs/pictures/shapes" "$work" || status=1
for picture in "$work"/*.svg; do
    name=$(basename "$picture")
    grep -qF "(pictures/shapes/$name)" "$page" || { echo "shapes.md does not show $name"; status=1; }
done
count=0
for header in intersect overlap contact closest; do
    for function in $(sed -nE 's/^SL_API .*[ *](sl_[a-z0-9_]+)\(.*/\1/p' \
        "$root/lib/include/sightline/$header.h"); do
        count=$((count + 1))
        grep -qF "\`$function\`" "$page" || { echo "shapes.md does not name $function"; status=1; }
    done
done
[ "$count" -gt 30 ] || status=1
sh "$root/docs/pictures/picking.sh" "$command" "$root/test/data/spot.obj" "$work/picking" || status=1
for picture in "$work"/picking/*.png "$root"/docs/pictures/picking/*.png; do
    name=$(basename "$picture")
    [ -e "$work/picking/$name" ] && [ -e "$root/docs/pictures/picking/$name" ] &&
        grep -qF "(pictures/picking/$name)" "$root/docs/picking.md" ||
        { echo "$name is not made, not kept or not shown"; status=1; }
done
exit $status

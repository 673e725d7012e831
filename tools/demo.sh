#!/bin/sh
# demo.sh: installs what is missing (on Debian), builds the command, casts rays at a real mesh and
# leaves pictures of it.
#
#     sh tools/demo.sh
#
# Where the checkout is not ours to write to, everything goes to ${TMPDIR:-/tmp}/sightline-<user id>.
set -eu
. "$(dirname -- "$0")/setup.sh"

say_duration "building the command" 90
install_missing build
choose_folders
configure -DSIGHTLINE_TESTS=OFF
compile --target sightline_command

sightline=$build/tools/sightline
cow=$root/test/data/spot.obj

# Shows a command as a user would type it, then runs it.
run() {
    printf '\n$ sightline'
    for word in "$@"; do
        case $word in
        "$cow") word=spot.obj ;;
        "$pictures"/*) word=${word##*/} ;;
        esac
        printf ' %s' "$word"
    done
    printf '\n'
    "$sightline" "$@"
}

run info --no-inspect "$cow"

# Three rays: at the side of its body, along its back from behind, and past it.
printf '\n$ cat rays.txt\n'
rays='3 0 0    -1 0 0
0 0.5 -3  0 0 1
0 2 -3    0 0 1'
printf '%s\n' "$rays"
printf '%s\n' "$rays" | run cast "$cow" --rays -

# A hundred thousand rays, and what they cost.
run cast "$cow" --generate camera --number 100000 --stats -o /dev/null

mkdir -p "$pictures"
for show in shade depth normal prim cost; do
    run render "$cow" --show $show --ao 8 --eye 1.25,0.95,-2.1 --target 0,0.1,0.12 --quiet \
        -o "$pictures/spot-$show.png"
done

printf '\nThe pictures are in %s:\n' "$pictures"
ls "$pictures"
printf '\nThe command is %s; --help goes on from here.\n' "$sightline"

#!/bin/sh
# hostile.sh: every file of some folders, such as collections of broken meshes, through the command.
#
#     sh .ci/hostile.sh SIGHTLINE FOLDER...    info, check, build and cast, each in 10 seconds' work
#     sh .ci/hostile.sh --memory SIGHTLINE FOLDER...    loading takes 64 MB and 40 times the size at most
#
# SIGHTLINE is best built with sanitizers for the first, and without them for the second, which needs
# /usr/bin/time (Debian: time).  What each file is refused with goes to stdout, so that a person may
# read it; files that fail go to stderr, and the exit status is 1 then.
set -eu
memory=
if [ "${1:-}" = --memory ]; then
    memory=1
    shift
fi
[ $# -ge 2 ] || {
    echo "usage: sh .ci/hostile.sh [--memory] SIGHTLINE FOLDER..." >&2
    exit 2
}
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '0 0 9  0 0 -1' >"$work/rays.txt"
files=0 failures=0

fail() { # WHAT FILE
    failures=$((failures + 1))
    echo "$2: $1" >&2
    head -n 20 "$work/err" >&2
}

# Statuses 0 to 3 are answers; sanitizers end in others, and say so.
try() { # FILE ARGUMENT...
    file=$1
    shift
    status=0
    # A machine that has other work takes longer, so that the processor's time counts.
    # shellcheck disable=SC3045 # dash has ulimit -t
    (ulimit -t 10 && exec timeout 300 "$command" "$@") >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -gt 3 ] || grep -qE 'Sanitizer|runtime error' "$work/err"; then
        fail "$1 ends in status $status" "$file"
    fi
}

check_memory() { # FILE
    /usr/bin/time -f %M -o "$work/peak" timeout 60 "$command" info "$1" --no-tree --no-inspect \
        --threads 1 >/dev/null 2>"$work/err" || true
    peak=$(tail -n 1 "$work/peak")
    limit=$((65536 + 40 * $(wc -c <"$1") / 1024))
    [ "$peak" -le "$limit" ] || fail "loading takes $peak kB; $limit are allowed" "$1"
}

list() {
    for folder in "$@"; do
        find "$folder" -type f | sort
    done
}

list "$@" >"$work/list"
while read -r file; do
    files=$((files + 1))
    if [ -n "$memory" ]; then
        check_memory "$file"
        continue
    fi
    try "$file" info "$file" --quiet
    if [ "$status" = 3 ]; then
        cat "$work/err"
    fi
    try "$file" check "$file" --quiet
    try "$file" build "$file" -o "$work/tree.slt" --quiet
    try "$file" cast "$file" --rays "$work/rays.txt" --quiet
done <"$work/list"
echo "hostile: $files files, $failures failures" >&2
[ "$failures" = 0 ]

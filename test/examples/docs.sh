#!/bin/sh
# docs.sh: what the documents show is true.
#
#     sh docs.sh ROOT WORK CC "C FLAGS" "LIBRARIES" [SIGHTLINE]
#
# In README.md and docs/*.md and docs/notes/*.md
#   ```c        compiles, with <sightline/sightline.h> included; a block with a main is run as well, in
#               a folder with spot.obj, and must print what a ```text block right after it says; those of
#               README.md and docs/start.md compile as C++17 too, where there is a C++ compiler
#   ```console  lines that begin with "$ " are run by sh, and must print the lines below them; "..."
#               stands for any lines, and at the end of a line for the rest of it
#   [..](file)  is there, and so is `folder/file.c`, unless its name is xyz, x or a_b
# Each function of contact.h, clash.h, clashes.h and sweep.h is called by a C block or by one of docs/examples.
# README.md names each document of docs, README.md and docs/start.md the packages of tools/setup.sh, and docs/cli.md has a heading for each subcommand.
set -u
root=$1 work=$2 cc=$3 flags=$4 libraries=$5 sightline=${6:-}
cxx=$(command -v g++ || command -v clang++ || command -v c++)
faults=0
checked=0

fault() {
    faults=$((faults + 1))
    printf '%s\n' "$*"
}

rm -rf "$work"
mkdir -p "$work/play" "$work/blocks" "$work/bin"
cp "$root/test/data/spot.obj" "$work/play"

# Each block of a document becomes a file LINE.KIND; a text block after C goes to the C block's LINE.
split_blocks() {
    awk -v out="$work/blocks" '
        /^```/ && !inside {
            inside = 1
            kind = substr($0, 4)
            name = sprintf("%s/%05d", out, NR)
            if (kind == "text" && last == "c" && NR - end <= 3) {
                name = c_name
            }
            file = name "." kind
            if (kind == "c") {
                c_name = name
            }
            if (kind != "") {
                printf "" > file
            }
            next
        }
        /^```/ { inside = 0; last = kind; end = NR; if (kind != "") close(file); next }
        inside && kind != "" { print > file }' "$1"
}

# Whether the lines of $2 are what those of $1 say.
matches() {
    awk -v said="$1" '
        function alike(i, j) {
            if (e[i] ~ /\.\.\.$/) {
                return substr(a[j], 1, length(e[i]) - 3) == substr(e[i], 1, length(e[i]) - 3)
            }
            return e[i] == a[j]
        }
        { a[++n] = $0 }
        END {
            while ((getline line < said) > 0) e[++m] = line
            i = j = 1
            star = 0
            while (j <= n) {
                if (i <= m && e[i] == "...") { star = i++; back = j }
                else if (i <= m && alike(i, j)) { i++; j++ }
                else if (star) { i = star + 1; j = ++back }
                else exit 1
            }
            while (i <= m && e[i] == "...") i++
            exit i <= m
        }' "$2"
}

compare() { # WHERE SAID PRINTED
    checked=$((checked + 1))
    if ! matches "$2" "$3"; then
        fault "$1: the document says"
        sed 's/^/    /' "$2"
        echo "  but this is what comes:"
        sed 's/^/    /' "$3"
    fi
}

check_c() { # WHERE BLOCK
    checked=$((checked + 1))
    { echo '#include <sightline/sightline.h>'; cat "$2"; } >"$work/snippet.c"
    how=-c
    if grep -q 'int main(' "$2"; then
        how="$libraries -lm -pthread"
    fi
    # shellcheck disable=SC2086 # lists of words
    if ! $cc $flags -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$root/lib/include" \
        -I"$root/bvh/include" -o "$work/snippet" "$work/snippet.c" $how \
        >"$work/log" 2>&1; then
        fault "$1: does not compile:"
        cat "$work/log"
    elif [ "$how" != -c ] && [ -e "${2%.c}.text" ]; then
        (cd "$work/play" && ../snippet) >"$work/printed" 2>&1
        compare "$1" "${2%.c}.text" "$work/printed"
    fi
    case $1 in
    README.md:* | docs/start.md:*) [ -z "$cxx" ] || check_cxx "$1" ;;
    esac
}

# The snippet that check_c has left.
check_cxx() { # WHERE
    checked=$((checked + 1))
    if ! "$cxx" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$root/lib/include" \
        -I"$root/bvh/include" -fsyntax-only "$work/snippet.c" >"$work/log" 2>&1; then
        fault "$1: does not compile as C++:"
        cat "$work/log"
    fi
}

check_console() { # WHERE BLOCK
    : >"$work/said"
    command=
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '$ '*)
            [ -z "$command" ] || compare "$1: $command" "$work/said" "$work/printed"
            command=${line#??}
            : >"$work/said"
            (cd "$work/play" && PATH=$work/bin:$PATH sh -c "$command") \
                >"$work/printed" 2>&1 </dev/null
            ;;
        *) printf '%s\n' "$line" >>"$work/said" ;;
        esac
    done <"$2"
    [ -z "$command" ] || compare "$1: $command" "$work/said" "$work/printed"
}

check_document() {
    rm -f "$work"/blocks/*
    split_blocks "$1"
    for block in "$work"/blocks/*.*; do
        [ -e "$block" ] || continue
        line=${block##*/}
        where=${1#"$root"/}:${line%.*}
        case $block in
        *.c) check_c "$where" "$block" ;;
        *.console) [ -z "$sightline" ] || check_console "$where" "$block" ;;
        esac
    done
    for link in $(grep -o '](\([^)#:]*\))' "$1" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$1")/$link" ] || fault "${1#"$root"/}: links to $link, which is not there"
    done
    for file in $(grep -oE '`(lib|bvh|tools|test|docs)/[A-Za-z0-9_/]+\.[a-z]+`' "$1" | tr -d '`'); do
        case $file in
        */xyz.* | */*_xyz.* | */x.* | */*_x.* | *a_b.*) ;;
        *) [ -e "$root/$file" ] || fault "${1#"$root"/}: names $file, which is not there" ;;
        esac
    done
}

if [ -n "$sightline" ]; then
    ln -s "$sightline" "$work/bin/sightline"
    for name in $("$sightline" --help | awk '/^  [a-z]+ / { print $1 }'); do
        grep -q "^## $name\$" "$root/docs/cli.md" || fault "docs/cli.md has no heading for $name"
    done
else
    echo "the command is not built: what the documents type into a shell is skipped"
fi
for document in "$root/README.md" "$root"/docs/*.md "$root"/docs/notes/*.md; do
    # Types and calls on the page of the whole face are no programs.
    [ "${document##*/}" = api.md ] || check_document "$document"
done
for document in "$root/README.md" "$root"/docs/*.md; do
    [ "${document##*/}" = api.md ] || awk '/^```/ { in_c = /^```c$/; next } in_c' "$document"
done | cat - "$root"/docs/examples/*.c >"$work/called"
for header in lib/include/sightline/contact.h bvh/include/sightline/clash.h \
    bvh/include/sightline/clashes.h bvh/include/sightline/sweep.h; do
    for name in $(sed -nE 's/^(SL_API|static inline) .*[ *](sl_[a-z_]*)\(.*/\2/p' "$root/$header"); do
        checked=$((checked + 1))
        grep -qE "(^|[^a-z_])$name\(" "$work/called" || fault "no example calls $name of $header"
    done
done
setup="apt-get install -y --no-install-recommends $(sh "$root/tools/setup.sh" --list)"
for document in "$root"/docs/*.md; do
    grep -qF "(docs/${document##*/})" "$root/README.md" ||
        fault "README.md does not name docs/${document##*/}"
done
for document in README.md docs/start.md; do
    grep -qxF "    $setup" "$root/$document" || fault "$document does not say: $setup"
done

echo "$checked things the documents show were tried, $faults faults found"
[ "$faults" = 0 ] && [ "$checked" -gt 0 ]

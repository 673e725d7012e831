#!/bin/sh
# format.sh: every C source is as clang-format 19 lays it out by .clang-format, no line of one, comments
# included, has more than 100 columns, each comment of lib, bvh and tools ends its own sentence: none ends in
# a colon, a comma or a semicolon, to go on in the code or in the next comment; and no function of one file has the name of
# one that files share.  A part of .ci/run.
#
#     sh .ci/format.sh          names what is not, and fails
#     sh .ci/format.sh --fix    lays it out; long lines and comments are still only named
#
# Needs clang-format-19 (Debian: clang-format-19) and a checkout of git.
set -eu
cd "$(dirname -- "$0")/.."

# Quoted: git matches these in every folder.
sources() {
    git ls-files -- "${1:-}*.c" "${1:-}*.h" "${1:-}*.inl" "${1:-}*.cpp"
}

status=0
if [ "${1:-}" = --fix ]; then
    sources | xargs clang-format-19 -i
elif sources | xargs clang-format-19 --dry-run --Werror 2>&1 | grep -E '^[^ ]+: error' >&2; then
    echo "format: the lines above are laid out otherwise; sh .ci/format.sh --fix lays them out" >&2
    status=1
fi
if sources | xargs grep -nE '^.{101,}' /dev/null >&2; then
    echo "format: the lines above have more than 100 columns" >&2
    status=1
fi
for folder in lib/ bvh/ tools/; do
    if sources $folder | xargs grep -nE '[:,;] *\*/|as said|of so many' /dev/null >&2; then
        echo "format: each comment above ends in the middle of a sentence, or says \"as said\" or \"of so many\"" >&2
        status=1
    fi
done

# wasm-ld 19 takes the object with the static function out of an archive for the other, and then calls nothing.
both=$(sources | xargs grep -hE '^[a-z].*\bsli_\w+\(' | awk 'match($0, /sli_[a-z0-9_]+\(/) {
    name = substr($0, RSTART, RLENGTH - 1)
    kind = $1 == "static" ? "static" : "shared"
    if (name in found && found[name] != kind) print name
    found[name] = kind
}')
if [ -n "$both" ]; then
    echo "format: these name a static function and a shared one:" $both >&2
    status=1
fi
exit $status

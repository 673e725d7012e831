#!/bin/sh
# format.sh: every C source is as clang-format 19 lays it out by .clang-format, and no line of one, comments
# included, has more than 100 columns.  A part of .ci/run.
#
#     sh .ci/format.sh          names what is not, and fails
#     sh .ci/format.sh --fix    lays it out; lines that are too long are still only named
#
# Needs clang-format-19 (Debian: clang-format-19) and a checkout of git.
set -eu
cd "$(dirname -- "$0")/.."

# Quoted: git matches these in every folder.
sources() {
    git ls-files -- '*.c' '*.h' '*.inl' '*.cpp'
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
exit $status

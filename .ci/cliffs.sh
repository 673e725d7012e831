#!/bin/sh
# cliffs.sh: searches for cases where queries are much slower than they have to be, by the limits of
# docs/notes/cliffs.md.
#
#     sh .ci/cliffs.sh BUILD [SECONDS [MESH...]]     600 seconds unless told otherwise
#
# BUILD is a folder built in Release with tests; nothing else should run, since half of the measures take times.
# First the known cases, then the search, over generated meshes and those given, each by itself and as worlds of
# instances.  Each run searches elsewhere; SEED=7
# is the same search again, as far as times allow.  OPTIONS goes to the program (test/cliffs/cliffs.c), such as
# OPTIONS="--measure plain,shared" or "--kinds world".  Ends in failure where there is a cliff, each with a line to replay it.
set -eu
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
cliffs=$1/test/cliffs seconds=${2:-600}
shift
[ $# -eq 0 ] || shift
seed=${SEED:-$(date +%s)}

status=0
"$cliffs" --known "$root/test/cliffs/known.txt" || status=$?
echo "== search, SEED=$seed"
# shellcheck disable=SC2086 # OPTIONS has words
"$cliffs" --seconds "$seconds" --seed "$seed" ${OPTIONS:-} "$@" || status=$?
exit "$status"

#!/bin/sh
# cases.sh: the 65 classical cases: which tests stand for each, and whether they pass.
#
#     sh test/cases.sh BUILD     the build folder, with the test programs in BUILD/test
#     sh test/cases.sh           runs nothing: only whether each case has a test that is run
#
# A case's tests are those whose names begin with case_NN_.  Each gets a line; all programs that have
# such are run, which takes a minute.  Fails where a test fails, where one is written but not run, and
# where a case has none.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:+$(cd "$1" && pwd)}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: >"$work/wanted" >"$work/outcomes" >"$work/statuses"

for source in $(grep -rlE --include='test_*.c' '^TEST\(case_[0-9]' "$root/test"); do
    folder=${source#"$root/test/"}
    folder=${folder%%/*}
    sed -nE 's/^TEST\((case_[0-9][0-9]_[a-z0-9_]*)\)$/\1/p' "$source" |
        sed "s|\$| $folder/$(basename "$source")|" >>"$work/wanted"
    [ -n "$build" ] || continue
    "$build/test/${folder}_$(basename "$source" .c)" >"$work/log" 2>&1
    echo "$folder/$(basename "$source") $?" >>"$work/statuses"
    sed -nE 's/^\[ +(OK|FAILED|SKIPPED) +\] (case_[0-9][0-9]_[a-z0-9_]*).*/\2 \1/p' "$work/log" |
        sort -u >>"$work/outcomes"
done

awk -v ran="$build" '
    FILENAME ~ /outcomes$/ { if (outcome[$1] != "FAILED") outcome[$1] = $2; next }
    {
        number = substr($1, 6, 2) + 0
        words = substr($1, 9)
        gsub(/_/, " ", words)
        result = $1 in outcome ? tolower(outcome[$1]) : ran ? "not run" : "listed"
        sub(/^ok$/, "pass", result)
        bad += result != "pass" && result != "listed"
        lines[number] = lines[number] sprintf("%02d  %-7s  %s  (%s)\n", number, result, words, $2)
    }
    END {
        for (i = 1; i <= 65; i++) {
            if (i in lines) { printf "%s", lines[i]; covered++ }
            else { printf "%02d  no test\n", i }
        }
        printf "%d of 65 cases have tests; %d tests are not run or do not pass\n", covered, bad
        exit covered < 65 || bad > 0
    }' "$work/outcomes" "$work/wanted"
status=$?
grep -v ' 0$' "$work/statuses" | sed 's/ \([0-9]*\)$/ ended with status \1/' >"$work/ends"
cat "$work/ends"
[ ! -s "$work/ends" ] || status=1
exit $status

#!/bin/sh
# jobs.sh: measures users' jobs on this machine, next to Embree, and writes the figures into the table of docs/benchmarks.md;
# half an hour for thirteen meshes, in which nothing else should run.
#
#     sh .ci/jobs.sh BUILD FOLDER MESH...
#
# BUILD is a folder built in Release.  FOLDER/jobs.csv keeps what has been measured: a second run goes on from there.
# PYTHON=python3, which has Open3D, libigl, trimesh and embreex, measures the rows py.*, too, where BUILD has the package.
# RAYS=262144 and ROUNDS=5 take longer.
set -eu
build=$1 folder=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
[ $# -eq 0 ] || "$build/tools/sightline" bench --jobs --against embree --rays "${RAYS:-32768}" --rounds "${ROUNDS:-3}" \
    --resume "$folder/jobs.csv" -o "$folder/jobs.txt" "$@"
if [ $# -gt 0 ] && [ -n "${PYTHON:-}" ]; then
    PYTHONPATH=$build/tools/python "$PYTHON" "$root/test/python/bench/jobs.py" "$@" >"$folder/python.csv"
fi

# A line of the table begins with the name of its row, which the rest of the cells are computed from.
table=$root/docs/benchmarks.md
set -- "$folder/jobs.csv"
[ ! -e "$folder/python.csv" ] || set -- "$@" "$folder/python.csv"
awk '
    function add(what, value) { if (value > 0) { logs[row, what] += log(value); count[row, what]++ } }
    function mean(what) { return exp(logs[row, what] / count[row, what]) }
    function cell(what) { return count[row, what] ? sprintf("%.3g", mean(what)) : "" }
    function timed(what) { return count[row, what] ? cell(what) " " unit[row] : "" }
    FNR == 1 { file++ }
    file < ARGC - 1 && FNR == 1 { split("", at); n = split($0, names, ","); for (i = 1; i <= n; i++) at[names[i]] = i; next }
    file < ARGC - 1 {
        split($0, cells, ",")
        row = cells[at["row"]]
        unit[row] = cells[at["unit"]] == "us" ? "µs" : cells[at["unit"]]
        add("ours", cells[at["ours"]]); add("peer", cells[at["peer"]])
        ratio = cells[at["ratio"]]; add("ratio", ratio)
        if ("robust_ratio" in at) add("robust", cells[at["robust_ratio"]])
        if (ratio > 0 && (!(row in least) || ratio < least[row])) {
            least[row] = ratio; scene[row] = cells[at["scene"]]; sub(/\.[a-z]*$/, "", scene[row])
        }
        next
    }
    { row = $0; sub(/^\| /, "", row); sub(/ \|.*/, "", row) }
    (row in unit) && $0 ~ /^\| [a-z0-9]+\.[a-z0-9]+ \|/ {
        split($0, cells, " [|] ")
        worst = count[row, "ratio"] > 1 ? sprintf(" (%.3g %s)", least[row], scene[row]) : ""
        print "| " row " | " cells[2] " | " timed("ours") " | " timed("peer") " | " cell("ratio") worst " | " cell("robust") " |"
        next
    }
    { print }' "$@" "$table" >"$folder/benchmarks.md"
cp "$folder/benchmarks.md" "$table"

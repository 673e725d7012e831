#!/bin/sh
# compare.sh: the speed of two builds of the command, measured in turn, so that a machine whose speed drifts
# treats both alike.  Nothing else should run.
#
#     sh .ci/compare.sh OLD NEW FOLDER MESH...     OLD and NEW are commands: build/release/tools/sightline
#
# Measures each MESH REPEAT times (default 3) with both, the first one in turn, RAYS rays a set (default
# 262144), SETS as in bench --sets.  Keeps the tables in FOLDER and prints a line for each row: the geometric
# mean of NEW over OLD (above 1: NEW is faster; seconds and bytes are turned over), that mean for each
# repetition, and the meshes where NEW was worse by more than 5 % in two repetitions or more.
set -eu
old=$1 new=$2 folder=$3
shift 3
mkdir -p "$folder"

measure() { # NAME COMMAND MESH
    "$2" bench --csv --rounds 3 --rays "${RAYS:-262144}" ${SETS:+--sets "$SETS"} "$3" >"$folder/$1.csv"
}

i=0
while [ "$i" -lt "${REPEAT:-3}" ]; do
    m=0
    for mesh in "$@"; do
        m=$((m + 1))
        if [ $(((i + m) % 2)) = 0 ]; then
            measure "old-$m-$i" "$old" "$mesh"
            measure "new-$m-$i" "$new" "$mesh"
        else
            measure "new-$m-$i" "$new" "$mesh"
            measure "old-$m-$i" "$old" "$mesh"
        fi
    done
    i=$((i + 1))
done

awk -F, -v repeat="${REPEAT:-3}" '
    FNR == 1 {
        name = FILENAME
        sub(/.*\//, "", name)
        split(name, part, /[-.]/)
        for (c = 1; c <= NF; c++) column[$c] = c
        next
    }
    {
        row = $column["row"]
        if ($column["scene"] == "lattice" && part[2] != 1) next
        key = row SUBSEP part[2] SUBSEP part[3]
        value[part[1], key] = $column["ours"]
        unit[row] = $column["unit"]
        scene[part[2]] = $column["scene"] == "lattice" ? scene[part[2]] : $column["scene"]
        if (!(row in seen)) { seen[row] = 1; order[++rows] = row }
        if (part[2] > meshes) meshes = part[2]
    }
    END {
        printf "%-10s %6s  %s\n", "row", "mean", "each repetition; worse by over 5 % in two or more"
        for (r = 1; r <= rows; r++) {
            row = order[r]; all = n = 0; each = ""; bad = ""
            for (i = 0; i < repeat; i++) { sum[i] = 0; many[i] = 0 }
            for (m = 1; m <= meshes; m++) {
                below = 0
                for (i = 0; i < repeat; i++) {
                    key = row SUBSEP m SUBSEP i
                    if (!(("old", key) in value) || value["old", key] <= 0) continue
                    q = value["new", key] / value["old", key]
                    if (unit[row] == "s" || unit[row] == "B/tri") q = 1 / q
                    sum[i] += log(q); many[i]++; all += log(q); n++
                    below += q < 0.95
                }
                if (below >= 2) bad = bad " " scene[m]
            }
            if (n == 0) continue
            for (i = 0; i < repeat; i++) each = each sprintf(" %.3f", exp(sum[i] / many[i]))
            printf "%-10s %6.3f %s%s\n", row, exp(all / n), each, bad == "" ? "" : "  worse:" bad
        }
    }' "$folder"/old-*.csv "$folder"/new-*.csv

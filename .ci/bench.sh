#!/bin/sh
# bench.sh: all of docs/benchmarks.md but its jobs (jobs.sh) on this machine, next to Embree; two hours for thirteen
# meshes, in which nothing else should run.
#
#     sh .ci/bench.sh BUILD FOLDER MESH...
#
# BUILD is a folder built in Release.  Writes FOLDER/JOB.csv and the tables, FOLDER/JOB.txt, of each job; a second run
# goes on where the first one ended.  JOBS="default growth" does only those, ROUNDS=5 takes longer.
set -eu
sightline=$1/tools/sightline folder=$2
shift 2
mkdir -p "$folder"

bench() {
    "$sightline" bench --against embree --rounds "${ROUNDS:-3}" --resume "$folder/$job.csv" \
                 -o "$folder/$job.txt" "$@"
}

for job in ${JOBS:-default high fast compact avx2 sse42 needles growth}; do
    echo "== $job"
    case $job in
    default | high) bench --quality "$job" "$@" ;;
    fast) bench --quality fast --sets build "$@" ;;
    compact) bench --layout compact --rays 32768 \
                   --sets build,primary,diffuse,diffany,random,losbox,ptnear "$@" ;;
    needles) bench --needles --rays 16384 ;;
    growth) bench --grow 1e7 --rays 65536 ;;
    *) bench --isa "$job" --rays 32768 \
             --sets primary,diffuse,diffshuf,diffany,ao,random,losbox,loslocal,ptnear,ptbox "$@" ;;
    esac
done

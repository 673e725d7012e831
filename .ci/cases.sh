# cases.sh: the cases of the command (test/cli) where it runs under an emulator; sourced.

# run_cases NAME EMULATOR... -- CASE...: those that are named, by the command of $build with the
# emulator in front of it.  NAME is said at the end.
run_cases() {
    name=$1
    shift
    mkdir -p "$build/emulated"
    {
        printf '#!/bin/sh\nexec'
        while [ "$1" != -- ]; do
            printf ' "%s"' "$1"
            shift
        done
        printf ' "$@"\n'
    } >"$build/emulated/sightline"
    chmod +x "$build/emulated/sightline"
    shift
    count=0
    for case in "$@"; do
        status=0
        sh "$root/test/cli/run.sh" "$build/emulated/sightline" "$root/test/cli/$case.sh" || status=$?
        [ "$status" = 77 ] && continue
        [ "$status" = 0 ] || exit "$status"
        count=$((count + 1))
    done
    say "$name: $count cases of the command give the same text"
}

# The names of all but those that are named.
cases_but() {
    for case in "$root"/test/cli/*.sh; do
        short=$(basename "$case" .sh)
        case " run $* " in *" $short "*) ;; *) echo "$short" ;; esac
    done
}

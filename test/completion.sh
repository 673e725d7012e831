#!/bin/sh
# completion.sh: what a shell completes behind 'sightline', typed at a terminal of its own.
#
#     sh completion.sh SIGHTLINE SHELL WORK
#
# Skipped, status 77, where the shell (or script, which makes the terminal) is not here.
set -eu
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shell=$2
work=$3
for needed in "$shell" script; do
    command -v "$needed" >/dev/null || { echo "skipped: there is no $needed" && exit 77; }
done
rm -rf "$work"
mkdir -p "$work/bin" "$work/_here"
cd "$work/_here"
: >scan.obj
ln -s "$command" ../bin/sightline
PATH=$work/bin:$PATH
HOME=$work
TERM=dumb
export PATH HOME TERM
sightline completion "$shell" >../completions

# Runs the keys of a line at a terminal; what the words have become is in the file typed.
type_keys() { # KEYS
    rm -f typed
    case $shell in
    bash)
        start='bash --norc --noprofile -i'
        printf '. ../completions\nsightline() { echo "$@" >typed; }\n' >../setup
        ;;
    zsh)
        start='zsh -f -i'
        printf 'autoload -Uz compinit; compinit -u -D; . ../completions\nsightline() { echo "$@" >typed; }\n' >../setup
        ;;
    esac
    {
        echo '. ../setup'
        sleep 1
        printf '%b\n' "$1"
        sleep 1
        echo exit
    } | script -qec "$start" /dev/null >../terminal 2>&1 || true
    cat typed
}

expect() { # KEYS WORDS
    if [ "$shell" = fish ]; then
        # The last word of each row of candidates; fish has an engine to ask.
        got=
        line=$(printf '%s' "$1" | sed 's/\\t.*//')
        first=$(fish --no-config -c "source ../completions; complete -C '$line'" | head -n 1 | cut -f 1)
        wanted=$(printf '%s' "$2" | awk -v n="$(printf '%s' "$line" | wc -w)" '{ print $(n - 1) }')
        [ "$first" = "$wanted" ] || { echo "$line: '$first' instead of '$wanted'" && exit 1; }
        return
    fi
    got=$(type_keys "$1")
    [ "$got" = "$2" ] || { echo "$1 became '$got' instead of '$2'" && cat ../terminal && exit 1; }
}

expect 'sightline compl\t z\t' 'completion zsh'
expect 'sightline cast --mod\t clos\t' 'cast --mode closest'
expect 'sightline cast --mode=clos\t' 'cast --mode=closest'
expect 'sightline nearest sc\t --poin\t' 'nearest scan.obj --point'
expect 'sightline check --repa\t sc\t' 'check --repair scan.obj'

# setup.sh: what tools/demo.sh and test/check.sh have in common; they source it.
#
# Defines   root       the source folder
#           say        a line on stderr
#           say_duration WHAT SECONDS   about how long it takes; SECONDS are those of one processor
#           with_beat WHAT COMMAND...   runs it, with a line at least every 20 s
#           install_missing WHAT   packages for "build", "test", "ci" or "web", on Debian
#           choose_folders         sets build and pictures
#           configure OPTION...    and
#           compile OPTION...      in $build; options go to cmake --build
#           run_tests OPTION...    of ctest, in $build; then why tests were skipped
#           print_version          of the project
# By itself,  sh tools/setup.sh --list  prints the packages that the README names, and --version the version.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

# Each word is PACKAGE, or COMMAND,COMMAND:PACKAGE where any of the commands will do instead.
build_packages='cc,gcc,clang:gcc libc6-dev cmake:cmake ninja,make:make libcglm-dev libxxhash-dev libpng-dev
    libjansson-dev zlib1g-dev libmeshoptimizer-dev libzip-dev'
test_packages='c++,g++,clang++:g++ pkg-config,pkgconf:pkg-config libcmocka-dev libgmp-dev locales scdoc'
ci_packages='gcc:gcc clang:clang clang-19:clang-19 libclang-rt-19-dev aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    qemu-aarch64,qemu-aarch64-static:qemu-user python3-dev python3-numpy python3-pytest python3-hypothesis'

web_packages='clang-19:clang-19 lld-19 llvm-19 libclang-rt-19-dev-wasm32 wasi-libc'

say() {
    printf '%s\n' "$*" >&2
}

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

say_duration() {
    say "$1 takes about $((($2 + 30 * jobs) / (60 * jobs) + 1)) minutes on $jobs idle processors, less where it is built already"
}

# Says how long it has been where nothing was shown for so many seconds: where the number in $build/.shown, which is
# of what is shown, stands still.
patience=12
beat() {
    quiet=0 passed=0 last=
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        now=$(cat "${build:-}/.shown" 2>/dev/null || true)
        quiet=$((quiet + 1)) passed=$((passed + 1))
        [ "$now" = "$last" ] || quiet=0
        last=$now
        if [ "$quiet" -ge "$patience" ]; then
            say "      $1: $passed s so far"
            quiet=0
        fi
    done
}

with_beat() {
    beat "$1" &
    beating=$!
    shift
    beat_status=0
    "$@" || beat_status=$?
    kill "$beating" 2>/dev/null || true
    return "$beat_status"
}

# Runs a command whose output is only of use where it fails.
quietly() {
    quiet_log=$(mktemp)
    quiet_status=0
    "$@" >"$quiet_log" 2>&1 || quiet_status=$?
    [ "$quiet_status" = 0 ] || cat "$quiet_log" >&2
    rm -f "$quiet_log"
    return "$quiet_status"
}

package_names() {
    for word in $1; do
        printf '%s ' "${word##*:}"
    done
}

is_there() { # one word of the lists above
    case $1 in
    *:*)
        for name in $(printf '%s' "${1%%:*}" | tr ',' ' '); do
            if command -v "$name" >/dev/null 2>&1; then
                return 0
            fi
        done
        return 1
        ;;
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
    esac
}

# Nothing is downloaded, and no rights are asked for, when nothing is missing.
install_missing() {
    case $1 in
    build) words=$build_packages ;;
    test) words="$build_packages $test_packages" ;;
    ci) words="$build_packages $test_packages $ci_packages" ;;
    web) words="$build_packages $web_packages" ;;
    esac
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "This is no Debian, so nothing is installed here; needed are what Debian calls:"
        say "  $(package_names "$words")"
        return 0
    fi
    missing=
    for word in $words; do
        is_there "$word" || missing="$missing ${word##*:}"
    done
    [ -n "$missing" ] || return 0

    line="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        say "Some packages are missing, and installing them takes root's rights.  Run this as root:"
        say "  apt-get update && $line"
        say "then try again."
        exit 1
    fi
    say "installing:$missing"
    # A list that cannot be fetched may still be good enough.
    with_beat 'apt-get update' quietly $as_root apt-get -q update ||
        say "apt-get update failed; trying with the lists that are here"
    # shellcheck disable=SC2086 # both are lists of words
    if ! with_beat 'apt-get install' quietly $as_root env DEBIAN_FRONTEND=noninteractive $line; then
        say "the packages could not be installed; this is what was tried:"
        say "  $line"
        exit 1
    fi
}

owner_of() {
    ls -ldn -- "$1" 2>/dev/null | awk '{ print $3 }'
}

# In the checkout if that is ours to write to, else in a folder of our own beside all others'.
choose_folders() {
    user=$(id -u)
    base=$root
    if [ ! -w "$root" ]; then
        reason="$root cannot be written to"
    elif [ -e "$root/build" ] && [ "$(owner_of "$root/build")" != "$user" ]; then
        reason="$root/build is another user's"
    elif [ -e "$root/build" ] && [ ! -w "$root/build" ]; then
        reason="$root/build cannot be written to"
    else
        reason=
    fi
    if [ -n "$reason" ]; then
        base=${TMPDIR:-/tmp}/sightline-$user
        say "$reason: building under $base instead"
        mkdir -p -m 700 "$base" || exit 1
        if [ -L "$base" ] || [ "$(owner_of "$base")" != "$user" ]; then
            say "$base is another user's; set TMPDIR to a folder of yours"
            exit 1
        fi
    fi
    build=$base/build/scripts
    pictures=$base/demo-pictures

    # A folder that was made for another checkout is of no use for this one.
    if [ -e "$build/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
        say "$build was made for other sources: starting anew"
        rm -rf "$build"
    fi
}

configure() {
    set -- -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DSIGHTLINE_TOOLS=ON "$@"
    if [ ! -e "$build/CMakeCache.txt" ] && command -v ninja >/dev/null 2>&1; then
        set -- -G Ninja "$@"
    fi
    mkdir -p "$build" || exit 1
    say "configuring $build"
    if ! cmake "$@" >"$build/configure.log" 2>&1; then
        cat "$build/configure.log" >&2
        exit 1
    fi
}

# lib/CMakeFiles/sightline.dir/__/bvh/query/ray.c.o -> bvh/query/ray.c
source_name() {
    name=${1%.o}
    case $name in
    */CMakeFiles/*.dir/__/*) name=${name#*.dir/__/} ;;
    */CMakeFiles/*.dir/*) name=${name%%/CMakeFiles/*}/${name#*.dir/} ;;
    esac
    printf '%s' "$name"
}

# Keeps what ninja or make says in $build/build.log, and shows on stderr how far they are: a line for each
# twentieth of the work, with the file that was just done.
show_steps() {
    next=0
    while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        step=${line#\[}
        step=${step%%\]*}
        case $line in
        \[0/*) continue ;; # ninja looks for new files
        \[*/*\]*) percent=$((100 * ${step%%/*} / ${step##*/})) ;;
        \[*%\]*) percent=${step%\%} percent=${percent##* } ;;
        *) continue ;;
        esac
        if [ "$percent" -ge "$next" ]; then
            printf '%3d %%  %s\n' "$percent" "$(source_name "${line##* }")" >&2
            echo "$percent" >"$build/.shown"
            next=$((percent - percent % 5 + 5))
        fi
    done 3>"$build/build.log"
}

# A command whose lines go through another one; the status is its own.
through() { # FILTER COMMAND...
    filter=$1
    shift
    {
        status=0
        "$@" 2>&1 || status=$?
        echo "$status" >"$build/.status"
    } | "$filter"
    return "$(cat "$build/.status")"
}

compile() {
    say "building in $build, $jobs at a time"
    if ! with_beat 'building' through show_steps cmake --build "$build" -j "$jobs" "$@"; then
        cat "$build/build.log" >&2
        say "the build failed; the whole log is $build/build.log"
        exit 1
    fi
}

show_tests() {
    count=0
    while IFS= read -r line; do
        printf '%s\n' "$line"
        count=$((count + 1))
        echo "$count" >"$build/.shown"
    done
}

# "cli/schedulers: there is no /usr/bin/parallel", of tests that were skipped, whole or in part.
say_skipped() {
    awk '/^[0-9]+\/[0-9]+ Testing: / { name = $3 }
         /^\[/ { next }
         /skipped: / || /: skipped/ || /^SKIPPED \[/ || / # SKIP ./ {
             sub(/^.*([Ss]kipped:|# SKIP) /, ""); sub(/: skipped.*/, ""); sub(/^SKIPPED \[[0-9]+\] /, "")
             print "skipped: " name ": " $0
         }' "$build/Testing/Temporary/LastTest.log" 2>/dev/null | sort -u >&2
}

run_tests() {
    tests_status=0
    (cd "$build" && with_beat 'testing' through show_tests ctest --output-on-failure -j "$jobs" "$@") || tests_status=$?
    say_skipped
    return "$tests_status"
}

# The version stands in one place, the header that users see.
print_version() {
    sed -n 's/^#define SL_VERSION_[MP][A-Z]* *//p' "$root/lib/include/sightline/base.h" | paste -sd. -
}

case $0 in
*/setup.sh | setup.sh)
    case ${1:-} in
    --list)
        package_names "$build_packages $test_packages" | sed 's/ $//'
        echo
        ;;
    --version) print_version ;;
    *)
        say "usage: sh tools/setup.sh --list|--version"
        exit 2
        ;;
    esac
    ;;
esac

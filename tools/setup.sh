# setup.sh: what tools/demo.sh and test/check.sh have in common; they source it.
#
# Defines   root       the source folder
#           say        a line on stderr
#           install_missing WHAT   packages for "build", "test" or "ci", on Debian
#           choose_folders         sets build and pictures
#           configure OPTION...    and
#           compile OPTION...      in $build; options go to cmake --build
# By itself,  sh tools/setup.sh --list  prints the packages that the README names.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

# Each word is PACKAGE, or COMMAND,COMMAND:PACKAGE where any of the commands will do instead.
build_packages='cc,gcc,clang:gcc libc6-dev cmake:cmake ninja,make:make libcglm-dev libxxhash-dev libpng-dev
    libjansson-dev zlib1g-dev libmeshoptimizer-dev'
test_packages='c++,g++,clang++:g++ pkg-config,pkgconf:pkg-config libcmocka-dev libgmp-dev locales scdoc'
ci_packages='gcc:gcc clang:clang clang-19:clang-19 libclang-rt-19-dev aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    qemu-aarch64,qemu-aarch64-static:qemu-user python3-dev python3-numpy python3-pytest python3-hypothesis'

say() {
    printf '%s\n' "$*" >&2
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
    $as_root apt-get -q update >&2 || say "apt-get update failed; trying with the lists that are here"
    # shellcheck disable=SC2086 # both are lists of words
    if ! $as_root env DEBIAN_FRONTEND=noninteractive $line >&2; then
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

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

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
            next=$((percent - percent % 5 + 5))
        fi
    done 3>"$build/build.log"
}

compile() {
    say "building in $build, $jobs at a time"
    {
        status=0
        cmake --build "$build" -j "$jobs" "$@" 2>&1 || status=$?
        echo "$status" >"$build/build.status"
    } | show_steps
    if [ "$(cat "$build/build.status")" != 0 ]; then
        cat "$build/build.log" >&2
        say "the build failed; the whole log is $build/build.log"
        exit 1
    fi
}

case $0 in
*/setup.sh | setup.sh)
    if [ "${1:-}" = --list ]; then
        package_names "$build_packages $test_packages" | sed 's/ $//'
        echo
    else
        say "usage: sh tools/setup.sh --list"
        exit 2
    fi
    ;;
esac

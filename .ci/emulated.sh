# emulated.sh: building for another machine and running there, for arm64.sh and i386.sh, which source it after they have set
#
#     name      of the machine as Debian calls it, and of the folder to build in
#     machine   as the compiler and qemu call it
#     emulator  where it is not qemu
#
# apt downloads libraries for it into the build folder; nothing is installed.  Arguments go to ctest, and nothing
# else is run then.
# It skips, with status 0 and a line that says so, where a tool is missing.  SIGHTLINE_MACHINE_ROOT:
# a folder that has the libraries, not to download them.
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
# shellcheck source=.ci/cases.sh
. "$(dirname -- "$0")/cases.sh"

skip() {
    say "$name: skipped: $*"
    exit 0
}

emulator=${emulator:-$(command -v "qemu-$machine" || command -v "qemu-$machine-static" || true)}
command -v "$machine-linux-gnu-gcc" >/dev/null 2>&1 ||
    skip "there is no $machine-linux-gnu-gcc (Debian: gcc-$machine-linux-gnu libc6-dev-$name-cross)"
[ -n "$emulator" ] || skip "there is no qemu-$machine (Debian: qemu-user)"
[ -e "/usr/$machine-linux-gnu/include/stdio.h" ] ||
    skip "there is no C library for the cross compiler (Debian: libc6-dev-$name-cross)"

packages='libcmocka-dev libcmocka0 libgmp-dev libpng-dev zlib1g-dev libjansson-dev libcglm-dev libxxhash-dev'
choose_folders
build=${build%/scripts}/ci-$name

# An apt with lists and a cache of its own, for which this is the other machine.
foreign_apt() { # FOLDER COMMAND PACKAGES
    # shellcheck disable=SC2086 # a list of words
    apt-get -q -o "APT::Architecture=$name" -o "APT::Architectures::=$name" -o Dir::State="$1" \
        -o Dir::State::status="$1/status" -o Dir::Cache="$1/cache" -o APT::Sandbox::User=root \
        "$2" $3
}

download_libraries() { # into the folder $1
    work=$1.apt
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    # A list that cannot be fetched may still be good enough.
    foreign_apt "$work" update '' >&2 || say "$name: apt-get update failed; trying with the lists that are here"
    (cd "$work" && foreign_apt "$work" download "$packages") >&2 || return 1
    for package in "$work"/*.deb; do
        dpkg -x "$package" "$work/root"
    done
    # Static ones need no others at run time, and links among the shared ones lead out of the folder.
    for archive in "$work"/root/usr/lib/*/*.a; do
        rm -f "${archive%.a}.so"
    done
    mv "$work/root" "$1"
}

if [ -z "${SIGHTLINE_MACHINE_ROOT:-}" ]; then
    SIGHTLINE_MACHINE_ROOT=$build.libraries
    if [ ! -d "$SIGHTLINE_MACHINE_ROOT" ]; then
        command -v apt-get >/dev/null 2>&1 ||
            skip "no apt-get to download libraries with; set SIGHTLINE_MACHINE_ROOT"
        download_libraries "$SIGHTLINE_MACHINE_ROOT" ||
            skip "apt-get could not download $packages for $name"
    fi
fi
export SIGHTLINE_MACHINE_ROOT

say "== $name"
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON -DCMAKE_TOOLCHAIN_FILE="$root/.ci/$machine.cmake"
compile

run_tests() {
    ctest --test-dir "$build" --output-on-failure --timeout 1800 -j "$jobs" "$@"
}

if [ $# -gt 0 ]; then
    run_tests "$@"
    exit
fi

#!/bin/sh
# arm64.sh: the same bits on 64-bit ARM: builds everything with Debian's cross compiler, and runs
# tests and the command's cases under qemu.
#
#     sh .ci/arm64.sh                what takes a minute or two
#     sh .ci/arm64.sh -R '^lib/'     arguments go to ctest; '^(house|package|cli|docs)/' cannot run
#
# Needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user (or qemu-user-static), and skips,
# saying so, where they are missing.  The libraries for that machine are downloaded by apt into the
# build folder; nothing is installed.  SIGHTLINE_ARM64_ROOT: a folder that has them, not to download.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)
skip() {
    say "arm64: skipped: $*"
    exit 0
}
command -v aarch64-linux-gnu-gcc >/dev/null 2>&1 ||
    skip "there is no aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross)"
[ -n "$emulator" ] || skip "there is no qemu-aarch64 (Debian: qemu-user)"
[ -e /usr/aarch64-linux-gnu/include/stdio.h ] ||
    skip "there is no C library for the cross compiler (Debian: libc6-dev-arm64-cross)"

choose_folders
build=${build%/scripts}/ci-arm64

libraries='libcmocka-dev libcmocka0 libgmp-dev libpng-dev zlib1g-dev libjansson-dev libcglm-dev libxxhash-dev'

# An apt with lists and a cache of its own, for which this is an arm64 machine.
arm64_apt() { # FOLDER COMMAND PACKAGES
    # shellcheck disable=SC2086 # a list of words
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$1" \
        -o Dir::State::status="$1/status" -o Dir::Cache="$1/cache" -o APT::Sandbox::User=root \
        "$2" $3
}

download_libraries() { # into the folder $1
    work=$1.apt
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    (arm64_apt "$work" update '' && cd "$work" && arm64_apt "$work" download "$libraries") >&2 ||
        return 1
    for package in "$work"/*.deb; do
        dpkg -x "$package" "$work/root"
    done
    # Static ones need no others at run time, and links among the shared ones lead out of the folder.
    for archive in "$work"/root/usr/lib/aarch64-linux-gnu/*.a; do
        rm -f "${archive%.a}.so"
    done
    mv "$work/root" "$1"
}

if [ -z "${SIGHTLINE_ARM64_ROOT:-}" ]; then
    SIGHTLINE_ARM64_ROOT=$build.libraries
    if [ ! -d "$SIGHTLINE_ARM64_ROOT" ]; then
        command -v apt-get >/dev/null 2>&1 ||
            skip "no apt-get to download libraries with; set SIGHTLINE_ARM64_ROOT"
        download_libraries "$SIGHTLINE_ARM64_ROOT" ||
            skip "apt-get could not download $libraries for arm64"
    fi
fi
export SIGHTLINE_ARM64_ROOT

say "== arm64"
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON \
    -DCMAKE_TOOLCHAIN_FILE="$root/.ci/aarch64.cmake"
compile

run_tests() {
    ctest --test-dir "$build" --output-on-failure --timeout 1800 -j "$jobs" "$@"
}

if [ $# -gt 0 ]; then
    run_tests "$@"
    exit
fi

run_tests -R '^(kernel/kernels|bvh/(one_answer|build|inside|nearest)|lib/(arena|bounds|camera|decimal|defs|exact|file|fpenv|image|load|memory|mesh|number|obj|off|ply|pool|sort|stl|text)|tools/(camera_file|draw|verify))$'
SIGHTLINE_TEST_SCALE=2 # 120,000 rays and segments
export SIGHTLINE_TEST_SCALE
run_tests -R '^bvh/leaks$'

# The cases of the command, by a command of the same name that runs under the emulator.
mkdir -p "$build/emulated"
printf '#!/bin/sh\nexec %s -L /usr/aarch64-linux-gnu "%s" "$@"\n' "$emulator" \
    "$build/tools/sightline" >"$build/emulated/sightline"
chmod +x "$build/emulated/sightline"
cases=0
for case in "$root"/test/cli/*.sh; do
    [ "$case" != "$root/test/cli/run.sh" ] || continue
    status=0
    sh "$root/test/cli/run.sh" "$build/emulated/sightline" "$case" || status=$?
    [ "$status" = 77 ] && continue
    [ "$status" = 0 ] || exit "$status"
    cases=$((cases + 1))
done
say "arm64: $cases cases of the command give the same text"

#!/bin/sh
# windows.sh: the same bits on Windows: builds the library and its portable tests with Debian's mingw-w64
# and runs them under wine.
#
#     sh .ci/windows.sh              a minute or two
#     sh .ci/windows.sh -R '^lib/'   arguments go to ctest
#
# Needs gcc-mingw-w64-x86-64 and wine, and skips, saying so, where they are missing.  The sources of
# cmocka are downloaded by apt into the build folder; cglm and xxHash are headers, those of this machine.
# The command and sightline::io are not there for Windows yet.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

skip() {
    say "windows: skipped: $*"
    exit 0
}
command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1 ||
    skip "there is no x86_64-w64-mingw32-gcc (Debian: gcc-mingw-w64-x86-64)"
command -v wine >/dev/null 2>&1 ||
    skip "there is no wine (Debian: wine)"

choose_folders
build=${build%/scripts}/ci-windows
SIGHTLINE_WINDOWS_ROOT=$build.libraries
WINEPREFIX=$build.wine
WINEDEBUG=-all
export SIGHTLINE_WINDOWS_ROOT WINEPREFIX WINEDEBUG

# An apt with lists of its own, which has the sources as well.
source_apt() { # FOLDER ARGUMENT...
    folder=$1
    shift
    apt-get -q -o Dir::State="$folder" -o Dir::State::status="$folder/status" \
        -o Dir::Cache="$folder/cache" -o Dir::Etc::SourceList="$folder/sources.list" \
        -o Dir::Etc::SourceParts="$folder/sources" -o APT::Sandbox::User=root "$@"
}

download_cmocka() { # into the folder $1
    mkdir -p "$1/lists/partial" "$1/cache/archives/partial" "$1/sources"
    : >"$1/status"
    sed 's/^deb /deb-src /' /etc/apt/sources.list >"$1/sources.list" 2>/dev/null || :
    for list in /etc/apt/sources.list.d/debian*.sources; do
        [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$1/sources/$(basename "$list")"
    done
    (source_apt "$1" update && cd "$1" && source_apt "$1" source --download-only --tar-only cmocka) >&2
}

make_libraries() { # in the folder $1
    work=$1.sources
    download_cmocka "$work" || return 1
    mkdir -p "$work/cmocka" "$work/root/include" "$work/root/lib"
    tar -xf "$work"/cmocka_*.orig.tar.* --strip-components=1 -C "$work/cmocka" || return 1
    cmake -S "$work/cmocka" -B "$work/cmocka.build" -DCMAKE_TOOLCHAIN_FILE="$root/.ci/windows.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DWITH_STATIC_LIB=ON \
        -DUNIT_TESTING=OFF -DWITH_EXAMPLES=OFF >&2 || return 1
    cmake --build "$work/cmocka.build" --target cmocka-static >&2 || return 1
    cp "$work/cmocka.build/src/libcmocka-static.a" "$work/root/lib/libcmocka.a" || return 1
    cp "$work/cmocka/include/cmocka.h" "$work/root/include/" || return 1
    cp -R /usr/include/cglm /usr/include/xxh*.h "$work/root/include/" || return 1
    mv "$work/root" "$1"
}

if [ ! -d "$SIGHTLINE_WINDOWS_ROOT" ]; then
    make_libraries "$SIGHTLINE_WINDOWS_ROOT" || skip "cmocka could not be downloaded and built"
fi

say "== windows"
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_IO=OFF \
    -DCMAKE_TOOLCHAIN_FILE="$root/.ci/windows.cmake"
compile
# One at a time at first: wine makes its folder, and none of the tests should wait for that.
wine wineboot -u >&2 || :
ctest --test-dir "$build" --output-on-failure --timeout 600 -j "$jobs" "$@"

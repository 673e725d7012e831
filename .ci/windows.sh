#!/bin/sh
# windows.sh: the same bits on Windows: builds the libraries, the command and the portable tests with
# Debian's mingw-w64, and runs the tests and the command's cases under wine.
#
#     sh .ci/windows.sh              a few minutes
#     sh .ci/windows.sh -R '^lib/'   arguments go to ctest
#
# Needs gcc-mingw-w64-x86-64 and wine, and skips, saying so, where they are missing.  The sources of
# cmocka, zlib, libpng and jansson are downloaded by apt into the build folder and built there; cglm and
# xxHash are headers, those of this machine.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
# shellcheck source=.ci/cases.sh
. "$(dirname -- "$0")/cases.sh"
# shellcheck source=.ci/sources.sh
. "$(dirname -- "$0")/sources.sh"

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

toolchain=windows.cmake
cc=x86_64-w64-mingw32-gcc
ar=x86_64-w64-mingw32-ar

make_libraries() { # in the folder $1
    made=$1.sources
    download_sources "$made" cmocka zlib libpng1.6 jansson || return 1
    ( # shellcheck disable=SC2030,SC2031 # elsewhere while they are made
        SIGHTLINE_WINDOWS_ROOT=$made/root
        libraries=$made/root
        make_cmocka "$made" &&
            rm -f "$libraries/lib/libcmocka.dll.a" &&
            make_zlib "$made" &&
            make_library "$made" libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF &&
            make_library "$made" jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON \
                -DJANSSON_EXAMPLES=OFF
    ) || return 1
    cp -R /usr/include/cglm /usr/include/xxh*.h "$made/root/include/" || return 1
    mv "$made/root" "$1"
}

if [ ! -d "$SIGHTLINE_WINDOWS_ROOT" ]; then
    make_libraries "$SIGHTLINE_WINDOWS_ROOT" || skip "the libraries could not be downloaded and built"
fi

say "== windows"
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON \
    -DCMAKE_TOOLCHAIN_FILE="$root/.ci/windows.cmake"
compile
# One at a time at first: wine makes its folder, and none of the tests should wait for that.
wine wineboot -u >&2 || :
# A server that ends after each command may do so while the next one looks for it.
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
"$server" -p60 >&2 || :
ctest --test-dir "$build" --output-on-failure --timeout 600 -j "$jobs" "$@"
[ $# = 0 ] || exit 0

# Wine as it is, but for one line on stderr: now and then its own driver process (ntoskrnl.exe, which Debian
# links at 0x31CA90000) falls over when it is stopped, and says so there.
mkdir -p "$build/emulated"
cat >"$build/emulated/wine" <<'EOF'
#!/bin/sh
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
status=0
wine "$@" 2>"$errors" || status=$?
sed '/^wine: Unhandled page fault .* at address 000000031CA/d' "$errors" >&2
exit "$status"
EOF
chmod +x "$build/emulated/wine"

# Not those of names, links, modes, devices and signals that Windows does not have (info, output, output_kept, words),
# of words of the system's own (pick, rays_bad), and of an order between stdout and stderr (overlap).
# shellcheck disable=SC2046 # a list of words
run_cases windows "$build/emulated/wine" "$build/tools/sightline.exe" -- \
    $(cases_but info output output_kept overlap pick rays_bad words)

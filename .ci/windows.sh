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
    lists=$1
    shift
    apt-get -q -o Dir::State="$lists" -o Dir::State::status="$lists/status" \
        -o Dir::Cache="$lists/cache" -o Dir::Etc::SourceList="$lists/sources.list" \
        -o Dir::Etc::SourceParts="$lists/sources" -o APT::Sandbox::User=root "$@"
}

download_sources() { # into the folder $1, of the packages that follow
    to=$1
    shift
    mkdir -p "$to/lists/partial" "$to/cache/archives/partial" "$to/sources"
    : >"$to/status"
    sed 's/^deb /deb-src /' /etc/apt/sources.list >"$to/sources.list" 2>/dev/null || :
    for list in /etc/apt/sources.list.d/debian*.sources; do
        [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$to/sources/$(basename "$list")"
    done
    (source_apt "$to" update && cd "$to" && source_apt "$to" source --download-only --tar-only "$@") >&2
}

# Builds what was downloaded of a package and installs it in the folder that SIGHTLINE_WINDOWS_ROOT names.
make_library() { # FOLDER PACKAGE OPTION...
    sources=$1/$2
    archive=$1/$2_
    shift 2
    mkdir -p "$sources"
    tar -xf "$archive"*.orig.tar.* --strip-components=1 -C "$sources" &&
        cmake -S "$sources" -B "$sources.build" -DCMAKE_TOOLCHAIN_FILE="$root/.ci/windows.cmake" \
            -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
            -DCMAKE_INSTALL_PREFIX="$SIGHTLINE_WINDOWS_ROOT" "$@" >&2 &&
        cmake --build "$sources.build" -j "$jobs" >&2 && cmake --install "$sources.build" >&2
}

# Debian's sources lack what its cmake file wants for Windows.
make_zlib() { # FOLDER
    mkdir -p "$1/zlib" "$1/zlib.build"
    tar -xf "$1"/zlib_*.orig.tar.* --strip-components=1 -C "$1/zlib" || return 1
    for part in adler32 compress crc32 deflate inffast inflate inftrees trees zutil; do
        x86_64-w64-mingw32-gcc -O2 -c "$1/zlib/$part.c" -o "$1/zlib.build/$part.o" >&2 || return 1
    done
    x86_64-w64-mingw32-ar rcs "$SIGHTLINE_WINDOWS_ROOT/lib/libz.a" "$1"/zlib.build/*.o &&
        cp "$1/zlib/zlib.h" "$1/zlib/zconf.h" "$SIGHTLINE_WINDOWS_ROOT/include/"
}

make_libraries() { # in the folder $1
    made=$1.sources
    download_sources "$made" cmocka zlib libpng1.6 jansson || return 1
    ( # shellcheck disable=SC2030,SC2031 # elsewhere while they are made
        SIGHTLINE_WINDOWS_ROOT=$made/root
        make_library "$made" cmocka -DWITH_STATIC_LIB=ON -DUNIT_TESTING=OFF -DWITH_EXAMPLES=OFF &&
            mv "$made/root/lib/libcmocka-static.a" "$made/root/lib/libcmocka.a" &&
            rm -f "$made/root/lib/libcmocka.dll.a" &&
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

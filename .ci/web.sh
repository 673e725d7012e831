#!/bin/sh
# web.sh: the same bits in WebAssembly: builds the modules of tools/web, with SIMD and without, and runs the portable
# tests under Node, and those of the package and of its demo.
#
#     sh .ci/web.sh              every test that applies
#     sh .ci/web.sh --brief      of the code, those that compare kernels and answers: a part of .ci/run
#     sh .ci/web.sh -R '^lib/'   arguments go to ctest, where all kernels are
#
# Installs what is missing but Chromium and Node, whose package in Debian 12 is too old, and skips, saying so, what needs
# them, and what needs npm where its packages cannot be had.  The sources of cmocka, zlib, libpng and jansson are downloaded
# by apt into the build folder and built there.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
# shellcheck source=.ci/sources.sh
. "$(dirname -- "$0")/sources.sh"

skip() {
    say "web: skipped: $*"
    exit 0
}
version=$(node --print 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
[ "$version" -ge 20 ] || skip "there is no node, or one older than 20"
install_missing web
choose_folders
folder=${build%/scripts}

cc=$folder/ci-web.cc
ar=llvm-ar-19
toolchain=wasm.cmake
SIGHTLINE_WASM_ROOT=$folder/ci-web.libraries
export SIGHTLINE_WASM_ROOT

# What libraries and tests take that have no WebAssembly in mind: setjmp of exceptions (wasm/setjmp.h), cmocka's signals.
# The target is named, since libpng runs the preprocessor by itself.
flags="--target=wasm32-wasi -mllvm -wasm-enable-sjlj -mexception-handling -isystem $SIGHTLINE_WASM_ROOT/include
    -Wno-unused-command-line-argument -D_UINTPTR_T -D_UINTPTR_T_DEFINED -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_GETPID
    -D_WASI_EMULATED_PROCESS_CLOCKS"
flags=$(printf '%s' "$flags" | tr -s '\n ' ' ')

make_setjmp() { # and what all of them need
    mkdir -p "$libraries/include" "$libraries/lib"
    printf '#!/bin/sh\nexec clang-19 --target=wasm32-wasi "$@"\n' >"$cc"
    chmod +x "$cc"
    cp "$root"/.ci/wasm/*.h "$libraries/include/"
    # shellcheck disable=SC2086 # a list of words
    "$cc" -O2 $flags -c "$root/.ci/wasm/setjmp.c" -o "$libraries/setjmp.o" &&
        "$ar" rcs "$libraries/lib/libsetjmp.a" "$libraries/setjmp.o" && make_cmocka "$made" "-DCMAKE_C_FLAGS=$flags"
}

make_formats() {
    make_zlib "$made" &&
        make_library "$made" libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF "-DCMAKE_C_FLAGS=$flags" &&
        make_library "$made" jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
}

libraries=$SIGHTLINE_WASM_ROOT
made=$libraries.sources
have() { # FUNCTION SOURCE...
    [ ! -e "$libraries/$1" ] || return 0
    have=$1
    shift
    say "web: building $*"
    if quietly download_sources "$made" "$@" && with_beat "$have" quietly "$have"; then
        : >"$libraries/$have"
    else
        skip "$* could not be downloaded and built"
    fi
}
have make_setjmp cmocka

# Of the tests alone: the modules are as users have them.
of_tests="$flags -Wl,-z,stack-size=8388608,--stack-first -L$libraries/lib -lsetjmp -lwasi-emulated-signal
    -lwasi-emulated-getpid -lwasi-emulated-process-clocks"
configure_tests() { # FOLDER OPTION...
    build=$folder/$1
    shift
    configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON "-DSIGHTLINE_TEST_FLAGS=$(printf '%s' "$of_tests" | tr -s '\n ' ' ')" "$@"
}
SIGHTLINE_TEST_SCALE=${SIGHTLINE_TEST_SCALE-0}
export SIGHTLINE_TEST_SCALE

# With SIMD and without, each in a module of its own.
kernels='bvh_test_one_answer bvh_test_contact_one_answer bvh_test_picking_one_answer'
tests="$kernels bvh_test_kernels bvh_test_single bvh_test_tri_axis_aligned lib_test_editing_one_answer"
for preset in wasm wasm-base; do
    say "== web: $preset"
    configure_tests "$preset" --preset "$preset" -DCMAKE_BUILD_TYPE=MinSizeRel
    # shellcheck disable=SC2086 # a list of words
    compile --target sightline_wasm sightline_wasm_core $tests
    module=$build/tools/web/sightline.wasm
    say "      $preset: $(wc -c <"$module") bytes, $(gzip -9c "$module" | wc -c) compressed by gzip"
    run_tests --timeout 600 -R "^($(printf %s "$tests" | sed 's:_test_:/:g; s: :|:g'))\$"
    tests=$kernels
done

packages="import { packages } from '$root/test/web/support/installed.mjs'; console.log(packages())"
install_modules() { # of npm
    for needing in tools/web tools/web/demo; do
        [ -d "$root/$needing/node_modules" ] ||
            (cd "$root/$needing" && npm ci --ignore-scripts --no-audit --no-fund) || return 1
    done
    node --input-type=module --eval "$packages"
}
say "== web: the package"
if ! command -v npm >/dev/null || ! with_beat 'npm ci' quietly install_modules; then
    say "web: skipped: the package and the demo, since npm cannot install what they need"
else
    SIGHTLINE_WEB_MODULES=$(node --input-type=module --eval "$packages")
    SIGHTLINE_PACKAGE=$folder/web/package
    export SIGHTLINE_WEB_MODULES SIGHTLINE_PACKAGE
    node "$root/tools/web/package.mjs" --simd "$folder/wasm/tools/web/sightline.wasm" --base "$module" --out "$SIGHTLINE_PACKAGE"
    run_tests -R '^web/(core|hostile|names|small)$'
    build=$folder/wasm
    run_tests -R '^web/'
fi
[ "${1:-}" != --brief ] || exit 0

say "== web: all kernels"
have make_formats zlib libpng1.6 jansson
configure_tests ci-web -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_IO=ON -DSIGHTLINE_INSTALL=OFF -DSIGHTLINE_THREADS=OFF \
    -DSIGHTLINE_FILES=OFF -DCMAKE_TOOLCHAIN_FILE="$root/.ci/wasm.cmake" "-DCMAKE_C_FLAGS=$flags"
compile
run_tests --timeout 1200 "$@"

#!/bin/sh
# web.sh: the same bits in WebAssembly: builds the modules of tools/web, with SIMD and without, and the portable tests,
# which run under Node.
#
#     sh .ci/web.sh              every test that applies
#     sh .ci/web.sh --brief      the modules, and the tests that compare kernels and answers
#     sh .ci/web.sh -R '^lib/'   arguments go to ctest
#
# Installs what is missing but Node, whose package in Debian 12 is too old, and skips, saying so, where it is.  The sources
# of cmocka, zlib, libpng and jansson are downloaded by apt into the build folder and built there.
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

make_libraries() { # in $libraries
    made=$libraries.sources
    mkdir -p "$libraries/include" "$libraries/lib"
    printf '#!/bin/sh\nexec clang-19 --target=wasm32-wasi "$@"\n' >"$cc"
    chmod +x "$cc"
    cp "$root"/.ci/wasm/*.h "$libraries/include/"
    # shellcheck disable=SC2086 # a list of words
    "$cc" -O2 $flags -I"$libraries/include" -c "$root/.ci/wasm/setjmp.c" -o "$libraries/setjmp.o" &&
        "$ar" rcs "$libraries/lib/libsetjmp.a" "$libraries/setjmp.o" &&
        download_sources "$made" cmocka zlib libpng1.6 jansson &&
        make_cmocka "$made" "-DCMAKE_C_FLAGS=$flags" && make_zlib "$made" &&
        make_library "$made" libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF "-DCMAKE_C_FLAGS=$flags" &&
        make_library "$made" jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
}
libraries=$SIGHTLINE_WASM_ROOT
if [ ! -e "$libraries/made" ]; then
    make_libraries || skip "the libraries could not be downloaded and built"
    : >"$libraries/made"
fi

tests_need="-L$libraries/lib -lsetjmp -lwasi-emulated-signal -lwasi-emulated-getpid -lwasi-emulated-process-clocks"
configure_tests() { # FOLDER OPTION...
    build=$folder/$1
    shift
    configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_IO=ON -DSIGHTLINE_INSTALL=OFF \
        -DSIGHTLINE_THREADS=OFF -DSIGHTLINE_FILES=OFF \
        -DCMAKE_TOOLCHAIN_FILE="$root/.ci/wasm.cmake" -DCMAKE_C_FLAGS="$flags" \
        -DCMAKE_EXE_LINKER_FLAGS='-O0 -Wl,-O2,-z,stack-size=8388608,--stack-first' \
        -DCMAKE_C_STANDARD_LIBRARIES="$tests_need" "$@"
}
SIGHTLINE_TEST_SCALE=${SIGHTLINE_TEST_SCALE-0}
export SIGHTLINE_TEST_SCALE

# As users have it: small kernels, with SIMD and without, each in a module of its own.
for preset in wasm wasm-base; do
    say "== web: $preset"
    configure_tests "$preset" --preset "$preset" -DCMAKE_BUILD_TYPE=MinSizeRel
    compile --target sightline_wasm bvh_test_one_answer
    module=$build/tools/web/sightline.wasm
    say "      $preset: $(wc -c <"$module") bytes, $(gzip -9c "$module" | wc -c) compressed by gzip"
    run_tests --timeout 600 -R '^bvh/one_answer$'
done

say "== web: all kernels"
configure_tests ci-web
if [ "${1:-}" = --brief ]; then
    compile --target bvh_test_kernels bvh_test_one_answer bvh_test_contact_one_answer bvh_test_picking_one_answer \
        lib_test_editing_one_answer bvh_test_single bvh_test_tri_axis_aligned
    run_tests --timeout 600 -R '^(bvh/(kernels|single|tri_axis_aligned)|(bvh|lib)/[a-z_]*one_answer)$'
    exit
fi
compile
run_tests --timeout 1200 "$@"

#!/bin/sh
# demo.sh: installs what is missing (on Debian), builds the engine and the demo, serves it, and prints its address.
#
#     sh tools/web/demo.sh              at port 8080; --port N: another one, 0: any
#     sh tools/web/demo.sh --static     leaves it in tools/web/demo/dist, for any server of static files
#
# With SIGHTLINE_WASM naming a module that exists, no compiler is needed.
set -eu
cd "$(dirname -- "$0")/../.."
wasm=${SIGHTLINE_WASM:-build/wasm/tools/web/sightline.wasm}

missing=
need() {
    command -v "$1" >/dev/null || [ -e "$1" ] || missing="$missing $2"
}
need node nodejs
need npm npm
if [ -z "${SIGHTLINE_WASM:-}" ]; then
    need cmake cmake
    need make make
    need clang-19 clang-19
    need wasm-ld-19 lld-19
    need /usr/include/wasm32-wasi wasi-libc
    need /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a libclang-rt-19-dev-wasm32
    need /usr/include/cglm/cglm.h libcglm-dev
    need /usr/include/xxhash.h libxxhash-dev
fi
if [ -n "$missing" ]; then
    echo "demo: installing$missing" >&2
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    # shellcheck disable=SC2086 # Several words.
    $sudo apt-get install -y --no-install-recommends $missing >/dev/null ||
        { $sudo apt-get update >/dev/null && $sudo apt-get install -y --no-install-recommends $missing >/dev/null; }
fi
if [ -z "${SIGHTLINE_WASM:-}" ]; then
    echo "demo: building the engine, which takes some two minutes the first time" >&2
    cmake --preset wasm >/dev/null
    cmake --build --preset wasm --parallel --target sightline_wasm >/dev/null
fi
wasm=$(realpath "$wasm")
cd tools/web/demo
[ -d node_modules/three ] || npm ci --ignore-scripts --no-audit --no-fund --silent
case ${1:-} in
--static) shift ;;
*) set -- --serve "$@" ;;
esac
exec node build.mjs --wasm "$wasm" "$@"

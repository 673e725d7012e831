#!/bin/sh
# demo.sh: installs what is missing (on Debian; Node 20 has to be there), builds the engine and the demo, serves it, and
# prints its address.
#
#     sh tools/web/demo.sh              at port 8080; --port N: another one, 0: any
#     sh tools/web/demo.sh --static     leaves it in tools/web/demo/dist, for any server of static files
#
# With SIGHTLINE_WASM naming a module that exists, no compiler is needed.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
wasm=${SIGHTLINE_WASM:-$root/build/wasm/tools/web/sightline.wasm}
cd "$root"
if [ -z "${SIGHTLINE_WASM:-}" ]; then
    install_missing web
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

#!/bin/sh
# build.sh: the npm package, from a fresh clone: installs what is missing (on Debian; Node 20 has to be there), builds the
# modules with SIMD and without, and packs them: build/web/sightline-VERSION.tgz.  Prints the sizes of what is in it.
#
#     sh tools/web/build.sh
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)

say_duration "building the modules and the package" 300
install_missing web
cd "$root"
for preset in wasm wasm-base; do
    build=$root/build/$preset
    quietly cmake --preset "$preset"
    with_beat "$preset" quietly cmake --build "$build" -j "$jobs"
done
node tools/web/package.mjs --simd build/wasm/tools/web/sightline.wasm --base build/wasm-base/tools/web/sightline.wasm \
    --out build/web/package
cd build/web
npm pack --silent ./package

#!/bin/sh
# without_jansson.sh: the extension as it is built where libjansson is missing: without glTF and gzip, which are refused
# by name, with a message; everything else works.
#
#     sh test/python/without_jansson.sh              PYTHON=... is the interpreter (find.sh)
#
# CMake is told that there is no libjansson; the build is unoptimised.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../../tools/setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
# shellcheck source=test/python/find.sh
. "$root/test/python/find.sh"

find_python
[ -n "$python" ] || exit 0
choose_folders
build=${build%/scripts}/ci-without-jansson

say "== the Python package without libjansson"
configure -DSIGHTLINE_TESTS=OFF -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_PYTHON=ON -DPython_EXECUTABLE="$python" \
    -DSIGHTLINE_WERROR=ON -DCMAKE_BUILD_TYPE=Debug -Dsightline_jansson_LIBRARY=OFF
grep -qx -- '-- Without glTF and gzip, since these are not found: sightline::jansson' "$build/configure.log" || {
    say "cmake does not say that libjansson is missing: $build/configure.log"
    exit 1
}
compile --target sightline_python
PYTHONPATH=$build/tools/python PYTHONDONTWRITEBYTECODE=1 "$python" -c '
import sightline_bvh as sightline
assert not sightline.features()["gltf"] and not sightline.features()["gzip"], sightline.features()'
PYTHONPATH=$build/tools/python PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider \
    "$root/test/python/test_gltf.py" "$root/test/python/test_things.py" -k "gltf or files or gzip"

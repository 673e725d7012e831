#!/bin/sh
# sanitizers.sh: the tests of the Python package under the address and undefined-behaviour sanitizers, which
# the extension and the library are built with and the interpreter is not.
#
#     sh test/python/sanitizers.sh                   python3, or PYTHON=..., which has numpy, pytest and hypothesis
#     sh test/python/sanitizers.sh -k things         arguments go to pytest
#
# Skips, saying so, where that interpreter lacks any of them.  What the interpreter itself leaves at its end is not
# reported (detect_leaks=0): test_leaks.py counts what is left, in a build without sanitizers.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../../tools/setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
# shellcheck source=test/python/find.sh
. "$root/test/python/find.sh"

find_python
[ -n "$python" ] || exit 0
choose_folders
build=${build%/scripts}/ci-python-sanitizers

say "== sanitizers over the Python package"
configure -DSIGHTLINE_PYTHON=ON -DPython_EXECUTABLE="$python" -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_TESTS=OFF \
    -DSIGHTLINE_WERROR=ON -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
compile --target sightline_python
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:abort_on_error=1
# All objects from malloc, so that a use of one that is gone is seen.
PYTHONMALLOC=malloc
PYTHONPATH=$build/tools/python
PYTHONDONTWRITEBYTECODE=1
export LD_PRELOAD ASAN_OPTIONS PYTHONMALLOC PYTHONPATH PYTHONDONTWRITEBYTECODE
exec "$python" -X faulthandler -m pytest -q -p no:cacheprovider "$root/test/python" "$@"

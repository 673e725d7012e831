#!/bin/sh
# sanitizers.sh: the tests of the Python package under the address and undefined-behaviour sanitizers, which
# the extension and the library are built with and the interpreter is not.
#
#     sh test/python/sanitizers.sh                   all of them; PYTHON=... is the interpreter (find.sh)
#     sh test/python/sanitizers.sh --brief           a tenth of the examples, without documents: a part of .ci/run
#     sh test/python/sanitizers.sh -k things         other arguments go to pytest
#
# Skips, saying so, where no interpreter will do (find.sh).  What the interpreter itself leaves at its end is not
# reported (detect_leaks=0): leaks.sh counts what is left, in a build without sanitizers.  The build is that of
# .ci/sanitizers.sh.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../../tools/setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
# shellcheck source=test/python/find.sh
. "$root/test/python/find.sh"

find_python
[ -n "$python" ] || exit 0
choose_folders
build=${build%/scripts}/ci-sanitizers

say "== sanitizers over the Python package"
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_PYTHON=ON -DPython_EXECUTABLE="$python" \
    -DSIGHTLINE_WERROR=ON -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
compile --target sightline_python
if [ "${1:-}" = --brief ]; then
    shift
    SIGHTLINE_EXAMPLES=${SIGHTLINE_EXAMPLES:-0.1}
    export SIGHTLINE_EXAMPLES
    # What documents and stubs say does not depend on how the extension is compiled.
    for file in docs documents leaks plot typing; do
        set -- "$@" --ignore="$root/test/python/test_$file.py"
    done
fi
preload=$(clang-19 -print-file-name="libclang_rt.asan-$(uname -m).so") # with that of undefined behaviour
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:abort_on_error=1
# All objects from malloc, so that a use of one that is gone is seen.
PYTHONMALLOC=malloc
PYTHONPATH=$build/tools/python
PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS PYTHONMALLOC PYTHONPATH PYTHONDONTWRITEBYTECODE
with_beat 'testing' env LD_PRELOAD="$preload" "$python" -X faulthandler -m pytest -q -p no:cacheprovider --capture=sys --durations=5 "$root/test/python" "$@"

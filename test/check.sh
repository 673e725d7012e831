#!/bin/sh
# check.sh: installs what is missing (on Debian), builds, and runs every test.
#
#     sh test/check.sh                  all of them
#     sh test/check.sh -R lib/mesh      arguments go to ctest
#
# The Python package is built and tested where python3, /usr/bin/python3 or PYTHON=... is 3.11 or newer with its
# headers, numpy, pytest and hypothesis; where none is, that is said, and with CI=true, as in .ci/run, is a failure.
# Nothing is installed for it.  With CI=true warnings are errors, too.  WebAssembly and the JavaScript package
# are left out: .ci/web.sh tests them.
#
# Ends with ctest's summary, the reason of each test that was skipped, and ctest's status.  Where the checkout is not ours to write to, everything
# is built under ${TMPDIR:-/tmp}/sightline-<user id>.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
# shellcheck source=test/python/find.sh
. "$root/test/python/find.sh"

say_duration "building and testing everything" 540
install_missing test
choose_folders
find_python
with_python=OFF
[ -z "$python" ] || with_python=ON
werror=OFF
[ "${CI:-}" != true ] || werror=ON
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=$werror -DSIGHTLINE_PYTHON=$with_python -DPython_EXECUTABLE="$python"
compile
say "Left out are WebAssembly and the JavaScript package, which sh .ci/web.sh builds and tests."
run_tests "$@"

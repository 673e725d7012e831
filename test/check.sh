#!/bin/sh
# check.sh: installs what is missing (on Debian), builds, and runs every test.
#
#     sh test/check.sh                  all of them
#     sh test/check.sh -R lib/mesh      arguments go to ctest
#
# Ends with ctest's summary and its status.  Where the checkout is not ours to write to, everything
# is built under ${TMPDIR:-/tmp}/sightline-<user id>.
set -eu
. "$(dirname -- "$0")/../tools/setup.sh"

install_missing test
choose_folders
# The Python package is tested where Python has what its tests want.
python=${PYTHON:-python3}
if "$python" -c 'import sys, numpy, pytest, hypothesis; assert sys.version_info >= (3, 11)' 2>/dev/null &&
    [ -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]; then
    with_python=ON
else
    with_python=OFF
    say "the Python package is not tested: $python is no Python 3.11 with its headers, numpy, pytest and hypothesis"
fi
configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_PYTHON=$with_python -DPython_EXECUTABLE="$(command -v "$python" || true)"
compile
cd "$build"
exec ctest --output-on-failure -j "$jobs" "$@"

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
configure -DSIGHTLINE_TESTS=ON
compile
cd "$build"
exec ctest --output-on-failure -j "$jobs" "$@"

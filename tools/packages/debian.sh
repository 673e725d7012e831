#!/bin/sh
# debian.sh: Debian packages of this checkout's last commit: made by dpkg-buildpackage, judged by lintian, and installed
# and used in a fresh Debian by themselves.
#
#     sh tools/packages/debian.sh            leaves them in build/packages/debian; some minutes, and half of one where
#                                            DEB_BUILD_OPTIONS has noopt
#     sh tools/packages/debian.sh source     only the source package, with lintian's word on it
#     sh tools/packages/debian.sh judge      lintian's word on those that an earlier run made, or
#     sh tools/packages/debian.sh use        those installed
#
# Needs dpkg-dev, debhelper, fakeroot and lintian, the packages that debian/control names, and, to install them in a
# fresh Debian, mmdebstrap; says what is missing.  DEBIAN_SUITE: of that Debian (bookworm).
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
# shellcheck source=tools/packages/archive.sh
. "$root/tools/packages/archive.sh"
suite=${DEBIAN_SUITE:-bookworm}
for tool in dpkg-buildpackage dh fakeroot lintian; do
    command -v $tool >/dev/null 2>&1 || { say "debian: skipped: there is no $tool"; exit 0; }
done
choose_folders
folder=${build%/scripts}/packages/debian

# The archive as a release has it, and beside it what makes it a package.
make_source() {
    make_archive "$folder"
    mv "$folder/$archive" "$folder/sightline_$version.orig.tar.gz"
    mv "$folder/recipes/debian" "$folder/$name/"
    chmod +x "$folder/$name/debian/rules"
    cd "$folder/$name"
}

judge() {
    cd "$folder"
    lintian --info --display-info --fail-on error,warning "$folder"/*.changes
    say "debian: lintian has no error and no warning"
}

# In a fresh Debian, of nothing but what the packages ask for, and a compiler.
use() {
    command -v mmdebstrap >/dev/null 2>&1 || { say "debian: not installed: there is no mmdebstrap"; return 0; }
    cd "$folder"
    dpkg-scanpackages -m . >Packages 2>/dev/null
    cat >"$folder/use.sh" <<'END'
set -eu
sightline --version
man -w sightline sightline-bench
test -s /usr/share/bash-completion/completions/sightline
gcc /consumer.c -o /tmp/consumer $(pkg-config --cflags --libs sightline-io)
/tmp/consumer
dpkg -L sightline libsightline-dev | grep . | xargs -d '\n' ls -d >/dev/null
apt-get purge -y 'sightline' 'libsightline*' >/dev/null
if find /usr /etc -name '*sightline*' | grep .; then
    echo "purged, and still there"
    exit 1
fi
echo "installed, used and purged in a fresh Debian"
END
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
        [ ! -s "$list" ] || lists=$list
    done
    # apt itself runs outside, and takes the packages from the folder.
    mmdebstrap --variant=apt --mode="${DEBIAN_MODE:-auto}" \
        --include=sightline,libsightline-dev,gcc,libc6-dev,pkg-config,man-db,mount \
        --customize-hook="cp $root/test/consumer/consumer.c $folder/use.sh \"\$1\"" \
        --chrooted-customize-hook='sh /use.sh' "$suite" /dev/null "$lists" "deb [trusted=yes] copy:$folder ./"
}

case ${1:-all} in
source)
    make_source
    dpkg-buildpackage -us -uc -S -d
    judge
    ;;
all)
    make_source
    dpkg-buildpackage -us -uc -rfakeroot
    judge
    use
    ;;
judge | use) "$1" ;;
esac

# archive.sh: what debian.sh and check.sh have in common, which source it after tools/setup.sh.

# make_archive FOLDER: the checkout's last commit as a release has it, in FOLDER/$archive, unpacked in FOLDER/$name, and
# recipes for it in FOLDER/recipes.
make_archive() {
    rm -rf "$1"
    mkdir -p "$1"
    version=$(git -C "$root" show HEAD:lib/include/sightline/base.h |
        sed -n 's/^#define SL_VERSION_M[AI].* //p; s/^#define SL_VERSION_PATCH //p' | paste -sd.)
    name=sightline-$version
    archive=$name.tar.gz
    # The bytes of the release's own archive (tools/release.sh).
    git -C "$root" -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD >"$1/source.tar"
    tar -xf "$1/source.tar" -C "$1"
    gzip -9n <"$1/source.tar" >"$1/$archive"
    rm "$1/source.tar"
    cmake -D TO="$1/recipes" -D URL="file://$1/$archive" \
        -D SHA256="$(sha256sum <"$1/$archive" | cut -d' ' -f1)" \
        -D SHA512="$(sha512sum <"$1/$archive" | cut -d' ' -f1)" \
        -D DATE="$(git -C "$root" log -1 --format=%aD)" -P "$1/$name/tools/packages/fill.cmake"
}

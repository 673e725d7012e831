#!/bin/sh
# build.sh: the documents as a site of static pages, for any server or none: with search, without anything from elsewhere.
#
#     sh tools/site/build.sh [OUT]            in OUT, or else in site under the build folder
#     sh tools/site/build.sh --demo [OUT]     with the page to try the engine on, which tools/web/demo.sh --static builds
#
# Fails on a link, an anchor or a picture that is not there, and on what check.py names besides.  What it needs of PyPI
# (requirements.txt) goes into an environment of its own in the build folder; where that cannot be made the status is 77.
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
here=$root/tools/site

demo=
if [ "${1:-}" = --demo ]; then
    demo=yes
    shift
fi
choose_folders
folder=${build%/scripts}/site-venv
out=${1:-${build%/scripts}/site}

python=$folder/bin/python
if ! cmp -s "$here/requirements.txt" "$folder/made"; then
    rm -rf "$folder"
    if ! { "${PYTHON:-python3}" -m venv "$folder" &&
        "$python" -m pip install -q --disable-pip-version-check -r "$here/requirements.txt"; } >&2; then
        say "site: what it needs (tools/site/requirements.txt) cannot be had"
        exit 77
    fi
    cp "$here/requirements.txt" "$folder/made"
fi

if [ -n "$demo" ]; then
    sh "$root/tools/web/demo.sh" --static
fi

# Only a folder that is empty, or has a site, is written over; mkdocs empties it.
if [ -n "$(ls -A "$out" 2>/dev/null)" ] && [ ! -e "$out/sitemap.xml" ]; then
    say "site: $out has other things in it"
    exit 2
fi
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd -P)

# The theme's makers advertise; and pages say the time of the last change, so that they are the same bytes each time.
export NO_MKDOCS_2_WARNING=1
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH SIGHTLINE_DEMO="$demo"
quietly "$python" -m mkdocs build --strict -f "$here/mkdocs.yml" -d "$out"
[ -z "$demo" ] || cp -R "$root/tools/web/demo/dist" "$out/demo"
"$python" "$here/check.py" "$out"
say "site: $out/index.html"

#!/bin/sh
# site.sh: the documents as a site, built strictly: no link, anchor or picture that is not there, and nothing that is loaded
# from elsewhere (tools/site/check.py).  Skips, saying so, where the packages of tools/site/requirements.txt cannot be had.
#
#     sh .ci/site.sh
#     sh .ci/site.sh --look       looks at it in Chromium, too, where that and npm are there (tools/site/look.mjs): minutes
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../tools/setup.sh"
look=
if [ "${1:-}" = --look ]; then
    look=yes
    set -- # into the folder that is looked at
fi
status=0
sh "$root/tools/site/build.sh" "$@" || status=$?
if [ "$status" = 0 ] && [ -n "$look" ] && ! command -v node >/dev/null 2>&1; then
    say "site: not looked at: there is no node"
elif [ "$status" = 0 ] && [ -n "$look" ]; then
    choose_folders
    cd "$root/tools/site"
    [ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund --silent || say "site: npm cannot install what looks at it"
    node look.mjs "${build%/scripts}/site" || status=$?
    [ "$status" != 77 ] || exit 0 # look.mjs has said what is missing
fi
if [ "$status" = 77 ]; then
    echo "site: skipped"
    exit 0
fi
exit "$status"

#!/bin/sh
# site.sh: the documents as a site, built strictly: no link, anchor or picture that is not there, and nothing that is loaded
# from elsewhere (tools/site/check.py).  Skips, saying so, where the packages of tools/site/requirements.txt cannot be had.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
status=0
sh "$root/tools/site/build.sh" "$@" || status=$?
if [ "$status" = 77 ]; then
    echo "site: skipped"
    exit 0
fi
exit "$status"

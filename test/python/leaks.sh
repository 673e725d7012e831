#!/bin/sh
# leaks.sh: builds, questions, refusals, failures and cancels, a thousand times each under a debug build of Python: no
# byte and no reference is left of any (leaks.py prints what is, case by case; test_leaks.py judges).
#
#     sh test/python/leaks.sh                   1,000 of each; of cancels, a twentieth of a second each, 84
#     sh test/python/leaks.sh 100 5             so many
#     PYTHON=python3.12d sh test/python/leaks.sh
#
# Skips, saying so, without a debug Python that has numpy, pytest and hypothesis (Debian: python3.11-dbg, which takes
# numpy from python3-numpy).
set -eu
# shellcheck source=tools/setup.sh
. "$(dirname -- "$0")/../../tools/setup.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)

python=
for candidate in ${PYTHON:-python3.13d python3.12d python3.11d python3-dbg}; do
    if "$candidate" -c 'import sys; sys.gettotalrefcount(); import numpy, pytest, hypothesis' 2>/dev/null; then
        python=$(command -v "$candidate")
        break
    fi
done
[ -n "$python" ] || {
    say "leaks: skipped: there is no debug Python with numpy, pytest and hypothesis (Debian: python3.11-dbg python3-numpy python3-pytest python3-hypothesis)"
    exit 0
}
choose_folders
configure -DSIGHTLINE_PYTHON=ON -DPython_EXECUTABLE="$python"
compile --target sightline_python
say "== leaks under $("$python" --version), $python"
SIGHTLINE_LEAKS=${1:-1000} SIGHTLINE_CANCELS=${2:-84} PYTHONPATH=$build/tools/python PYTHONDONTWRITEBYTECODE=1 \
    exec "$python" -m pytest -q -s -p no:cacheprovider "$root/test/python/test_leaks.py"

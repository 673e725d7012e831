# find.sh: finds an interpreter that can build the Python package and test it; scripts source it after
# tools/setup.sh.
#
# find_python sets python to the first of these that will do: PYTHON alone where it is set, else python3 and
# /usr/bin/python3, for which Debian has the packages.  Where none will do, python is empty, and lines say what each
# lacks; with CI=true in the environment, as in .ci/run, that ends the script in failure.

# Prints what an interpreter lacks, and fails, where it lacks something.
python_will_do() {
    "$1" - 2>&1 <<'END'
import os
import sys
import sysconfig

if sys.version_info < (3, 11):
    sys.exit("it is older than 3.11")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    sys.exit("it has no Python.h")
missing = []
for name in "numpy", "pytest", "hypothesis":
    try:
        __import__(name)
    except ImportError:
        missing.append(name)
if missing:
    sys.exit("it has no " + ", ".join(missing))
END
}

find_python() {
    reasons=
    for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
        python=$(command -v "$candidate" || true)
        if [ -z "$python" ]; then
            why="it is not there"
        elif why=$(python_will_do "$python"); then
            return 0
        fi
        reasons="$reasons
  $candidate: $why"
    done
    python=
    say "the Python package is not tested, since no interpreter will do:$reasons"
    say "  (Debian: python3-dev python3-numpy python3-pytest python3-hypothesis)"
    [ "${CI:-}" != true ] || exit 1
}

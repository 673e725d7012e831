# find.sh: finds an interpreter that can build the Python package and test it; scripts source it after
# tools/setup.sh.
#
# find_python sets python: PYTHON, or python3; empty, with a line that says what is missing, where that will not do.

find_python() {
    python=$(command -v "${PYTHON:-python3}" || true)
    if [ -z "$python" ]; then
        say "the Python package is not tested: there is no ${PYTHON:-python3}"
    elif ! why=$("$python" - 2>&1 <<'END'
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
    ); then
        say "the Python package is not tested by $python: $why"
        python=
    fi
}

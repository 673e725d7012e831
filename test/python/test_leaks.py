"""Builds, questions, refusals and cancels, many times over: nothing is left of them (leaks.py).

SIGHTLINE_LEAKS=1000 in the environment is how often each is done; SIGHTLINE_CANCELS=1000, of cancels, a twentieth of
a second each.
"""

import ctypes
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

TIMES = int(os.environ.get("SIGHTLINE_LEAKS", 100))
CANCELS = int(os.environ.get("SIGHTLINE_CANCELS", 5))


def test_nothing_is_left():
    if not hasattr(ctypes.CDLL(None), "mallinfo2"):
        pytest.skip("this C library does not count its bytes in use (mallinfo2)")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("a free-threaded CPython cannot take its objects from malloc")
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("the heap is a sanitizer's")
    environment = os.environ | {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
    script = Path(__file__).with_name("leaks.py")
    ran = subprocess.run(
        [sys.executable, script, str(TIMES), str(CANCELS)], env=environment, capture_output=True, text=True
    )
    print(ran.stdout)
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(lines) > 10
    # A loss each time is one of 32 bytes or more (a chunk) in every round; a cache that fills is not.
    for line in lines:
        assert min(line["bytes"]) < line["times"] and min(line["references"]) < line["times"], line

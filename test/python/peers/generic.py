"""What trimesh's tests import as `generic`, as far as its source distribution lets them run: their models are not in it.

Tests that want more of it are skipped by the name of what they want.
"""

import logging

import numpy as np  # noqa: F401
import pytest
import trimesh  # noqa: F401

log = logging.getLogger("peers")


def get_mesh(name, *_, **__):
    pytest.skip(f"{name} is not shipped with trimesh's tests")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return __import__(name)
    except ImportError:
        pytest.skip(f"{name} of trimesh's tests is not shipped with them")

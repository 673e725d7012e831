"""The stubs: consistent in themselves, and with what there is.  Each checker is used where it is installed."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sightline_bvh as sightline

HERE = Path(__file__).resolve().parent
PACKAGE = Path(sightline.__file__).parent
INSTALLED = PACKAGE.parent.name == "site-packages"  # where mypy finds it, and refuses to be told of it

# What callers write, which has to have these types.
CALLER = """
import numpy as np
from numpy.typing import NDArray
from typing import assert_type
import sightline_bvh as sightline

tree = sightline.Tree(sightline.sphere(8))
hits = tree.closest(np.zeros((4, 3)), [0.0, 0.0, 1.0])
assert_type(hits, sightline.Hits)
assert_type(tree.any([0, 0, 0], [0, 0, 1]), NDArray[np.bool_])
assert_type(sightline.Scene([tree]).render(), NDArray[np.uint8])
assert_type(sightline.load("a.obj"), sightline.Mesh)
assert_type(tree.clashes(tree), bool)
assert_type(tree.clashes(tree, at=np.eye(4)), NDArray[np.bool_])
assert_type(tree.sweep_all([0, 0, 1], spheres=[0, 0, 0, 1])[0], sightline.Contacts)
assert_type(sightline.Scene([tree]).clashing(solids=True).nearest, sightline.Distances)
"""
WRONG = """
import sightline_bvh as sightline
sightline.Tree(sightline.sphere(8)).closest([0, 0, 0], [0, 0, 1], cull="sideways")
"""


def run(folder, *command, good=True):
    environment = dict(os.environ)
    if not INSTALLED:
        environment |= {"MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert (ran.returncode == 0) == good, ran.stdout + ran.stderr
    return ran.stdout


def wanted(module):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"there is no {module}")


@pytest.fixture
def callers(tmp_path):
    (tmp_path / "right.py").write_text(CALLER)
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


def test_mypy(callers):
    wanted("mypy")
    settings = ("--config-file", HERE / "mypy.ini", "--cache-dir", callers / "cache")
    stubs = [] if INSTALLED else [PACKAGE / "__init__.pyi"]
    run(callers, sys.executable, "-m", "mypy", "--strict", *settings, "right.py", *stubs)
    told = run(callers, sys.executable, "-m", "mypy", "--strict", *settings, "wrong.py", good=False)
    assert "sideways" in told


def test_stubs_are_those_of_the_package(tmp_path):
    wanted("mypy")
    allowed = ("--allowlist", HERE / "stubtest.allow", "--ignore-unused-allowlist")
    if importlib.util.find_spec("dask") is None:  # what cannot be imported cannot be compared
        (tmp_path / "allow").write_text(r"sightline_bvh\.(dask|_dask_ask|_dask_store)" + "\n")
        allowed += ("--allowlist", tmp_path / "allow")
    settings = ("--mypy-config-file", HERE / "mypy.ini")
    run(tmp_path, sys.executable, "-m", "mypy.stubtest", *settings, *allowed, "sightline_bvh")


def test_pyright(callers):
    name = next((name for name in ("basedpyright", "pyright") if importlib.util.find_spec(name)), None)
    if name is None:
        pytest.skip("there is neither basedpyright nor pyright")
    if name == "pyright" and not shutil.which("node"):
        pytest.skip("pyright has no node to run with, and basedpyright, which brings one, is not installed")
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(PACKAGE.parent)], "pythonVersion": "3.11"}
    for file, good in (("right.py", True), ("wrong.py", False)):
        (callers / "pyrightconfig.json").write_text(json.dumps(settings | {"include": [file]}))
        told = run(callers, sys.executable, "-m", name, "-p", ".", "--pythonpath", sys.executable, good=good)
        assert good or "sideways" in told

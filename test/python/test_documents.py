"""What documents show of Python runs as it is shown, in an empty folder; and the examples of the facades."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHOWN = ("from-trimesh.md", "from-open3d.md")


def blocks(name):
    return re.findall(r"^```python\n(.*?)^```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", SHOWN)
def test_the_blocks_run(name, tmp_path):
    found = blocks(name)
    assert found
    script = tmp_path / "shown.py"
    script.write_text("\n".join(found), encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["trimesh", "open3d", "plot"])
def test_the_examples_of_docstrings(name):
    found = doctest.testmod(importlib.import_module(f"sightline_bvh.{name}"))
    assert found.failed == 0 and (found.attempted or name == "plot")

"""What the documents show of Python is true, its pictures are those that it makes, and the reference is up to date."""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import sightline_bvh as sightline

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PICTURES = ROOT / "docs/pictures/python"


def shown(page, folder):
    shutil.copy(ROOT / "test/data/spot.obj", folder)
    run = subprocess.run(
        [sys.executable, HERE / "shown.py", page, folder], capture_output=True, text=True, timeout=300, check=False
    )
    return run.returncode, run.stdout + run.stderr


def pixels(path):
    """Those of a picture that write_png wrote."""
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    length = struct.unpack(">I", data[33:37])[0]
    rows = np.frombuffer(zlib.decompress(data[41 : 41 + length]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3).astype(int)


@pytest.mark.parametrize("page", ["README.md", "tools/python/README.md", "docs/contact.md"])
def test_pages_are_true(page, tmp_path):
    status, said = shown(ROOT / page, tmp_path)
    assert status == 0, said


def test_the_tutorial_is_true_and_its_pictures_are_those_it_makes(tmp_path):
    page = ROOT / "docs/python.md"
    status, said = shown(page, tmp_path)
    assert status == 0, said
    made = sorted(path.name for path in tmp_path.glob("*.png"))
    assert made == sorted(path.name for path in PICTURES.glob("*.png"))
    assert sorted(re.findall(r"\(pictures/python/(\w+\.png)\)", page.read_text())) == made
    for name in made:
        # NumPy's own sums may differ in a bit from processor to processor.
        assert np.abs(pixels(tmp_path / name) - pixels(PICTURES / name)).mean() < 0.01, name


def test_what_is_not_true_is_found(tmp_path):
    cases = {
        "print(2)": "1\n",
        "x = 1": "1\n",
        "print(1)": None,
        "1 / 0": None,
        "1 // 0": "ZeroDivisionError\n",
        "print(1); print(2)": "1\n",
    }
    for number, (code, text) in enumerate(cases.items()):
        page = tmp_path / f"{number}.md"
        page.write_text(f"```python\n{code}\n```\n" + ("" if text is None else f"```text\n{text}```\n"))
        status, said = shown(page, tmp_path)
        assert status == 1 and "1 blocks were run, 1 faults found" in said, (code, said)
    page.write_text("```python\nprint(1); print(2); print(345)\n```\n\n```text\n1\n...\n3...\n```\n")
    assert shown(page, tmp_path)[0] == 0
    page.write_text("nothing\n")
    assert shown(page, tmp_path)[0] == 1


@pytest.mark.skipif(not (ROOT / "tools/python/reference.py").exists(), reason="no reference")
def test_the_reference_is_up_to_date(tmp_path):
    out = tmp_path / "python-reference.md"
    subprocess.run([sys.executable, ROOT / "tools/python/reference.py", out], check=True, timeout=120)
    assert out.read_text() == (ROOT / "docs/python-reference.md").read_text(), (
        "docs/python-reference.md is not what tools/python/reference.py writes"
    )


def test_everything_public_is_described():
    import inspect

    for name in sightline.__all__:
        thing = getattr(sightline, name)
        if not callable(thing):
            continue
        assert thing.__doc__, name
        for member, value in inspect.getmembers_static(thing) if inspect.isclass(thing) else ():
            ours = isinstance(value, (property, classmethod)) or inspect.isfunction(value)
            if ours and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"

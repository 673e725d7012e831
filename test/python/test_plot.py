"""sightline_bvh.plot, where matplotlib or pyvista is installed, and the pictures of python -m sightline_bvh --demo."""

import builtins
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import sightline_bvh as sightline
from conftest import wanted
from sightline_bvh import plot


@pytest.fixture(params=plot.BACKENDS)
def backend(request):
    wanted(request.param, f"{request.param} is not installed: not drawn with")
    return request.param


def test_what_the_tutorial_draws(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: not drawn with")
    page = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
    if not page.exists():
        pytest.skip("the documents are not here")
    (code,) = re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.chdir(tmp_path)
    tree = sightline.Tree(sightline.sphere(6))
    exec(compile(code, str(page), "exec"), {"np": np, "tree": tree, "ao": tree.bake("ao", rays=16)})  # noqa: S102
    assert sorted(p.name for p in tmp_path.iterdir()) == ["distances.png", "rays.png"]


def some_rays():
    return np.array([[0, 0, 3], [0.1, 0.2, 3], [4, 4, 3]], np.float32), np.array([0, 0, -1], np.float32)


def test_each_draws_on_what_the_one_before_returned(backend):
    tree = sightline.Tree(sightline.sphere(4))
    canvas = plot.mesh(tree, values=tree.bake("ao", rays=16), alpha=0.5, backend=backend)
    assert plot.rays(tree, *some_rays(), on=canvas) is canvas
    points = np.random.default_rng(1).normal(size=(5, 4, 3))
    assert plot.distances(points, tree.nearest(points).distance, on=canvas) is canvas
    drawn = canvas.collections if backend == "matplotlib" else list(canvas.actors)
    assert len(drawn) == 5  # a mesh, misses, hits, their ends, points


def test_the_picture_is_not_empty(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: not drawn with")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    tree = sightline.Tree(sightline.sphere(6))
    axes = plot.rays(tree, *some_rays(), on=plot.mesh(tree))
    figure = FigureCanvasAgg(axes.figure)
    figure.draw()
    pixels = np.asarray(figure.buffer_rgba())[..., :3]
    assert (pixels != 255).any(axis=-1).mean() > 0.02
    assert ((pixels[..., 0].astype(int) - pixels[..., 2]) > 100).any()  # what hits is red


def test_colours_are_those_of_numbers():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: not drawn with")
    mesh = sightline.sphere(1)
    values = np.arange(8.0)
    axes = plot.mesh(mesh, values=values)
    colours = axes.collections[0].get_facecolor()[:, :3]
    wanted = sightline.colour_map(values) / 255
    assert sorted(map(tuple, colours.round(6))) == sorted(map(tuple, wanted.round(6)))


def test_an_import_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **named):
        if name.split(".")[0] in ("matplotlib", "pyvista"):
            raise ImportError(f"no module named {name}")
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    for backend in plot.BACKENDS:
        with pytest.raises(ImportError, match=f"pip install {backend}"):
            plot.mesh(sightline.sphere(1), backend=backend)


def test_bad_arguments_say_what_is_wanted():
    with pytest.raises(ValueError, match="backend is one of"):
        plot.mesh(sightline.sphere(1), backend="vtk")
    with pytest.raises(ValueError, match="one for each of"):
        plot.mesh(sightline.sphere(1), values=np.zeros(5))
    with pytest.raises(ValueError, match="that of the points"):
        plot.distances(np.zeros((3, 3)), np.zeros(2))
    with pytest.raises(ValueError, match="that of these rays"):
        tree = sightline.Tree(sightline.sphere(1))
        plot.rays(tree, *some_rays(), hits=tree.closest([[0, 0, 0]], [[0, 0, 1]]))


def test_the_demonstration_leaves_pictures(tmp_path):
    command = [sys.executable, "-m", "sightline_bvh", "--demo", "--out", "pictures", "--threads", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pictures = sorted((tmp_path / "pictures").iterdir())
    assert [p.name for p in pictures] == ["depth.png", "normals.png", "shade.png", "sight.png", "slice.png"]
    assert all(p.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and p.stat().st_size > 10_000 for p in pictures)


def test_a_file_that_is_not_there_is_an_error_of_one_line(tmp_path):
    command = [sys.executable, "-m", "sightline_bvh", "--demo", "--mesh", "none.ply"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "none.ply" in done.stderr and "Traceback" not in done.stderr

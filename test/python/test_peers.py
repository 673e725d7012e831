"""The peers' own tests of rays, with sightline in the place of what they test; each difference is named.

trimesh's are in its source distribution: SIGHTLINE_TRIMESH_TESTS names their folder (pip download --no-deps --no-binary
:all: trimesh, and its folder tests).  Open3D's are in its repository alone, so what they ask is asked here again.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import wanted

from sightline_bvh.open3d import RaycastingScene

FILES = ("test_ray.py", "test_ray_upstream.py", "test_proximity.py", "test_section.py")
FOLDER = os.environ.get("SIGHTLINE_TRIMESH_TESTS", "")

# Tests of trimesh that fail with sightline and pass with embreex, with the rays of the façade as they are by default.
DIFFERENT = {
    "test_embree_duplicate_hits": "a ray through a vertex touches every triangle there; embreex lists one of each side",
    "test_issue_457_multihit_cylinder_count": "a ray through an edge touches both of its triangles",
}
# The same with crossings=True.
CROSSED = {
    "test_issue_2317_robust_edge_hits": "rays along the edges of a box, which graze it, do not cross it",
    "test_issue_2324_apply_scale_breaks_embree": "a ray along an edge of a box, the same",
    "test_embree_duplicate_hits": "a start on a face of vertices that are no floats: beside it where these are rounded",
}


def failures(*plugin, crossings="0"):
    """The names of the tests that fail, and how many pass."""
    here = Path(__file__).resolve().parent / "peers"
    path = os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path, "SIGHTLINE_CROSSINGS": crossings}
    files = [os.path.join(FOLDER, name) for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *plugin, "--rootdir", FOLDER, *files]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500).stdout
    return set(re.findall(r"^(?:FAILED|ERROR) .*::(\w+)", told, re.M)), len(re.findall(r"^PASSED", told, re.M))


@pytest.mark.parametrize("crossings", ["0", "1"])
def test_the_tests_of_trimesh(crossings):
    if not FOLDER:
        pytest.skip("SIGHTLINE_TRIMESH_TESTS does not name the tests of trimesh")
    wanted("embreex", "embreex is not installed: not compared with it")
    theirs, passed = failures()
    ours, _ = failures("-p", "ours", crossings=crossings)
    assert passed > 20 and ours - theirs == set(CROSSED if crossings == "1" else DIFFERENT)


# ---- What Open3D's test_raycasting_scene asks ----

TRIANGLE = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]]
AT_TRIANGLE = [[0.2, 0.1, 1, 0, 0, -1], [10, 10, 10, 1, 0, 0]]
AT_BOX = [[0.5, 0.5, -1, 0, 0, 1], [0.5, 0.5, 0.5, 0, 0, 1], [10, 10, 10, 1, 0, 0]]
POINTS = [[0.5, 0.5, 0.5], [-0.5, -0.5, -0.5], [0, 0, 0]]

# The scene, the question, and what is told of its answer.
ASKED = {
    "cast_rays": ("triangle", lambda s, t: [s.cast_rays(t(AT_TRIANGLE))[k] for k in ("t_hit", "geometry_ids")], None),
    "test_occlusions": ("triangle", lambda s, t: [s.test_occlusions(t(AT_TRIANGLE))], [[True, False]]),
    "tfar": ("triangle", lambda s, t: [s.test_occlusions(t(AT_TRIANGLE), tfar=0.5)], [[False, False]]),
    "tnear": ("triangle", lambda s, t: [s.test_occlusions(t(AT_TRIANGLE), tnear=1.5)], [[False, False]]),
    "count_intersections": ("box", lambda s, t: [s.count_intersections(t(AT_BOX))], [[2, 1, 0]]),
    "list_intersections": ("box", lambda s, t: [s.list_intersections(t(AT_BOX))["t_hit"]], [[1, 2, 0.5]]),
    "closest": ("triangle", lambda s, t: [s.compute_closest_points(t([[0.2, 0.1, 1], [10, 10, 10]]))["points"]],
                [[[0.2, 0.1, 0], [1, 1, 0]]]),
    "distance": ("box", lambda s, t: [s.compute_distance(t(POINTS))], [[0.5, 0.75**0.5, 0]]),
    "signed_distance": ("box", lambda s, t: [s.compute_signed_distance(t(POINTS))], [[-0.5, 0.75**0.5, 0]]),
    "occupancy": ("box", lambda s, t: [s.compute_occupancy(t(POINTS[:2]))], [[1, 0]]),
}  # fmt: skip


def scenes(open3d, what):
    device = open3d.core.Device("CPU:0")
    ours, theirs = RaycastingScene(device=device), open3d.t.geometry.RaycastingScene(device=device)
    for scene in (ours, theirs):
        if what == "triangle":
            vertices, faces = TRIANGLE
            tensors = open3d.core.Tensor(vertices, open3d.core.float32), open3d.core.Tensor(faces, open3d.core.uint32)
            assert scene.add_triangles(*tensors) == 0
        else:
            assert scene.add_triangles(getattr(open3d.t.geometry.TriangleMesh, "create_" + what)()) == 0
    return ours, theirs


@pytest.mark.parametrize("question", ASKED)
def test_what_the_tests_of_open3d_ask(question):
    open3d = wanted("open3d", "Open3D is not installed: not compared with it")
    what, ask, numbers = ASKED[question]
    answers = [
        [a.cpu().numpy() for a in ask(scene, lambda rows: open3d.core.Tensor(rows, open3d.core.float32))]
        for scene in scenes(open3d, what)
    ]
    for a, b, wants in zip(*answers, numbers or answers[1], strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(a, wants, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("shape", [[11], [1, 2, 3], [32, 14]])
def test_shapes_are_those_of_open3d(shape):
    open3d = wanted("open3d", "Open3D is not installed: not compared with it")
    random = np.random.default_rng(123)
    rays, points = (open3d.core.Tensor(random.uniform(size=[*shape, k]).astype(np.float32)) for k in (6, 3))
    told = []
    for scene in scenes(open3d, "triangle"):
        names = ("compute_distance", "compute_signed_distance", "compute_occupancy")
        answers = {name: getattr(scene, name)(points) for name in names}
        answers["count_intersections"] = scene.count_intersections(rays)
        for name, asked in (("cast_rays", rays), ("list_intersections", rays), ("compute_closest_points", points)):
            answers |= {(name, key): value for key, value in getattr(scene, name)(asked).items()}
        told.append({key: list(value.shape) for key, value in answers.items()})
    assert told[0] == told[1]


def test_a_sphere_is_judged_right_where_rays_meet_its_vertices():
    """Points of a grid, whose rays along +x pass through vertices and edges; Open3D moves its rays a little for that."""
    open3d = wanted("open3d", "Open3D is not installed: not compared with it")
    sphere = open3d.t.geometry.TriangleMesh.create_sphere(0.8)
    scene = RaycastingScene()
    scene.add_triangles(sphere)
    side = np.linspace(-0.88, 0.88, 6, dtype=np.float32)
    points = np.stack(np.meshgrid(side, side, side), axis=-1)
    away = np.linalg.norm(points, axis=-1)
    inside = scene.compute_occupancy(points).numpy() == 1
    assert inside[away < 0.75].all() and not inside[away > 0.8].any()

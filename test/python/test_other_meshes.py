"""Meshes of other packages: taken by Mesh, Tree and everything else that wants one, or refused with the line to write."""

import copy
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import wanted

import sightline_bvh as sightline
from sightline_bvh.open3d import RaycastingScene
from sightline_bvh.trimesh import RayMeshIntersector


def of_trimesh():
    return wanted("trimesh", "trimesh is not installed: none of its meshes").creation.box()


def of_open3d():
    return wanted("open3d", "Open3D is not installed: none of its meshes").geometry.TriangleMesh.create_box()


def of_open3d_tensors():
    module = wanted("open3d", "Open3D is not installed: none of its meshes")
    return module.t.geometry.TriangleMesh.from_legacy(of_open3d())


def pyvista():
    return wanted("pyvista", "pyvista is not installed: none of its meshes")


def of_anything():
    ball = sightline.sphere(2)
    return SimpleNamespace(vertices=ball.vertices, faces=ball.faces)


def of_anything_with_triangles():
    ball = sightline.sphere(2)
    return SimpleNamespace(vertices=ball.vertices.tolist(), triangles=ball.faces.tolist())


def as_pyvista():
    ball = sightline.sphere(2)
    return SimpleNamespace(points=ball.vertices, faces=np.insert(ball.faces, 0, 3, axis=1).ravel())


TAKEN = {
    "trimesh": (of_trimesh, 12),
    "Open3D": (of_open3d, 12),
    "Open3D, tensors": (of_open3d_tensors, 12),
    "pyvista": (lambda: pyvista().Cube().triangulate(), 12),
    "pyvista, a sphere": (lambda: pyvista().Sphere(), 1680),
    "anything": (of_anything, 32),
    "anything with triangles": (of_anything_with_triangles, 32),
    "anything with points": (as_pyvista, 32),
}
# What takes a mesh, and gives one back, or the number of triangles.
TAKERS = {
    "Mesh": sightline.Mesh,
    "Tree": lambda mesh: sightline.Tree(mesh).mesh,
    "RayMeshIntersector": lambda mesh: RayMeshIntersector(mesh).target.to_mesh(),
    "Camera.fit": lambda mesh: sightline.Camera.fit(mesh) and sightline.Mesh(mesh),
    "plot.mesh": lambda mesh: pytest.importorskip("matplotlib") and drawn(mesh),
}


def drawn(mesh):
    import sightline_bvh.plot as plot

    plot.mesh(mesh)
    return sightline.Mesh(mesh)


@pytest.mark.parametrize("whose", TAKEN)
@pytest.mark.parametrize("taker", TAKERS)
def test_they_are_taken(whose, taker):
    make, triangles = TAKEN[whose]
    mesh = TAKERS[taker](make())
    assert len(mesh) == triangles and mesh.check().misoriented_edges == 0


@pytest.mark.parametrize("whose", TAKEN)
def test_they_are_taken_by_scenes_of_open3d(whose):
    make, triangles = TAKEN[whose]
    scene = RaycastingScene()
    assert scene.add_triangles(make()) == 0 and scene.add_triangles(mesh=make()) == 1
    assert len(scene._trees[0]) == triangles
    low, high = np.asarray(sightline.Mesh(make()).bounds, float)
    middle = low + (high - low) * [0.4, 0.45, 0.5]
    rays = [[*(middle - [9, 0, 0]), 1, 0, 0]]
    assert scene.count_intersections(rays).tolist() == [4] and scene.cast_rays(rays)["geometry_ids"].tolist() == [0]


def blocks():
    return pyvista().MultiBlock([pyvista().Cube()])


def scene_of_trimesh():
    of_trimesh()
    import trimesh

    return trimesh.Scene([trimesh.creation.box()])


REFUSED = {
    "pyvista, quads": (lambda: pyvista().Cube(), r"write what.triangulate\(\)"),
    "pyvista, a grid": (lambda: pyvista().ImageData(dimensions=(3, 3, 3)), r"write what.extract_surface\(\).triangulate"),
    "pyvista, blocks": (blocks, r"write what.combine\(\).extract_surface\(\).triangulate\(\)"),
    "pyvista, a cloud": (lambda: pyvista().PolyData(np.eye(3)), "no triangles to take: write Mesh"),
    "trimesh, a scene": (scene_of_trimesh, r"write what.to_mesh\(\)"),
    "trimesh, a cloud": (lambda: of_trimesh() and __import__("trimesh").PointCloud(np.eye(3)), "no triangles to take"),
    "Open3D, a cloud": (lambda: of_open3d() and __import__("open3d").geometry.PointCloud(), "no triangles to take"),
    "Open3D, tensors, a cloud": (
        lambda: of_open3d() and __import__("open3d").t.geometry.PointCloud(), "no triangles to take",
    ),
    "Open3D, tensors, empty": (
        lambda: of_open3d() and __import__("open3d").t.geometry.TriangleMesh(), "no vertices or no triangles",
    ),
    "quads of anything": (
        lambda: SimpleNamespace(points=np.zeros((4, 3)), faces=[4, 0, 1, 2, 3]), r"write what.triangulate\(\)",
    ),
    "a path": (lambda: "a.obj", r"load\(path\)"),
}  # fmt: skip


@pytest.mark.parametrize("whose", REFUSED)
def test_what_is_not_taken_says_what_to_write(whose):
    make, message = REFUSED[whose]
    mesh = make()
    for taker in (sightline.Mesh, sightline.Tree, lambda it: RayMeshIntersector(it).target, RaycastingScene().add_triangles):
        with pytest.raises(sightline.InvalidArgument, match=message):
            taker(mesh)


def test_what_they_say_to_write_works():
    cube = pyvista().Cube()
    assert len(sightline.Mesh(cube.triangulate())) == 12
    assert len(sightline.Mesh(blocks().combine().extract_surface(algorithm=None).triangulate())) == 12
    grid = pyvista().ImageData(dimensions=(3, 3, 3))
    assert len(sightline.Mesh(grid.extract_surface(algorithm=None).triangulate())) == 48


@pytest.mark.parametrize("whose", TAKEN)
def test_queries_say_where_the_points_of_a_mesh_are(whose):
    mesh, ball = TAKEN[whose][0](), sightline.Tree(sightline.sphere(2))
    with pytest.raises(sightline.InvalidArgument, match="write points=what") as refused:
        ball.nearest(mesh)
    way = str(refused.value).split("write points=what.")[1]
    points = copy.copy(mesh)
    for name in way.split("."):
        points = getattr(points, name)
    assert ball.nearest(points).shape == (len(points),)

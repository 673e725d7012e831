"""sightline_bvh.trimesh: by itself, and next to trimesh's own ray objects, where trimesh and embreex are installed."""

import copy
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import sightline_bvh as sightline
from sightline_bvh.trimesh import RayMeshIntersector, install

SQUARE = SimpleNamespace(
    vertices=np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float), faces=np.array([[0, 1, 2], [0, 2, 3]])
)


@pytest.fixture(scope="module")
def trimesh():
    return pytest.importorskip("trimesh", reason="trimesh is not installed: not compared with it")


@pytest.fixture(scope="module")
def embree(trimesh):
    return pytest.importorskip("trimesh.ray.ray_pyembree", reason="embreex is not installed: not compared with it")


def ordinary_rays(random, count=2000):
    origins = random.normal(size=(count, 3)) * 2
    return origins, random.normal(size=(count, 3)) * 0.3 - origins


def same(ours, theirs):
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a, b, atol=2e-5) if a.dtype.kind == "f" else np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ordinary_rays_have_the_answers_of_embreex(trimesh, embree, random, dtype):
    mesh = trimesh.creation.torus(1.0, 0.4)
    ours, theirs = RayMeshIntersector(mesh), embree.RayMeshIntersector(mesh)
    rays = [a.astype(dtype) for a in ordinary_rays(random)]
    for how in ({}, {"multiple_hits": False}, {"max_hits": 2}, {"return_locations": True}):
        same(ours.intersects_id(*rays, **how), theirs.intersects_id(*rays, **how))
    for how in ({}, {"multiple_hits": False}):
        same(ours.intersects_location(*rays, **how), theirs.intersects_location(*rays, **how))
    np.testing.assert_array_equal(ours.intersects_first(*rays), theirs.intersects_first(*rays))
    same([ours.intersects_any(*rays)], [theirs.intersects_any(*rays)])
    same([ours.contains_points(rays[0])], [theirs.contains_points(rays[0])])


def test_ordinary_rays_have_the_answers_of_trimesh_alone(trimesh, random):
    pytest.importorskip("rtree", reason="rtree is not installed: not compared with trimesh's own rays")
    from trimesh.ray.ray_triangle import RayMeshIntersector as Theirs

    mesh = trimesh.creation.icosphere(2)
    ours, theirs = RayMeshIntersector(mesh), Theirs(mesh)
    rays = ordinary_rays(random, 300)
    assert set(zip(*ours.intersects_id(*rays), strict=True)) == set(zip(*theirs.intersects_id(*rays), strict=True))
    same([ours.intersects_first(*rays)], [theirs.intersects_first(*rays)])
    same([ours.intersects_any(*rays)], [theirs.intersects_any(*rays)])


def test_a_mesh_of_trimesh_asks_it(trimesh):
    mesh = trimesh.creation.box()
    mesh.ray = RayMeshIntersector(mesh)
    assert mesh.contains([[0, 0, 0], [0, 0, 2], [0.25, 0.25, 0.25]]).tolist() == [True, False, True]
    thickness = trimesh.proximity.thickness(mesh, [[0.1, 0.2, 0.5]], normals=[[0, 0, 1]], method="ray")
    assert thickness == pytest.approx([1.0], abs=1e-3)


def test_a_mesh_that_changes_is_read_again(trimesh):
    mesh = trimesh.creation.box()
    ray = RayMeshIntersector(mesh)
    assert ray.intersects_location([[0.1, 0.2, 9]], [[0, 0, -1]])[0][0, 2] == 0.5
    mesh.apply_translation([0, 0, 2])
    assert ray.intersects_location([[0.1, 0.2, 9]], [[0, 0, -1]])[0][0, 2] == 2.5


# ---- What differs, by kind ----


THROUGH_THE_EDGE = [[0.5, 0.5, 9.0]], [[0, 0, -1.0]]
BESIDE_IT = [[0.75, 0.25, 1]], [[0, 0, -1]]
THRICE = SimpleNamespace(vertices=SQUARE.vertices, faces=np.array([[0, 1, 2], [0, 1, 2], [2, 1, 0]]))


def test_edges_are_triangles_by_id_and_one_place():
    ray = RayMeshIntersector(SQUARE)
    assert ray.intersects_id(*THROUGH_THE_EDGE)[0].tolist() == [0, 1]
    places, rays, triangles = ray.intersects_location(*THROUGH_THE_EDGE)
    assert places.tolist() == [[0.5, 0.5, 0]] and rays.tolist() == triangles.tolist() == [0]


def test_ties_go_to_the_lowest_triangle():
    ray = RayMeshIntersector(SQUARE)
    assert ray.intersects_first([[0.5, 0.5, 1]], [[0, 0, -1]]).tolist() == [0]
    turned = SimpleNamespace(vertices=SQUARE.vertices, faces=SQUARE.faces[::-1])
    assert RayMeshIntersector(turned).intersects_first([[0.5, 0.5, 1]], [[0, 0, -1]]).tolist() == [0]


def test_duplicates_are_all_listed():
    assert RayMeshIntersector(THRICE).intersects_id(*BESIDE_IT)[0].tolist() == [0, 1, 2]


def test_embreex_has_one_triangle_of_an_edge_and_loses_duplicates(trimesh, embree):
    def count(mesh, rays):
        mesh = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        return len(embree.RayMeshIntersector(mesh).intersects_id(*rays)[0])

    assert count(SQUARE, THROUGH_THE_EDGE) == 1
    assert count(THRICE, BESIDE_IT) < 3


def test_nothing_leaks_at_edges_and_vertices(random):
    mesh = sightline.sphere(24)
    corners = mesh.triangles.astype(np.float64)
    weight = random.integers(0, 9, (len(corners), 1)) / 8
    edges = corners[:, 0] * weight + corners[:, 1] * (1 - weight)  # in floats: next to edges, or on them
    targets = np.concatenate([edges, corners[:, 0]])
    origins = np.full_like(targets, 0.125)
    assert RayMeshIntersector(mesh).intersects_any(origins, targets - origins).all()


def test_rays_that_start_on_the_surface_hit_it_at_zero():
    places, _, triangles = RayMeshIntersector(SQUARE).intersects_location([[0.75, 0.25, 0]], [[0, 0, 1]])
    assert places.tolist() == [[0.75, 0.25, 0]] and triangles.tolist() == [0]


def test_a_mesh_far_from_the_origin_is_where_it_is():
    far = np.array([5.0e6, 4.0e6, 300.0])
    mesh = SimpleNamespace(vertices=SQUARE.vertices + far + 0.1, faces=SQUARE.faces)
    ray = RayMeshIntersector(mesh)
    assert ray.rounding < 1e-6  # as floats they would be off by 0.25
    places, _, triangles = ray.intersects_location([far + [0.85, 0.35, 7]], [[0, 0, -1]])
    np.testing.assert_allclose(places, [far + [0.85, 0.35, 0.1]], atol=1e-6)
    assert triangles.tolist() == [0]
    assert not ray.intersects_any([far + [0.05, 0.35, 7]], [[0, 0, -1]]).any()


def test_inside_far_from_the_origin_and_of_open_meshes():
    ball = sightline.sphere(8)
    far = SimpleNamespace(vertices=ball.vertices.astype(float) + [1e7 + 0.1, 0, 0], faces=ball.faces)
    points = np.array([[1e7 + 0.1, 0, 0.5], [1e7 + 0.1, 0, 1.5]])
    assert RayMeshIntersector(far).contains_points(points).tolist() == [True, False]
    far.faces = ball.faces[1:]
    assert RayMeshIntersector(far).contains_points(points).tolist() == [True, False]


@pytest.mark.parametrize("at", [0.0, 1e7 + 0.1])
def test_inside_by_parity_and_by_winding(at):
    ball = sightline.sphere(8)
    two = np.concatenate([ball.vertices.astype(float), ball.vertices + np.array([1.0, 0, 0])]) + [at, 0, 0]
    faces = np.concatenate([ball.faces, ball.faces + len(ball.vertices)])
    points = np.array([[-0.5, 0, 0.1], [0.5, 0, 0.1], [1.5, 0, 0.1], [3, 0, 0.1]]) + [at, 0, 0]
    ray = RayMeshIntersector(SimpleNamespace(vertices=two, faces=faces))
    assert ray.contains_points(points).tolist() == [True, False, True, False]
    assert ray.contains_points(points, by="parity").tolist() == [True, False, True, False]
    assert ray.contains_points(points, by="winding").tolist() == [True, True, True, False]
    opened = RayMeshIntersector(SimpleNamespace(vertices=two, faces=faces[1:]))
    for by in (None, "winding"):
        assert opened.contains_points(points, by=by).tolist() == [True, True, True, False]
    with pytest.raises(sightline.InvalidArgument, match="'parity', 'winding' or None"):
        ray.contains_points(points, by="odd")


def two_close_ones():
    """Two triangles that are 2^-24 apart, and a third one behind them."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    vertices = np.concatenate([corners + [0, 0, z] for z in (0, -(2.0**-24), -1)])
    return SimpleNamespace(vertices=vertices, faces=np.arange(9).reshape(3, 3))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_surfaces_at_one_t_in_floats_are_two_places(dtype):
    ray = RayMeshIntersector(two_close_ones())
    origins = np.array([[0.25, 0.25, 4], [9, 9, 9], [0.25, 0.25, 0.5]], dtype)
    places, rays, triangles = ray.intersects_location(origins, np.array([[0, 0, -1]] * 3, dtype))
    assert rays.tolist() == [0, 2, 0, 2, 0, 2] and triangles.tolist() == [0, 0, 1, 1, 2, 2]
    np.testing.assert_array_equal(places[:, 2], [0, 0, -(2.0**-24), -(2.0**-24), -1, -1])


def test_float_rays_have_the_places_of_the_same_rays_in_doubles(random):
    ray = RayMeshIntersector(sightline.soup(400, 1.0))
    rays = [a.astype(np.float32) for a in ordinary_rays(random, 500)]
    ours, wide = ray.intersects_location(*rays), ray.intersects_location(*(a.astype(float) for a in rays))
    same(ours[1:], wide[1:])
    np.testing.assert_allclose(ours[0], wide[0], atol=1e-6)


def test_crossings_are_surfaces():
    touched, crossed = RayMeshIntersector(SQUARE), RayMeshIntersector(SQUARE, crossings=True)
    assert touched.intersects_id(*THROUGH_THE_EDGE)[0].tolist() == [0, 1]
    assert len(crossed.intersects_id(*THROUGH_THE_EDGE)[0]) == 1
    ball = sightline.sphere(6)
    targets = ball.vertices.astype(float)  # through vertices, and out again or past them
    origins = np.array([[3.0, 0.5, 0.25]]).repeat(len(targets), axis=0)
    through = RayMeshIntersector(ball, crossings=True)
    counts = np.bincount(through.intersects_id(origins, targets - origins)[1], minlength=len(targets))
    assert (counts % 2 == 0).all() and counts.any()
    assert (through.intersects_any(origins, targets - origins) == (counts > 0)).all()
    assert ((through.intersects_first(origins, targets - origins) >= 0) == (counts > 0)).all()
    for other in (copy.copy(through), pickle.loads(pickle.dumps(through))):
        assert len(other.intersects_id(origins, targets - origins)[0]) == counts.sum()


def test_copies_and_parts_ask_it_where_it_is_installed(trimesh):
    mesh = trimesh.creation.box()
    mesh.ray = RayMeshIntersector(mesh)
    assert not isinstance(mesh.copy().ray, RayMeshIntersector)  # trimesh gives a copy rays of its own
    install(threads=1, crossings=True)
    try:
        mesh = trimesh.creation.box()
        top = np.flatnonzero(mesh.triangles_center[:, 2] > 0.4)
        made = [mesh, mesh.copy(), mesh.submesh([top], append=True), copy.deepcopy(mesh)]
        made.append(trimesh.Trimesh(mesh.vertices, mesh.faces, use_embree=False))
        for one in made:
            assert isinstance(one.ray, RayMeshIntersector) and one.ray.mesh is one
            # Each asks its own triangles: through the diagonal of the top, twice or once, not three times.
            assert len(one.ray.intersects_id([[0.0, 0, 9]], [[0, 0, -1]])[0]) == 1 + one.is_watertight
    finally:
        install(False)
    assert not isinstance(trimesh.creation.box().ray, RayMeshIntersector)


# ---- The rest ----


def test_locations_of_float_rays_lie_on_the_plane(random):
    mesh = sightline.torus()
    origins, directions = (a.astype(np.float32) for a in ordinary_rays(random))
    triangles, rays, places = RayMeshIntersector(mesh).intersects_id(origins, directions, return_locations=True)
    corners = mesh.triangles[triangles].astype(np.float64)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    assert len(places) > 1000 and np.abs(((places - corners[:, 0]) * normal).sum(axis=1)).max() < 1e-9
    assert (triangles[:5] == RayMeshIntersector(mesh).intersects_first(origins, directions)[rays[:5]]).all()


def test_bad_arguments_say_what_is_wanted():
    ray = RayMeshIntersector(SQUARE)
    with pytest.raises(ValueError, match=r"\(n, 3\) is wanted"):
        ray.intersects_any([0, 0, 1], [0, 0, -1])
    with pytest.raises(ValueError, match="the same is wanted"):
        ray.intersects_any([[0, 0, 1]] * 2, [[0, 0, -1]])
    with pytest.raises(sightline.BadIndex, match="triangle 0, corner 2"):
        bad = SimpleNamespace(vertices=np.eye(3), faces=[[0, 1, 3]])
        RayMeshIntersector(bad).intersects_any([[0, 0, 0]], [[1, 0, 0]])


def test_no_rays_and_no_hits():
    ray = RayMeshIntersector(SQUARE)
    empty = np.empty((0, 3))
    assert [a.shape for a in ray.intersects_id(empty, empty, return_locations=True)] == [(0,), (0,), (0, 3)]
    assert ray.intersects_first(empty, empty).shape == (0,)
    places, rays, triangles = ray.intersects_location([[5, 5, 5]], [[0, 0, 1]])
    assert places.shape == (0, 3) and rays.dtype == triangles.dtype == np.int64


def test_it_is_copied_and_pickled_without_its_tree():
    ray = RayMeshIntersector(sightline.sphere(4), threads=1)
    for other in (copy.copy(ray), copy.deepcopy(ray), pickle.loads(pickle.dumps(ray))):
        assert other.intersects_any([[0, 0, 0]], [[0, 0, 1]]).all()

"""sightline_bvh.open3d: by itself, and next to Open3D's RaycastingScene, where that is installed."""

from types import SimpleNamespace

import numpy as np
import pytest

import sightline_bvh as sightline
from conftest import wanted
from sightline_bvh.open3d import RaycastingScene, Tensor

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
FACES = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
QUESTIONS_OF_RAYS = ("cast_rays", "test_occlusions", "count_intersections", "list_intersections")
QUESTIONS_OF_POINTS = ("compute_closest_points", "compute_distance", "compute_signed_distance", "compute_occupancy")


@pytest.fixture(scope="module")
def open3d():
    return wanted("open3d", "Open3D is not installed: not compared with it")


def both(open3d, *meshes):
    ours, theirs = RaycastingScene(), open3d.t.geometry.RaycastingScene()
    for vertices, faces in meshes:
        tensors = [open3d.core.Tensor(np.array(a)) for a in (vertices, faces)]
        assert ours.add_triangles(*tensors) == theirs.add_triangles(*tensors)
    return ours, theirs


def shapes(random):
    """A torus and a ball beside it, and rays and points around them."""
    torus, ball = sightline.torus(40, 20), sightline.sphere(12)
    meshes = (torus.vertices, torus.faces), (ball.vertices * np.float32(0.5) + np.float32(1.9), ball.faces)
    origins = random.normal(size=(4, 500, 3)) * 2
    rays = np.concatenate([origins, random.normal(size=origins.shape) - origins], axis=-1)
    return meshes, rays.astype(np.float32)


def same(ours, theirs):
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs)
        for key in theirs:
            same(ours[key], theirs[key])
        return
    theirs = theirs.numpy()
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    if ours.dtype.kind == "f":
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("question", QUESTIONS_OF_RAYS)
@pytest.mark.parametrize("geometries", [1, 2])
def test_ordinary_rays_have_the_answers_of_open3d(open3d, random, question, geometries):
    meshes, rays = shapes(random)
    ours, theirs = both(open3d, *meshes[:geometries])
    wanted = getattr(theirs, question)(open3d.core.Tensor(rays))
    if question == "list_intersections":  # those of a ray come in no order; ours are sorted
        order = np.lexsort((wanted["t_hit"].numpy(), wanted["ray_ids"].numpy()))
        wanted = {k: v if k == "ray_splits" else open3d.core.Tensor(v.numpy()[order]) for k, v in wanted.items()}
    same(getattr(ours, question)(rays), wanted)


@pytest.mark.parametrize("question", QUESTIONS_OF_POINTS)
@pytest.mark.parametrize("geometries", [1, 2])
def test_ordinary_points_have_the_answers_of_open3d(open3d, random, question, geometries):
    meshes, rays = shapes(random)
    ours, theirs = both(open3d, *meshes[:geometries])
    points = np.ascontiguousarray(rays[..., :3] / 2)
    answers = getattr(ours, question)(points), getattr(theirs, question)(open3d.core.Tensor(points))
    if question != "compute_closest_points":
        return same(*answers)
    # Triangles that share the nearest point are at equal distances: ours is the lowest.
    assert set(answers[0]) == set(answers[1])
    near = answers[0]["points"], answers[1]["points"].numpy()
    away = [np.linalg.norm(a - points, axis=-1) for a in near]
    np.testing.assert_allclose(*away, atol=1e-5)
    same(answers[0]["geometry_ids"], answers[1]["geometry_ids"])
    theirs = answers[1]["primitive_ids"].numpy()
    assert (answers[0]["primitive_ids"] == theirs).mean() > 0.5
    equal = answers[0]["primitive_ids"] == theirs
    for key in ("primitive_uvs", "primitive_normals"):
        np.testing.assert_allclose(answers[0][key][equal], answers[1][key].numpy()[equal], atol=1e-3)


def test_limits_of_occlusion_are_those_of_open3d(open3d, random):
    meshes, rays = shapes(random)
    ours, theirs = both(open3d, *meshes)
    for tnear, tfar in ((0.0, 0.5), (0.25, 0.75), (0.5, np.inf)):
        same(ours.test_occlusions(rays, tnear, tfar), theirs.test_occlusions(open3d.core.Tensor(rays), tnear, tfar))


def test_pinholes_are_those_of_open3d(open3d):
    theirs = open3d.t.geometry.RaycastingScene
    camera = (70, [0.1, 0.2, 0.3], [3, 1, -2], [0, 1, 0.2], 7, 5)
    same(RaycastingScene.create_rays_pinhole(*camera), theirs.create_rays_pinhole(*camera))
    named = dict(fov_deg=70, center=[0, 0, 0], eye=[3, 1, -2], up=[0, 0, 1], width_px=4, height_px=6)
    same(RaycastingScene().create_rays_pinhole(**named), theirs.create_rays_pinhole(**named))
    inner = np.array([[50, 0.1, 3.5], [0, 40, 2.5], [0, 0, 1]])
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    outer = np.eye(4)
    outer[:3, :3], outer[:3, 3] = turn, [1, 2, 3]
    same(RaycastingScene.create_rays_pinhole(inner, outer, 7, 5), theirs.create_rays_pinhole(inner, outer, 7, 5))


def test_meshes_of_open3d_are_taken(open3d):
    legacy = open3d.geometry.TriangleMesh.create_box()
    for mesh in (legacy, open3d.t.geometry.TriangleMesh.from_legacy(legacy)):
        scene = RaycastingScene()
        assert scene.add_triangles(mesh) == 0 and scene.add_triangles(mesh=mesh) == 1
        assert scene.cast_rays([[0.4, 0.6, -1, 0, 0, 1]])["t_hit"].tolist() == [1.0]


def the_tutorial(open3d, scene_of):
    """Open3D's tutorial "Ray Casting in a Scene", line by line: what it shows."""
    def moved(legacy, *by):
        return open3d.t.geometry.TriangleMesh.from_legacy(legacy.translate(by))

    make = open3d.geometry.TriangleMesh
    scene = scene_of()
    cube = scene.add_triangles(moved(make.create_box(), 0, 0, 0))
    torus = scene.add_triangles(moved(make.create_torus(), 0, 0, 2))
    sphere = scene.add_triangles(moved(make.create_sphere(0.5), 1, 2, 3))
    rays = open3d.core.Tensor([[0.5, 0.5, 10, 0, 0, -1], [-3, -3, 10, 0, 0, -1]], dtype=open3d.core.Dtype.Float32)
    ans = scene.cast_rays(rays)
    shown = [cube, torus, sphere, ans["t_hit"].numpy(), ans["geometry_ids"].cpu().numpy(), ans["t_hit"][0].numpy()]
    rays = scene_of.create_rays_pinhole(
        fov_deg=90, center=[0, 0, 2], eye=[2, 3, 0], up=[0, 1, 0], width_px=64, height_px=48
    )
    ans = scene.cast_rays(rays)
    shown += [ans["t_hit"].numpy(), np.abs(ans["primitive_normals"].numpy())]
    hit = ans["t_hit"].isfinite()
    points = rays[hit][:, :3] + rays[hit][:, 3:] * ans["t_hit"][hit].reshape((-1, 1))
    shown += [np.asarray(open3d.t.geometry.PointCloud(points).to_legacy().points), points.numpy()]
    counts = scene.count_intersections(rays)
    shown += [counts.numpy(), counts.to(open3d.core.float64).clone().contiguous().numpy(), counts.abs().cpu().numpy()]
    query = open3d.core.Tensor([[10, 10, 10], [0.5, 0.5, 0.5]], dtype=open3d.core.Dtype.Float32)
    shown += [scene.compute_signed_distance(query).numpy(), scene.compute_occupancy(query).numpy()]
    near = scene.compute_closest_points(query)
    return [*shown, near["points"].numpy(), near["geometry_ids"][0].item(), scene.INVALID_ID]


def test_only_the_import_changes(open3d):
    ours, theirs = the_tutorial(open3d, RaycastingScene), the_tutorial(open3d, open3d.t.geometry.RaycastingScene)
    for a, b in zip(ours, theirs, strict=True):
        assert type(a) is type(b) and np.shape(a) == np.shape(b)
        assert not isinstance(a, np.ndarray) or a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


def test_answers_act_as_tensors():
    scene = RaycastingScene()
    scene.add_triangles(SQUARE, FACES)
    rays = np.array([[0.25, 0.5, 1, 0, 0, -1], [9, 9, 9, 0, 0, 1]], np.float32)
    t = scene.cast_rays(rays)["t_hit"]
    assert type(t.numpy()) is np.ndarray and t.cpu() is t and t.is_cpu and not t.is_cuda
    assert t.isfinite().tolist() == [True, False] == (~t.isinf()).tolist() and not t.isnan().any()
    assert t[0].numpy().shape == () and {t[0]: 1}[t[0].clone()] == 1 and (-t).abs()[0].item() == 1
    assert t.to(np.float64).dtype == np.float64 and t.to("CPU:0").contiguous().tolist() == t.tolist()
    for answer in (
        *scene.cast_rays(rays).values(), scene.test_occlusions(rays), scene.count_intersections(rays),
        *scene.list_intersections(rays).values(), *scene.compute_closest_points(rays[:, :3]).values(),
        scene.compute_distance(rays[:, :3]), scene.compute_signed_distance(rays[:, :3]),
        scene.compute_occupancy(rays[:, :3]), RaycastingScene.create_rays_pinhole(60, [0, 0, 0], [0, 0, 3], [0, 1, 0], 3, 2),
    ):  # fmt: skip
        assert isinstance(answer, Tensor)
    with pytest.raises(sightline.Unsupported, match="CUDA:0"):
        t.to("CUDA:0")


def test_a_mesh_far_from_the_origin_is_where_it_is():
    ball, far = sightline.sphere(8), np.array([1e9, -1e9, 5e8]) + 0.3
    scene = RaycastingScene()
    scene.add_triangles(ball.vertices + far, ball.faces)
    assert scene.rounding < 1e-6  # as floats they would be off by up to 32
    rays = np.array([[*(far + [0.1, 0.2, 3]), 0, 0, -1], [*(far + [3, 0.2, 3]), 0, 0, -1]])
    near = RaycastingScene()
    near.add_triangles(ball)
    wanted = near.cast_rays(np.array([[0.1, 0.2, 3, 0, 0, -1], [3, 0.2, 3, 0, 0, -1]]))
    found = scene.cast_rays(rays)
    np.testing.assert_array_equal(found["primitive_ids"], wanted["primitive_ids"])
    np.testing.assert_allclose(found["t_hit"], wanted["t_hit"], atol=1e-6)
    points = far + [[0, 0, 0.5], [0, 0, 2]]
    assert scene.compute_occupancy(points).tolist() == [1, 0]
    np.testing.assert_allclose(scene.compute_closest_points(points)["points"][1] - far, [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(scene.compute_signed_distance(points)[1], 1, atol=1e-6)
    assert scene.add_triangles(ball) == 1  # one there and one here
    both = np.concatenate([rays, [[0.1, 0.2, 3, 0, 0, -1]]])
    assert scene.cast_rays(both)["geometry_ids"].tolist() == [0, scene.INVALID_ID, 1]
    assert scene.compute_occupancy([far, [0, 0, 0]]).tolist() == [1, 1]
    recentred = RaycastingScene()
    recentred.add_triangles(sightline.Mesh(ball.vertices + far, ball.faces, recentre=True))
    assert recentred.cast_rays(rays)["t_hit"].tolist() == found["t_hit"].tolist()


# ---- What differs, by kind ----


def through_the_middle():
    """Through the edge that both triangles share, and beside it."""
    return np.array([[0.5, 0.5, 1, 0, 0, -1], [0.25, 0.75, 1, 0, 0, -1]], np.float32)


THRICE = np.array([[0, 1, 2], [0, 1, 2], [2, 1, 0]], np.uint32)


def test_edges_count_once_and_are_two_triangles_on_request():
    scene, exact = RaycastingScene(), RaycastingScene(crossings=False)
    scene.add_triangles(SQUARE, FACES)
    exact.add_triangles(SQUARE, FACES)
    assert scene.count_intersections(through_the_middle()).tolist() == [1, 1]
    assert exact.count_intersections(through_the_middle()).tolist() == [2, 1]
    assert exact.list_intersections(through_the_middle())["primitive_ids"].tolist() == [0, 1, 1]


def test_duplicates_all_count():
    scene = RaycastingScene()
    scene.add_triangles(SQUARE, THRICE)
    ray = np.array([[0.75, 0.25, 1, 0, 0, -1]], np.float32)
    assert scene.count_intersections(ray).tolist() == [3]
    assert scene.list_intersections(ray)["primitive_ids"].tolist() == [0, 1, 2]


def test_open3d_counts_edges_once_and_loses_duplicates(open3d):
    rays = open3d.core.Tensor(through_the_middle())
    assert both(open3d, (SQUARE, FACES))[1].count_intersections(rays).numpy().tolist() == [1, 1]
    ray = open3d.core.Tensor(np.array([[0.75, 0.25, 1, 0, 0, -1]], np.float32))
    assert both(open3d, (SQUARE, THRICE))[1].count_intersections(ray).numpy().tolist() == [1]


def test_ties_go_to_the_lowest_triangle_of_the_lowest_geometry():
    scene = RaycastingScene()
    for _ in range(2):
        scene.add_triangles(SQUARE, FACES)
    answer = scene.cast_rays(through_the_middle())
    assert answer["geometry_ids"].tolist() == [0, 0] and answer["primitive_ids"].tolist() == [0, 1]


def test_nothing_leaks_at_edges_and_no_sign_flips(random):
    mesh = sightline.sphere(16)
    scene = RaycastingScene()
    scene.add_triangles(mesh)
    origins = np.zeros((len(mesh.vertices), 3), np.float32)
    outwards = np.concatenate([origins, mesh.vertices], axis=1)
    assert np.isfinite(scene.cast_rays(outwards)["t_hit"]).all()
    assert (scene.count_intersections(outwards) == 1).all()
    # Points whose ray along +x runs through vertices.
    points = mesh.vertices * np.array([0.5, 1, 1], np.float32)
    points = points[np.linalg.norm(points, axis=1) < 0.9]
    assert (scene.compute_occupancy(points) == 1).all()
    assert (scene.compute_signed_distance(points) < 0).all()


def test_doubles_are_traced_in_doubles():
    scene = RaycastingScene()
    scene.add_triangles(SQUARE, FACES)
    answer = scene.cast_rays(np.array([[0.25, 0.5, 1 + 1e-12, 0, 0, -1]]))
    assert answer["t_hit"].dtype == np.float64 and answer["t_hit"][0] == 1 + 1e-12


def test_a_cavity_is_outside_and_each_geometry_is_judged_alone():
    ball = sightline.sphere(8)
    scene = RaycastingScene()
    scene.add_triangles(ball)
    scene.add_triangles(ball.vertices * np.float32(0.5), ball.faces)
    points = np.array([[0, 0, 0], [0.7, 0, 0.1], [2, 0, 0]], np.float32)
    assert scene.compute_occupancy(points).tolist() == [0, 1, 0]
    assert np.sign(scene.compute_signed_distance(points)).tolist() == [1, -1, 1]


@pytest.mark.parametrize("apart", [False, True])
def test_geometries_that_overlap_are_one_body_by_winding(apart):
    ball, scene = sightline.sphere(8), RaycastingScene()
    other = ball.vertices + np.float32([1, 0, 0])
    if apart:
        scene.add_triangles(ball)
        scene.add_triangles(other, ball.faces)
    else:
        scene.add_triangles(np.concatenate([ball.vertices, other]),
                            np.concatenate([ball.faces, ball.faces + len(other)]))  # fmt: skip
    points = np.array([[-0.5, 0, 0.1], [0.5, 0, 0.1], [1.5, 0, 0.1], [3, 0, 0.1]], np.float32)
    assert scene.compute_occupancy(points).tolist() == [1, 0, 1, 0]
    for dtype in (np.float32, np.float64):
        assert scene.compute_occupancy(points.astype(dtype), by="winding").tolist() == [1, 1, 1, 0]
    assert np.sign(scene.compute_signed_distance(points)).tolist() == [-1, 1, -1, 1]
    assert np.sign(scene.compute_signed_distance(points, by="winding")).tolist() == [-1, -1, -1, 1]
    with pytest.raises(sightline.InvalidArgument, match="'parity' or 'winding'"):
        scene.compute_occupancy(points, by="odd")


def test_an_empty_scene_answers_that_there_is_nothing():
    scene = RaycastingScene()
    ray, point = np.zeros((1, 6), np.float32), np.zeros((1, 3), np.float32)
    assert scene.cast_rays(ray)["geometry_ids"].tolist() == [RaycastingScene.INVALID_ID]
    assert scene.compute_distance(point).tolist() == [np.inf]
    assert np.isnan(scene.compute_closest_points(point)["points"]).all()
    assert scene.list_intersections(np.empty((0, 6), np.float32))["ray_splits"].tolist() == [0]


# ---- The rest ----


def test_any_leading_shape_is_kept(random):
    meshes, rays = shapes(random)
    scene = RaycastingScene()
    for mesh in meshes:
        scene.add_triangles(*mesh)
    flat = scene.cast_rays(rays.reshape(-1, 6))
    shaped = scene.cast_rays(rays)
    for key in flat:
        np.testing.assert_array_equal(shaped[key].reshape(flat[key].shape), flat[key])
    assert scene.cast_rays(rays[0, 0])["t_hit"].shape == () and scene.compute_distance(rays[0, 0, :3]).shape == ()


def test_tensors_are_what_has_numpy():
    scene = RaycastingScene()
    scene.add_triangles(SimpleNamespace(numpy=lambda: SQUARE), SimpleNamespace(numpy=lambda: FACES.astype(np.int64)))
    rays = SimpleNamespace(numpy=lambda: through_the_middle())
    assert scene.test_occlusions(rays).tolist() == [True, True]


def test_normals_are_those_of_the_geometry(random):
    meshes, rays = shapes(random)
    scene = RaycastingScene()
    for mesh in meshes:
        scene.add_triangles(*mesh)
    answer = scene.cast_rays(rays)
    trees = [sightline.Tree(*mesh) for mesh in meshes]
    for k, tree in enumerate(trees):
        here = answer["geometry_ids"] == k
        assert here.any()
        corners = tree.triangles(answer["primitive_ids"][here]).astype(np.float64)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        np.testing.assert_allclose(answer["primitive_normals"][here], normal, atol=1e-6)
    assert (answer["primitive_normals"][answer["geometry_ids"] == scene.INVALID_ID] == 0).all()


def test_bad_arguments_say_what_is_wanted():
    scene = RaycastingScene()
    with pytest.raises(ValueError, match=r"\(\.\.\., 6\) is wanted"):
        scene.cast_rays(np.zeros((3, 5), np.float32))
    with pytest.raises(ValueError, match="nsamples is odd"):
        scene.compute_occupancy(np.zeros((1, 3), np.float32), nsamples=2)
    with pytest.raises(sightline.BadIndex, match="triangle 0, corner 2"):
        scene.add_triangles(SQUARE, np.array([[0, 1, 9]]))
    with pytest.raises(ValueError, match="vertices and triangles"):
        scene.add_triangles(object())
    with pytest.raises(sightline.Unsupported):
        RaycastingScene(device="SYCL:0")
    with pytest.raises(ValueError, match="the arguments are"):
        scene.create_rays_pinhole(90, [0, 0, 0])
    with pytest.raises(ValueError, match="up is not along"):
        scene.create_rays_pinhole(90, [0, 0, 0], [0, 0, 1], [0, 0, 1], 2, 2)


def test_far_from_the_origin_hits_are_exact():
    far = np.array([2.0**22, 2.0**21, 0], np.float32)  # where floats are half a unit apart
    scene = RaycastingScene()
    scene.add_triangles(SQUARE * np.float32(8) + far, FACES)
    for off, wanted in ((1e-9, [False] + [True] * 8 + [False]), (-1e-9, [False] * 2 + [True] * 8)):
        origins = far.astype(np.float64) + [[x + off, 4, 1] for x in range(-1, 9)]
        rays = np.concatenate([origins, np.broadcast_to([0, 0, -1.0], origins.shape)], axis=1)
        assert scene.test_occlusions(rays).tolist() == wanted


def test_rays_that_start_on_the_surface_do_as_they_should(random):
    tree = sightline.Tree(sightline.sphere(32))
    scene = RaycastingScene()
    scene.add_triangles(tree)
    outwards = random.normal(size=(4000, 3)).astype(np.float32)
    surface = tree.surface(tree.closest(np.zeros(3, np.float32), outwards))
    # From in front of a convex mesh along its normal nothing is met; from behind it the mesh is, at once.
    assert not scene.test_occlusions(np.concatenate([surface.front_origin, surface.normal], axis=1)).any()
    behind = scene.cast_rays(np.concatenate([surface.back_origin, surface.normal], axis=1))
    assert (behind["t_hit"] < 1e-6).all()
    # On a corner a ray begins with a hit.
    corners = tree.mesh.vertices
    assert (scene.cast_rays(np.concatenate([corners, corners], axis=1))["t_hit"] == 0).all()

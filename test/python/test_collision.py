"""sightline_bvh.trimesh.CollisionManager: by itself, and next to trimesh's own, where trimesh and fcl are installed."""

from types import SimpleNamespace

import numpy as np
import pytest

import sightline_bvh as sightline
from sightline_bvh.trimesh import CollisionManager, scene_to_collision

BALL = sightline.sphere(8)


def at(x, y=0.0, z=0.0, turn=0.0):
    place = np.eye(4)
    place[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    place[:3, 3] = x, y, z
    return place


def manager_of(places, mesh=BALL):
    manager = CollisionManager()
    for name, place in places.items():
        manager.add_object(name, mesh, place)
    return manager


@pytest.fixture
def row():
    return manager_of({"c": at(0), "a": at(1.5), "b": at(4)})


@pytest.fixture(scope="module")
def theirs():
    """trimesh, with a manager that works."""
    trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: not compared with it")
    pytest.importorskip("fcl", reason="python-fcl is not installed: not compared with trimesh's manager")
    return trimesh


def test_objects_come_move_and_go(row):
    assert row.in_collision_internal(return_names=True) == (True, {("a", "c")})
    assert row.min_distance_internal("b", return_names=True) == (0.5, ("a", "b"))
    row.set_transform("a", at(9))
    assert row.in_collision_internal() is False and row.min_distance_internal() == 2
    assert row.min_distance_internal(return_names=True)[1] == ("b", "c")
    row.remove_object("c")
    assert row.min_distance_internal(return_names=True) == (3, ("a", "b"))
    row.add_object("b", BALL, at(9, 0.5))
    assert row.in_collision_internal(return_names=True) == (True, {("a", "b")})
    row.add_object("a", BALL)
    assert row.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])


def test_what_is_asked_for_comes_behind_the_answer(row):
    hit, names, data = row.in_collision_single(BALL, at(3), return_names=True, return_data=True)
    assert hit is True and names == {"a", "b"} and len(data) == 2
    assert {frozenset(one.names) for one in data} == {frozenset(("a", "__external")), frozenset(("b", "__external"))}
    ball = sightline.Tree(BALL)
    for one in data:
        place = at(1.5) if "a" in one.names else at(4)
        for name, where in ((next(iter(one.names - {"__external"})), place), ("__external", at(3))):
            triangle = ball.triangles(one.index(name)).astype(float) + where[:3, 3]
            there = sightline.Tree(triangle, [[0, 1, 2]]).nearest(one.point)
            assert there.distance < 1e-6
        assert one.point.shape == (3,) and abs(np.linalg.norm(one.normal) - 1) < 1e-12
        with pytest.raises(sightline.Unsupported, match="depth"):
            one.depth
    assert row.in_collision_single(BALL, at(20), return_data=True) == (False, [])
    other = manager_of({"x": at(5.5), "y": at(20)})
    assert row.in_collision_other(other) is True
    assert row.in_collision_other(other, return_names=True) == (True, {("b", "x")})
    assert other.in_collision_other(row, return_names=True) == (True, {("x", "b")})


def test_distances_name_what_is_nearest(row):
    distance, name, data = row.min_distance_single(BALL, at(8), return_name=True, return_data=True)
    assert (distance, name, data.distance) == (2, "b", 2) and data.names == {"b", "__external"}
    assert data.point("b").tolist() == [5, 0, 0] and data.point("__external").tolist() == [7, 0, 0]
    ball = sightline.Tree(BALL)
    assert (ball.triangles(data.index("b")) == [1, 0, 0]).all(axis=1).any()
    assert row.min_distance_single(BALL, at(3)) == 0
    other = manager_of({"x": at(4, 5), "y": at(20)})
    assert row.min_distance_other(other, return_names=True) == (3, ("b", "x"))
    assert other.min_distance_other(row, return_names=True) == (3, ("x", "b"))
    names, data = row.min_distance_internal("c", return_names=True, return_data=True)[1:]
    assert names == ("a", "c") and data.distance == 0 and (data.point("a") == data.point("c")).all()


def test_what_is_alone_or_empty_is_far_from_all():
    manager = CollisionManager()
    assert manager.in_collision_internal() is False and manager.min_distance_internal() == np.inf
    assert manager.in_collision_single(BALL, return_names=True) == (False, set())
    assert manager.min_distance_single(BALL, return_name=True) == (np.inf, None)
    manager.add_object("a", BALL)
    manager.add_object("nothing", sightline.Mesh(np.zeros((0, 3))), at(0))
    assert manager.in_collision_internal() is False
    assert manager.min_distance_internal("a", return_names=True, return_data=True) == (np.inf, None, None)
    assert manager.min_distance_other(CollisionManager()) == np.inf


def test_meshes_far_from_the_origin_are_not_rounded_there():
    """Their corners are floats around their own middle, and their places are doubles."""
    far = SimpleNamespace(vertices=BALL.vertices.astype(float) + [1e7 + 0.1, 0, 0], faces=BALL.faces)
    manager = CollisionManager()
    manager.add_object("a", far)
    manager.add_object("b", far, at(2.01))
    assert manager.in_collision_internal() is False and abs(manager.min_distance_internal() - 0.01) < 1e-6


def test_meshes_that_were_asked_about_are_let_go():
    manager = manager_of({"a": at(0), "b": at(5)})
    for n in range(60):
        manager.in_collision_single(sightline.sphere(2 + n % 3), at(9))
    assert len(manager._trees) < 30 and manager.min_distance_internal() == 3


@pytest.mark.parametrize("name", ["none", None])
def test_unknown_names_and_wrong_arguments_are_refused(row, name):
    for call in (lambda: row.remove_object(name), lambda: row.set_transform(name, at(0))):
        with pytest.raises(ValueError, match="there is no object"):
            call()
    with pytest.raises(sightline.InvalidArgument, match="there is no object"):
        row.min_distance_internal("none")
    with pytest.raises(sightline.InvalidArgument, match=r"transform has the shape \(3, 4\); \(4, 4\)"):
        row.add_object("d", BALL, at(0)[:3])
    with pytest.raises(sightline.InvalidArgument, match="vertices and faces, not int"):
        row.in_collision_single(3)
    assert row.in_collision_internal(return_names=True) == (True, {("a", "c")})


@pytest.mark.parametrize("seed", range(4))
def test_ordinary_meshes_have_the_answers_of_trimesh(theirs, seed):
    """Where nothing is flush or just touches, both agree on who collides, and on distances within fcl's rounding."""
    random = np.random.default_rng(seed)
    meshes = [theirs.creation.icosphere(2), theirs.creation.torus(1.0, 0.3), theirs.creation.box((1.0, 2.0, 0.5))]
    ours, its = CollisionManager(), theirs.collision.CollisionManager()
    for n in range(8):
        place = theirs.transformations.random_rotation_matrix(random.uniform(size=3))
        place[:3, 3] = random.uniform(-3, 3, 3)
        for manager in (ours, its):
            manager.add_object(f"o{n}", meshes[n % 3], place)
    assert ours.in_collision_internal(return_names=True) == its.in_collision_internal(return_names=True)
    place = at(0.3, 0.2, 0.1, 0.7)
    own, other = (m.in_collision_single(meshes[0], place, return_names=True, return_data=True) for m in (ours, its))
    assert own[:2] == other[:2] and {frozenset(d.names) for d in own[2]} == {frozenset(d.names) for d in other[2]}
    place = at(9, 2, 1, 0.7)
    own, other = (m.min_distance_single(meshes[1], place, True, True) for m in (ours, its))
    assert own[1] == other[1] and np.isclose(own[0], other[0], atol=1e-4) and own[2].names == other[2].names
    for name in own[2].names:
        assert np.allclose(own[2].point(name), other[2].point(name), atol=0.05)
    pair = [(type(m)(), m) for m in (ours, its)]
    for new, _ in pair:
        new.add_object("x", meshes[2], at(7, 1, 1))
        new.add_object("y", meshes[0], at(0.5, 0.5, 0))
    own, other = (m.in_collision_other(new, return_names=True) for new, m in pair)
    assert own == other
    for new, _ in pair:
        new.remove_object("y")
    own, other = (m.min_distance_other(new, return_names=True) for new, m in pair)
    assert np.isclose(own[0], other[0], atol=1e-4) and set(own[1]) == set(other[1])
    for manager in (ours, its):  # one alone, far from the others
        manager.set_transform("o3", at(40, 3, 5, 1))
    own, other = (m.min_distance_internal("o3", return_names=True) for m in (ours, its))
    assert np.isclose(own[0], other[0], atol=1e-4) and own[1] == other[1]


def test_what_differs_from_trimesh_is_what_the_page_says(theirs):
    """Convex meshes are solids there, and what touches is decided by rounding."""
    large, small = theirs.creation.box((2.0, 2.0, 2.0)), theirs.creation.box((0.5, 0.5, 0.5))
    ours, its = CollisionManager(), theirs.collision.CollisionManager()
    for manager in (ours, its):
        manager.add_object("large", large)
        manager.add_object("small", small)
    assert (ours.in_collision_internal(), its.in_collision_internal()) == (False, True)
    assert ours.min_distance_internal() == 0.75 and its.min_distance_internal() < 0
    solids = sightline.Scene([sightline.Tree(large), sightline.Tree(small)]).clashing(solids=True)
    assert solids.kinds.tolist() == ["hard"] and solids.solids.tolist() == ["b_inside"]
    for manager in (ours, its):
        manager.set_transform("small", at(1.25))
    assert (ours.in_collision_internal(), its.in_collision_internal()) == (True, False)


def test_a_mesh_of_trimesh_that_changes_is_read_again(theirs):
    mesh = theirs.creation.box((1.0, 1.0, 1.0))
    manager = CollisionManager()
    manager.add_object("a", mesh)
    manager.add_object("b", mesh, at(3))
    mesh.apply_scale(5)
    assert manager.in_collision_internal() is False
    manager.set_transform("a", at(0))
    assert manager.in_collision_internal() is True


def test_the_nodes_of_a_scene_of_trimesh_are_objects(theirs):
    scene = theirs.Scene()
    box = theirs.creation.box((1.0, 1.0, 1.0))
    for name, x in (("a", 0.0), ("b", 0.75), ("c", 4.0)):
        scene.add_geometry(box, node_name=name, geom_name="box", transform=at(x))
    ours, meshes = scene_to_collision(scene)
    its, objects = theirs.collision.scene_to_collision(scene)
    assert set(meshes) == set(objects) == {"a", "b", "c"} and len(meshes["c"].faces) == 12
    for manager in (ours, its):
        assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
        assert manager.min_distance_internal("c") == 2.25

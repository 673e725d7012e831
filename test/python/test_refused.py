"""Wrong arguments are refused by their names in Python, and empty arrays have empty answers."""

import re

import numpy as np
import pytest

import sightline_bvh as sightline
from sightline_bvh import NONE, REF, BadIndex, InvalidArgument

TREE = sightline.Tree(sightline.sphere(4))
MESH = TREE.mesh
SCENE = sightline.Scene([TREE, sightline.Instance(), (TREE, np.diag([2, 2, 2, 1.0]))])
NEST = sightline.Scene([SCENE, sightline.Instance(), TREE])
CAMERA = sightline.Camera([0, 0, 3], [0, 0, 0], width=4, height=4)
O, D = [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]
OBJ = b"v 0 0 0\n"


def ref(instance, prim):
    return np.array((instance, prim), REF)


def code(calls):
    """Calls by their text, one in a line, each with the words of its refusal behind ##."""
    return [line.strip().split("  ## ") for line in calls.strip().splitlines()]


INDICES = """
    TREE.closest(O, D, skip=10**6)  ## no triangle 1000000
    TREE.closest([O, O], D, skip=[0, 128])  ## no triangle 128
    TREE.closest([O, O], D, skip=[[0, 1], [NONE, 999]])  ## no triangle 999
    TREE.inside(O, skip=128)  ## no triangle 128
    TREE.nearest(O, skip=ref(1, 0))  ## no triangle 0 of instance 1
    SCENE.any(O, D, skip=ref(3, 0))  ## no triangle 0 of instance 3
    SCENE.any(O, D, skip=ref(1, 0))  ## no triangle 0 of instance 1
    SCENE.any(O, D, skip=ref(2, 128))  ## no triangle 128 of instance 2
    NEST.any(O, D, skip=ref(3, 0))  ## no triangle 0 of instance 3
    NEST.any([O, O], D, skip=np.array([(4, 127), (5, 0)], REF))  ## no triangle 0 of instance 5
    sightline.Scene([]).any(O, D, skip=ref(0, 0))  ## no triangle 0 of instance 0
    SCENE.any(O, D, ignore=3)  ## no instance 3
    SCENE.containing(O, ignore=[[0, 3], [1, 3]])  ## no instance 3
"""

ARGUMENTS = """
    TREE.closest(O, D, skip=-1)  ## skip .*not -1
    TREE.closest([O], D, skip=[[-1, 0]])  ## skip .*not -1
    TREE.closest([O], D, mask=[-1])  ## mask .*not -1
    TREE.closest(O, D, mask=-1)  ## mask -1
    TREE.with_masks([-1] * 128)  ## masks .*not -1
    SCENE.any(O, D, ignore=-1)  ## ignore .*not -1
    SCENE.any(O, D, ignore=[[0, -1]])  ## ignore .*not -1
    TREE.triangles(-2)  ## prims .*not -2
    TREE.within(O, -1)  ## radius .*not -1
    TREE.within(O, np.nan)  ## radius .*not nan
    TREE.nearest(O, max_distance=-0.5)  ## max_distance .*not -0.5
    TREE.nearest_k(O, 2, max_distance=-1)  ## max_distance .*not -1
    TREE.overlaps(spheres=[[0, 0, 0, 1], [0, 0, 0, -1]])  ## spheres: of number 1 the radius
    TREE.overlap(capsules=[0, 0, 0, 1, 1, 1, -1])  ## capsules: of number 0 the radius
    TREE.overlaps(boxes=[[[0, 0, 0], [1, 1, 1]], [[0, 2, 0], [1, 1, 1]]])  ## boxes: of number 1 min
    SCENE.overlap(obbs=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -1, 1]])  ## obbs: of number 0 a half
    TREE.closest([None, 0, 0], D)  ## origins.*None
    TREE.closest(None, None)  ## rays.*None
    TREE.closest([["0", None, 0]], D)  ## origins.*str, which is no number
    TREE.nearest([O, [0, None, 0]])  ## points.*None
    TREE.overlaps(spheres=[0, 0, 0, None])  ## spheres.*None
    TREE.closest(O, D, tmax=[None])  ## tmax.*None
    TREE.nearest(O, max_distance="1")  ## max_distance is one number
    TREE.nearest_k(O, None)  ## k is a whole number
    TREE.nearest_k(O, "3")  ## k is a whole number
    TREE.closest(O, D, threads=1.5)  ## threads is a whole number
    TREE.closest(O, D, threads="2")  ## threads is a whole number
    SCENE.closest(O, D, filter=3)  ## filter of a scene
    TREE.bake("ao", rays=1.5)  ## rays for a point
    TREE.bake("ao", rays=None)  ## rays for a point
    TREE.bake("ao", first=-1)  ## first is a whole number
    TREE.render(3)  ## camera is a Camera, not 3
    TREE.render(samples=None)  ## samples is a whole number
    TREE.render(background=(0, 0, 256))  ## background is three numbers
    TREE.render(width=None)  ## width is a whole number
    TREE.refit(MESH.vertices, rebuild_share=2)  ## rebuild_share is a number from 0 to 1
    sightline.Tree(MESH, max_memory=-1)  ## max_memory is a whole number
    sightline.Tree(TREE)  ## a tree is of a mesh
    sightline.Tree(None)  ## a tree is of a mesh
    sightline.Mesh([[None, 0, 0]] * 3)  ## vertices.*None
    sightline.Mesh(MESH.vertices, uvs="a")  ## uvs is an array of numbers
    sightline.Scene(None)  ## instances are a sequence
    sightline.Scene([(TREE, "a")])  ## the transform of instance 0
    sightline.Scene([sightline.Instance(TREE, grid=None)])  ## the grid of instance 0
    SCENE.path("a")  ## instance is a whole number
    sightline.Camera(O, O)  ## eye and target are one point
    sightline.Camera(O, D, fov_deg=180)  ## fov_deg is an angle between 0 and 180
    sightline.Camera(O, [1, 0, 0], near=-1)  ## near is -1
    sightline.Camera(O, [1, 0, 0], near=2, far=1)  ## far is 1; it must be more than near, 2
    sightline.Camera(O, D, width=1.5)  ## width is a whole number
    sightline.Camera.fit(3)  ## vertices has the shape
    sightline.sphere(1.5)  ## n is a whole number
    sightline.grid(2, 2, seed=-1)  ## seed is a whole number
    sightline.soup(3, None)  ## size is one number
    sightline.set_threads("a")  ## threads is a whole number
    sightline.colour_map([1, None])  ## values.*None
    MESH.save("a.ply", quality="a")  ## quality is an array of numbers
    sightline.load("a.obj\\0.txt")  ## no NUL byte
    sightline.loads("v 0 0 0", "a.obj")  ## write data.encode
    TREE.nearest(np.ma.masked_array([[3.0, 0, 0]], mask=[[True, False, False]]))  ## points has masked numbers
    TREE.nearest([[10**400, 0, 0]])  ## points
    TREE.nearest(O, max_distance=10**400)  ## max_distance
    TREE.signed_distance(O, ignore=[0])  ## ignore is for scenes
    sightline.loads(OBJ, "a.obj", max_memory=None)  ## max_memory is a whole number
    sightline.Hits(3)  ## Hits are of an array of records
"""

OF_THE_LIBRARY = """
    sightline.Tree(MESH, max_memory=1)  ## the build would hold .* max_memory is 1
    sightline.Tree(MESH, max_tree_size=1)  ## the tree would take .* max_tree_size is 1
    sightline.loads(TREE.to_bytes(), "a.slt")  ## this looks like a tree file; open it with Tree.load
    TREE.closest(O, D, tmux=1)  ## TreeOrScene.closest.* got an unexpected keyword argument 'tmux'
    sightline.loads(None)  ## a bytes-like object is required
"""


def refusal(call, words, kind):
    with pytest.raises(kind) as caught:
        eval(call, globals())
    said = str(caught.value)
    assert re.search(words, said), said
    ours = said.replace("max_distance", "")
    assert not re.search(r"\bsl_|\bSL_|_core|\bTarget|Records|_distance|_rad\b", ours), said
    return said, caught.value


@pytest.mark.parametrize("call, words", code(INDICES))
def test_what_is_not_there_is_no_number_of_it(call, words):
    _, fault = refusal(call, words, BadIndex)
    assert fault.index is not None


@pytest.mark.parametrize("call, words", code(ARGUMENTS))
def test_arguments_are_refused_by_name(call, words):
    said, fault = refusal(call, words, InvalidArgument)
    assert ": of number" not in said or f": of number {fault.index} " in said


@pytest.mark.parametrize("call, words", code(OF_THE_LIBRARY))
def test_messages_name_what_python_has(call, words):
    refusal(call, words, (sightline.SightlineError, TypeError))


def test_what_is_there_is_skipped_and_ignored():
    first = TREE.closest(O, D)
    for skip in (NONE, [NONE, NONE], first, int(first.prim), 127, ref(0, NONE), ref(NONE, NONE), ref(7, NONE)):
        assert TREE.closest(O, D, skip=skip).hit
    assert (TREE.closest(O, D, skip=NONE) == first).all()
    hit = SCENE.closest(O, D)
    assert SCENE.closest(O, D, skip=hit).prim != hit.prim
    assert SCENE.closest(O, D, ignore=[[0, 2]]).instance == 2 and not SCENE.any(O, D, ignore=[[0, 3]])
    assert NEST.closest(O, D, skip=NEST.all(O, D).values[-1].ref).hit
    hits = SCENE.closest([O, [9, 9, 9]], D)
    assert hits.hit.tolist() == [True, False] and SCENE.any([O, O], D, skip=hits).all()


def test_what_is_not_finite_touches_nothing():
    """Such as the bounds of an empty mesh; and what is as flat as a point is fine."""
    empty = sightline.Tree(np.empty((0, 3)))
    assert not TREE.overlaps(boxes=empty.bounds) and not TREE.overlaps(spheres=[0, 0, 1, np.nan])
    assert TREE.overlaps(boxes=[[0, 0, 1], [0, 0, 1]]) and TREE.overlaps(spheres=[0, 0, 1, 0])
    assert TREE.within([0, 0, 1], 0).counts > 0 and TREE.nearest([0, 0, 1], max_distance=0).found


@pytest.mark.parametrize("target", [TREE, SCENE])
def test_of_nothing_there_are_no_answers(target):
    for answer in (
        target.closest([], []), target.closest([]), target.closest(O, []), target.closest([], D), target.closest([], to=[]),
        target.any([], []), target.count([], []), target.blocked([], []), target.blockers(O, []), target.fan(O, []),
        target.fan(O, to=[]), target.nearest([]), target.inside([]), target.overlaps(spheres=[]),
        target.next(target.closest([], []), [], []), target.closest([], [], skip=np.empty(0, REF), mask=np.uint32([])),
    ):  # fmt: skip
        assert answer.shape == (0,)
    kinds = ("boxes", "spheres", "capsules", "obbs", "frusta", "triangles")
    for lists in (target.all([], []), target.within([], 1), *(target.overlap(**{kind: []}) for kind in kinds)):
        assert len(lists) == 0 and lists.counts.shape == (0,) and len(lists.values) == 0
    assert target.nearest_k([], 2).shape == (0, 2) and CAMERA.project([]).shape == (0, 3)
    with pytest.raises(InvalidArgument):
        target.closest([[]], D)


def test_of_nothing_the_facades_have_no_answers():
    from sightline_bvh.open3d import RaycastingScene

    scene = RaycastingScene()
    scene.add_triangles(MESH)
    assert scene.cast_rays([])["t_hit"].shape == (0,) and scene.compute_signed_distance([]).shape == (0,)
    assert TREE.bake("ao", [], []).shape == (0,)

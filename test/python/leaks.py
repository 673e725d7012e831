"""What is left of a thing that was done many times: bytes of the heap, and references to what lives on.

    PYTHONMALLOC=malloc GLIBC_TUNABLES=glibc.malloc.tcache_count=0 python leaks.py [TIMES [CANCELS]]

Prints a line of JSON for each case: its name, how often it ran in a round, and for each of three rounds the bytes in
use and the references that it ended with more than it began with.  A byte lost each time shows in all three.  Every
object comes from malloc (PYTHONMALLOC), whose bytes in use glibc counts.  TIMES is 1,000; CANCELS, of work that is
looked at only twenty times a second, is TIMES.
"""

import ctypes
import gc
import json
import pickle
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import sightline_bvh as sightline

ROUNDS = 3
random = np.random.default_rng(3)


class Heap(ctypes.Structure):
    """struct mallinfo2 of glibc, from 2.33 on."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = Heap


def heap():
    info = mallinfo2()
    return info.uordblks + info.hblkhd


# What lives on and is no container: a reference too many to one of these takes no bytes.  Not float64's dtype, to
# which numpy.zeros(3) itself adds one each time (numpy 2.4).
LASTING = [None, True, False, (), "", b"", 0, 1]
LASTING += [np.dtype(code) for code in ("f4", "u1", "u4", "i8", "?")] + [sightline.HIT, sightline.HIT_D]


def references():
    """To all containers, types, functions and modules, and to what is in LASTING.

    Of what a debug Python counts (sys.gettotalrefcount) extensions that are built without it do not take part.
    """
    return sum(map(sys.getrefcount, gc.get_objects())) + sum(map(sys.getrefcount, LASTING))


def tidy():
    """Away with garbage, and with the interpreter's cache of attributes, which keeps names alive."""
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()


def refused(kind, call, *args, **options):
    try:
        call(*args, **options)
    except kind:
        return
    raise AssertionError(f"{kind.__name__} is not raised by {call}")


ball = sightline.sphere(8)
vertices, faces = ball.vertices.copy(), ball.faces.copy()
tree = sightline.Tree(ball)
few = sightline.Tree(sightline.sphere(2))
rays = random.normal(size=(2, 100, 3)).astype(np.float32)
points = random.normal(size=(50, 3))
turned = np.eye(4)
turned[:3, 3] = 3, 0, 0
large = sightline.torus(1200, 600)
many = random.normal(size=(2, 1_500_000, 3)).astype(np.float32)
rows = np.empty(len(many[0]), sightline.HIT)
folder = tempfile.TemporaryDirectory()
file = Path(folder.name, "ball.slbvh")
broken = Path(folder.name, "broken.obj")
broken.write_text("v 0 0 0\nv 1 0 0\nv 0 x 0\n")


def nothing():
    pass


def build():
    made = sightline.Tree(sightline.Mesh(vertices, faces), threads=2)
    assert made.closest(*rays).hit.any()


def build_a_scene():
    made = sightline.Tree(vertices, faces, quality="fast")
    scene = sightline.Scene([made, (made, turned)])
    assert len(scene.all(*rays.astype(float)).values) and np.isfinite(scene.nearest(points).distance).all()


def ask():
    hits = tree.closest(*rays, mask=np.full(100, 1, np.uint32), filter=np.ones(len(tree), bool), threads=2)
    tree.next(hits, *rays)
    tree.all(*rays).rows
    tree.within(points, 0.5)
    tree.inside(points)
    tree.surface(hits)
    tree.nearest_k(points, 3)
    tree.signed_distance(points)
    hits.gather(np.arange(len(tree)), -1)
    ball.at(tree.nearest(points))
    tree.overlap(spheres=[0, 0, 1, 0.3])


def meet():
    assert few.clash(few, margin=0.1, threads=2, mask=1, other_mask=2).size
    few.clashes(few, at=np.stack([turned, np.eye(4)]))
    few.distance(few, at=turned)
    few.curves(few)
    few.solids(few)


def clash_and_follow():
    instances = [few, (few, turned), few]
    scene = sightline.Scene(instances)
    found = scene.clashing(margin=3, solids=True, groups=[1, 1, 1], bodies=[0, 1, 2])
    scene = sightline.Scene(instances[:2], previous=scene)
    assert pickle.loads(pickle.dumps(scene.clashing(margin=3, previous=found))).size == 1
    refused(sightline.InvalidArgument, scene.clashing, previous=found[:1])


def move():
    tree.sweep(points, spheres=[0, 0, 3, 0.5], skip=[[0, 1]], filter=np.ones(len(tree), bool))
    few.sweep_all(points[:5], hulls=vertices[:8])
    tree.push_out(capsules=[0, 0, 0.9, 0, 0, 1, 0.2], mask=1)
    refused(ZeroDivisionError, few.sweep, points[:5], boxes=[[-1] * 3, [1] * 3], filter=lambda *_: 1 / 0)


def save_and_load():
    tree.save(file)
    assert sightline.Tree.load(file).hash == tree.hash


def save_and_map():
    tree.save(file)
    assert sightline.Tree.map(file).any(*rays).any()


def pickle_it():
    buffers = []
    data = pickle.dumps(tree, protocol=5, buffer_callback=buffers.append)
    assert pickle.loads(data, buffers=buffers).hash == tree.hash
    assert pickle.loads(pickle.dumps(tree, protocol=4)).hash == tree.hash


def weld_and_bake():
    ball.weld()
    ball.check()
    tree.bake("ao", rays=4)
    sightline.Scene([tree, (tree, turned)]).bake("ao", rays=4)
    tree.refit(vertices)
    tree.refit(np.where(vertices > 0.9, np.nan, vertices), bad="leave_out")


def draw():
    tree.render(sightline.Camera.fit(tree, width=16, height=12))
    pickle.loads(pickle.dumps(sightline.Camera.from_intrinsics(20, 20, 8, 6, 16, 12, pose=turned))).rays()
    refused(sightline.InvalidArgument, sightline.Camera.from_intrinsics, 1, 1, 1, 1, 9, 9, pose=np.full((3, 4), 1e300))


def refuse_faces():
    refused(sightline.BadIndex, sightline.Mesh, vertices, faces + np.uint32(len(vertices)))


def refuse_a_file():
    refused(sightline.BadData, sightline.load, broken)
    refused(FileNotFoundError, sightline.load, "there-is-none.obj")


def refuse_shapes():
    refused(sightline.InvalidArgument, tree.closest, rays[0][:, :2], rays[1])
    refused(sightline.InvalidArgument, tree.closest, *rays, mask=np.ones(7, np.uint32))
    refused(sightline.InvalidArgument, tree.closest, *rays, threads=-3)
    refused(sightline.InvalidArgument, sightline.Tree, vertices, faces, quality="none")


def fail_in_a_filter():
    refused(ZeroDivisionError, tree.closest, *rays, filter=lambda *_: 1 / 0)


def cancel_a_build():
    refused(sightline.Cancelled, sightline.Tree, large, threads=1, progress=lambda *_: False)


def fail_in_a_build():
    refused(ZeroDivisionError, sightline.Tree, large, threads=1, progress=lambda *_: 1 / 0)


def cancel_a_question():
    refused(sightline.Cancelled, tree.closest, *many, out=rows, threads=1, progress=lambda *_: False)


def fail_in_a_question():
    refused(ZeroDivisionError, tree.closest, *many, out=rows, threads=1, progress=lambda *_: 1 / 0)


def rounds(case, times):
    def run(count):
        for _ in range(count):
            case()
        tidy()

    run(max(times // 10, 2))
    before, after = np.zeros((2, ROUNDS, 2), np.int64)  # written in place, to hold no objects of its own
    for i in range(ROUNDS):
        before[i, 0], before[i, 1] = heap(), references()
        run(times)
        after[i, 0], after[i, 1] = heap(), references()
    return (after - before).T


def main(times=1000, cancels=None):
    quick = [build, build_a_scene, ask, meet, clash_and_follow, move, save_and_load, save_and_map, pickle_it, weld_and_bake, draw]
    quick += [refuse_faces, refuse_a_file, refuse_shapes, fail_in_a_filter]
    slow = [cancel_a_build, fail_in_a_build, cancel_a_question, fail_in_a_question]
    measuring = rounds(nothing, 1)  # takes a few bytes and references by itself
    for cases, count in ((quick, times), (slow, cancels or times)):
        for case in cases:
            lost, held = (rounds(case, count) - measuring).tolist()
            line = {"case": case.__name__, "times": count, "bytes": lost, "references": held}
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

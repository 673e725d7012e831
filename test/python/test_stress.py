"""Threads, processes and signals: one tree asked while others come and go, forks, Ctrl-C in every question."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sightline_bvh as sightline

SECONDS = float(os.environ.get("SIGHTLINE_STRESS", 1))
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")


def some_rays(count, dtype=np.float32):
    return np.random.default_rng(11).normal(size=(2, count, 3)).astype(dtype)


def together(*jobs):
    """Each job over and over on a thread of its own, until the time is up; the first fault of any is raised."""
    faults, end = [], time.monotonic() + SECONDS

    def work(job):
        try:
            while time.monotonic() < end and not faults:
                job()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def test_trees_are_asked_while_others_replace_and_drop_them(tmp_path):
    mesh = sightline.torus(60, 30)
    rays, doubles = some_rays(9000), some_rays(2000, np.float64)
    first = sightline.Tree(mesh)
    wanted = first.closest(*rays), first.all(*doubles).values, first.nearest(rays[0]), first.inside(rays[1])
    path = tmp_path / "torus.tree"
    first.save(path)
    shared = [first]
    makers = [
        lambda: sightline.Tree(mesh, quality="fast", threads=2),
        lambda: sightline.Tree.load(path),
        lambda: sightline.Tree.map(path),
        lambda: sightline.Tree.from_bytes(bytearray(shared[0].to_bytes()), in_place=True),
        lambda: shared[0].refit(mesh.vertices, mesh.faces),
        lambda: pickle.loads(pickle.dumps(shared[0])),
        lambda: shared[0].with_masks(None),
    ]
    turn = [0]

    def make():
        shared[0] = makers[turn[0] % len(makers)]()
        turn[0] += 1

    def write():
        shared[0].save(path)

    def ask():
        # The tree of the one question may be gone before the next one.
        assert (shared[0].closest(*rays, threads=2) == wanted[0]).all()
        assert (shared[0].all(*doubles, threads=2).values == wanted[1]).all()
        assert (shared[0].nearest(rays[0], threads=2) == wanted[2]).all()
        assert (shared[0].inside(rays[1]) == wanted[3]).all()

    together(make, write, ask, ask, ask)
    assert turn[0] > 0


def test_scenes_are_asked_while_versions_of_them_are_made():
    tree, place = sightline.Tree(sightline.sphere(12)), np.eye(4)
    place[:3, 3] = 1e7, 2, 3
    rays = some_rays(3000, np.float64)
    rays[0] += place[:3, 3]
    shared = [sightline.Scene([tree, (tree, place)])]
    wanted = shared[0].closest(*rays)
    assert wanted.hit.any()

    def make():
        again = sightline.Tree(sightline.sphere(12), quality="fast")
        shared[0] = sightline.Scene([again, (again, place)], previous=shared[0])

    def ask():
        assert (shared[0].closest(*rays, threads=2) == wanted).all()

    together(make, ask, ask, ask)


def test_errors_of_threads_are_their_own():
    """Refusals, cancels and faults in callbacks, side by side with answers."""
    tree = sightline.Tree(sightline.sphere(16))
    rays = some_rays(9000)
    wanted = tree.closest(*rays)

    def refused(kind, call):
        with pytest.raises(kind):
            call()

    together(
        lambda: refused(sightline.InvalidArgument, lambda: tree.closest(*rays, mask=np.zeros(3, np.uint32))),
        lambda: refused(ZeroDivisionError, lambda: tree.closest(*rays, filter=lambda *_: 1 / 0)),
        lambda: refused(sightline.BadIndex, lambda: sightline.Mesh(np.zeros((3, 3)), [[0, 1, 3]])),
        lambda: refused(sightline.Cancelled, lambda: sightline.Tree(sightline.torus(600, 300), progress=lambda *_: False)),
        lambda: (tree.closest(*rays, threads=2) == wanted).all() or pytest.fail("other answers"),
    )


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forks_while_questions_run():
    """Children of a process whose threads are in the middle of a question ask, build and end by themselves."""
    tree = sightline.Tree(sightline.torus(60, 30))
    rays = some_rays(20000)
    wanted = tree.closest(*rays)
    children = []

    def ask():
        assert (tree.closest(*rays, threads=2) == wanted).all()

    def fork():
        child = os.fork()
        if child == 0:
            status = 1
            try:
                signal.alarm(60)
                again = sightline.Tree(sightline.torus(60, 30), threads=2)
                status = 0 if all((t.closest(*rays, threads=2) == wanted).all() for t in (tree, again)) else 2
            finally:
                os._exit(status)
        children.append(os.waitpid(child, 0)[1])

    together(ask, ask, fork)
    assert children and not any(children), children


def _closest_of(tree, rays):
    return tree.closest(*rays, threads=2)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_processes_get_trees_and_scenes_by_pickle(method):
    tree = sightline.Tree(sightline.torus(40, 20))
    place = np.eye(4)
    place[:3, 3] = 3, -2, 1e6
    scene = sightline.Scene([tree, (tree, place)])
    rays = some_rays(9000), some_rays(500, np.float64)
    tree.closest(*rays[0], threads=2)  # the parent has threads
    with multiprocessing.get_context(method).Pool(2) as pool:
        jobs = [(target, which) for target in (tree, scene) for which in rays]
        for (target, which), answer in zip(jobs, pool.starmap(_closest_of, jobs), strict=True):
            assert (answer == target.closest(*which)).all() and answer.dtype == target.closest(*which).dtype


# ---- Ctrl-C ----

# Deep piles of triangles: a few microseconds to a millisecond an item, and more than ten seconds a call.
INTERRUPTED = {
    "closest": "tree.closest(o, d, crossings=True)",
    "closest in doubles": "tree.closest(o.astype(float), d, crossings=True)",
    "packed rays": "tree.count(packed)",
    "any": "tree.any(o, d, filter=none)",
    "count": "tree.count(o, d)",
    "count in a scene": "scene.count(o, d)",
    "all": "tree.all(o, d)",
    "all of capacity 1": "tree.all(o, d, capacity=1)",
    "next": "tree.next(np.zeros(len(o), sightline.HIT), o, d, filter=none)",
    "blocked": "tree.blocked(o, d, filter=none)",
    "fan": "tree.fan(o[0], to=d, filter=none)",
    "filter in Python": "tree.any(o, d, filter=lambda *hit: False)",
    "nearest": "tree.nearest_k(o[:20_000], 1000)",
    "within": "tree.within(o, 2.0)",
    "inside": "tree.inside(o)",
    "overlap": "tree.overlap(boxes=boxes)",
    "overlaps": "tree.overlaps(boxes=boxes, mask=np.arange(len(o)).astype('u4') | 8) or tree.overlap(boxes=boxes)",
    "self_overlap": "tree.self_overlap()",
    "containing": "scene.containing(o)",
    "bake": "tree.bake('ao', o, d, rays=65536)",
    "render": "tree.render(width=1000, height=800, ao=65536)",
    "build": "sightline.Tree(large, quality='high')",
    "load": "sightline.loads(text, 'a.obj')",
    "closed": "large_tree.closed",
    "the first inside": "large_tree.inside([[0.0, 0, 0]])",
    "flatten": "large_scene.flatten()",
    "check": "large.check()",
}
SCRIPT = """
import os, signal, sys, threading, time
import numpy as np
import sightline_bvh as sightline

code, threads = sys.argv[1], int(sys.argv[2])
sightline.set_threads(threads)
random = np.random.default_rng(1)
tree = sightline.Tree(sightline.soup(6000, 3.0, 1))
tree = tree.with_masks(np.full(6000, 7))
scene = sightline.Scene([tree])
o, d = random.uniform(-0.5, 1.5, (2, 1_000_000, 3)).astype(np.float32)
packed = np.concatenate([o, 0 * o[:, :1], d, 0 * o[:, :1] + 9], axis=1)
boxes = np.stack([o - 1, o + 1], axis=1)
none = np.zeros(6000, bool)
large = sightline.torus(2000, 1000) if "large" in code else None
large_tree = sightline.Tree(large, quality="fast") if "large_" in code else None
large_scene = sightline.Scene([large_tree]) if "large_scene" in code else None
text = b"v 0 1 2\\n" * 20_000_000 if "text" in code else None
call = eval('lambda: ' + code)
began = None

def press():
    global began
    began = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

timer = threading.Timer(0.3, press)
timer.start()
try:
    call()
except KeyboardInterrupt:
    waited = time.monotonic() - began
    # What was interrupted can be asked again.
    assert len(tree.count(o[:10], d[:10])) == 10
    print(waited)
else:
    timer.join()
    sys.exit("it ended by itself")
"""


@pytest.mark.skipif(os.name != "posix", reason="no signals")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers take several times as long")
@pytest.mark.parametrize("what", INTERRUPTED)
def test_ctrl_c_stops(what):
    """A call that would take many seconds raises KeyboardInterrupt within one, looking every twentieth of a second."""
    threads = str(1 + list(INTERRUPTED).index(what) % 2)
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, INTERRUPTED[what], threads], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < 2, run.stdout

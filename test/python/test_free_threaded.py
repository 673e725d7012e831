"""Many threads at once: of one interpreter, which in a free-threaded build have no lock in common."""

import sys
import sysconfig
import threading

import numpy as np
import pytest

import sightline_bvh as sightline

WORKERS = 8


def at_once(work):
    """Calls work(number) in many threads, which start together; the first error is raised here."""
    gate, errors = threading.Barrier(WORKERS), []

    def run(number):
        gate.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - for the thread that waits
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this CPython has its lock")
def test_the_lock_stays_away():
    assert not sys._is_gil_enabled()
    assert sightline.features()["free_threaded"]


def test_building_and_asking_at_once(random):
    p, q = random.uniform(-1, 1, (2, 2000, 3))
    mesh = sightline.sphere(12)
    shared = sightline.Tree(mesh)
    want = shared.closest(p, to=q).array
    near = shared.nearest(p).array

    def work(number):
        for turn in range(6):
            # Pools of threads are made at their first use, here by several threads together.
            threads = 1 + (number + turn) % 5
            tree = sightline.Tree(mesh, quality=("fast", "default", "high")[turn % 3], threads=threads)
            for asked in (tree, shared):
                assert (asked.closest(p, to=q, threads=threads).array == want).all()
                assert (asked.nearest(p, threads=threads).array == near).all()

    at_once(work)


def test_meshes_and_moving_shapes_at_once(random):
    tree = sightline.Tree(sightline.sphere(6))
    places = np.tile(np.eye(4), (40, 1, 1))
    places[:, :3, 3] = random.normal(size=(40, 3))
    scene = sightline.Scene([(tree, place) for place in places])
    hulls, d = tree.mesh.vertices[:120].reshape(-1, 6, 3) * 2, random.normal(size=(20, 3))
    asked = (
        lambda **k: tree.clash(scene, **k), lambda **k: tree.distance(tree, at=places, **k),
        lambda **k: scene.clashing(margin=0.1, **k), lambda **k: tree.sweep(d, hulls=hulls, **k),
    )  # fmt: skip
    want = [call() for call in asked]

    def work(number):
        for turn in range(4):
            which = (number + turn) % len(asked)
            assert (asked[which](threads=1 + turn % 2) == want[which]).all()

    at_once(work)


def test_one_output_in_parts(random):
    tree = sightline.Tree(sightline.sphere(12))
    p, q = random.uniform(-1, 1, (2, 800 * WORKERS, 3))
    want = tree.closest(p, to=q).array
    out = np.empty_like(want)

    def work(number):
        part = slice(800 * number, 800 * (number + 1))
        tree.closest(p[part], to=q[part], out=out[part], threads=2)

    at_once(work)
    assert (out == want).all()


def test_errors_and_filters_at_once(random):
    tree = sightline.Tree(sightline.soup(200, 0.5, 3))
    p, q = random.uniform(-1, 1, (2, 300, 3))

    def even(index, t, u, v, prim, *_):
        return prim % 2 == 0

    want = tree.closest(p, to=q, filter=even).array

    def work(number):
        for _ in range(5):
            with pytest.raises(sightline.SightlineError, match="face|index|vert"):
                sightline.Mesh(np.zeros((3, 3)), [[0, 1, 3 + number]])
            assert (tree.closest(p, to=q, filter=even).array == want).all()

    at_once(work)


def test_trees_that_come_and_go():
    mesh = sightline.sphere(6)
    kept = [sightline.Tree(mesh) for _ in range(WORKERS)]

    def work(number):
        for turn in range(40):
            other = (number + turn) % WORKERS
            kept[other] = sightline.Tree(mesh, threads=1)
            assert kept[(other + 1) % WORKERS].closest([0, 0, 0], [0, 0, 1]).t == 1

    at_once(work)

"""The rate of the package next to that of the C library, in one process, on one thread.

    python test/python/bench/rate.py BATCH [COUNT]

BATCH is the library that batch.c makes (CMake's target sightline_python_batch).  Prints, for each question and
layout of the rays, the time of the C call over that of the Python call, in percent: with out=, and into new arrays.
The calls take turns, in another order each round, and the shortest time of each counts: that in which the machine did
least besides.
"""

import ctypes
import sys
import time

import numpy as np

import sightline_bvh as sightline

ROUNDS = 15


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def timed(call):
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def main(path, count=1_000_000, only=""):
    c = ctypes.CDLL(path)
    c.batch_build.restype = ctypes.c_void_p
    c.batch_build.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
    for name in ("closest", "any", "nearest"):
        getattr(c, f"batch_{name}").argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    random = np.random.default_rng(1)
    mesh = sightline.torus(600, 300, 1.0, 0.4)
    vertices, faces = mesh.vertices, mesh.faces
    bvh = c.batch_build(pointer(vertices), len(vertices), pointer(faces), len(faces))
    tree = sightline.Tree(mesh)

    origins = random.uniform(-1.5, 1.5, (count, 3)).astype(np.float32)
    directions = random.normal(size=(count, 3)).astype(np.float32)
    rays = np.zeros(count, sightline.RAY)
    rays["origin"], rays["dir"], rays["tmax"] = origins, directions, np.inf
    hits, any_, nearest = np.empty(count, sightline.HIT), np.empty(count, bool), np.empty(count, sightline.NEAREST)
    same, same_any, same_nearest = hits.copy(), any_.copy(), nearest.copy()

    rows = [
        ("closest, rays (N,) RAY", lambda: c.batch_closest(bvh, pointer(rays), count, pointer(same)),
         lambda: tree.closest(rays, out=hits, threads=1), lambda: tree.closest(rays, threads=1)),
        ("closest, origins and directions", lambda: c.batch_closest(bvh, pointer(rays), count, pointer(same)),
         lambda: tree.closest(origins, directions, out=hits, threads=1),
         lambda: tree.closest(origins, directions, threads=1)),
        ("any, rays (N,) RAY", lambda: c.batch_any(bvh, pointer(rays), count, pointer(same_any)),
         lambda: tree.any(rays, out=any_, threads=1), lambda: tree.any(rays, threads=1)),
        ("any, origins and directions", lambda: c.batch_any(bvh, pointer(rays), count, pointer(same_any)),
         lambda: tree.any(origins, directions, out=any_, threads=1),
         lambda: tree.any(origins, directions, threads=1)),
        ("nearest, points", lambda: c.batch_nearest(bvh, pointer(origins), count, pointer(same_nearest)),
         lambda: tree.nearest(origins, max_distance=1e30, out=nearest, threads=1),
         lambda: tree.nearest(origins, max_distance=1e30, threads=1)),
    ]  # fmt: skip
    print(f"{len(mesh)} triangles, {count} rays or points, one thread, {tree.info.kernel}")
    print(f"{'':34}{'C M/s':>8}{'out=':>9}{'new':>9}")
    for name, call, into, new in rows:
        if only not in name:
            continue
        calls, best = [call, into, new], [float("inf")] * 3
        for round_ in range(ROUNDS):
            for k in range(3):
                which = (k + round_) % 3
                best[which] = min(best[which], timed(calls[which]))
        print(f"{name:34}{count / best[0] / 1e6:8.2f}{100 * best[0] / best[1]:8.1f}%{100 * best[0] / best[2]:8.1f}%")
    assert only or (hits == same).all() and (any_ == same_any).all() and (nearest == same_nearest).all()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]), *sys.argv[3:4])

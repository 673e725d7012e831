"""Users' jobs that have no peer in C, next to Open3D, igl and embreex: rows for the table of docs/benchmarks.md, as CSV.

    python test/python/bench/jobs.py [--count N] [--points N] [--rounds N] MESH... >FILE

One process, one thread each; the calls take turns, and of each the shortest time on the processor counts (peers.py).  Microseconds a ray or
a point, ours on a tree of quality "high", and theirs over ours:

    py.count      how often each ray crosses the mesh            Open3D: count_intersections
    py.list       every hit of each ray                          Open3D: list_intersections
    py.inside     points in an open mesh, building included      igl: fast_winding_number
    py.f64        closest hits of float64 rays                   embreex, which rounds them (through trimesh)
    py.f64any     any hits of these

Rays are the random ones of peers.py.  What is not installed is left out, and said so on stderr.
"""

import argparse
import contextlib
import csv
import sys
import time

import numpy as np
from peers import Case, modules, timed

import sightline_bvh as sightline


def open3d_rows(case, origins, directions, open3d):
    """(row, peer, ours, theirs, count)"""
    tensor, packed = open3d.core.Tensor, np.concatenate([origins, directions], axis=1)
    scene = open3d.t.geometry.RaycastingScene(nthreads=1)
    scene.add_triangles(tensor(np.array(case.vertices)), tensor(np.array(case.faces)))
    yield (
        "py.count", "Open3D",
        lambda: case.tree.count(packed),
        lambda: scene.count_intersections(tensor(packed), nthreads=1).numpy(), len(packed),
    )  # fmt: skip
    yield (
        "py.list", "Open3D",
        lambda: case.tree.all(packed),
        lambda: {k: v.numpy() for k, v in scene.list_intersections(tensor(packed), nthreads=1).items()}, len(packed),
    )  # fmt: skip


def igl_rows(case, count, igl):
    low, high = case.mesh.bounds
    points = case.random.uniform(low, high, (count, 3)).astype(np.float32)
    wide, vertices, faces = points.astype(np.float64), case.vertices.astype(np.float64), case.faces.astype(np.int64)
    if not case.mesh.check().closed:
        yield (
            "py.inside", "igl",
            lambda: sightline.Tree(case.mesh).inside(points, by="winding"),
            lambda: np.abs(igl.fast_winding_number(vertices, faces, wide)) > 0.5, count,
        )  # fmt: skip


def embreex_rows(case, origins, directions, trimesh, peer):
    theirs = peer(trimesh.Trimesh(case.vertices, case.faces, process=False))
    wide = origins.astype(np.float64), directions.astype(np.float64)
    yield (
        "py.f64", "embreex", lambda: case.tree.closest(*wide), lambda: theirs.intersects_first(*wide), len(origins)
    )  # fmt: skip
    yield (
        "py.f64any", "embreex", lambda: case.tree.any(*wide), lambda: theirs.intersects_any(*wide), len(origins)
    )  # fmt: skip


def rows(case, points):
    _, origins, directions, _, _ = next(case.kinds())
    if "open3d" in case.peers:
        yield from open3d_rows(case, origins, directions, case.peers["open3d"])
    if "igl" in case.peers:
        yield from igl_rows(case, points, case.peers["igl"])
    if "embreex" in case.peers:
        yield from embreex_rows(case, origins, directions, *case.peers["embreex"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("meshes", nargs="+")
    parser.add_argument("--count", type=int, default=100_000, help="rays")
    parser.add_argument("--points", type=int, default=1000, help="points in open meshes")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    sightline.set_threads(1)
    with contextlib.redirect_stdout(sys.stderr):
        peers = modules()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("scene", "row", "unit", "count", "ours", "peer_call", "peer", "ratio"))
    for path in given.meshes:
        with contextlib.redirect_stdout(sys.stderr):
            case = Case(path, given.count, peers)
        for row, peer, ours, theirs, count in rows(case, given.points):
            (own, their), _ = timed([ours, theirs], given.rounds, time.process_time)
            each = 1e6 / count
            figures = (f"{own * each:.4g}", peer, f"{their * each:.4g}", f"{their / own:.4g}")
            out.writerow((case.name, row, "us", count, *figures))
            sys.stdout.flush()


if __name__ == "__main__":
    main()

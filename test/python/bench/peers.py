"""Rates and answers next to embreex (through trimesh), Open3D and igl, in one process, on one thread each.

    python test/python/bench/peers.py [--rays | --points] [--count N] [--rounds N] MESH...

Without MESH: the meshes of the folder that SIGHTLINE_BENCH_MESHES names.  Peers are asked through their array calls,
with the flags that they have by default, for one thread:

    embreex   trimesh's RayMeshIntersector: intersects_first, intersects_any; embreex has one thread
    Open3D    RaycastingScene: cast_rays, test_occlusions, compute_distance, compute_signed_distance, nthreads=1
    igl       point_mesh_squared_distance, signed_distance (its default sign), IGL_NUM_THREADS=1

Each is timed next to two calls of sightline that answer the same: of sightline_bvh.trimesh or sightline_bvh.open3d, and of
sightline.Tree.  The three take turns, and the shortest time of each counts.  Kinds of rays:

    random    from a sphere around the mesh to points within it
    diffuse   from where random rays hit, to the side that they came from, in random directions
    occlusion from there to random points above the mesh, as any-hit queries

Rays are float32, those of trimesh float64 with --doubles.  sightline's trees are of quality "high", as Open3D's are; seconds of building are printed.

What differs is named by what exact arithmetic says about the ray as it was given:

    leak      nothing is reported where something is hit, or only what lies behind it
    tie       another triangle at an equal distance: an edge between two, or triangles that lie on one another
    close     another triangle, which is farther by less than a millionth of the mesh's size
    self      the triangle that the ray starts beside, which it does not meet
    touch     another triangle that the ray does not meet
"""

import argparse
import os
import time

os.environ.setdefault("IGL_NUM_THREADS", "1")

import numpy as np

import sightline_bvh as sightline
from sightline_bvh import NONE
from sightline_bvh.open3d import RaycastingScene
from sightline_bvh.trimesh import RayMeshIntersector


def modules():
    """The peers that are installed, by name."""
    found = {}
    try:
        import trimesh
        from trimesh.ray.ray_pyembree import RayMeshIntersector as peer

        found["embreex"] = (trimesh, peer)
    except ImportError as fault:
        print(f"without embreex: {fault}")
    try:
        import open3d

        found["open3d"] = open3d
    except ImportError as fault:
        print(f"without Open3D: {fault}")
    try:
        import igl

        found["igl"] = igl
    except ImportError as fault:
        print(f"without igl: {fault}")
    return found


def timed(calls, rounds, clock=time.perf_counter):
    """The shortest time of each call in seconds, and its answer."""
    best, answers = [np.inf] * len(calls), [None] * len(calls)
    for turn in range(rounds):
        for k in range(len(calls)):
            which = (k + turn) % len(calls)
            started = clock()
            answers[which] = calls[which]()
            best[which] = min(best[which], clock() - started)
    return best, answers


class Case:
    """A mesh, its trees and scenes, and rays over it."""

    def __init__(self, path, count, peers):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.mesh = sightline.load(path, bad="leave_out", keep=None)
        self.vertices = self.mesh.vertices
        self.faces = self.mesh.faces[self.mesh.faces[:, 0] != NONE]
        self.mesh = sightline.Mesh(self.vertices, self.faces)
        (seconds,), (self.tree,) = timed([lambda: sightline.Tree(self.mesh, quality="high")], 1)
        kind = "closed" if self.mesh.check().closed else "open"
        print(f"{self.name:18} {len(self.mesh)} triangles, {kind}, built in {seconds:.2f} s")
        self.random = np.random.default_rng(1)
        low, high = np.asarray(self.mesh.bounds, np.float64)
        self.middle, self.size = (low + high) / 2, float(np.linalg.norm(high - low))
        self.high = high
        self.count = count
        self.peers = peers
        self.ours_open3d = RaycastingScene()
        self.ours_open3d.add_triangles(self.tree)
        self.ours_trimesh = RayMeshIntersector(self.mesh, quality="high")

    def sphere(self, count):
        points = self.random.normal(size=(count, 3))
        return points / np.linalg.norm(points, axis=1, keepdims=True)

    def kinds(self):
        """(name, origins, directions, any, beside) in float32; directions of occlusion rays end at their light.

        beside: the triangles that rays start beside."""
        n = self.count
        origins = (self.middle + 0.6 * self.size * self.sphere(n)).astype(np.float32)
        low, high = self.mesh.bounds
        to = self.random.uniform(low, high, (n, 3)).astype(np.float32)
        directions = to - origins
        yield "random", origins, directions, False, np.full(n, -2)
        hits = self.tree.closest(origins, directions)
        met = np.flatnonzero(hits.hit)
        met = met[np.arange(n) % max(1, len(met))] if len(met) else met
        surface = self.tree.surface(hits[met])
        seen_from = (surface.normal * directions[met]).sum(axis=1) < 0
        start = np.where(seen_from[:, None], surface.front_origin, surface.back_origin)
        normal = np.where(seen_from[:, None], surface.normal, -surface.normal)
        around = self.sphere(len(met)) + normal
        yield "diffuse", start, around.astype(np.float32), False, hits.prim[met].astype(np.int64)
        light = self.middle + self.size * np.array([0.3, 0.4, 1.0])
        light = light + 0.1 * self.size * self.sphere(len(met))
        yield "occlusion", start, light.astype(np.float32) - start, True, hits.prim[met].astype(np.int64)


def differences(case, origins, directions, beside, theirs, ours):
    """Differing answers of closest rays, by kind.  theirs: triangles as int64, -1: none."""
    kinds = dict.fromkeys(("leak", "tie", "close", "self", "touch"), 0)
    bad = np.flatnonzero(theirs != ours)
    if not len(bad):
        return kinds
    origins, directions, beside, theirs = origins[bad], directions[bad], beside[bad], theirs[bad]
    first = case.tree.closest(origins, directions)
    lists = case.tree.all(origins, directions)
    same = lists.values.prim.astype(np.int64) == theirs[lists.rows]
    t = np.full(len(bad), np.nan)
    t[lists.rows[same]] = lists.values.t[same]
    with np.errstate(invalid="ignore"):
        gap = (t - first.t) * np.linalg.norm(directions, axis=1) / case.size
    none = np.isnan(t)
    kinds["self"] = int((none & (theirs == beside)).sum())
    kinds["touch"] = int((none & (theirs != beside) & (theirs >= 0)).sum())
    kinds["tie"] = int((gap == 0).sum())
    kinds["close"] = int(((gap > 0) & (gap < 1e-6)).sum())
    kinds["leak"] = len(bad) - sum(kinds.values())
    return kinds


def differences_any(origins, directions, beside, theirs, ours, first):
    """Of any-hit rays.  first: their first triangles of rays, as theirs of differences()."""
    bad = np.flatnonzero(theirs != ours)
    leak = int(ours[bad].sum())
    own = int(((first(origins[bad], directions[bad]) == beside[bad]) & ~ours[bad]).sum()) if len(bad) else 0
    return {"leak": leak, "self": own, "touch": len(bad) - leak - own}


def row(case, kind, peer, best, kinds):
    own, tree, their = (case.count / seconds / 1e6 for seconds in best)
    told = ", ".join(f"{count} {name}" for name, count in kinds.items() if count) or "none"
    print(
        f"{case.name:18} {kind:10} {peer:8} {their:7.2f} {own:7.2f} {tree:7.2f}"
        f"   {own / their:6.2f} {tree / their:6.2f}   {told}",
        flush=True,
    )


def rays(case, rounds, dtype):
    peers = case.peers
    if "embreex" in peers:
        trimesh, peer = peers["embreex"]
        their_trimesh = peer(trimesh.Trimesh(case.vertices, case.faces, process=False))
        seconds = timed([lambda: their_trimesh.intersects_first([[0, 0, 0]], [[0, 0, 1]])], 1)[0][0]
        print(f"{case.name:18} built by trimesh and embreex in {seconds:.2f} s")
    if "open3d" in peers:
        tensor = peers["open3d"].core.Tensor
        their_open3d = peers["open3d"].t.geometry.RaycastingScene(nthreads=1)
        their_open3d.add_triangles(tensor(np.array(case.vertices)), tensor(np.array(case.faces)))
        seconds = timed([lambda: their_open3d.cast_rays(tensor(np.ones((1, 6), np.float32)), nthreads=1)], 1)[0][0]
        print(f"{case.name:18} built by Open3D in {seconds:.2f} s")

    def their_first_trimesh(origins, directions):
        return their_trimesh.intersects_first(origins, directions).astype(np.int64)

    def their_first_open3d(origins, directions):
        packed = tensor(np.concatenate([origins, directions], axis=1))
        return their_open3d.cast_rays(packed, nthreads=1)["primitive_ids"].numpy().astype(np.int64)

    tree = case.tree
    for kind, origins, directions, any_, beside in case.kinds():
        wide = origins.astype(dtype), directions.astype(dtype)
        if "embreex" in peers and any_:
            best, answers = timed([
                lambda: case.ours_trimesh.intersects_any(*wide),
                lambda: tree.any(*wide),
                lambda: their_trimesh.intersects_any(*wide),
            ], rounds)  # fmt: skip
            kinds = differences_any(origins, directions, beside, answers[2], answers[1], their_first_trimesh)
            row(case, kind, "embreex", best, kinds)
        elif "embreex" in peers:
            best, answers = timed([
                lambda: case.ours_trimesh.intersects_first(*wide),
                lambda: tree.closest(*wide),
                lambda: their_trimesh.intersects_first(*wide),
            ], rounds)  # fmt: skip
            ours = np.where(answers[1].hit, answers[1].prim.astype(np.int64), -1)
            row(case, kind, "embreex", best,
                differences(case, origins, directions, beside, answers[2].astype(np.int64), ours))  # fmt: skip
        if "open3d" not in peers:
            continue
        packed = np.concatenate([origins, directions], axis=1)
        if any_:
            best, answers = timed([
                lambda: case.ours_open3d.test_occlusions(packed, tfar=1.0),
                lambda: tree.any(packed, tmax=1.0),
                lambda: their_open3d.test_occlusions(tensor(packed), tfar=1.0, nthreads=1).numpy(),
            ], rounds)  # fmt: skip
            kinds = differences_any(origins, directions, beside, answers[2], answers[1], their_first_open3d)
            row(case, kind, "Open3D", best, kinds)
        else:
            best, answers = timed([
                lambda: case.ours_open3d.cast_rays(packed),
                lambda: tree.closest(packed),
                lambda: {k: v.numpy() for k, v in their_open3d.cast_rays(tensor(packed), nthreads=1).items()},
            ], rounds)  # fmt: skip
            ours = np.where(answers[1].hit, answers[1].prim.astype(np.int64), -1)
            ids = answers[2]["primitive_ids"]
            theirs = np.where(ids == NONE, -1, ids.astype(np.int64))
            row(case, kind, "Open3D", best, differences(case, origins, directions, beside, theirs, ours))


def points(case, rounds):
    peers = case.peers
    low, high = np.asarray(case.mesh.bounds, np.float64)
    margin = 0.1 * (high - low)
    query = case.random.uniform(low - margin, high + margin, (case.count, 3)).astype(np.float32)
    tree = case.tree

    def signed():
        distance = tree.nearest(query).distance
        inside = tree.inside(query, by="parity")
        return np.where(inside, -distance, distance)

    def kinds(ours, theirs):
        off = np.abs(np.abs(ours) - np.abs(theirs)) > 1e-6 * case.size
        return {"off by > 1e-6": int(off.sum()), "sign": int(((ours < 0) != (theirs < 0)).sum())}

    if "open3d" in peers:
        tensor = peers["open3d"].core.Tensor
        theirs = peers["open3d"].t.geometry.RaycastingScene(nthreads=1)
        theirs.add_triangles(tensor(np.array(case.vertices)), tensor(np.array(case.faces)))
        scene = case.ours_open3d
        best, answers = timed([
            lambda: scene.compute_distance(query),
            lambda: tree.nearest(query).distance,
            lambda: theirs.compute_distance(tensor(query), nthreads=1).numpy(),
        ], rounds)  # fmt: skip
        row(case, "nearest", "Open3D", best, kinds(answers[1], answers[2]))
        best, answers = timed([
            lambda: scene.compute_signed_distance(query),
            signed,
            lambda: theirs.compute_signed_distance(tensor(query), nthreads=1).numpy(),
        ], rounds)  # fmt: skip
        row(case, "signed", "Open3D", best, kinds(answers[1], answers[2]))
    if "igl" in peers:
        igl = peers["igl"]
        wide, vertices, faces = query.astype(np.float64), case.vertices.astype(np.float64), case.faces.astype(np.int64)
        best, answers = timed([
            lambda: case.ours_open3d.compute_distance(query),
            lambda: tree.nearest(query).distance,
            lambda: np.sqrt(igl.point_mesh_squared_distance(wide, vertices, faces)[0]),
        ], rounds)  # fmt: skip
        row(case, "nearest", "igl", best, kinds(answers[1], answers[2]))
        best, answers = timed([
            lambda: case.ours_open3d.compute_signed_distance(query),
            signed,
            lambda: igl.signed_distance(wide, vertices, faces)[0],
        ], rounds)  # fmt: skip
        row(case, "signed", "igl", best, kinds(answers[1], answers[2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("meshes", nargs="*")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rays", action="store_true", help="rays only")
    parser.add_argument("--doubles", action="store_true", help="rays of trimesh are float64")
    parser.add_argument("--without-igl", action="store_true", help="igl's signs of large open meshes take minutes")
    parser.add_argument("--points", action="store_true", help="points only")
    given = parser.parse_args()
    folder = os.environ.get("SIGHTLINE_BENCH_MESHES")
    paths = given.meshes or sorted(entry.path for entry in os.scandir(folder)) if folder or given.meshes else []
    if not paths:
        parser.error("no meshes: name files, or a folder of them in SIGHTLINE_BENCH_MESHES")
    sightline.set_threads(1)
    peers = modules()
    if given.without_igl:
        peers.pop("igl", None)
    print(f"{given.count} rays or points, one thread each, {sightline.Tree(sightline.sphere(1)).info.kernel}")
    print(f"{'':18} {'':10} {'':8} {'M/s: theirs, facade, Tree':^23}   {'ratios':>13}   answers that differ")
    for path in paths:
        case = Case(path, given.count, peers)
        if not given.points:
            rays(case, given.rounds, np.float64 if given.doubles else np.float32)
        if not given.rays:
            points(case, given.rounds)


if __name__ == "__main__":
    main()

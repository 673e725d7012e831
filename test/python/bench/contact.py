"""Mesh against mesh next to coal, python-fcl, manifold3d and trimesh, in one process, on one thread each.

    python test/python/bench/contact.py [--rounds N] MESH

The mesh against itself under transforms: moved by a tenth of its diagonal (whether they meet; all pairs of triangles)
and by twice its diagonal (the distance).  Trees are built before.  The shortest time of the rounds counts, and all take
turns.

    coal        BVHModelOBBRSS: collide with 1 contact and with all, distance
    fcl         python-fcl's BVHModel: collide with 1 contact and with all, distance
    manifold3d  min_gap, with twice the distance for its limit

Then what each answers wrongly, counted: pairs of boxes on a grid of integers, where whole numbers tell the truth (do
their surfaces meet?  a third of them are coplanar somewhere), and distances of boxes that are apart (an error above a
millionth of the distance, or a distance of 0).
"""

import argparse
import time

import numpy as np

import sightline_bvh as sightline


def modules():
    """The peers that are installed, by name."""
    found = {}
    for name in ("coal", "fcl", "manifold3d"):
        try:
            found[name] = __import__(name)
        except ImportError as fault:
            print(f"without {name}: {fault}")
    return found


class Ours:
    def __init__(self, vertices, faces):
        self.tree = sightline.Tree(vertices, faces)

    def place(self, other, matrix):
        return sightline.Scene([(other.tree, matrix)])

    def any(self, placed):
        return self.tree.clashes(placed, threads=1)

    def all(self, placed):
        return self.tree.clash(placed, threads=1).total

    def distance(self, placed):
        return float(self.tree.distance(placed, threads=1).distance)


class Coal:
    def __init__(self, coal, vertices, faces):
        self.coal = coal
        self.model = coal.BVHModelOBBRSS()
        self.model.beginModel(len(faces), len(vertices))
        points = coal.StdVec_Vec3s()
        for vertex in vertices.astype(np.float64):
            points.append(vertex)
        triangles = coal.StdVec_Triangle()
        for a, b, c in faces.tolist():
            triangles.append(coal.Triangle(a, b, c))
        self.model.addSubModel(points, triangles)
        self.model.endModel()

    def place(self, other, matrix):
        return other, self.coal.Transform3s(matrix[:3, :3].copy(), matrix[:3, 3].copy())

    def _collide(self, placed, most):
        other, place = placed
        request, result = self.coal.CollisionRequest(), self.coal.CollisionResult()
        request.num_max_contacts = most
        self.coal.collide(self.model, self.coal.Transform3s(), other.model, place, request, result)
        return result

    def any(self, placed):
        return self._collide(placed, 1).isCollision()

    def all(self, placed):
        return self._collide(placed, 1 << 20).numContacts()

    def distance(self, placed):
        other, place = placed
        request, result = self.coal.DistanceRequest(), self.coal.DistanceResult()
        return self.coal.distance(self.model, self.coal.Transform3s(), other.model, place, request, result)


class Fcl:
    def __init__(self, fcl, vertices, faces):
        self.fcl = fcl
        self.model = fcl.BVHModel()
        self.model.beginModel(len(vertices), len(faces))
        self.model.addSubModel(vertices.astype(np.float64), faces)
        self.model.endModel()
        self.here = fcl.CollisionObject(self.model, fcl.Transform())

    def place(self, other, matrix):
        return self.fcl.CollisionObject(other.model, self.fcl.Transform(matrix[:3, :3], matrix[:3, 3]))

    def _collide(self, placed, most):
        request = self.fcl.CollisionRequest(num_max_contacts=most, enable_contact=most > 1)
        result = self.fcl.CollisionResult()
        return self.fcl.collide(self.here, placed, request, result), result

    def any(self, placed):
        return self._collide(placed, 1)[0] > 0

    def all(self, placed):
        return self._collide(placed, 1 << 20)[0]

    def distance(self, placed):
        return self.fcl.distance(self.here, placed, self.fcl.DistanceRequest(), self.fcl.DistanceResult())


class Manifold:
    def __init__(self, manifold3d, vertices, faces):
        mesh = manifold3d.Mesh(vert_properties=vertices.astype(np.float32), tri_verts=faces.astype(np.uint32))
        mesh.merge()
        self.solid = manifold3d.Manifold(mesh)
        self.size = float(np.linalg.norm(np.ptp(vertices, axis=0)))

    def place(self, other, matrix):
        return other.solid.transform(matrix[:3].copy())

    any = all = None

    def distance(self, placed):
        return self.solid.min_gap(placed, 4 * self.size)


MAKERS = {"coal": Coal, "fcl": Fcl, "manifold3d": Manifold}


def makers(found):
    return {name: lambda v, f, module=module, name=name: MAKERS[name](module, v, f) for name, module in found.items()}


def shift(x, y=0.0, z=0.0):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def timed(rounds, calls):
    """The shortest time of each, and what it answered."""
    best = dict.fromkeys(calls, np.inf)
    answers = {}
    for _ in range(rounds):
        for name, call in calls.items():
            started = time.perf_counter()
            answers[name] = call()
            best[name] = min(best[name], time.perf_counter() - started)
    return best, answers


def measure(path, rounds, peers):
    mesh = sightline.load(path)
    vertices, faces = mesh.vertices, mesh.faces
    all_of = {"sightline": Ours, **peers}
    made = {name: make(vertices, faces) for name, make in all_of.items()}
    diagonal = float(np.linalg.norm(np.ptp(vertices, axis=0)))
    print(f"{path}: {len(faces)} triangles, times in milliseconds")
    for question, step in (("any", 0.1), ("all", 0.1), ("distance", 2.0)):
        calls = {}
        for name, one in made.items():
            if getattr(one, question) is not None:
                placed = one.place(one, shift(step * diagonal))
                calls[name] = lambda one=one, placed=placed, question=question: getattr(one, question)(placed)
        best, answers = timed(rounds, calls)
        for name in calls:
            ratio = best[name] / best["sightline"]
            print(f"  {question:9} {name:11} {1e3 * best[name]:10.3f}  {ratio:7.2f} x  {answers[name]}")


def box(size):
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64) * size
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    faces += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return corners, np.array(faces, np.uint32)


def surfaces_meet(size_a, size_b, at):
    """Of boxes 0 .. size_a and at .. at + size_b: not apart, and neither strictly within the other."""
    low, high = at, at + size_b
    apart = (low > size_a).any() or (high < 0).any()
    within = ((low > 0) & (high < size_a)).all() or ((low < 0) & (high > size_a)).all()
    return not (apart or within)


def count_wrong(peers, count, seed):
    random = np.random.default_rng(seed)
    all_of = {"sightline": Ours, **peers}
    wrong = {name: [0, 0, 0] for name in all_of}
    asked = [0, 0]
    for _ in range(count):
        size_a, size_b, at = (random.integers(low, 7, 3) for low in (1, 1, -6))
        meet = bool(surfaces_meet(size_a, size_b, at))
        gap = np.maximum(0, np.maximum(at - size_a, -(at + size_b))).astype(np.float64)
        truth = float(np.linalg.norm(gap))
        asked[0] += 1
        asked[1] += truth > 0
        for name, make in all_of.items():
            one, other = make(*box(size_a)), make(*box(size_b))
            placed = one.place(other, shift(*at.astype(float)))
            if one.any is not None:
                wrong[name][0] += bool(one.any(placed)) != meet
            if truth > 0:
                distance = one.distance(placed)
                wrong[name][1] += abs(distance - truth) > 1e-6 * truth
                wrong[name][2] += distance <= 0
    print(f"wrong of {asked[0]} pairs of boxes: meets; of {asked[1]} distances: wrong, 0 where they are apart")
    for name, counts in wrong.items():
        print(f"  {name:11} {counts[0]:6} {counts[1]:6} {counts[2]:6}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mesh")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--pairs", type=int, default=3000)
    options = parser.parse_args()
    peers = makers(modules())
    measure(options.mesh, options.rounds, peers)
    count_wrong(peers, options.pairs, 1)


if __name__ == "__main__":
    main()

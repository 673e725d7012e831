"""Mesh against mesh next to coal, python-fcl, manifold3d and mujoco, on one thread each.

    python test/python/bench/contact.py [--rounds N] [--pairs N] [--seconds S] [MESH...]

Each mesh against itself under transforms: moved by a tenth of its diagonal along x and along (1, 1, 1), or turned by 0.5
about (1, 2, 3) (whether they meet; how many pairs of triangles do), and by twice its diagonal (the distance).  Trees are
built before.  The shortest time of the rounds counts, and all take turns; answers are printed beside them.  Each library
has a process of its own (contact_peers.py), and the CPU time of that process counts.  A call that takes more than
S seconds is given up, and counts as no answer.

Then what each answers wrongly, counted, of pairs of small meshes whose corners are whole numbers, so that fractions tell
the truth (contact_truth.py): octahedra of any shape at random; octahedra that touch, or miss it by a step of the grid;
boxes on a grid, along the axes and slanted; triangles in one plane.  Columns:

    any       whether they meet
    all       how many pairs of triangles do
    distance  of those that are apart: an error above a millionth of the distance
    zero      a distance of 0 or less where they are apart
    above     one above 0 where they meet
    nothing   no answer in time

manifold3d and mujoco answer for solids: only where the bounds of both are apart.
"""

import argparse

import numpy as np
import sightline_bvh as sightline
from contact_peers import MAKERS, Peer
from contact_truth import KINDS, SOLID, truth

SOLIDS = ("manifold3d", "mujoco")
TIMED = ("sightline_bvh", "coal", "fcl", "manifold3d")


def installed(seconds):
    """A process for each library that is installed."""
    found = {}
    for name in MAKERS:
        try:
            module = __import__(name)
            found[name] = Peer(name, seconds)
            print(f"{name} {getattr(module, '__version__', '')}")
        except ImportError as fault:
            print(f"without {name}: {fault}")
    return found


def moved(by, turned=0.0):
    """By a vector, and turned by an angle about (1, 2, 3)."""
    x, y, z = np.array([1, 2, 3]) / 14**0.5
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(turned) * k + (1 - np.cos(turned)) * k @ k
    matrix[:3, 3] = by
    return matrix


def timed(peers, rounds, question, matrix, limit):
    """The shortest time of each, and what it answered."""
    best, answers = dict.fromkeys(peers, np.inf), {}
    for _ in range(rounds):
        for name, peer in peers.items():
            if best[name] is not None:
                seconds, answers[name] = peer.ask(question, 0, 0, matrix, limit)
                best[name] = None if answers[name] is None else min(best[name], seconds)
    return best, answers


def measure(path, rounds, peers):
    mesh = sightline.load(path)
    size = float(np.linalg.norm(np.ptp(mesh.vertices, axis=0)))
    tree = sightline.Tree(mesh)
    print(f"{path}: {len(mesh.faces)} triangles, times in milliseconds")
    for peer in peers.values():
        peer.set_meshes((mesh.vertices, mesh.faces))
    places = {"x": ([1, 0, 0], 0), "xyz": ([3**-0.5] * 3, 0), "turned": ([1, 0, 0], 0.5)}
    for question, step in (("any", 0.1), ("all", 0.1), ("distance", 2.0)):
        asked = {name: peer for name, peer in peers.items() if peer.answers(question)}
        for place, (along, turned) in places.items():
            matrix = moved(step * size * np.array(along), turned)
            # The most favourable limit of a search: a hundredth above the answer.
            limit = 1.01 * float(tree.distance(sightline.Scene([(tree, matrix)])).distance)
            best, answers = timed(asked, rounds, question, matrix, limit)
            for name in asked:
                if best[name] is None:
                    print(f"  {question:9} {place:7} {name:13}    nothing")
                    continue
                ratio = best[name] / best["sightline_bvh"]
                print(f"  {question:9} {place:7} {name:13} {1e3 * best[name]:10.3f}  {ratio:7.2f} x  {answers[name]}")


def faults(question, answer, meet, distance):
    """The columns in which an answer counts."""
    if answer is None:
        return ["nothing"]
    if question != "distance":
        return [question] if answer != (meet if question == "all" else meet > 0) else []
    if meet:
        return ["above"] if answer > 0 else []
    return ["distance"] * (not abs(answer - distance) <= 1e-6 * distance) + ["zero"] * (answer <= 0)


def bounds_apart(a, b, at):
    a, b = a[0], b[0] + at
    return bool((a.min(0) > b.max(0)).any() or (b.min(0) > a.max(0)).any())


def count_wrong(peers, kind, count, seed):
    random = np.random.default_rng(seed)
    pairs = [KINDS[kind](random) for _ in range(count)]
    told = [(meet, float(square) ** 0.5) for meet, square in (truth(*pair) for pair in pairs)]
    print(f"{count} pairs of {kind}, {sum(meet > 0 for meet, _ in told)} of which meet")
    for name, peer in peers.items():
        solids = name in SOLIDS
        if solids and kind not in SOLID:
            continue
        wrong = dict.fromkeys(("any", "all", "distance", "zero", "above", "nothing"), 0)
        asked = 0
        peer.set_meshes(*(mesh for a, b, _ in pairs for mesh in (a, b)))
        for i, ((a, b, at), (meet, distance)) in enumerate(zip(pairs, told, strict=True)):
            if solids and not bounds_apart(a, b, at):
                continue
            asked += 1
            for question in ("any", "all", "distance"):
                if peer.answers(question):
                    _, answer = peer.ask(question, 2 * i, 2 * i + 1, moved(at), 1.5 * distance)
                    for column in faults(question, answer, meet, distance):
                        wrong[column] += 1
        print(f"  {name:13} of {asked:5}: " + ", ".join(f"{key} {wrong[key]}" for key in wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshes", nargs="*", metavar="MESH")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    peers = installed(options.seconds)
    for path in options.meshes:
        measure(path, options.rounds, {name: peer for name, peer in peers.items() if name in TIMED})
    for kind in KINDS:
        count_wrong(peers, kind, options.pairs, 1)


if __name__ == "__main__":
    main()

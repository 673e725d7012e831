"""One number for the answers to fixed questions about meshes: equal on every platform (wheels-check.sh compares it).

    python test/python/digest.py MESH...

The questions are of integers and of powers of two, so that no other library has a say in them.
"""

import hashlib
import sys

import numpy as np
import sightline_bvh as sightline

COUNT = 4000


def numbers(seed, *shape):
    """In [-1, 1), the same everywhere: a linear congruence, of which the high bits are kept."""
    state = np.uint64(seed)
    found = np.empty(int(np.prod(shape)))
    with np.errstate(over="ignore"):
        for i in range(found.size):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            found[i] = int(state >> np.uint64(40)) / 2.0**23 - 1
    return found.reshape(shape)


def answers(tree, dtype, threads):
    """Arrays of what the tree answers, around its box."""
    low, high = tree.bounds.astype(np.float64)
    centre, size = (low + high) / 2, float((high - low).max())
    p = (centre + size * numbers(1, COUNT, 3)).astype(dtype)
    q = (centre + size * numbers(2, COUNT, 3)).astype(dtype)
    yield tree.closest(p, q - p, threads=threads).array
    yield tree.closest(p, to=q, threads=threads).array
    yield tree.count(p, q - p, threads=threads)
    every = tree.all(p[:500], to=q[:500], threads=threads)
    yield every.offsets
    yield every.values.array
    yield tree.blocked(p, q, threads=threads)
    near = tree.nearest(p, threads=threads)
    yield near.array
    yield tree.within(p[:100], size / 16, threads=threads).values
    yield tree.inside(p[:1000].astype(np.float32), threads=threads)
    yield tree.surface(tree.closest(p, q - p, threads=threads)).array


def digest(mesh):
    found = hashlib.sha256()
    for quality in ("fast", "default", "high"):
        tree = sightline.Tree(mesh, quality=quality)
        for dtype in (np.float32, np.float64):
            for threads in (1, 3):
                one = hashlib.sha256()
                for array in answers(tree, dtype, threads):
                    one.update(np.ascontiguousarray(array).tobytes())
                found.update(one.digest())
    for values in (sightline.Tree(mesh).bake("ao", rays=16), mesh.vertex_normals()):
        found.update(values.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    meshes = [sightline.sphere(12), sightline.torus(), sightline.soup(500, 0.3, 5), sightline.grid(20, 20, 0.5, 2)]
    meshes += [sightline.load(path) for path in sys.argv[1:]]
    print(hashlib.sha256("".join(digest(mesh) for mesh in meshes).encode()).hexdigest())

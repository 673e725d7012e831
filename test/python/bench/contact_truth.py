"""Pairs of meshes whose corners are whole numbers, and what is true of them, in whole numbers and fractions.

Nothing of sightline is used here.  Triangles are closed; none is without area.
"""

from fractions import Fraction

import numpy as np


def _sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _to_segment(p, a, b):
    """The square of the distance of p from ab."""
    along, to = _sub(b, a), _sub(p, a)
    share, square = _dot(to, along), _dot(along, along)
    if share <= 0:
        return Fraction(_dot(to, to))
    if share >= square:
        return Fraction(_dot(_sub(p, b), _sub(p, b)))
    return _dot(to, to) - Fraction(share * share, square)


def _between_lines(a, b):
    """That of two segments where their nearest points are within both; else None."""
    u, v, w = _sub(a[1], a[0]), _sub(b[1], b[0]), _sub(b[0], a[0])
    n = _cross(u, v)
    square = _dot(n, n)
    if square == 0:
        return None
    s, t = _dot(_cross(w, v), n), _dot(_cross(w, u), n)
    if not (0 <= s <= square and 0 <= t <= square):
        return None
    return Fraction(_dot(w, n) ** 2, square)


def _to_face(p, triangle, n):
    """That of p from the inside of a triangle; None where it is not above it."""
    for i in range(3):
        a, b = triangle[i], triangle[(i + 1) % 3]
        if _dot(_cross(_sub(b, a), _sub(p, a)), n) < 0:
            return None
    return Fraction(_dot(_sub(p, triangle[0]), n) ** 2, _dot(n, n))


def _pierces(p, q, triangle, n):
    """Whether pq, not in the triangle's plane, meets it."""
    one, other = _dot(_sub(p, triangle[0]), n), _dot(_sub(q, triangle[0]), n)
    if (one > 0 and other > 0) or (one < 0 and other < 0) or one == other:
        return False
    sides = [_dot(_cross(_sub(triangle[i], p), _sub(triangle[(i + 1) % 3], p)), _sub(q, p)) for i in range(3)]
    return min(sides) >= 0 or max(sides) <= 0


def square_of_triangles(a, b):
    """The square of the distance of two triangles, a Fraction."""
    edges_a, edges_b = ([(t[i], t[(i + 1) % 3]) for i in range(3)] for t in (a, b))
    na, nb = (_cross(_sub(t[1], t[0]), _sub(t[2], t[0])) for t in (a, b))
    if any(_pierces(p, q, b, nb) for p, q in edges_a) or any(_pierces(p, q, a, na) for p, q in edges_b):
        return Fraction(0)
    found = [_to_segment(p, *edge) for p in a for edge in edges_b]
    found += [_to_segment(p, *edge) for p in b for edge in edges_a]
    found += [_to_face(p, b, nb) for p in a] + [_to_face(p, a, na) for p in b]
    found += [_between_lines(one, other) for one in edges_a for other in edges_b]
    return min(square for square in found if square is not None)


def truth(mesh_a, mesh_b, at):
    """How many pairs of triangles meet, with b moved by at, and the square of the meshes' distance."""
    a, b = mesh_a[0][mesh_a[1]], (mesh_b[0] + at)[mesh_b[1]]
    low = np.maximum(a.min(1)[:, None] - b.max(1)[None], b.min(1)[None] - a.max(1)[:, None])
    bounds = (np.maximum(low, 0) ** 2).sum(2)
    triangles = [[[tuple(corner) for corner in t] for t in side.tolist()] for side in (a, b)]
    meet, least = 0, None
    for k in np.argsort(bounds, axis=None):
        i, j = divmod(int(k), len(b))
        if least is not None and int(bounds[i, j]) > least:
            break
        square = square_of_triangles(triangles[0][i], triangles[1][j])
        meet += square == 0
        least = square if least is None else min(least, square)
    return meet, least


# ---- Pairs ----

_OCTAHEDRON = np.array(
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]], np.uint32
)
_BOX = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    + [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]],
    np.uint32,
)


def _octahedron(random, size):
    """Convex, and slanted at random."""
    axes = np.zeros((3, 3), np.int64)
    while np.linalg.det(axes) < size**3 / 20:
        axes = random.integers(-size, size, (3, 3))
    return np.array([axes[0], -axes[0], axes[1], -axes[1], axes[2], -axes[2]]), _OCTAHEDRON


def octahedra(random):
    a, b = _octahedron(random, 1000), _octahedron(random, 1000)
    return a, b, random.integers(-2000, 2000, 3)


def touching(random):
    """A corner of b on a face of a, exactly, or up to a step of a grid beside it; half a million steps wide."""
    (va, fa), (vb, fb) = _octahedron(random, 1 << 17), _octahedron(random, 1 << 17)
    va, vb = 4 * va, 4 * vb
    corners = va[fa[random.integers(8)]]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0]).astype(np.float64)
    spot = (2 * corners[0] + corners[1] + corners[2]) // 4
    aside = random.integers(-1, 2, 3) * random.integers(0, 2)
    return (va, fa), (vb, fb), spot + aside - vb[np.argmin(vb @ normal)]


def _box(size):
    return np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.int64) * size, _BOX


def boxes(random):
    """Boxes on a grid of six: two of three have sides in one plane."""
    size_a, size_b, at = (random.integers(low, 7, 3) for low in (1, 1, -6))
    return _box(size_a), _box(size_b), at


def slanted(random):
    """Such boxes, turned and tens of thousands of steps wide."""
    turn = np.array([[1, 2, 2], [2, 1, -2], [-2, 2, -1]]) * random.integers(1 << 12, 1 << 14)
    (va, fa), (vb, fb), at = boxes(random)
    return (va @ turn, fa), (vb @ turn, fb), at @ turn


def _flat(random, u, v):
    """Four triangles in the plane of u and v."""
    corners = []
    while len(corners) < 12:
        three = random.integers(0, 12, (3, 2))
        if np.linalg.det(three[1:] - three[0]) > 0.5:
            corners += three.tolist()
    return np.array(corners) @ np.array([u, v]), np.arange(12, dtype=np.uint32).reshape(4, 3)


def coplanar(random):
    """Four triangles and four in one plane; of three pairs one a step or less beside it."""
    u, v = np.zeros((2, 3), np.int64)
    while not np.cross(u, v).any():
        u, v = random.integers(-(1 << 15), 1 << 15, (2, 3))
    at = random.integers(-14, 15, 2) @ np.array([u, v])
    aside = random.integers(-1, 2, 3) * (random.integers(3) == 0)
    return _flat(random, u, v), _flat(random, u, v), at + aside


KINDS = {"octahedra": octahedra, "touching": touching, "boxes": boxes, "slanted": slanted, "coplanar": coplanar}
SOLID = ("octahedra", "boxes", "slanted")
